use std::sync::OnceLock;

use regex::{Regex, RegexSet};

use super::Secret;
use super::value::{always, is_mixed, is_no_placeholder};

/// What a secret looks like.
pub(super) enum Shape {
    /// A text that gives itself away. Where the pattern has a group, that is the secret, else all of it.
    Token {
        kind: Secret,
        /// What must stand in a text for the pattern to match it, as a pattern of its own: few letters, found quickly.
        trigger: &'static str,
        pattern: &'static str,
        /// What the pattern cannot say.
        is_secret: fn(&str) -> bool,
    },
    /// A value that is assigned to a telling name.
    Assignment { trigger: &'static str, pattern: &'static str },
}

impl Shape {
    /// Its trigger and its pattern.
    fn patterns(&self) -> (&'static str, &'static str) {
        let (Self::Token { trigger, pattern, .. } | Self::Assignment { trigger, pattern }) = self;
        (trigger, pattern)
    }

    /// Whether one may go on over lines. All others hold no line break.
    pub(super) fn spans_lines(&self) -> bool {
        matches!(self, Self::Token { kind, .. } if *kind == PRIVATE_KEY)
    }
}

const PRIVATE_KEY: Secret = "private key";

/// All shapes, in the order in which they are masked: what may contain others comes first.
pub(super) const SHAPES: &[Shape] = &[
    token(
        PRIVATE_KEY,
        "-----BEGIN",
        concat!(
            r#"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:"#,
            r#"[A-Za-z0-9+/=:,.\s\\"'-]*?-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"#,
            // One whose end was cut off.
            r#"|(?:(?:\s|\\[nr]|["'+])*[A-Za-z0-9+/=]{16,})+)"#
        ),
        always,
    ),
    token("Anthropic key", "sk-ant-", r"\bsk-ant-[A-Za-z0-9_-]{20,}", is_mixed),
    token("OpenRouter key", "sk-or-", r"\bsk-or-v1-[0-9a-f]{32,}", always),
    token(
        "OpenAI key",
        "sk-",
        r"\bsk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,}\b)",
        is_mixed,
    ),
    token("AWS key id", "AKIA|ASIA", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b", is_mixed),
    token(
        "GitHub token",
        "gh[pousr]_|github_pat_",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{40,255})",
        is_mixed,
    ),
    token(
        "GitLab token",
        "gl[a-z]+-",
        r"\bgl(?:pat|dt|ptt|rt|soat|cbt|ft|imt|agent)-[A-Za-z0-9_.-]{20,}",
        is_mixed,
    ),
    token("Slack token", "xox|xapp", r"\bx(?:ox[abceoprs]|app)-[A-Za-z0-9-]{10,}", is_mixed),
    token(
        "Slack webhook",
        r"hooks\.slack",
        r"\bhttps://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}",
        always,
    ),
    token(
        "Google key",
        "AIza|GOCSPX|ya29",
        r"\b(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{30,})",
        is_mixed,
    ),
    token("Stripe key", "[sr]k_|whsec_", r"\b(?:(?:sk|rk)_(?:live|test)|whsec)_[A-Za-z0-9]{16,}", always),
    token("npm token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b", is_mixed),
    token("PyPI token", "pypi-", r"\bpypi-[A-Za-z0-9_-]{50,}", is_mixed),
    token("Hugging Face token", "hf_", r"\bhf_[A-Za-z0-9]{30,}\b", is_mixed),
    token("JSON Web Token", "eyJ", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*", always),
    token(
        "authorization",
        "(?i:authorization)",
        r#"(?i:\bauthorization\\?["']?[ \t]*[:=][ \t]*\\?["']?(?:bearer|basic|token)[ \t]+)([A-Za-z0-9._~+/=-]{8,})"#,
        is_no_placeholder,
    ),
    token("authorization", "[Bb]earer", r"\b[Bb]earer[ \t]+([A-Za-z0-9._~+/=-]{20,})", is_mixed),
    token(
        "address password",
        "://",
        r#"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@'"<>`]{0,100}:([^\s/@'"<>`]{1,200})@[A-Za-z0-9\[]"#,
        is_no_placeholder,
    ),
    Shape::Assignment { trigger: super::assignment::TRIGGER, pattern: super::assignment::PATTERN },
];

const fn token(
    kind: Secret,
    trigger: &'static str,
    pattern: &'static str,
    is_secret: fn(&str) -> bool,
) -> Shape {
    Shape::Token { kind, trigger, pattern, is_secret }
}

/// The patterns, made ready.
pub(super) struct Patterns {
    /// The triggers all at once, to know which shapes may occur at all.
    pub(super) triggers: RegexSet,
    /// Those of each shape, and its pattern.
    pub(super) each: Vec<(Regex, Regex)>,
}

/// The patterns of [`SHAPES`], in the same order.
#[expect(clippy::expect_used, reason = "the patterns are part of the program and are compiled in a test")]
pub(super) fn shapes() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let triggers: Vec<&str> = SHAPES.iter().map(|shape| shape.patterns().0).collect();
        let each = SHAPES.iter().map(Shape::patterns).map(|(trigger, pattern)| {
            // Words end where ASCII ends: the search is faster, and tokens are ASCII.
            let pattern = pattern.replace(r"\b", r"(?-u:\b)");
            (Regex::new(trigger).expect("a trigger"), Regex::new(&pattern).expect("a pattern"))
        });
        Patterns { triggers: RegexSet::new(&triggers).expect("triggers"), each: each.collect() }
    })
}
