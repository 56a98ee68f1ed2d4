use ratatui::layout::Rect;

use super::paint::Painter;
use crate::app::{App, HelpRow, Overlay, help_rows};
use crate::present::{Row, Tone, sanitize, wrap};

/// Draws what lies above the panes, over all of them.
pub(super) fn draw(painter: &mut Painter<'_, '_>, app: &App, overlay: Overlay) {
    let screen = painter.frame.area();
    let area = Rect { y: screen.y + 1, height: screen.height.saturating_sub(2), ..screen };
    painter.clear(area);
    let columns = usize::from(area.width).saturating_sub(4);
    let (title, rows) = match overlay {
        Overlay::Help { .. } => ("Keys", help()),
        Overlay::Damage { .. } => ("What is wrong with this session", damage(app, columns)),
    };
    painter.row(&Row::new().text("  ", Tone::Text).bold(title, Tone::Accent), Rect { y: area.y + 1, ..area });
    let body =
        Rect { x: area.x + 2, y: area.y + 3, width: columns as u16, height: area.height.saturating_sub(4) }
            .intersection(screen);
    let top = overlay.top().min(rows.len().saturating_sub(usize::from(body.height)));
    painter.rows(&rows[top..], body);
}

fn help() -> Vec<Row> {
    help_rows()
        .into_iter()
        .map(|row| match row {
            HelpRow::Blank => Row::new(),
            HelpRow::Heading(words) => Row::new().bold(words, Tone::Strong),
            HelpRow::Keys { keys, words } => {
                Row::new().text(format!("{keys:<24}"), Tone::Accent).text(words, Tone::Text)
            }
        })
        .collect()
}

fn damage(app: &App, columns: usize) -> Vec<Row> {
    let Some(session) = app.tree.session() else { return Vec::new() };
    if session.diagnostics().is_empty() {
        return vec![Row::new().text("nothing: every line was understood", Tone::Good)];
    }
    let one = |diagnostic: &crate::format::Diagnostic| {
        let line = if diagnostic.line == 0 { "file".to_owned() } else { format!("line {}", diagnostic.line) };
        let row = Row::new()
            .text(format!("{line:<12}"), Tone::Dim)
            .text(format!("{:<18}", diagnostic.problem.word()), Tone::Warn)
            .text(sanitize::line(&diagnostic.message), Tone::Text);
        wrap(&row, columns, 30.min(columns / 2))
    };
    session.diagnostics().iter().flat_map(one).collect()
}
