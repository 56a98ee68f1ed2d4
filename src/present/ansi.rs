//! The output of programs: their colours as our tones, and of a line that was written over what was last to be seen.

use anstyle_parse::{DefaultCharAccumulator, Params, Parser, Perform};

use super::row::{Emphasis, Row, Span, Tone};
use super::sanitize;
use super::width;

const TAB_STOP: usize = 4;

/// The lines of raw output, not wrapped. `usual` is the tone of what the program did not colour.
///
/// Colours and the ways to start a line anew have their effect (`\r`, erasing the line, moving to its first column,
/// backspace); all other control sequences have none and leave no trace.
pub(crate) fn output_lines(raw: &str, usual: Tone) -> Vec<Row> {
    let mut screen = Screen::new(usual);
    let mut parser = Parser::<DefaultCharAccumulator>::new();
    for byte in raw.bytes() {
        parser.advance(&mut screen, byte);
    }
    screen.end_line();
    screen.rows
}

/// True when a text holds anything but lines.
pub(crate) fn has_controls(raw: &str) -> bool {
    raw.contains(|c: char| c.is_control() && c != '\n' && c != '\t')
}

struct Screen {
    rows: Vec<Row>,
    /// What is finished of the line.
    row: Row,
    /// What follows it in the current tone.
    run: String,
    usual: Tone,
    tone: Tone,
    /// The tone of a coloured ground: there are no grounds of ours, so it is that of reversed text.
    ground: Option<Tone>,
    is_faint: bool,
    emphasis: Emphasis,
    /// The cursor went back to the start of the line: what is written next takes the place of all of it.
    has_returned: bool,
}

