//! Markdown of others inside a document of ours.
//!
//! It may hold whatever it likes, and must not reach beyond itself: no fence it forgot to close, no HTML that hides what
//! follows, no heading that looks like one of the document's own, no link that runs something.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::fenced;

/// Levels of headings that belong to the document.
const OWN_LEVELS: usize = 3;
/// What is made harmless may uncover something else, a few times over.
const ROUNDS: usize = 6;
/// Schemes of addresses that open a page or a letter.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "ftp"];

/// A text that stands in its bytes, for a change of a text.
type Change = (Range<usize>, String);

/// The Markdown with all that reaches beyond it taken back; as code where that does not help.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    let mut safe = Cow::Borrowed(text);
    for _ in 0..ROUNDS {
        let changes = changes(&safe);
        if changes.is_empty() {
            return safe;
        }
        safe = Cow::Owned(changed(&safe, changes));
    }
    Cow::Owned(fenced(text, "markdown"))
}

fn changes(text: &str) -> Vec<Change> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut changes = Vec::new();
    // What stands in a list or a quotation ends with it.
    let mut containers = 0_usize;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => {
                let brackets = memchr::memchr_iter(b'<', text[range.clone()].as_bytes());
                changes.extend(brackets.map(|at| at + range.start).map(|at| (at..at + 1, "&lt;".to_owned())));
            }
            Event::Start(Tag::Heading { level, .. }) if level as usize <= OWN_LEVELS => {
                lower_heading(text, range, level, &mut changes);
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) if runs(&dest_url) => {
                changes.extend(without_link(text, range));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) if containers == 0 => {
                changes.extend(missing_fence(text, range));
            }
            Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => containers += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => containers = containers.saturating_sub(1),
            _ => {}
        }
    }
    changes.sort_by_key(|(range, _)| range.start);
    changes.dedup_by_key(|(range, _)| range.start);
    changes
}

/// The text with changes made that are in order and do not overlap; of such that do, the first.
fn changed(text: &str, changes: Vec<Change>) -> String {
    let mut out = String::with_capacity(text.len() + 8 * changes.len());
    let mut done = 0;
    for (range, new) in changes {
        if range.start >= done {
            out.push_str(&text[done..range.start]);
            out.push_str(&new);
            done = range.end;
        }
    }
    out.push_str(&text[done..]);
    out
}

/// Moves a heading below those of the document. One that is underlined becomes one with signs in front, or, when it has
/// several lines, a paragraph.
fn lower_heading(text: &str, range: Range<usize>, level: HeadingLevel, changes: &mut Vec<Change>) {
    let source = &text[range.clone()];
    if source.starts_with('#') {
        changes.push((range.start..range.start, "#".repeat(OWN_LEVELS)));
        return;
    }
    let source = source.trim_end();
    let Some(last_line) = source.rfind('\n') else { return };
    let Some(line) = source[last_line..].find(['=', '-']) else { return };
    let underline = range.start + last_line + line;
    if source[..last_line].contains('\n') {
        changes.push((underline..underline, "\\".into()));
    } else {
        changes.push((range.start..range.start, format!("{} ", "#".repeat(OWN_LEVELS + level as usize))));
        changes.push((underline..range.start + source.len(), String::new()));
    }
}

