//! Our own colours.

use ratatui::style::{Color, Style};

use super::palette::nearest;
use super::{Background, Band, Colours};
use crate::present::Tone;

/// A colour on a dark and on a light background, as `0xrrggbb`.
type Pair = (u32, u32);

/// The look in the terminal's own palette. Bright black is left out: in some palettes it is the background.
pub(super) fn sixteen(tone: Tone, background: Background) -> Style {
    let blue = match background {
        Background::Dark => Color::LightBlue,
        Background::Light => Color::Blue,
    };
    let colour = match tone {
        Tone::Text
        | Tone::Strong
        | Tone::Dim
        | Tone::Faint
        | Tone::Rule
        | Tone::Tool
        | Tone::Code
        | Tone::Comment => {
            return Style::new();
        }
        Tone::Accent | Tone::Name => blue,
        Tone::User | Tone::Custom => Color::Cyan,
        Tone::Assistant | Tone::Good | Tone::Added | Tone::AddedWord | Tone::Literal => Color::Green,
        Tone::Summary | Tone::Keyword => Color::Magenta,
        Tone::Label | Tone::Warn | Tone::Match | Tone::MatchHere => Color::Yellow,
        Tone::Bad | Tone::Removed | Tone::RemovedWord => Color::Red,
    };
    Style::new().fg(colour)
}

/// The look of a piece of text in many colours.
pub(super) fn style(tone: Tone, background: Background, colours: Colours) -> Style {
    const TEXT: Pair = (0xd4_d6_de, 0x34_36_3c);
    const GREEN: Pair = (0x9e_ce_6a, 0x2c_6e_26);
    const RED: Pair = (0xf7_76_8e, 0xbe_28_3c);
    const YELLOW: Pair = (0xe0_af_68, 0x8f_5a_00);
    const DIM: Pair = (0x96_9a_a8, 0x62_64_6c);
    const FAINT: Pair = (0x84_88_96, 0x6e_6f_74);
    const BLUE: Pair = (0x7a_a2_f7, 0x24_5c_c4);
    const PURPLE: Pair = (0xbb_9a_f7, 0x6c_2e_a8);

    let (text, band) = match tone {
        Tone::Text | Tone::Strong => (TEXT, None),
        Tone::Dim | Tone::Comment => (DIM, None),
        Tone::Faint => (FAINT, None),
        Tone::Rule => ((0x5c_60_70, 0x96_98_9e), None),
        Tone::Accent | Tone::Name => (BLUE, None),
        Tone::User => ((0x7d_cf_ff, 0x00_6e_96), None),
        Tone::Assistant | Tone::Good | Tone::Literal => (GREEN, None),
        Tone::Tool => ((0x9e_a2_b2, 0x58_5c_66), None),
        Tone::Summary | Tone::Keyword => (PURPLE, None),
        Tone::Custom => ((0x73_d0_b8, 0x00_72_5c), None),
        Tone::Label | Tone::Warn => (YELLOW, None),
        Tone::Bad => (RED, None),
        Tone::Code => ((0xc0_ca_f5, 0x3c_3e_5a), None),
        // The palette has no tint so quiet that a whole line could stand on it.
        Tone::Added if colours == Colours::Palette => (GREEN, None),
        Tone::Removed if colours == Colours::Palette => (RED, None),
        Tone::Added => (TEXT, Some((0x1e_2c_22, 0xe4_f4_e4))),
        Tone::Removed => (TEXT, Some((0x32_1f_26, 0xfa_e4_e6))),
        Tone::AddedWord => (TEXT, Some((0x2c_4d_33, 0xb9_e3_bb))),
        Tone::RemovedWord => (TEXT, Some((0x5c_2c_38, 0xf4_c0_c6))),
        Tone::Match => (TEXT, Some((0x4a_3f_1f, 0xf7_e3_a8))),
        Tone::MatchHere => ((0x16_17_1c, 0x1c_1d_22), Some((0xe0_af_68, 0xf0_a8_3c))),
    };
    let style = Style::new().fg(colour(text, background, colours));
    band.map_or(style, |band| style.bg(colour(band, background, colours)))
}

/// The look of a selected row in many colours.
pub(super) fn band(band: Band, background: Background, colours: Colours) -> Style {
    let pair = match band {
        Band::Focused => (0x2a_2e_3c, 0xde_e6_f5),
        Band::Unfocused => (0x22_25_2e, 0xec_ee_f2),
    };
    Style::new().bg(colour(pair, background, colours))
}

fn colour((dark, light): Pair, background: Background, colours: Colours) -> Color {
    let colour = match background {
        Background::Dark => dark,
        Background::Light => light,
    };
    match colours {
        Colours::True => Color::from_u32(colour),
        _ => Color::Indexed(nearest(colour)),
    }
}
