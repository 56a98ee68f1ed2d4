//! What tones look like on the terminal at hand.

mod own;
mod palette;
mod pi;

use std::env;

use ratatui::style::{Color, Modifier, Style};

use crate::config::{Look, ThemeChoice};
use crate::present::{Emphasis, Tone};

/// Gives every tone its look on the terminal at hand.
///
/// Colours are foregrounds. The terminal's own background is never painted over, but for what has to be a band:
/// selected rows, changed lines, search hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// How many colours there are.
    pub colours: Colours,
    /// What lies behind the text.
    pub background: Background,
    /// Where the colours come from.
    pub choice: ThemeChoice,
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
    pub fn detect(choice: ThemeChoice) -> Self {
        Self::of_environment(choice, |name| env::var(name).ok().filter(|value| !value.is_empty()))
    }

    /// Our own colours.
    pub fn own(colours: Colours, background: Background) -> Self {
        Self { colours, background, choice: ThemeChoice::default() }
    }

    fn of_environment(choice: ThemeChoice, variable: impl Fn(&str) -> Option<String>) -> Self {
        let background =
            match variable("COLORFGBG").and_then(|text| text.rsplit(';').next()?.parse::<u8>().ok()) {
                Some(7 | 9..=15) => Background::Light,
                _ => Background::Dark,
            };
        Self { colours: Colours::of_environment(variable), background, choice }
    }

    /// True when it is worth asking the terminal for its background. Terminals with few colours have few other
    /// talents too; the question may be printed by them.
    pub fn depends_on_background(&self) -> bool {
        matches!(self.colours, Colours::Palette | Colours::True)
    }

    /// The look of a piece of text.
    pub fn style(&self, tone: Tone, emphasis: Emphasis) -> Style {
        let style = match (self.colours, self.look()) {
            (Colours::None, _) => Style::new(),
            (colours, Look::Pi(theme)) => pi::style(theme, tone, colours),
            (Colours::Sixteen, _) | (_, Look::System) => own::sixteen(tone, self.background),
            (colours, Look::Dark) => own::style(tone, Background::Dark, colours),
            (colours, Look::Light) => own::style(tone, Background::Light, colours),
        };
        style.add_modifier(self.weight(tone)).add_modifier(modifier(emphasis))
    }

    /// The look of a selected row, to be laid over that of its text.
    pub fn band(&self, band: Band) -> Style {
        let coloured = match self.look() {
            _ if self.is_plain() => None,
            Look::Pi(theme) => pi::band(theme, band, self.colours),
            Look::Light => Some(own::band(band, Background::Light, self.colours)),
            Look::Dark | Look::System => Some(own::band(band, Background::Dark, self.colours)),
        };
        coloured.unwrap_or_else(|| match band {
            // A coloured sign would stand on a patch of its colour.
            Band::Focused => Style::new().fg(Color::Reset).add_modifier(Modifier::REVERSED),
            Band::Unfocused => Style::new().add_modifier(Modifier::BOLD),
        })
    }

    fn look(&self) -> &Look {
        match self.background {
            Background::Dark => &self.choice.dark,
            Background::Light => &self.choice.light,
        }
    }

    /// Whether there are too few colours for bands and shades.
    fn is_plain(&self) -> bool {
        matches!(self.colours, Colours::None | Colours::Sixteen) || *self.look() == Look::System
    }

    /// What makes tones differ where colours do not, or not enough.
    fn weight(&self, tone: Tone) -> Modifier {
        match tone {
            Tone::Strong => Modifier::BOLD,
            Tone::Dim | Tone::Faint | Tone::Rule | Tone::Tool | Tone::Comment if self.is_plain() => {
                Modifier::DIM
            }
            Tone::AddedWord | Tone::RemovedWord | Tone::Match if self.is_plain() => Modifier::UNDERLINED,
            Tone::MatchHere if self.is_plain() => Modifier::REVERSED.union(Modifier::UNDERLINED),
            Tone::Accent | Tone::User | Tone::Assistant | Tone::Label | Tone::Warn | Tone::Bad
                if self.colours == Colours::None =>
            {
                Modifier::BOLD
            }
            _ => Modifier::empty(),
        }
    }
}

