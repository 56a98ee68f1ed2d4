use std::env;

use ratatui::style::{Color, Modifier, Style};

use crate::present::{Emphasis, Tone};

/// Gives every tone its look on the terminal at hand.
///
/// Colours are foregrounds. The terminal's own background is never painted over, but for what has to be a band:
/// selected rows, changed lines, search hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// How many colours there are.
    pub colours: Colours,
    /// What lies behind the text.
    pub background: Background,
}

/// How many colours a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// None; bold, dim, underlined and reversed text have to do.
    None,
    /// The terminal's own palette of sixteen, whatever that looks like.
    Sixteen,
    /// The fixed palette of 256.
    Palette,
    /// All.
    True,
}

/// What lies behind the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Light text on a dark background.
    Dark,
    /// Dark text on a light background.
    Light,
}

/// How much a selected row stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// Its pane has the focus.
    Focused,
    /// Its pane has not.
    Unfocused,
}

impl Theme {
    /// The theme that suits the terminal, as far as the environment tells: `NO_COLOR`, `COLORTERM`, `TERM`,
    /// `TERM_PROGRAM`, `WT_SESSION`, and `COLORFGBG` for the background, which is dark otherwise.
    pub fn detect() -> Self {
        Self::of_environment(|name| env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let background =
            match variable("COLORFGBG").and_then(|text| text.rsplit(';').next()?.parse::<u8>().ok()) {
                Some(7 | 9..=15) => Background::Light,
                _ => Background::Dark,
            };
        Self { colours: Colours::of_environment(variable), background }
    }

    /// The theme for a background of this colour: red, green, blue.
    #[must_use]
    pub fn on(self, [red, green, blue]: [u8; 3]) -> Self {
        let luma = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
        let background = if luma < 128_000 { Background::Dark } else { Background::Light };
        Self { background, ..self }
    }

    /// True when it is worth asking the terminal for its background. Terminals with few colours have few other
    /// talents too; the question may be printed by them.
    pub fn depends_on_background(self) -> bool {
        matches!(self.colours, Colours::Palette | Colours::True)
    }

    /// The look of a piece of text.
    pub fn style(self, tone: Tone, emphasis: Emphasis) -> Style {
        let style = match self.colours {
            Colours::None => Style::new(),
            Colours::Sixteen => self.sixteen(tone),
            Colours::Palette | Colours::True => self.coloured(tone),
        };
        style.add_modifier(self.weight(tone)).add_modifier(modifier(emphasis))
    }

    /// The look of a selected row, to be laid over that of its text.
    pub fn band(self, band: Band) -> Style {
        match (self.colours, band) {
            (Colours::None | Colours::Sixteen, Band::Focused) => {
                Style::new().add_modifier(Modifier::REVERSED)
            }
            (Colours::None | Colours::Sixteen, Band::Unfocused) => Style::new().add_modifier(Modifier::BOLD),
            (Colours::Palette | Colours::True, _) => Style::new().bg(self.colour(match band {
                Band::Focused => (0x2d_31_40, 0xde_e6_f5),
                Band::Unfocused => (0x22_25_2e, 0xec_ee_f2),
            })),
        }
    }

    /// What makes tones differ where colours do not, or not enough.
    fn weight(self, tone: Tone) -> Modifier {
        let few = matches!(self.colours, Colours::None | Colours::Sixteen);
        match tone {
            Tone::Strong => Modifier::BOLD,
            Tone::Dim | Tone::Faint | Tone::Tool | Tone::Comment if few => Modifier::DIM,
            Tone::AddedWord | Tone::RemovedWord | Tone::Match if few => Modifier::UNDERLINED,
            Tone::MatchHere if few => Modifier::REVERSED.union(Modifier::UNDERLINED),
            Tone::Accent | Tone::User | Tone::Assistant | Tone::Label | Tone::Warn | Tone::Bad
                if self.colours == Colours::None =>
            {
                Modifier::BOLD
            }
            _ => Modifier::empty(),
        }
    }

    /// The look in the terminal's own palette. Bright black is left out: in some palettes it is the background.
    fn sixteen(self, tone: Tone) -> Style {
        let blue = match self.background {
            Background::Dark => Color::LightBlue,
            Background::Light => Color::Blue,
        };
        let colour = match tone {
            Tone::Text | Tone::Strong | Tone::Dim | Tone::Faint | Tone::Tool | Tone::Code | Tone::Comment => {
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

    fn coloured(self, tone: Tone) -> Style {
        const TEXT: Pair = (0xd4_d6_de, 0x34_36_3c);
        const GREEN: Pair = (0x9e_ce_6a, 0x30_78_28);
        const RED: Pair = (0xf7_76_8e, 0xbe_28_3c);
        const YELLOW: Pair = (0xe0_af_68, 0x93_5d_00);
        const DIM: Pair = (0x82_86_94, 0x6b_6d_75);
        const BLUE: Pair = (0x7a_a2_f7, 0x24_5c_c4);
        const PURPLE: Pair = (0xbb_9a_f7, 0x78_46_b4);

        let (text, band) = match tone {
            Tone::Text | Tone::Strong => (TEXT, None),
            Tone::Dim | Tone::Comment => (DIM, None),
            Tone::Faint => ((0x5c_60_70, 0x96_98_9e), None),
            Tone::Accent | Tone::Name => (BLUE, None),
            Tone::User => ((0x7d_cf_ff, 0x00_6e_96), None),
            Tone::Assistant | Tone::Good | Tone::Literal => (GREEN, None),
            Tone::Tool => ((0x92_96_a6, 0x62_64_6c), None),
            Tone::Summary | Tone::Keyword => (PURPLE, None),
            Tone::Custom => ((0x73_d0_b8, 0x00_72_5c), None),
            Tone::Label | Tone::Warn => (YELLOW, None),
            Tone::Bad => (RED, None),
            Tone::Code => ((0xc0_ca_f5, 0x3c_3e_5a), None),
            // The palette has no tint so quiet that a whole line could stand on it.
            Tone::Added if self.colours == Colours::Palette => (GREEN, None),
            Tone::Removed if self.colours == Colours::Palette => (RED, None),
            Tone::Added => (TEXT, Some((0x1e_2c_22, 0xe4_f4_e4))),
            Tone::Removed => (TEXT, Some((0x32_1f_26, 0xfa_e4_e6))),
            Tone::AddedWord => (TEXT, Some((0x2c_4d_33, 0xb9_e3_bb))),
            Tone::RemovedWord => (TEXT, Some((0x5c_2c_38, 0xf4_c0_c6))),
            Tone::Match => (TEXT, Some((0x4a_3f_1f, 0xf7_e3_a8))),
            Tone::MatchHere => ((0x16_17_1c, 0x1c_1d_22), Some((0xe0_af_68, 0xf0_a8_3c))),
        };
        let style = Style::new().fg(self.colour(text));
        band.map_or(style, |band| style.bg(self.colour(band)))
    }

    fn colour(self, (dark, light): Pair) -> Color {
        let colour = match self.background {
            Background::Dark => dark,
            Background::Light => light,
        };
        match self.colours {
            Colours::True => Color::from_u32(colour),
            _ => Color::Indexed(nearest(colour)),
        }
    }
}

/// A colour on a dark and on a light background, as `0xrrggbb`.
type Pair = (u32, u32);

impl Colours {
    fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let one_of = |name: &str, values: &[&str]| {
            variable(name).is_some_and(|value| values.iter().any(|known| value.contains(known)))
        };
        if variable("NO_COLOR").is_some() || term == "dumb" {
            Self::None
        } else if one_of("COLORTERM", &["truecolor", "24bit"])
            || one_of("TERM", &["direct", "kitty", "alacritty", "ghostty", "foot", "wezterm"])
            || one_of("TERM_PROGRAM", &["iTerm.app", "WezTerm", "ghostty", "vscode"])
            || variable("WT_SESSION").is_some()
        {
            Self::True
        } else if term.contains("256") {
            Self::Palette
        } else {
            Self::Sixteen
        }
    }
}

fn modifier(emphasis: Emphasis) -> Modifier {
    [
        (Emphasis::BOLD, Modifier::BOLD),
        (Emphasis::ITALIC, Modifier::ITALIC),
        (Emphasis::UNDERLINE, Modifier::UNDERLINED),
        (Emphasis::STRIKE, Modifier::CROSSED_OUT),
    ]
    .into_iter()
    .filter(|(one, _)| emphasis.contains(*one))
    .fold(Modifier::empty(), |all, (_, modifier)| all | modifier)
}

/// The colour of the palette of 256 that is nearest to `0xrrggbb`: the nearest of its cube or of its greys. The first
/// sixteen differ from terminal to terminal and are left out.
fn nearest(colour: u32) -> u8 {
    let wanted = channels(colour);
    let level = |channel: u32| {
        LEVELS.iter().zip(0..).min_by_key(|(level, _)| channel.abs_diff(**level)).map_or(0, |(_, at)| at)
    };
    let [red, green, blue] = wanted.map(level);
    let grey = (wanted.iter().sum::<u32>() / 3).saturating_sub(3) / 10;
    let distance = |index: &u8| {
        let there = channels(of_palette(*index));
        wanted.iter().zip(there).map(|(one, other)| one.abs_diff(other).pow(2)).sum::<u32>()
    };
    let candidates = [16 + 36 * red + 6 * green + blue, 232 + grey.min(23) as u8];
    candidates.into_iter().min_by_key(distance).unwrap_or(15)
}

/// What a channel can be in the cube of the palette.
const LEVELS: [u32; 6] = [0, 95, 135, 175, 215, 255];

/// The colour behind an index from 16: a cube of 6 × 6 × 6, then 24 greys.
fn of_palette(index: u8) -> u32 {
    let index = u32::from(index) - 16;
    if index >= 216 {
        return (8 + 10 * (index - 216)) * 0x01_01_01;
    }
    let level = |place| LEVELS[(index / place % 6) as usize];
    level(36) << 16 | level(6) << 8 | level(1)
}

fn channels(colour: u32) -> [u32; 3] {
    [colour >> 16 & 0xff, colour >> 8 & 0xff, colour & 0xff]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TONES: [Tone; 25] = [
        Tone::Text,
        Tone::Strong,
        Tone::Dim,
        Tone::Faint,
        Tone::Accent,
        Tone::User,
        Tone::Assistant,
        Tone::Tool,
        Tone::Summary,
        Tone::Custom,
        Tone::Label,
        Tone::Good,
        Tone::Warn,
        Tone::Bad,
        Tone::Code,
        Tone::Added,
        Tone::Removed,
        Tone::AddedWord,
        Tone::RemovedWord,
        Tone::Match,
        Tone::MatchHere,
        Tone::Keyword,
        Tone::Literal,
        Tone::Comment,
        Tone::Name,
    ];

    fn themes(colours: impl IntoIterator<Item = Colours>) -> Vec<Theme> {
        let both =
            |colours| [Background::Dark, Background::Light].map(|background| Theme { colours, background });
        colours.into_iter().flat_map(both).collect()
    }

    fn plain(theme: Theme, tone: Tone) -> Style {
        theme.style(tone, Emphasis::NONE)
    }

    fn rgb(colour: Color) -> u32 {
        match colour {
            Color::Rgb(red, green, blue) => u32::from_be_bytes([0, red, green, blue]),
            Color::Indexed(index) => of_palette(index),
            other => panic!("{other} is not fixed"),
        }
    }

    /// The contrast of two colours as WCAG 2 defines it, from 1 to 21.
    fn contrast(one: u32, other: u32) -> f64 {
        let luminance = |colour| {
            let [red, green, blue] = channels(colour).map(|channel| {
                let part = f64::from(channel) / 255.0;
                if part <= 0.039_28 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        if one > other { one / other } else { other / one }
    }

    #[test]
    fn every_tone_can_be_read() {
        for theme in themes([Colours::True, Colours::Palette]) {
            let backgrounds = match theme.background {
                Background::Dark => [0x18_18_1c, 0x00_00_00],
                Background::Light => [0xfa_fa_f8, 0xff_ff_ff],
            };
            for tone in TONES {
                let style = plain(theme, tone);
                let least = if tone == Tone::Faint { 2.0 } else { 4.5 };
                for background in backgrounds {
                    let contrast = contrast(rgb(style.fg.unwrap()), style.bg.map_or(background, rgb));
                    assert!(contrast >= least, "{theme:?} {tone:?} on {background:06x}: {contrast:.2}");
                }
                for band in [Band::Focused, Band::Unfocused] {
                    let contrast = contrast(rgb(style.fg.unwrap()), rgb(theme.band(band).bg.unwrap()));
                    let least = if tone == Tone::Faint { 1.8 } else { 3.0 };
                    assert!(
                        tone == Tone::MatchHere || contrast >= least,
                        "{theme:?} {tone:?} {band:?}: {contrast:.2}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_terminals_background_is_painted_for_bands_only() {
        for theme in themes([Colours::None, Colours::Sixteen, Colours::Palette, Colours::True]) {
            for tone in TONES {
                let band = matches!(
                    tone,
                    Tone::Added
                        | Tone::Removed
                        | Tone::AddedWord
                        | Tone::RemovedWord
                        | Tone::Match
                        | Tone::MatchHere
                );
                assert!(band || plain(theme, tone).bg.is_none(), "{theme:?} {tone:?}");
            }
        }
    }

    #[test]
    fn what_must_differ_differs_everywhere() {
        for theme in themes([Colours::None, Colours::Sixteen, Colours::Palette, Colours::True]) {
            for (one, other) in [
                (Tone::Text, Tone::Dim),
                (Tone::Text, Tone::Strong),
                (Tone::Text, Tone::Accent),
                (Tone::Text, Tone::Match),
                (Tone::Match, Tone::MatchHere),
                (Tone::Added, Tone::AddedWord),
                (Tone::Removed, Tone::RemovedWord),
            ] {
                assert_ne!(plain(theme, one), plain(theme, other), "{theme:?} {one:?} {other:?}");
            }
            assert_ne!(theme.band(Band::Focused), theme.band(Band::Unfocused));
        }
    }

    #[test]
    fn without_colours_there_are_none() {
        for theme in themes([Colours::None]) {
            for style in TONES.map(|tone| plain(theme, tone)).into_iter().chain([theme.band(Band::Focused)]) {
                assert_eq!((style.fg, style.bg), (None, None));
            }
        }
    }

    #[test]
    fn emphasis_is_added_to_the_tone() {
        let theme = Theme { colours: Colours::None, background: Background::Dark };
        let style = theme.style(Tone::Dim, Emphasis::ITALIC | Emphasis::STRIKE);
        assert_eq!(style.add_modifier, Modifier::DIM | Modifier::ITALIC | Modifier::CROSSED_OUT);
    }

    #[test]
    fn the_environment_tells_how_many_colours_there_are() {
        let dark = Background::Dark;
        for (variables, colours, background) in [
            (&[("TERM", "xterm-256color")][..], Colours::Palette, dark),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], Colours::True, dark),
            (
                &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("NO_COLOR", "1")],
                Colours::None,
                dark,
            ),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "Apple_Terminal")], Colours::Palette, dark),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")], Colours::True, dark),
            (&[("TERM", "xterm-kitty")], Colours::True, dark),
            (&[("TERM", "xterm")], Colours::Sixteen, dark),
            (&[("TERM", "linux"), ("COLORFGBG", "0;15")], Colours::Sixteen, Background::Light),
            (&[("TERM", "rxvt"), ("COLORFGBG", "15;default;0")], Colours::Sixteen, dark),
            (&[("TERM", "rxvt"), ("COLORFGBG", "0;8")], Colours::Sixteen, dark),
            (&[("TERM", "dumb")], Colours::None, dark),
            (&[], Colours::Sixteen, dark),
        ] {
            let of =
                |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, to)| (*to).to_owned());
            assert_eq!(Theme::of_environment(of), Theme { colours, background }, "{variables:?}");
        }
    }

    #[test]
    fn the_colour_behind_the_text_decides() {
        let theme = Theme { colours: Colours::True, background: Background::Dark };
        for (colour, background) in [
            ([22, 23, 28], Background::Dark),
            ([250, 250, 248], Background::Light),
            ([253, 246, 227], Background::Light),
            ([0, 43, 54], Background::Dark),
        ] {
            assert_eq!(theme.on(colour).background, background);
        }
    }

    #[test]
    fn the_palette_is_searched_for_the_nearest() {
        for (colour, index) in [(0x00_00_00, 16), (0xff_ff_ff, 231), (0x08_08_08, 232), (0x5f_87_af, 67)] {
            assert_eq!(nearest(colour), index, "{colour:06x}");
        }
    }
}
