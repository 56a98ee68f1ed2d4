use super::needle::occurrences;
use std::ops::Range;

use super::link::Link;
use super::row::{Row, Span, Tone};
use super::width;

impl Row {
    /// The row with every occurrence of a text in `tone`, whatever its case.
    #[must_use]
    pub fn highlight(self, wanted: &str, tone: Tone) -> Self {
        let wanted: String = wanted.chars().flat_map(char::to_lowercase).collect();
        let hits = occurrences(&self.plain(), &wanted);
        self.mark(hits, tone)
    }

    /// The row with byte ranges of its text, from left to right, in `tone`. A range may reach over several spans; a
    /// cluster of which a part is hit is hit whole.
    #[must_use]
    pub fn mark(self, hits: Vec<(usize, usize)>, tone: Tone) -> Self {
        if hits.is_empty() {
            return self;
        }
        let mut hits = hits.into_iter().peekable();
        let mut row = Self { joint: self.joint, ..Self::new() };
        let mut at = 0;
        for span in self.spans {
            let mut piece = span.like("");
            for (cluster, _) in width::clusters(&span.text) {
                let end = at + cluster.len();
                while hits.next_if(|hit| hit.1 <= at).is_some() {}
                let is_hit = hits.peek().is_some_and(|hit| hit.0 < end);
                let wanted_tone = if is_hit { tone } else { span.tone };
                if piece.tone != wanted_tone {
                    let next = Span { tone: wanted_tone, ..span.like("") };
                    row.push(std::mem::replace(&mut piece, next));
                }
                piece.text.push_str(cluster);
                at = end;
            }
            row.push(piece);
        }
        row
    }

    /// The row with byte ranges of its text, from left to right, leading somewhere; what leads somewhere already stays.
    #[must_use]
    pub(super) fn lead(self, links: &[(Range<usize>, Link)]) -> Self {
        if links.is_empty() {
            return self;
        }
        let mut row = Self { joint: self.joint, ..Self::new() };
        let mut at = 0;
        for span in self.spans {
            let (start, end) = (at, at + span.text.len());
            at = end;
            if span.link.is_some() {
                row.push(span);
                continue;
            }
            let mut from = start;
            for (range, link) in links.iter().filter(|(range, _)| range.start < end && start < range.end) {
                let (first, last) = (range.start.max(from), range.end.min(end));
                row.push(span.like(&span.text[from - start..first - start]));
                row.push(Span {
                    link: Some(link.clone()),
                    ..span.like(&span.text[first - start..last - start])
                });
                from = last;
            }
            row.push(span.like(&span.text[from - start..]));
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(row: Row, wanted: &str) -> Vec<(String, Tone)> {
        row.highlight(wanted, Tone::Match).spans.into_iter().map(|span| (span.text, span.tone)).collect()
    }

    #[test]
    fn occurrences_are_found_whatever_their_case() {
        let piece = |text: &str, tone| (text.to_owned(), tone);
        assert_eq!(
            marked(Row::new().text("Token, token", Tone::Text), "TOKEN"),
            [piece("Token", Tone::Match), piece(", ", Tone::Text), piece("token", Tone::Match)]
        );
        assert_eq!(
            marked(Row::new().text("ab", Tone::Good).text("cd", Tone::Bad), "bc"),
            [piece("a", Tone::Good), piece("b", Tone::Match), piece("c", Tone::Match), piece("d", Tone::Bad)]
        );
        assert_eq!(
            marked(Row::new().text("İx e\u{301}", Tone::Text), "x e"),
            [piece("İ", Tone::Text), piece("x e\u{301}", Tone::Match)]
        );
        assert_eq!(marked(Row::new().text("abc", Tone::Text), ""), [piece("abc", Tone::Text)]);
        assert_eq!(marked(Row::new().text("abc", Tone::Text), "x"), [piece("abc", Tone::Text)]);
    }
}
