//! A screen as an SVG picture: text stays text, and every character stands in its column.

use std::fmt::Write;

use piscope::present::width;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The width and the height of a cell, and how far below its top the text stands, in pixels.
const CELL: (f32, f32, f32) = (8.4, 17.0, 13.0);
const MARGIN: f32 = 12.0;
/// What a terminal has where a cell names no colour.
const FOREGROUND: &str = "#d4d6de";
const BACKGROUND: &str = "#16171c";

/// Draws a buffer.
pub(crate) fn svg(buffer: &Buffer) -> String {
    let (columns, rows) = (f32::from(buffer.area.width), f32::from(buffer.area.height));
    let (width, height) = (columns * CELL.0 + 2.0 * MARGIN, rows * CELL.1 + 2.0 * MARGIN);
    let mut out = format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" "#,
            r#"font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="14" "#,
            r#"xml:space="preserve">"#,
            "\n",
            r#"<rect width="100%" height="100%" rx="8" fill="{background}"/>"#,
            "\n",
        ),
        width = width,
        height = height,
        background = BACKGROUND,
    );
    for y in 0..buffer.area.height {
        for run in runs(buffer, y) {
            run.draw(y, &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Neighbouring cells of one look.
struct Run<'b> {
    column: u16,
    cells: u16,
    look: &'b Cell,
    text: String,
}

/// The runs of a row. A wide character is a run of its own: fonts differ in how wide they draw it.
fn runs(buffer: &Buffer, y: u16) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut x = 0;
    while x < buffer.area.width {
        let look = &buffer[(x, y)];
        let cells = width::of(look.symbol()).max(1) as u16;
        match runs.last_mut() {
            Some(run) if cells == 1 && run.takes(look) => {
                run.cells += 1;
                run.text.push_str(look.symbol());
            }
            _ => runs.push(Run { column: x, cells, look, text: look.symbol().to_owned() }),
        }
        x += cells;
    }
    runs
}

impl Run<'_> {
    fn takes(&self, next: &Cell) -> bool {
        let is_narrow = usize::from(self.cells) == self.text.chars().count();
        is_narrow && (self.look.fg, self.look.bg, self.look.modifier) == (next.fg, next.bg, next.modifier)
    }

    fn draw(&self, y: u16, out: &mut String) {
        let x = MARGIN + f32::from(self.column) * CELL.0;
        let top = MARGIN + f32::from(y) * CELL.1;
        let width = f32::from(self.cells) * CELL.0;
        let has = |modifier| self.look.modifier.contains(modifier);
        let (mut fg, mut bg) = (colour(self.look.fg), colour(self.look.bg));
        if has(Modifier::REVERSED) {
            (fg, bg) = (Some(bg.unwrap_or(BACKGROUND.into())), Some(fg.unwrap_or(FOREGROUND.into())));
        }
        if let Some(bg) = bg {
            let height = CELL.1;
            write!(
                out,
                r#"<rect x="{x:.1}" y="{top:.0}" width="{width:.1}" height="{height}" fill="{bg}"/>"#
            )
            .unwrap();
        }
        let text = self.text.trim_end();
        if !text.is_empty() {
            let skipped = text.chars().take_while(|c| *c == ' ').count() as f32;
            let cells = width::of(text) as f32 - skipped;
            let fg = fg.as_deref().unwrap_or(FOREGROUND);
            write!(
                out,
                r#"<text x="{:.1}" y="{:.1}" textLength="{:.1}" lengthAdjust="spacingAndGlyphs" fill="{fg}""#,
                x + skipped * CELL.0,
                top + CELL.2,
                cells * CELL.0,
            )
            .unwrap();
            for (modifier, attribute) in [
                (Modifier::BOLD, r#" font-weight="bold""#),
                (Modifier::ITALIC, r#" font-style="italic""#),
                (Modifier::DIM, r#" opacity="0.6""#),
                (Modifier::UNDERLINED, r#" text-decoration="underline""#),
                (Modifier::CROSSED_OUT, r#" text-decoration="line-through""#),
            ] {
                if has(modifier) {
                    out.push_str(attribute);
                }
            }
            let text = text.trim_start().replace('&', "&amp;").replace('<', "&lt;");
            write!(out, ">{text}</text>").unwrap();
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
    }
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        _ => None,
    }
}
