use ratatui::buffer::{Buffer, Cell};

use crate::present::width;

/// Whether a frame holds a cluster that a terminal may draw wider or narrower than it is counted: terminals do not
/// agree on flags, families and the like.
pub(super) fn has_joined(frame: &Buffer) -> bool {
    frame.content.iter().any(is_joined)
}

/// A wide cluster made of several characters.
fn is_joined(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    // Pictures are sequences in a cell.
    !symbol.starts_with('\u{1b}') && symbol.chars().nth(1).is_some() && width::of(symbol) > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn flags_and_families_are_joined_and_letters_are_not() {
        for (text, wanted) in
            [("🇩🇪", true), ("👩‍💻", true), ("👍🏽", true), ("日本語", false), ("e\u{301}", false), ("🙏", false)]
        {
            let mut frame = Buffer::empty(Rect::new(0, 0, 20, 1));
            frame.set_string(0, 0, text, Style::new());
            assert_eq!(has_joined(&frame), wanted, "{text}");
        }
    }
}