impl Background {
    /// The one of this colour: red, green, blue.
    pub fn of([red, green, blue]: [u8; 3]) -> Self {
        let luma = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
        if luma < 128_000 { Self::Dark } else { Self::Light }
    }
}

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
        (Emphasis::REVERSE, Modifier::REVERSED),
    ]
    .into_iter()
    .filter(|(one, _)| emphasis.contains(*one))
    .fold(Modifier::empty(), |all, (_, modifier)| all | modifier)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::PiTheme;

    const TONES: [Tone; 26] = [
        Tone::Text,
        Tone::Strong,
        Tone::Dim,
        Tone::Faint,
        Tone::Rule,
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
            |colours| [Background::Dark, Background::Light].map(|background| Theme::own(colours, background));
        colours.into_iter().flat_map(both).collect()
    }

    fn plain(theme: &Theme, tone: Tone) -> Style {
        theme.style(tone, Emphasis::NONE)
    }

    fn rgb(colour: Color) -> u32 {
        match colour {
            Color::Rgb(red, green, blue) => u32::from_be_bytes([0, red, green, blue]),
            Color::Indexed(index) => palette::of_palette(index),
            other => panic!("{other} is not fixed"),
        }
    }

    /// The contrast of two colours as WCAG 2 defines it, from 1 to 21.
    fn contrast(one: u32, other: u32) -> f64 {
        let luminance = |colour| {
            let [red, green, blue] = palette::channels(colour).map(|channel| {
                let part = f64::from(channel) / 255.0;
                if part <= 0.039_28 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        if one > other { one / other } else { other / one }
    }

    /// Our own themes and pi's, each with the backgrounds it is meant for.
    fn built_in(colours: Colours) -> Vec<(Theme, [u32; 2])> {
        let own = themes([colours]).into_iter();
        // Of 256 colours the nearest to pi's may be a lighter one.
        let names: &[&str] = if colours == Colours::True { &["dark", "light"] } else { &[] };
        let pis = names.iter().map(|&name| {
            let theme = PiTheme::find(name, &[]).unwrap();
            let look = Look::Pi(Arc::new(theme));
            let background = if name == "dark" { Background::Dark } else { Background::Light };
            let choice = ThemeChoice { light: look.clone(), dark: look };
            Theme { choice, ..Theme::own(colours, background) }
        });
        let behind = |theme: &Theme| match theme.background {
            Background::Dark => [0x18_18_1c, 0x00_00_00],
            Background::Light => [0xfa_fa_f8, 0xff_ff_ff],
        };
        own.chain(pis).map(|theme| (theme.clone(), behind(&theme))).collect()
    }

    #[test]
    fn every_tone_can_be_read() {
        let name = |theme: &Theme| match theme.look() {
            Look::Pi(theme) => format!("pi's {}", theme.name),
            own => format!("{own:?}"),
        };
        let mut unreadable = Vec::new();
        for (theme, backgrounds) in [Colours::True, Colours::Palette].into_iter().flat_map(built_in) {
            for tone in TONES {
                let style = plain(&theme, tone);
                let is_pis = matches!(theme.look(), Look::Pi(_));
                let bands = [Band::Focused, Band::Unfocused].map(|band| rgb(theme.band(band).bg.unwrap()));
                let behind = match style.bg {
                    Some(band) => vec![(rgb(band), true)],
                    None => backgrounds
                        .map(|colour| (colour, false))
                        .into_iter()
                        .chain(bands.map(|band| (band, true)))
                        .collect(),
                };
                for (background, is_band) in behind {
                    let contrast = contrast(rgb(style.fg.unwrap()), background);
                    let least = match tone {
                        // No text.
                        Tone::Rule if is_band => 1.7,
                        Tone::Rule => 2.0,
                        // pi's bands and what pi calls dim are pi's choice.
                        Tone::Faint if is_pis => 2.5,
                        _ if is_band && is_pis => 3.5,
                        // A row under the cursor is read in its other tones.
                        Tone::Faint if is_band => 3.5,
                        _ => 4.5,
                    };
                    if contrast < least {
                        unreadable.push(format!(
                            "{} {:?} {tone:?} on {background:06x}: {contrast:.2}",
                            name(&theme),
                            theme.colours,
                        ));
                    }
                }
            }
        }
        assert!(unreadable.is_empty(), "{}", unreadable.join("\n"));
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
                assert!(band || plain(&theme, tone).bg.is_none(), "{theme:?} {tone:?}");
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
                assert_ne!(plain(&theme, one), plain(&theme, other), "{theme:?} {one:?} {other:?}");
            }
            assert_ne!(theme.band(Band::Focused), theme.band(Band::Unfocused));
        }
    }

    #[test]
    fn without_colours_there_are_none() {
        for theme in themes([Colours::None]) {
            for style in TONES.map(|tone| plain(&theme, tone)).into_iter().chain([theme.band(Band::Focused)])
            {
                let is_uncoloured = |colour: Option<Color>| matches!(colour, None | Some(Color::Reset));
                assert!(is_uncoloured(style.fg) && is_uncoloured(style.bg), "{style:?}");
            }
        }
    }

    #[test]
    fn emphasis_is_added_to_the_tone() {
        let theme = Theme::own(Colours::None, Background::Dark);
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
            let theme = Theme::of_environment(ThemeChoice::default(), of);
            assert_eq!(theme, Theme::own(colours, background), "{variables:?}");
        }
    }

    #[test]
    fn the_colour_behind_the_text_decides() {
        for (colour, background) in [
            ([22, 23, 28], Background::Dark),
            ([250, 250, 248], Background::Light),
            ([253, 246, 227], Background::Light),
            ([0, 43, 54], Background::Dark),
        ] {
            assert_eq!(Background::of(colour), background);
        }
    }
}
