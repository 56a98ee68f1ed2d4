use super::oklab;

/// A colour as a theme of pi says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's own colour of text, or behind it.
    Default,
    /// One of the terminal's 256.
    Index(u8),
    /// Red, green and blue.
    Rgb([u8; 3]),
}

impl Colour {
    /// Reads a colour that is no reference to a variable: `#0af`, `#00aaff`, `oklch(62% 0.1 200)`,
    /// `okhsl(250 60% 55%)`, or nothing for the terminal's own. None where it is none.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::Default);
        }
        if let Some(digits) = text.strip_prefix('#') {
            return hexadecimal(digits).map(Self::Rgb);
        }
        if let Some([lightness, chroma, hue]) = parts(text, "oklch(") {
            let (lightness, chroma, hue) = (share(lightness)?, number(chroma)?, angle(hue)?);
            return (chroma >= 0.0).then(|| Self::Rgb(oklab::from_oklch(lightness, chroma, hue)));
        }
        let [hue, saturation, lightness] = parts(text, "okhsl(")?;
        Some(Self::Rgb(oklab::from_okhsl(angle(hue)?, share(saturation)?, share(lightness)?)))
    }

    /// Whether a text is a colour, good or bad, and no name of a variable.
    pub(super) fn is_literal(text: &str) -> bool {
        text.is_empty()
            || text.starts_with('#')
            || behind(text, "oklch(").is_some()
            || behind(text, "okhsl(").is_some()
    }
}

/// What follows a word, whatever its case.
fn behind<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word))?;
    text.get(word.len()..)
}

/// The three parts of a call.
fn parts<'t>(text: &'t str, call: &str) -> Option<[&'t str; 3]> {
    let mut parts = behind(text, call)?.strip_suffix(')')?.split_whitespace();
    let three = [parts.next()?, parts.next()?, parts.next()?];
    parts.next().is_none().then_some(three)
}

/// A number from 0 to 1, or so many hundredths.
fn share(text: &str) -> Option<f64> {
    let share =
        text.strip_suffix('%').map_or_else(|| number(text), |hundredths| Some(number(hundredths)? / 100.0));
    share.filter(|share| (0.0..=1.0).contains(share))
}

/// Degrees, with or without their unit.
fn angle(text: &str) -> Option<f64> {
    let bare = text
        .len()
        .checked_sub(3)
        .filter(|at| text.get(*at..).is_some_and(|unit| unit.eq_ignore_ascii_case("deg")));
    number(bare.map_or(text, |at| &text[..at]))
}

fn number(text: &str) -> Option<f64> {
    // Rust reads words such as `inf`, too.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse().ok().filter(|value: &f64| is_number && value.is_finite())
}

fn hexadecimal(digits: &str) -> Option<[u8; 3]> {
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let pair = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
    let single = |at: usize| Some(u8::from_str_radix(digits.get(at..=at)?, 16).ok()? * 0x11);
    match digits.len() {
        3 => Some([single(0)?, single(1)?, single(2)?]),
        6 => Some([pair(0)?, pair(1)?, pair(2)?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_pi_reads_them() {
        for (text, colour) in [
            ("", Some(Colour::Default)),
            ("#0af", Some(Colour::Rgb([0x00, 0xaa, 0xff]))),
            ("#00AAff", Some(Colour::Rgb([0x00, 0xaa, 0xff]))),
            ("#00aaf", None),
            ("#ggg", None),
            ("#é", None),
            ("red", None),
            // The rest is what pi 1.6.0 makes of them.
            ("okhsl(250 60% 55%)", Some(Colour::Rgb([0x4e, 0x88, 0xc2]))),
            ("OKHSL( 250deg 0.6 .55 )", Some(Colour::Rgb([0x4e, 0x88, 0xc2]))),
            ("okhsl(-110 60% 55%)", Some(Colour::Rgb([0x4e, 0x88, 0xc2]))),
            ("okhsl(250 160% 55%)", None),
            ("okhsl(250, 60%, 55%)", None),
            ("oklch(62% 0.1 200)", Some(Colour::Rgb([0x1c, 0x98, 0x9e]))),
            ("oklch(.62 1e-1 200deg)", Some(Colour::Rgb([0x1c, 0x98, 0x9e]))),
            ("oklch(70% 0.4 30)", Some(Colour::Rgb([0xff, 0x65, 0x51]))),
            ("oklch(62% -0.1 200)", None),
            ("oklch(62% inf 200)", None),
            ("oklch(62% 0.1 200", None),
            ("oklch(162% 0.1 200)", None),
        ] {
            assert_eq!(Colour::parse(text), colour, "{text}");
        }
    }
}