impl Screen {
    fn new(usual: Tone) -> Self {
        Self {
            rows: Vec::new(),
            row: Row::new(),
            run: String::new(),
            usual,
            tone: usual,
            ground: None,
            is_faint: false,
            emphasis: Emphasis::NONE,
            has_returned: false,
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let (tone, emphasis) = match self.ground {
            Some(ground) => (ground, self.emphasis | Emphasis::REVERSE),
            None if self.is_faint && self.tone == self.usual => (Tone::Dim, self.emphasis),
            None => (self.tone, self.emphasis),
        };
        self.row.push(Span::new(sanitize::line(&run), tone).with(emphasis));
    }

    fn end_line(&mut self) {
        self.end_run();
        self.rows.push(std::mem::take(&mut self.row));
        self.has_returned = false;
    }

    fn clear_line(&mut self) {
        self.row = Row::new();
        self.run.clear();
    }

    fn write(&mut self, text: impl IntoIterator<Item = char>) {
        if std::mem::take(&mut self.has_returned) {
            self.clear_line();
        }
        self.run.extend(text);
    }

    /// Takes the codes of one `SGR` sequence in their order.
    fn restyle(&mut self, codes: &[u16]) {
        self.end_run();
        let mut codes = codes.iter().copied();
        while let Some(code) = codes.next() {
            match code {
                0 => {
                    (self.tone, self.ground, self.is_faint) = (self.usual, None, false);
                    self.emphasis = Emphasis::NONE;
                }
                1 => self.emphasis = self.emphasis | Emphasis::BOLD,
                2 => self.is_faint = true,
                3 => self.emphasis = self.emphasis | Emphasis::ITALIC,
                4 => self.emphasis = self.emphasis | Emphasis::UNDERLINE,
                7 => self.emphasis = self.emphasis | Emphasis::REVERSE,
                9 => self.emphasis = self.emphasis | Emphasis::STRIKE,
                22 => (self.emphasis, self.is_faint) = (self.emphasis.without(Emphasis::BOLD), false),
                23 => self.emphasis = self.emphasis.without(Emphasis::ITALIC),
                24 => self.emphasis = self.emphasis.without(Emphasis::UNDERLINE),
                27 => self.emphasis = self.emphasis.without(Emphasis::REVERSE),
                29 => self.emphasis = self.emphasis.without(Emphasis::STRIKE),
                30..=37 => self.tone = self.of_index(code - 30),
                38 => self.tone = self.of_extended(&mut codes),
                39 => self.tone = self.usual,
                // A black ground is as good as none.
                40 | 49 => self.ground = None,
                41..=47 => self.ground = Some(self.of_index(code - 40)),
                48 => self.ground = Some(self.of_extended(&mut codes)).filter(|&tone| tone != self.usual),
                100..=107 => {
                    self.ground = Some(if code == 100 { Tone::Dim } else { self.of_index(code - 100) });
                }
                90..=97 => self.tone = if code == 90 { Tone::Dim } else { self.of_index(code - 90) },
                _ => {}
            }
        }
    }

    /// One of the eight colours that every terminal has.
    fn of_index(&self, index: u16) -> Tone {
        match index {
            1 => Tone::Bad,
            2 => Tone::Good,
            3 => Tone::Warn,
            4 => Tone::Accent,
            5 => Tone::Summary,
            6 => Tone::Custom,
            7 => Tone::Text,
            _ => self.usual,
        }
    }

    /// A colour of the large palette, or one by its channels.
    fn of_extended(&self, codes: &mut impl Iterator<Item = u16>) -> Tone {
        match codes.next() {
            Some(5) => match codes.next().unwrap_or_default() {
                index @ 0..=7 => self.of_index(index),
                8 | 232..=247 => Tone::Dim,
                index @ 9..=15 => self.of_index(index - 8),
                index @ 16..=231 => {
                    let level = |place: u16| (index - 16) / place % 6 * 51;
                    self.of_channels([level(36), level(6), level(1)])
                }
                _ => Tone::Text,
            },
            Some(2) => {
                let mut channel = || codes.next().unwrap_or_default();
                self.of_channels([channel(), channel(), channel()])
            }
            _ => self.usual,
        }
    }

    /// The tone of the hue that a colour is nearest to.
    fn of_channels(&self, channels: [u16; 3]) -> Tone {
        let [most, least] =
            [channels.iter().max(), channels.iter().min()].map(|channel| *channel.unwrap_or(&0));
        if most < 60 {
            return self.usual;
        }
        if most - least < 40 {
            return if most < 170 { Tone::Dim } else { Tone::Text };
        }
        let is_high = channels.map(|channel| channel - least > (most - least) / 2);
        match is_high {
            [true, false, false] => Tone::Bad,
            [false, true, false] => Tone::Good,
            [true, true, _] => Tone::Warn,
            [false, false, true] => Tone::Accent,
            [true, false, true] => Tone::Summary,
            [false, true, true] => Tone::Custom,
            [false, false, false] => self.usual,
        }
    }
}

impl Perform for Screen {
    fn print(&mut self, c: char) {
        self.write([c]);
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' => self.end_line(),
            b'\r' => self.has_returned = true,
            b'\t' => {
                let column = if self.has_returned { 0 } else { self.row.width() + width::of(&self.run) };
                self.write(std::iter::repeat_n(' ', TAB_STOP - column % TAB_STOP));
            }
            8 => {
                self.run.pop();
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: u8) {
        let first = params.iter().next().and_then(|param| param.first()).copied().unwrap_or_default();
        match action {
            _ if ignore || !intermediates.is_empty() => {}
            b'm' => {
                let codes: Vec<u16> = params.iter().flatten().copied().collect();
                self.restyle(if codes.is_empty() { &[0] } else { &codes });
            }
            b'K' if first > 0 || self.has_returned => self.clear_line(),
            b'G' if first <= 1 => self.has_returned = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(raw: &str) -> Vec<String> {
        output_lines(raw, Tone::Tool).iter().map(Row::plain).collect()
    }

    fn tones(raw: &str) -> Vec<(String, Tone)> {
        let rows = output_lines(raw, Tone::Tool);
        rows.into_iter().flat_map(|row| row.spans).map(|span| (span.text, span.tone)).collect()
    }

    #[test]
    fn colours_become_tones() {
        for (code, tone) in [
            ("31", Tone::Bad),
            ("1;32", Tone::Good),
            ("93", Tone::Warn),
            ("90", Tone::Dim),
            ("38;5;196", Tone::Bad),
            ("38;5;244", Tone::Dim),
            ("38;2;80;200;255", Tone::Custom),
            ("38;2;40;60;255", Tone::Accent),
            ("38;5", Tone::Tool),
            ("2", Tone::Dim),
            ("2;22", Tone::Tool),
            ("31;39", Tone::Tool),
            ("31;0", Tone::Tool),
        ] {
            assert_eq!(tones(&format!("\u{1b}[{code}mx\u{1b}[0m")), [("x".into(), tone)], "{code}");
        }
        for (code, tone, emphasis) in [
            ("7", Tone::Tool, Emphasis::REVERSE),
            ("7;27", Tone::Tool, Emphasis::NONE),
            ("41", Tone::Bad, Emphasis::REVERSE),
            ("30;42", Tone::Good, Emphasis::REVERSE),
            ("1;97;48;5;196", Tone::Bad, Emphasis::REVERSE | Emphasis::BOLD),
            ("48;2;0;0;255", Tone::Accent, Emphasis::REVERSE),
            ("103", Tone::Warn, Emphasis::REVERSE),
            ("40", Tone::Tool, Emphasis::NONE),
            ("41;49", Tone::Tool, Emphasis::NONE),
            ("1;3;23", Tone::Tool, Emphasis::BOLD),
            ("1;4;22", Tone::Tool, Emphasis::UNDERLINE),
        ] {
            let span = &output_lines(&format!("\u{1b}[{code}mx"), Tone::Tool)[0].spans[0];
            assert_eq!((span.tone, span.emphasis), (tone, emphasis), "{code}");
        }
        let bold = &output_lines("\u{1b}[1mx\u{1b}[22my", Tone::Tool)[0];
        assert_eq!(bold.spans[0].emphasis, Emphasis::BOLD);
        assert_eq!(bold.spans[1].emphasis, Emphasis::NONE);
        assert_eq!(tones("\u{1b}[31ma\nb")[1], ("b".into(), Tone::Bad));
    }

    #[test]
    fn of_progress_the_last_stays() {
        assert_eq!(lines("1/3\r2/3\r3/3\nok\r\n"), ["3/3", "ok", ""]);
        assert_eq!(lines("long line\r\u{1b}[Kok"), ["ok"]);
        assert_eq!(lines("gone\u{1b}[2Kok\u{1b}[1Gend"), ["end"]);
        assert_eq!(lines("ab\u{8}c\td"), ["ac  d"]);
    }

    #[test]
    fn other_sequences_leave_no_trace() {
        assert_eq!(
            lines("a\u{1b}]8;;http://x\u{7}b\u{1b}[2J\u{1b}[?25lc\u{1b}Pq\u{1b}\\d\u{202e}e"),
            ["abcde"]
        );
        assert!(has_controls("a\rb"));
        assert!(!has_controls("a\tb\n設"));
    }

    proptest! {
        #[test]
        fn no_control_character_is_left(raw in "[\u{0}-\u{ff}\u{202e}m\\[;0-9]{0,80}") {
            for line in lines(&raw) {
                prop_assert!(!line.contains(|c: char| c.is_control() || c == '\u{202e}'), "{line:?}");
            }
        }
    }
}
