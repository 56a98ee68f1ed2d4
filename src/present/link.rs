//! Links to other places, safe to hand to a terminal.

use std::ops::Range;
use std::sync::Arc;

use super::row::Row;
use super::sanitize;

/// Longer addresses lead nowhere.
const LONGEST: usize = 2_000;
/// What addresses may begin with: what a browser or a mailer opens, and nothing that runs.
const SCHEMES: [&str; 4] = ["https://", "http://", "ftp://", "mailto:"];
/// What addresses in running text begin with.
const BARE_SCHEMES: [&str; 2] = ["https://", "http://"];

/// An address: visible ASCII characters and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link(Arc<str>);

impl Link {
    /// Reads an address as a file has it. One that hides something, that is no address, or that opens something else than
    /// a page or a letter leads nowhere.
    pub fn new(address: &str) -> Option<Self> {
        let address = address.trim();
        let starts_with = |scheme: &str| {
            address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        let scheme = SCHEMES.into_iter().find(|scheme| starts_with(scheme))?;
        let is_honest = sanitize::line(address) == address && address.len() > scheme.len();
        if !is_honest || address.len() > LONGEST {
            return None;
        }
        let mut clean = String::with_capacity(address.len());
        for byte in address.bytes() {
            match byte {
                b'!'..=b'~' => clean.push(char::from(byte)),
                _ => clean.push_str(&format!("%{byte:02X}")),
            }
        }
        Some(Self(clean.into()))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The row with the addresses in its text leading there.
pub(crate) fn link_addresses(row: Row) -> Row {
    if !row.spans.iter().any(|span| span.text.contains("://")) {
        return row;
    }
    let links = addresses(&row.plain());
    row.lead(&links)
}

/// Addresses in running text, from left to right.
fn addresses(text: &str) -> Vec<(Range<usize>, Link)> {
    let mut found: Vec<(Range<usize>, Link)> = Vec::new();
    for (colon, _) in text.match_indices("://") {
        let starts = BARE_SCHEMES.iter().filter_map(|scheme| {
            let start = (colon + 3).checked_sub(scheme.len())?;
            text.get(start..colon + 3).filter(|here| here.eq_ignore_ascii_case(scheme)).map(|_| start)
        });
        let Some(start) = starts.min() else { continue };
        let is_inside = found.last().is_some_and(|(range, _)| range.end > start);
        let follows_word = text[..start].chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric());
        if is_inside || follows_word {
            continue;
        }
        let end = start + length(&text[start..]);
        found.extend(Link::new(&text[start..end]).map(|link| (start..end, link)));
    }
    found
}

/// Bytes of the address that a text begins with: up to a blank or a quote, without the marks that end a sentence and
/// without a bracket that was opened before it.
fn length(text: &str) -> usize {
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`' | '|' | '\\' | '^' | '…');
    let mut address = &text[..text.find(ends).unwrap_or(text.len())];
    loop {
        let Some(last) = address.chars().next_back() else { return 0 };
        let opening = match last {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            '.' | ',' | ';' | ':' | '!' | '?' | '*' | '_' => '\0',
            _ => return address.len(),
        };
        let count = |wanted: char| address.matches(wanted).count();
        if opening != '\0' && count(opening) >= count(last) {
            return address.len();
        }
        address = &address[..address.len() - last.len_utf8()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::Tone;
    use proptest::prelude::*;

    #[test]
    fn only_honest_addresses_lead_somewhere() {
        for (address, wanted) in [
            ("https://a.b/c?d=e#f", Some("https://a.b/c?d=e#f")),
            (" HTTP://A.b ", Some("HTTP://A.b")),
            ("mailto:a@b.c", Some("mailto:a@b.c")),
            ("https://a.b/ü x", Some("https://a.b/%C3%BC%20x")),
            ("https://", None),
            ("file:///etc/passwd", None),
            ("javascript:alert(1)", None),
            ("a/b.md", None),
            ("#part", None),
            ("https://a.b/\u{1b}]8;;x\u{7}", None),
            ("https://a.b/\u{202e}c", None),
            ("https://a.b/\u{9c}", None),
        ] {
            assert_eq!(Link::new(address).as_ref().map(Link::as_str), wanted, "{address:?}");
        }
        assert_eq!(Link::new(&format!("https://{}", "a".repeat(2_000))), None);
    }

    #[test]
    fn addresses_in_running_text_end_where_they_end() {
        for (text, wanted) in [
            ("see https://a.b/c.", vec!["https://a.b/c"]),
            ("(https://a.b/c_(d)) and http://e.f, too", vec!["https://a.b/c_(d)", "http://e.f"]),
            (
                "<https://a.b> \"https://c.d\" `https://e.f`",
                vec!["https://a.b", "https://c.d", "https://e.f"],
            ),
            ("xhttps://a.b ftp://c.d :// https://", vec![]),
            ("設https://a.b 計https://c.d/計", vec!["https://a.b", "https://c.d/計"]),
            ("https://a.b/?u=https://c.d", vec!["https://a.b/?u=https://c.d"]),
        ] {
            let found: Vec<&str> = addresses(text).into_iter().map(|(range, _)| &text[range]).collect();
            assert_eq!(found, wanted, "{text}");
        }
    }

    #[test]
    fn pieces_of_an_address_lead_to_all_of_it() {
        let row = Row::new().text("to http", Tone::Text).text("s://a.b", Tone::Code).text("!", Tone::Text);
        let linked = link_addresses(row.clone());
        assert_eq!(linked.plain(), row.plain());
        let links: Vec<Option<&str>> =
            linked.spans.iter().map(|span| span.link.as_ref().map(Link::as_str)).collect();
        assert_eq!(links, [None, Some("https://a.b"), Some("https://a.b"), None]);
    }

    proptest! {
        #[test]
        fn no_address_holds_anything_but_visible_ascii(text in any::<String>(), scheme in 0usize..4) {
            let address = format!("{}{text}", SCHEMES[scheme]);
            let found = addresses(&address).into_iter().map(|(_, link)| link).chain(Link::new(&address));
            for link in found {
                prop_assert!(link.as_str().bytes().all(|byte| matches!(byte, b'!'..=b'~')), "{link:?}");
            }
        }
    }
}
