//! pi's themes: which of pi's colours each of our tones has.

use ratatui::style::{Color, Modifier, Style};

use super::palette::{nearest, of_palette};
use super::{Band, Colours};
use crate::config::{Colour, PiTheme, chroma_and_hue};
use crate::present::Tone;

/// The tokens that colour a tone, and what lies behind it. Roles are as in pi's tree.
fn tokens(tone: Tone) -> (&'static str, Option<&'static str>) {
    match tone {
        Tone::Text | Tone::Strong => ("text", None),
        Tone::Dim => ("muted", None),
        Tone::Faint => ("dim", None),
        Tone::Rule => ("borderMuted", None),
        Tone::Accent | Tone::User => ("accent", None),
        Tone::Assistant | Tone::Good => ("success", None),
        Tone::Tool => ("toolOutput", None),
        Tone::Summary => ("mdLink", None),
        Tone::Custom => ("customMessageLabel", None),
        Tone::Label | Tone::Warn => ("warning", None),
        Tone::Bad => ("error", None),
        Tone::Code => ("mdCode", None),
        Tone::Added => ("toolDiffAdded", None),
        Tone::Removed => ("toolDiffRemoved", None),
        Tone::AddedWord => ("text", Some("toolSuccessBg")),
        Tone::RemovedWord => ("text", Some("toolErrorBg")),
        // pi shows the match at the cursor in the same colours, reversed.
        Tone::Match | Tone::MatchHere => ("searchMatchText", Some("searchMatchBg")),
        Tone::Keyword => ("syntaxKeyword", None),
        Tone::Literal => ("syntaxString", None),
        Tone::Comment => ("syntaxComment", None),
        Tone::Name => ("syntaxFunction", None),
    }
}

/// The look of a piece of text.
pub(super) fn style(theme: &PiTheme, tone: Tone, colours: Colours) -> Style {
    let (text, band) = tokens(tone);
    let mut style = Style { fg: colour(theme.colour(text), colours), ..Style::new() };
    let Some(band) = band.filter(|_| colours != Colours::Sixteen) else { return style };
    style.bg = colour(theme.colour(band), colours);
    match (tone, style.bg) {
        (Tone::MatchHere, Some(_)) => style.add_modifier(Modifier::REVERSED),
        (_, Some(_)) => style,
        // Without a band of its own it has to stand out otherwise.
        (Tone::MatchHere, None) => style.add_modifier(Modifier::REVERSED | Modifier::UNDERLINED),
        (_, None) => style.add_modifier(Modifier::UNDERLINED),
    }
}

/// The look of a selected row; none where the theme has no colour for it.
pub(super) fn band(theme: &PiTheme, band: Band, colours: Colours) -> Option<Style> {
    let token = match band {
        Band::Focused => "selectedBg",
        Band::Unfocused => "toolPendingBg",
    };
    colour(theme.colour(token), colours).map(|colour| Style::new().bg(colour))
}

/// The nearest colour that the terminal has; none for its own.
fn colour(colour: Colour, colours: Colours) -> Option<Color> {
    match (colour, colours) {
        (Colour::Default, _) | (_, Colours::None) => None,
        (Colour::Index(index @ 0..16), _) => Some(Color::Indexed(index)),
        (Colour::Index(index), Colours::Sixteen) => of_sixteen(of_palette(index)),
        (Colour::Index(index), _) => Some(Color::Indexed(index)),
        (Colour::Rgb([red, green, blue]), Colours::True) => Some(Color::Rgb(red, green, blue)),
        (Colour::Rgb([red, green, blue]), colours) => {
            let colour = u32::from_be_bytes([0, red, green, blue]);
            if colours == Colours::Sixteen {
                of_sixteen(colour)
            } else {
                Some(Color::Indexed(nearest(colour)))
            }
        }
    }
}

/// The one of the terminal's sixteen with the nearest hue. How light and how strong it is, is the terminal's affair; what
/// is nearly grey is text in the terminal's own colour.
fn of_sixteen(colour: u32) -> Option<Color> {
    const HUES: [(f64, Color); 7] = [
        (29.0, Color::Red),
        (100.0, Color::Yellow),
        (145.0, Color::Green),
        (205.0, Color::Cyan),
        (260.0, Color::Blue),
        (320.0, Color::Magenta),
        (389.0, Color::Red),
    ];
    const GREY: f64 = 0.03;
    let [_, red, green, blue] = colour.to_be_bytes();
    let (chroma, hue) = chroma_and_hue([red, green, blue]);
    if chroma < GREY {
        return None;
    }
    let distance = |at: f64| (hue - at).abs();
    HUES.into_iter()
        .min_by(|one, other| distance(one.0).total_cmp(&distance(other.0)))
        .map(|(_, colour)| colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_chosen_by_their_hue() {
        for (colour, nearest) in [
            (0xff_00_00, Some(Color::Red)),
            (0x8b_1a_1a, Some(Color::Red)),
            (0xe0_af_68, Some(Color::Yellow)),
            (0x9e_ce_6a, Some(Color::Green)),
            (0x56_c8_d8, Some(Color::Cyan)),
            (0x7a_a2_f7, Some(Color::Blue)),
            (0xbb_9a_f7, Some(Color::Magenta)),
            (0xff_00_88, Some(Color::Red)),
            (0x88_88_88, None),
            (0xd4_d6_de, None),
        ] {
            assert_eq!(of_sixteen(colour), nearest, "{colour:06x}");
        }
    }

    #[test]
    fn colours_become_what_the_terminal_has() {
        let rgb = Colour::Rgb([0x5f, 0x87, 0xaf]);
        for (given, colours, expected) in [
            (rgb, Colours::True, Some(Color::Rgb(0x5f, 0x87, 0xaf))),
            (rgb, Colours::Palette, Some(Color::Indexed(67))),
            (rgb, Colours::Sixteen, Some(Color::Blue)),
            (Colour::Index(67), Colours::True, Some(Color::Indexed(67))),
            (Colour::Index(67), Colours::Sixteen, Some(Color::Blue)),
            (Colour::Index(5), Colours::Sixteen, Some(Color::Indexed(5))),
            (Colour::Default, Colours::True, None),
        ] {
            assert_eq!(colour(given, colours), expected, "{given:?} {colours:?}");
        }
    }
}
