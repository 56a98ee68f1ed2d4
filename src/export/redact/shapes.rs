use std::sync::OnceLock;

use regex::{Regex, RegexSet};

use super::Secret;
use super::value::{always, is_mixed, is_no_placeholder};

/// What a secret looks like.
pub(super) enum Shape {
    /// A text that gives itself away. Where the pattern has a group, that is the secret, else all of it.
    Token {
        kind: Secret,
        pattern: &'static str,
        /// What the pattern cannot say.
        is_secret: fn(&str) -> bool,
    },
    /// A value that is assigned to a telling name.
    Assignment { pattern: &'static str },
}

/// All shapes, in the order in which they are masked: what may contain others comes first.
pub(super) const SHAPES: &[Shape] = &[
    token(
        "private key",
        concat!(
            r#"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:"#,
            r#"[A-Za-z0-9+/=:,.\s\\"'-]*?-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"#,
            // One whose end was cut off.
            r#"|(?:(?:\s|\\[nr]|["'+])*[A-Za-z0-9+/=]{16,})+)"#
        ),
        always,
    ),
    token("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}", is_mixed),
    token("OpenRouter key", r"\bsk-or-v1-[0-9a-f]{32,}", always),
    token(
        "OpenAI key",
        r"\bsk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,}\b)",
        is_mixed,
    ),
    token("AWS key id", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b", is_mixed),
    token("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{40,255})", is_mixed),
    token("GitLab token", r"\bgl(?:pat|dt|ptt|rt|soat|cbt|ft|imt|agent)-[A-Za-z0-9_.-]{20,}", is_mixed),
    token("Slack token", r"\bx(?:ox[abceoprs]|app)-[A-Za-z0-9-]{10,}", is_mixed),
    token("Slack webhook", r"\bhttps://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}", always),
    token(
        "Google key",
        r"\b(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{30,})",
        is_mixed,
    ),
    token("Stripe key", r"\b(?:(?:sk|rk)_(?:live|test)|whsec)_[A-Za-z0-9]{16,}", always),
    token("npm token", r"\bnpm_[A-Za-z0-9]{36}\b", is_mixed),
    token("PyPI token", r"\bpypi-[A-Za-z0-9_-]{50,}", is_mixed),
    token("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}\b", is_mixed),
    token("JSON Web Token", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*", always),
    token(
        "authorization",
        r#"(?i:\bauthorization\\?["']?[ \t]*[:=][ \t]*\\?["']?(?:bearer|basic|token)[ \t]+)([A-Za-z0-9._~+/=-]{8,})"#,
        is_no_placeholder,
    ),
    token("authorization", r"\b[Bb]earer[ \t]+([A-Za-z0-9._~+/=-]{20,})", is_mixed),
    token(
        "address password",
        r#"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@'"<>`]{0,100}:([^\s/@'"<>`]{1,200})@[A-Za-z0-9\[]"#,
        is_no_placeholder,
    ),
    Shape::Assignment { pattern: super::assignment::PATTERN },
];

const fn token(kind: Secret, pattern: &'static str, is_secret: fn(&str) -> bool) -> Shape {
    Shape::Token { kind, pattern, is_secret }
}

/// The patterns, made ready: all at once to know which occur at all, and each by itself.
pub(super) struct Patterns {
    pub(super) set: RegexSet,
    pub(super) each: Vec<Regex>,
}

/// The patterns of [`SHAPES`], in the same order.
#[expect(clippy::expect_used, reason = "the patterns are part of the program and are compiled in a test")]
pub(super) fn shapes() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        // Words end where ASCII ends: the search is faster, and tokens are ASCII.
        let ascii = |shape: &Shape| {
            let (Shape::Token { pattern, .. } | Shape::Assignment { pattern }) = shape;
            pattern.replace(r"\b", r"(?-u:\b)")
        };
        let patterns: Vec<String> = SHAPES.iter().map(ascii).collect();
        let each = patterns.iter().map(|pattern| Regex::new(pattern).expect("a pattern"));
        Patterns { set: RegexSet::new(&patterns).expect("patterns"), each: each.collect() }
    })
}
