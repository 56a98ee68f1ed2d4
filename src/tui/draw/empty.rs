use ratatui::layout::Rect;

use super::paint::Painter;
use crate::app::{Action, App, Regions, Scope};
use crate::present::{Row, Tone, age, sanitize, wrap};
use crate::store::Origin;

/// Says where sessions were looked for in vain and what is there instead, and offers the demo.
pub(super) fn draw(painter: &mut Painter<'_, '_>, app: &App, regions: &Regions) {
    let store = &app.setup.store;
    let root = store.root.to_string_lossy();
    let place = app.shorten(&root);
    let why = match store.origin {
        Origin::Flag => "the folder you named",
        Origin::Environment => "from PI_CODING_AGENT_SESSION_DIR",
        Origin::Settings => "from sessionDir in pi's settings",
        Origin::Default => "where pi keeps its sessions",
    };
    let columns = usize::from(painter.frame.area().width).saturating_sub(4);
    let mut rows = vec![Row::new().bold("No sessions here yet", Tone::Strong), Row::new()];
    let looked = Row::new()
        .text("Looked in ", Tone::Dim)
        .text(sanitize::line(&place), Tone::Text)
        .text(format!(", {why}."), Tone::Dim);
    rows.extend(wrap(&looked, columns, 0));
    if let Some(key) = app.setup.keymap.key(Scope::Empty, Action::OpenDemo) {
        let offer = Row::new()
            .text("Press ", Tone::Dim)
            .bold(key.to_string(), Tone::Accent)
            .text(" to look around in demo sessions.", Tone::Dim);
        rows.push(Row::new());
        rows.extend(wrap(&offer, columns, 0));
    }
    rows.extend(instead(app, columns));
    let top = regions.header.map_or(0, |header| header.bottom() + 1);
    let screen = painter.frame.area();
    let area = Rect { x: 2, y: top, width: columns as u16, height: screen.height.saturating_sub(top + 1) };
    painter.rows(&rows, area.intersection(screen));
}

/// The files that are no sessions, each with its reason.
fn instead(app: &App, columns: usize) -> Vec<Row> {
    let findings = &app.sessions.findings;
    if findings.is_empty() {
        return Vec::new();
    }
    let heading = Row::new().bold(age::counted(findings.len(), "finding"), Tone::Warn);
    let told = findings.iter().map(|finding| {
        let path = finding.path.to_string_lossy();
        Row::new()
            .text(sanitize::line(&app.shorten(&path)), Tone::Text)
            .text(format!("  {}", sanitize::line(&finding.diagnostic.message)), Tone::Dim)
            .fit(columns)
    });
    [Row::new(), heading].into_iter().chain(told).collect()
}
