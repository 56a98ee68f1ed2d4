use std::ops::Range;

use super::row::{Joint, Row, Span, Tone};
use super::width;

/// What stands for a cluster that is wider than the whole row.
const PLACEHOLDER: &str = "…";

/// Wraps a row by words into rows of at most `columns` cells; rows after the first are indented by `hang`
/// cells where there is room for that.
///
/// Blanks at the start of the row are kept (the indentation of code), blanks at a break are dropped. A word
/// that is longer than a row is broken between clusters. Wide characters are words of their own, except those of
/// Korean, which has blanks; what closes goes with what is before it, and what opens with what follows. There is always
/// at least one row. Takes time linear in the text.
pub fn wrap(row: &Row, columns: usize, hang: usize) -> Vec<Row> {
    if columns == 0 || row.width() == 0 {
        return vec![Row::new()];
    }
    let mut wrapper = Wrapper::new(&row.spans, columns, hang.min(columns / 2));
    for (index, span) in row.spans.iter().enumerate() {
        let mut at = 0;
        for (cluster, width) in width::clusters(&span.text) {
            let piece = Piece { span: index, range: at..at + cluster.len(), width };
            at = piece.range.end;
            if is_blank(cluster) {
                wrapper.end_word();
                wrapper.blanks.push(piece);
                continue;
            }
            let manner = Manner::of(cluster, width);
            if manner.begins_word(wrapper.manner) {
                wrapper.end_word();
            }
            wrapper.manner = manner.after(wrapper.manner);
            wrapper.word.push(piece);
        }
    }
    wrapper.finish()
}

/// White space at which a row may break; the no-break spaces are none.
fn is_blank(cluster: &str) -> bool {
    cluster.chars().all(|c| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}'))
}

/// How a cluster keeps company with its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Part of a word.
    Letter,
    /// A word of its own.
    Ideograph,
    /// No row begins with it.
    Closing,
    /// No row ends with it.
    Opening,
}

impl Manner {
    fn of(cluster: &str, width: usize) -> Self {
        let Some(c) = cluster.chars().next() else { return Self::Letter };
        if ",.;:!?)]}、。，．・：；？！）］｝」』】〕〉》〗”’…‥ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
            .contains(c)
        {
            Self::Closing
        } else if "（［｛「『【〔〈《〖".contains(c) {
            Self::Opening
        } else if width > 1
            && !matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}')
        {
            Self::Ideograph
        } else {
            Self::Letter
        }
    }

    /// Whether a row may begin here, behind what is of another manner.
    fn begins_word(self, before: Self) -> bool {
        !matches!((before, self), (_, Self::Closing) | (Self::Opening, _) | (Self::Letter, Self::Letter))
    }

    /// As what the company counts from here on: what closes an ideograph ends it.
    fn after(self, before: Self) -> Self {
        if self == Self::Closing { before } else { self }
    }
}

/// One cluster: the bytes of a span and the cells they take.
struct Piece {
    span: usize,
    range: Range<usize>,
    width: usize,
}

struct Wrapper<'s> {
    spans: &'s [Span],
    columns: usize,
    hang: usize,
    rows: Vec<Row>,
    row: Row,
    /// Cells of `row`, indentation included.
    used: usize,
    /// Whether the row holds more than indentation.
    begun: bool,
    /// The span and byte behind the last piece in `row`, so that what follows on directly joins its span.
    behind: Option<(usize, usize)>,
    /// Blanks that come before `word` if it stays on this row.
    blanks: Vec<Piece>,
    word: Vec<Piece>,
    /// That of the last cluster.
    manner: Manner,
}

impl<'s> Wrapper<'s> {
    fn new(spans: &'s [Span], columns: usize, hang: usize) -> Self {
        Self {
            spans,
            columns,
            hang,
            rows: Vec::new(),
            row: Row::new(),
            used: 0,
            begun: false,
            behind: None,
            blanks: Vec::new(),
            word: Vec::new(),
            manner: Manner::Letter,
        }
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        let blanks = std::mem::take(&mut self.blanks);
        let width: usize = word.iter().map(|piece| piece.width).sum();
        let gap: usize = blanks.iter().map(|piece| piece.width).sum();
        if self.begun && self.used + gap + width > self.columns {
            self.break_row(gap);
        } else {
            for blank in blanks {
                // Indentation leaves at least one cell for what it indents.
                if self.begun || self.used + blank.width < self.columns {
                    self.put(&blank);
                }
            }
        }
        self.begun = true;
        for piece in &word {
            let room = self.columns - self.used;
            if piece.width > room && self.used > self.indent() {
                self.break_row(0);
            }
            self.put(piece);
        }
        self.begun = true;
    }

    /// Cells at the start of the current row that nothing was put into.
    fn indent(&self) -> usize {
        if self.rows.is_empty() { 0 } else { self.hang }
    }

    fn put(&mut self, piece: &Piece) {
        let source = &self.spans[piece.span];
        if piece.width > self.columns - self.used {
            self.row.push(source.like(PLACEHOLDER));
            self.used += 1;
            self.behind = None;
            return;
        }
        let text = &source.text[piece.range.clone()];
        match self.row.spans.last_mut() {
            Some(last) if self.behind == Some((piece.span, piece.range.start)) => last.text.push_str(text),
            _ => self.row.push(source.like(text)),
        }
        self.behind = Some((piece.span, piece.range.end));
        self.used += piece.width;
    }

