//! The syntax of code as tones: the one place that knows the highlighting library.

use std::sync::OnceLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use super::row::{Row, Span, Tone};

/// Lines of more bytes are machine-made and cost more to parse than they tell.
const LONGEST_LINE: usize = 2_000;

/// The first `most` lines of sanitised code, not wrapped, each in the tones of its syntax; `None` where the language is
/// not known or the code does not parse. The language is a name, a file extension or a file name.
pub(super) fn highlight(code: &str, language: &str, most: usize) -> Option<Vec<Row>> {
    let (syntaxes, rules) = (syntaxes(), rules());
    let syntax = syntaxes.find_syntax_by_token(language)?;
    if code.split('\n').take(most).any(|line| line.len() > LONGEST_LINE) {
        return None;
    }
    let mut state = ParseState::new(syntax);
    let mut scopes = ScopeStack::new();
    let mut rows = Vec::new();
    for line in code.split('\n').take(most) {
        // The grammars expect a line with its end.
        let whole = format!("{line}\n");
        let mut row = Row::new();
        let mut at = 0;
        for (from, change) in state.parse_line(&whole, syntaxes).ok()? {
            push(&mut row, line.get(at..from.min(line.len())), tone(&scopes, rules));
            scopes.apply(&change).ok()?;
            at = from;
        }
        push(&mut row, line.get(at..), tone(&scopes, rules));
        rows.push(row);
    }
    Some(rows)
}

/// Adds text to a row, in the span before it where the tone is the same.
fn push(row: &mut Row, text: Option<&str>, tone: Tone) {
    match (text, row.spans.last_mut()) {
        (Some(text), Some(last)) if last.tone == tone => last.text.push_str(text),
        (Some(text), _) => row.push(Span::new(text, tone)),
        (None, _) => {}
    }
}

/// The tone of the innermost scope that has one.
fn tone(scopes: &ScopeStack, rules: &[(Scope, Tone)]) -> Tone {
    let of =
        |scope: &Scope| rules.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, tone)| *tone);
    scopes.scopes.iter().rev().find_map(of).unwrap_or(Tone::Code)
}

fn syntaxes() -> &'static SyntaxSet {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    SYNTAXES.get_or_init(two_face::syntax::extra_newlines)
}

/// What the scopes of Sublime's grammars mean to us; the first that fits counts.
fn rules() -> &'static [(Scope, Tone)] {
    const RULES: &[(&str, Tone)] = &[
        ("comment", Tone::Comment),
        ("meta.interpolation", Tone::Code),
        ("meta.template.expression", Tone::Code),
        ("string", Tone::Literal),
        ("constant", Tone::Literal),
        ("keyword.operator.word", Tone::Keyword),
        ("keyword.operator.logical.python", Tone::Keyword),
        ("keyword.operator", Tone::Code),
        ("keyword", Tone::Keyword),
        ("storage", Tone::Keyword),
        ("variable.language", Tone::Keyword),
        ("variable.function", Tone::Name),
        ("entity.name", Tone::Name),
        ("entity.other.attribute-name", Tone::Name),
        ("support.function", Tone::Name),
        ("support.macro", Tone::Name),
        ("support.type", Tone::Name),
        ("support.class", Tone::Name),
        ("markup.heading", Tone::Strong),
        ("markup.inserted", Tone::Good),
        ("markup.deleted", Tone::Bad),
        ("markup.raw", Tone::Literal),
    ];
    static SCOPES: OnceLock<Vec<(Scope, Tone)>> = OnceLock::new();
    SCOPES.get_or_init(|| {
        RULES.iter().filter_map(|&(scope, tone)| Some((Scope::new(scope).ok()?, tone))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toned(code: &str, language: &str) -> Vec<(String, Tone)> {
        let rows = highlight(code, language, 99).unwrap();
        rows.into_iter().flat_map(|row| row.spans).map(|span| (span.text, span.tone)).collect()
    }

    #[test]
    fn syntax_becomes_tones() {
        let has = |code: &str, language: &str, text: &str, tone| {
            let spans = toned(code, language);
            assert!(
                spans.iter().any(|span| span.0.trim() == text && span.1 == tone),
                "{language}: {spans:?}"
            );
        };
        has("let x = \"a\"; // b", "rust", "let", Tone::Keyword);
        has("let x = \"a\"; // b", "rs", "\"a\"", Tone::Literal);
        has("let x = \"a\"; // b", "rust", "// b", Tone::Comment);
        has("def f(x):\n    return 1", "python", "f", Tone::Name);
        has("const a: number = 1", "typescript", "const", Tone::Keyword);
        has("key = 1 # note", "toml", "# note", Tone::Comment);
        has("# note\nFROM x", "Dockerfile", "FROM", Tone::Keyword);
        has("if true; then echo 1; fi", "bash", "if", Tone::Keyword);
        has("{\"a\": null}", "json", "null", Tone::Literal);
    }

    #[test]
    fn state_is_carried_from_line_to_line() {
        let spans = toned("/* a\nb */ fn", "rust");
        assert_eq!(spans[1], ("b */".into(), Tone::Comment));
    }

    #[test]
    fn what_is_not_known_stays_plain() {
        assert_eq!(highlight("x", "no such language", 9), None);
        assert_eq!(highlight(&"x".repeat(5_000), "rust", 9), None);
    }
}