/// Whether an address opens something else than a page or a letter.
fn runs(address: &str) -> bool {
    let plain: String = address.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    let Some((scheme, _)) = plain.split_once(':') else { return false };
    let is_scheme = scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme && !SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

/// A link as the text it is written in.
fn without_link(text: &str, range: Range<usize>) -> Option<Change> {
    let source = &text[range.clone()];
    let at = range.start + source.find(['[', '<'])?;
    let escaped = if text[at..].starts_with('<') { "&lt;" } else { "\\[" };
    Some((at..at + 1, escaped.to_owned()))
}

/// The closing fence of a block that ends with the text only because the text ends.
fn missing_fence(text: &str, range: Range<usize>) -> Option<Change> {
    if !text[range.end..].trim().is_empty() {
        return None;
    }
    let source = text[range].trim_end();
    let mark = source.chars().next()?;
    let length = source.chars().take_while(|&c| c == mark).count();
    let closes = |line: &str| {
        let line = line.trim();
        line.len() >= length && line.chars().all(|c| c == mark)
    };
    let is_closed = source.lines().skip(1).last().is_some_and(closes);
    let end = text.len();
    (!is_closed).then(|| (end..end, format!("\n{}", mark.to_string().repeat(length))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_markdown_stays_as_it_is() {
        for text in [
            "plain **bold** `code <b>` [link](https://example.org) <https://example.org>",
            "- one\n- two\n\n1. a\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |",
            "```rust\nfn main() {}\n```\n\ntext",
            "#### small\n\n---\n\n[mail](mailto:a@b.c) [file](src/a.rs) [part](#part)",
            "a < b && c > d, <3",
        ] {
            assert!(matches!(harmless(text), Cow::Borrowed(_)), "{text}: {}", harmless(text));
        }
    }

    #[test]
    fn what_reaches_beyond_is_taken_back() {
        for (text, wanted) in [
            ("# one\n\n## two\n\n### three", "#### one\n\n##### two\n\n###### three"),
            ("User\n====", "#### User\n"),
            ("User\n----\ntext", "##### User\n\ntext"),
            ("two\nlines\n---", "two\nlines\n\\---"),
            ("> # quoted", "> #### quoted"),
            ("```sh\nls", "```sh\nls\n```"),
            ("~~~~\nls\n~~~", "~~~~\nls\n~~~\n~~~~"),
            ("- item\n  ```\n  open", "- item\n  ```\n  open"),
            ("<!-- hides", "&lt;!-- hides"),
            ("<details>\n<summary>x", "&lt;details>\n&lt;summary>x"),
            ("a <b onclick=x>b</b>", "a &lt;b onclick=x>b&lt;/b>"),
            ("<div>\n# Evil", "&lt;div>\n#### Evil"),
            ("[x](javascript:alert(1))", "\\[x](javascript:alert(1))"),
            ("[x](<java\tscript:alert(1)>)", "\\[x](<java\tscript:alert(1)>)"),
            ("![x](data:text/html,1)", "!\\[x](data:text/html,1)"),
            ("<javascript:alert(1)>", "&lt;javascript:alert(1)>"),
            ("[x][1]\n\n[1]: javascript:alert(1)", "\\[x]\\[1]\n\n[1]: javascript:alert(1)"),
        ] {
            assert_eq!(harmless(text), wanted, "{text}");
        }
    }

    proptest! {
        #[test]
        fn whatever_stands_inside_the_next_heading_is_ours(
            pieces in prop::collection::vec(prop_oneof![
                Just("\n".to_owned()), Just("\n\n".to_owned()), Just("# ".to_owned()), Just("```".to_owned()),
                Just("~~~\n".to_owned()), Just("<!--".to_owned()), Just("<div>".to_owned()), Just("<pre>\n".to_owned()),
                Just("</details>".to_owned()), Just("- ".to_owned()), Just("> ".to_owned()), Just("---\n".to_owned()),
                Just("===\n".to_owned()), Just("[a](javascript:b)".to_owned()), Just("<?".to_owned()),
                Just("    ".to_owned()), Just("`".to_owned()), Just("word".to_owned()), Just("|".to_owned()),
                Just("<![CDATA[".to_owned()), Just("\\".to_owned()), "[ -~]{0,4}",
            ], 0..24)
        ) {
            let text = pieces.concat();
            let whole = format!("{}\n\n## Ours\n\nend", harmless(text.trim()));
            let events: Vec<_> = Parser::new_ext(&whole, Options::ENABLE_TABLES).collect();
            let own = events.iter().filter(|event| {
                matches!(event, Event::Start(Tag::Heading { level, .. }) if *level as usize <= OWN_LEVELS)
            });
            prop_assert_eq!(own.count(), 1, "{}", whole);
            let html = events.iter().filter(|event| matches!(event, Event::Html(_) | Event::InlineHtml(_)));
            prop_assert_eq!(html.count(), 0, "{}", whole);
            let bad_link = |event: &&Event<'_>| matches!(event, Event::Start(Tag::Link { dest_url, .. }) if runs(dest_url));
            prop_assert_eq!(events.iter().filter(bad_link).count(), 0, "{}", whole);
        }
    }
}