    /// Begins the next row; `blanks` are dropped between the two.
    fn break_row(&mut self, blanks: usize) {
        self.rows.push(std::mem::take(&mut self.row));
        self.row = Row::new().text(" ".repeat(self.hang), Tone::Text);
        self.row.joint = Some(Joint { lead: self.hang, blanks });
        self.used = self.hang;
        self.begun = false;
        self.behind = None;
    }

    fn finish(mut self) -> Vec<Row> {
        self.end_word();
        self.rows.push(self.row);
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::sanitize;
    use proptest::prelude::*;

    fn wrapped(text: &str, columns: usize, hang: usize) -> Vec<String> {
        wrap(&Row::new().text(text, Tone::Text), columns, hang).iter().map(Row::plain).collect()
    }

    #[test]
    fn words_stay_whole() {
        assert_eq!(wrapped("use cookies, keep it boring", 12, 0), ["use cookies,", "keep it", "boring"]);
        assert_eq!(wrapped("a  b   c", 4, 0), ["a  b", "c"]);
        assert_eq!(wrapped("exact fit", 9, 0), ["exact fit"]);
        assert_eq!(wrapped("", 9, 0), [""]);
        assert_eq!(wrapped("   ", 9, 0), [""]);
    }

    #[test]
    fn long_words_break_between_clusters() {
        assert_eq!(wrapped("see abcdefghij k", 4, 0), ["see", "abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("設計レビュー", 7, 0), ["設計レ", "ビュー"]);
        assert_eq!(wrapped("設計。特に", 6, 0), ["設計。", "特に"]);
        assert_eq!(wrapped("設計。特に", 4, 0), ["設", "計。", "特に"]);
        assert_eq!(wrapped("これは「設計」", 8, 0), ["これは", "「設計」"]);
        assert_eq!(wrapped("設計, ok", 4, 0), ["設", "計,", "ok"]);
        assert_eq!(wrapped("안녕 세상", 6, 0), ["안녕", "세상"]);
        assert_eq!(wrapped("세상을 열다", 8, 0), ["세상을", "열다"]);
        assert_eq!(wrapped("。。。。", 4, 0), ["。。", "。。"]);
        assert_eq!(wrapped("e\u{301}e\u{301}e\u{301}", 2, 0), ["e\u{301}e\u{301}", "e\u{301}"]);
    }

    #[test]
    fn later_rows_hang() {
        assert_eq!(wrapped("- one two three", 9, 2), ["- one two", "  three"]);
        assert_eq!(wrapped("    let x = 1;", 9, 6), ["    let x", "    = 1;"]);
        assert_eq!(wrapped("abcdefgh", 4, 2), ["abcd", "  ef", "  gh"]);
    }

    #[test]
    fn narrow_rows_are_survived() {
        assert_eq!(wrapped("ab c", 1, 4), ["a", "b", "c"]);
        assert_eq!(wrapped("a設b", 1, 0), ["a", "…", "b"]);
        assert_eq!(wrapped("ab", 0, 0), [""]);
        assert_eq!(wrapped("    x", 2, 0), [" x"]);
    }

    #[test]
    fn tones_survive_breaks() {
        let row = Row::new().text("one ", Tone::Text).text("two three", Tone::Code).text("!", Tone::Bad);
        assert_eq!(
            wrap(&row, 7, 0),
            [
                Row::new().text("one ", Tone::Text).text("two", Tone::Code),
                Row {
                    joint: Some(Joint { lead: 0, blanks: 1 }),
                    ..Row::new().text("three", Tone::Code).text("!", Tone::Bad)
                },
            ]
        );
    }

    #[test]
    fn a_row_says_how_it_goes_on_with_the_one_above() {
        let joints = |text: &str, columns, hang| -> Vec<Option<(usize, usize)>> {
            let rows = wrap(&Row::new().text(text, Tone::Text), columns, hang);
            rows.iter().map(|row| row.joint.map(|joint| (joint.lead, joint.blanks))).collect()
        };
        assert_eq!(joints("one  two", 4, 1), [None, Some((1, 2))]);
        assert_eq!(joints("abcdef", 4, 0), [None, Some((0, 0))]);
        assert_eq!(joints("設計", 2, 0), [None, Some((0, 0))]);
        let rows = wrap(&Row::new().text("one two", Tone::Text), 4, 0);
        let below = Row::new().text("▎ ", Tone::User).then(rows[1].clone());
        assert_eq!(below.joint, Some(Joint { lead: 4, blanks: 1 }));
    }

    proptest! {
        #[test]
        fn no_row_is_too_wide_and_no_text_is_lost(
            raw in prop::collection::vec(any::<char>(), 0..60),
            blank in 2usize..9,
            columns in 0usize..50,
            hang in 0usize..20,
        ) {
            let raw: String = raw.iter().enumerate()
                .map(|(at, &c)| if at % blank == 0 { ' ' } else { c })
                .collect();
            let text = sanitize::line(&raw);
            let half = text.chars().count() / 2;
            let row = Row::new()
                .text(text.chars().take(half).collect::<String>(), Tone::Text)
                .text(text.chars().skip(half).collect::<String>(), Tone::Code);
            let rows = wrap(&row, columns, hang);
            for row in &rows {
                prop_assert!(row.width() <= columns, "{row:?}");
            }
            if columns > 12 {
                let solid = |text: String| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
                prop_assert_eq!(solid(rows.iter().map(Row::plain).collect()), solid(row.plain()));
            }
        }
    }
}
