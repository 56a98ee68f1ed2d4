//! Display width in cells, measured by grapheme cluster exactly as ratatui measures when it draws.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Cells that `text` takes on one line. Control characters take none, because they are not drawn.
pub fn of(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    clusters(text).map(|(_, width)| width).sum()
}

/// The grapheme clusters of `text`, each with its cells. A cluster is the smallest piece that may be moved to
/// another row; it can be wider than two cells (an Indic conjunct) and it can have no width at all.
pub fn clusters(text: &str) -> impl Iterator<Item = (&str, usize)> {
    text.graphemes(true).map(|cluster| (cluster, of_cluster(cluster)))
}

fn of_cluster(cluster: &str) -> usize {
    if cluster.contains(char::is_control) {
        return 0;
    }
    if cluster.len() == 1 {
        return 1;
    }
    // ratatui gives the halfwidth voicing marks one cell more than the Unicode tables do.
    let sound_marks = cluster.chars().filter(|c| matches!(c, '\u{ff9e}' | '\u{ff9f}')).count();
    cluster.width() + sound_marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_not_characters_have_width() {
        for (text, cells) in [
            ("", 0),
            ("plain", 5),
            ("設計レビュー", 12),
            ("e\u{301}", 1),
            ("👩\u{200d}👩\u{200d}👧", 2),
            ("🇩🇪🇫🇷", 4),
            ("❤\u{fe0f}", 2),
            ("a\u{7}b", 2),
        ] {
            assert_eq!(of(text), cells, "{text}");
        }
    }

    #[cfg(feature = "tui")]
    mod as_drawn {
        use super::*;
        use proptest::prelude::*;
        use ratatui::{buffer::Buffer, layout::Rect, style::Style, text::Line};

        fn drawn(text: &str) -> usize {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 4_000, 1));
            let (end, _) = buffer.set_stringn(0, 0, text, 4_000, Style::new());
            let (line_end, _) = buffer.set_line(0, 0, &Line::raw(text.to_owned()), 4_000);
            assert_eq!(end, line_end);
            usize::from(end)
        }

        #[test]
        fn every_script_is_as_wide_as_ratatui_draws_it() {
            for text in [
                "設計：ナビゲーション",
                "ｶﾞｷﾞ ｶﾟ",
                "👩\u{200d}👩\u{200d}👧\u{200d}👦 👍🏽 ❤\u{fe0f} ☺",
                "🇩🇪🇫🇷🇯",
                "e\u{301}a\u{308}\u{304}",
                "क्षत्रिय नमस्ते स्त्री",
                "ภาษาไทย กำ ที่",
                "한국어 \u{1112}\u{1161}\u{11ab}",
                "العربية لا",
                "\u{301}alone",
                "\u{17d8}\u{115f}x",
            ] {
                assert_eq!(of(text), drawn(text), "{text}");
            }
        }

        proptest! {
            #[test]
            fn any_text_is_as_wide_as_ratatui_draws_it(text in "\\PC{0,60}") {
                prop_assert_eq!(of(&text), drawn(&text));
            }
        }
    }
}
