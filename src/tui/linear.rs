use std::io;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::Theme;
use super::draw::{draw, focused, found};
use crate::app::{App, Pane};
use crate::present::{Row, sanitize, width};

/// The screen that is never seen: wide enough that little is cut off.
const UNSEEN: Size = Size { width: 300, height: 60 };
/// Rows of a message that are said at once.
const MOST_ROWS: usize = 200;

/// Signs and the words that are said instead.
const WORDS: [(char, &str); 17] = [
    ('◆', "label"),
    ('⚠', "damage"),
    ('✗', "failed"),
    ('✓', "marked"),
    ('●', "live"),
    ('▸', "folded"),
    ('▾', "unfolded"),
    ('⊞', "folded"),
    ('⊟', "unfolded"),
    ('↳', "fork"),
    ('▣', "image"),
    ('↑', "in "),
    ('↓', "out "),
    ('×', " times"),
    ('≈', "about"),
    ('›', ","),
    ('·', ","),
];

/// The screen as lines below each other, for those who hear them or feel them: no second column, nothing drawn, and
/// what changed since the last line is the next one.
pub struct Linear {
    unseen: Terminal<TestBackend>,
    heard: Said,
}

/// What there is to be said of the screen at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
struct Said {
    /// The pane that has the focus and its state, or what lies above the panes.
    place: String,
    /// The row under the cursor, or the rows from there to the end of the message.
    rows: Vec<String>,
    /// The message that is read, and at which of its rows.
    reading: Option<(usize, usize)>,
    /// What is typed, behind what it is for.
    typed: Option<String>,
    /// How much was found, and at which of it one is.
    found: Option<String>,
    notice: Option<String>,
}

impl Linear {
    /// Nothing was said yet.
    ///
    /// # Errors
    /// None is known of.
    pub fn new() -> io::Result<Self> {
        let backend = TestBackend::new(UNSEEN.width, UNSEEN.height);
        let Ok(unseen) = Terminal::new(backend);
        Ok(Self { unseen, heard: Said::default() })
    }

    /// The size of the screen that is never seen.
    pub fn size() -> Size {
        UNSEEN
    }

    /// The lines to be said now that the app is like this.
    pub fn news(&mut self, app: &App, theme: &Theme) -> Vec<String> {
        let Ok(frame) = self.unseen.draw(|frame| draw(frame, app, theme));
        let now = Said::of(app, frame.buffer);
        let lines = now.since(&self.heard);
        self.heard = now;
        lines
    }
}

impl Said {
    fn of(app: &App, picture: &Buffer) -> Self {
        let mut said = Self {
            place: words(&focused(app)),
            typed: app.typing().map(|(before, find)| typed(before, find.text())),
            found: found(app),
            notice: app.notice.as_ref().map(|notice| words(&sanitize::line(&notice.text))),
            ..Self::default()
        };
        if let Some(above) = app.overlay_picture() {
            said.place = words(&above.title);
            let rows = match above.selected {
                Some(selected) => above.rows.get(selected..=selected).unwrap_or_default(),
                None => &above.rows,
            };
            said.rows = all_words(rows);
        } else if app.focus == Pane::Messages {
            let pane = &app.messages;
            let anchor = pane.anchor();
            let width = app.regions().rows(Pane::Messages).width;
            let block = pane.current().and_then(|item| pane.block(item, width));
            let rows = block.map_or(&[][..], |block| &block.rows);
            said.reading = block.map(|_| (anchor.item, anchor.row));
            said.rows = all_words(rows.get(anchor.row..).unwrap_or_default());
        } else {
            let area = app.regions().rows(app.focus);
            let height = usize::from(area.height);
            let cursor = match app.focus {
                Pane::Sessions => {
                    app.sessions.selected().map(|at| at.saturating_sub(app.sessions.top(height)))
                }
                _ => app.tree.selected().map(|at| at.saturating_sub(app.tree.top(height))),
            };
            said.rows = vec![words(&row(picture, area, cursor.unwrap_or(0)))];
        }
        said.rows.retain(|row| !row.is_empty());
        said
    }

    /// What was not said before.
    fn since(&self, before: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        let is_elsewhere = self.place != before.place;
        if is_elsewhere {
            lines.push(self.place.clone());
        }
        let goes_on = match (self.reading, before.reading) {
            // Reading on row by row, only the next is new.
            (Some((item, row)), Some((last_item, last_row))) => item == last_item && row == last_row + 1,
            _ => false,
        };
        if goes_on && !is_elsewhere {
            lines.extend(self.rows.first().cloned());
        } else if self.rows != before.rows || is_elsewhere {
            let known = if is_elsewhere || self.reading.is_some() { &[][..] } else { &before.rows };
            let new: Vec<&String> = self.rows.iter().filter(|row| !known.contains(row)).collect();
            lines.extend(new.iter().take(MOST_ROWS).map(|row| (*row).clone()));
            if new.len() > MOST_ROWS {
                lines.push(format!("{} more lines", new.len() - MOST_ROWS));
            }
        }
        if self.typed != before.typed {
            lines.extend(self.typed.clone());
        }
        if self.found != before.found {
            lines.extend(self.found.clone());
        }
        if self.notice != before.notice {
            lines.extend(self.notice.clone());
        }
        lines
    }
}

/// A row of the picture as far as it lies in an area.
fn row(picture: &Buffer, area: Rect, at: usize) -> String {
    let y = area.y.saturating_add(u16::try_from(at).unwrap_or(u16::MAX));
    if y >= area.bottom() {
        return String::new();
    }
    let mut row = String::new();
    let mut x = area.x;
    while let Some(cell) = picture.cell((x, y)).filter(|_| x < area.right()) {
        row.push_str(cell.symbol());
        // A wide character has the next cell, too.
        x = x.saturating_add(width::of(cell.symbol()).max(1) as u16);
    }
    row
}

/// What is typed, behind the word for what it is.
fn typed(before: &str, text: &str) -> String {
    let before = before.trim_matches(|c: char| c == '›' || c.is_whitespace());
    words(&format!("{before} {}", sanitize::line(text)))
}

fn all_words(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| words(&row.plain())).collect()
}

/// A text without what is only drawn, and with words for signs.
fn words(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for c in text.chars() {
        match WORDS.iter().find(|(sign, _)| *sign == c) {
            Some((_, word)) => said.push_str(word),
            None if is_drawing(c) => said.push(' '),
            None => said.push(c),
        }
    }
    let words: Vec<&str> = said.split_whitespace().collect();
    words.join(" ").replace(" , ", ", ")
}

/// Lines, blocks and bullets.
fn is_drawing(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{259f}' | '•')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(place: &str, rows: &[&str], reading: Option<(usize, usize)>) -> Said {
        let rows = rows.iter().map(|row| (*row).to_owned()).collect();
        Said { place: place.into(), rows, reading, ..Said::default() }
    }

    #[test]
    fn only_what_is_new_is_said() {
        let tree = |row| said("Tree default", &[row], None);
        let block = |rows: &[&str], at| said("Messages stored", rows, Some(at));
        for (before, now, wanted) in [
            (Said::default(), tree("a"), &["Tree default", "a"][..]),
            (tree("a"), tree("a"), &[]),
            (tree("a"), tree("b"), &["b"]),
            (tree("a"), block(&["you", "hi"], (0, 0)), &["Messages stored", "you", "hi"]),
            (block(&["you", "hi", "ho"], (0, 0)), block(&["hi", "ho"], (0, 1)), &["hi"]),
            (block(&["you", "hi"], (0, 0)), block(&["assistant", "hi"], (1, 0)), &["assistant", "hi"]),
            (
                said("Resume", &["folder a", "tools b"], None),
                said("Resume", &["folder a", "tools c"], None),
                &["tools c"],
            ),
            (
                Said { typed: Some("/a".into()), ..tree("a") },
                Said { typed: Some("/ab".into()), ..tree("a") },
                &["/ab"],
            ),
            (tree("a"), Said { notice: Some("labelled".into()), ..tree("a") }, &["labelled"]),
        ] {
            assert_eq!(now.since(&before), wanted, "{before:?} {now:?}");
        }
    }

    #[test]
    fn nothing_drawn_is_said_and_signs_are_words() {
        for (drawn, wanted) in [
            ("▌  ├─ try sessions   ◆  18  1h ", "try sessions label 18 1h"),
            ("▎ ▸ read src/auth.rs ✗", "folded read src/auth.rs failed"),
            ("─ Sessions all · threaded ───", "Sessions all, threaded"),
            ("設計 ↳ jwt", "設計 fork jwt"),
        ] {
            assert_eq!(words(drawn), wanted);
        }
        assert_eq!([typed("› ", ""), typed("/", "a"), typed("label: ", "b")], ["", "/ a", "label: b"]);
    }

    #[test]
    fn a_wide_character_is_said_without_its_second_cell() {
        let picture = Buffer::with_lines(["  設計 x", "b"]);
        assert_eq!(words(&row(&picture, Rect::new(1, 0, 7, 2), 0)), "設計 x");
        assert_eq!(row(&picture, Rect::new(1, 0, 7, 2), 2), "");
    }
}
