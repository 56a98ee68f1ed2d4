use ratatui::layout::Position;

use super::paint::Painter;
use crate::app::{
    App, Find, NAMES_GAP, NoticeTone, Overlay, Pane, PaneRegion, Regions, SESSIONS_HINT, Scope, ScopeChoice,
    SearchProgress, TreeContent, View,
};
use crate::format::Role;
use crate::present::costs::branch_words;
use crate::present::{Row, Tone, age, sanitize, width};
use crate::session::Session;
use crate::store::Sort;

/// Where one is, and what that session comes to.
pub(super) fn header(painter: &mut Painter<'_, '_>, app: &App, regions: &Regions) {
    let Some(area) = regions.header else { return };
    let columns = usize::from(area.width);
    let row = if let (true, Some(Overlay::Search(view))) = (regions.is_narrow, &app.overlay) {
        Row::new().bold(view.title(), Tone::Accent).fit(columns.saturating_sub(2))
    } else if regions.is_narrow && app.scope() != Scope::Empty {
        Row::between(crumbs(app), position(app, app.focus), columns.saturating_sub(2))
    } else {
        let sums = sums(app);
        let room = columns.saturating_sub(sums.width() + 4);
        Row::between(place(app, room), sums, columns.saturating_sub(2))
    };
    painter.row(&Row::new().text(" ", Tone::Text).then(row), area);
}

/// The names of the panes, where only one is shown.
fn crumbs(app: &App) -> Row {
    let mut row = Row::new();
    for pane in Pane::ALL {
        if pane != Pane::Sessions {
            row = row.text(NAMES_GAP, Tone::Faint);
        }
        row = if pane == app.focus {
            row.bold(pane.title(), Tone::Accent)
        } else {
            row.text(pane.title(), Tone::Dim)
        };
    }
    row.then(state(app, app.focus))
}

fn place(app: &App, columns: usize) -> Row {
    let row = Row::new().bold("piscope", Tone::Accent);
    let Some(session) = app.tree.session() else { return row };
    if app.sessions.shows_paths {
        let path = session.path().to_string_lossy();
        let path = Row::new().text(sanitize::line(&app.shorten(&path)), Tone::Text);
        let row = row.text("  ", Tone::Text);
        let room = columns.saturating_sub(row.width());
        return row.then(path.fit_end(room));
    }
    let summary = app.sessions.summary(session.path());
    let title: Box<str> = match (session.name(), summary) {
        (Some(name), _) => name.into(),
        (None, Some(summary)) => summary.title().into(),
        (None, None) => first_prompt(session).unwrap_or_else(|| session.id().into()),
    };
    let cwd = session.header().cwd.as_deref().unwrap_or_default();
    let mut row = row
        .text("  ", Tone::Text)
        .text(sanitize::line(&app.shorten(cwd)), Tone::Dim)
        .text(if cwd.is_empty() { "" } else { " › " }, Tone::Faint)
        .bold(sanitize::line(&title), Tone::Text);
    let leaves = app.tree.docs.first().map_or(&[][..], |doc| &doc.leaves);
    let shows_this = app.messages.session().is_some_and(|shown| std::sync::Arc::ptr_eq(shown, session));
    if let Some(at) = leaves.iter().position(|leaf| shows_this && app.messages.leaf() == Some(*leaf))
        && leaves.len() > 1
    {
        row = row.text(" › ", Tone::Faint).text(format!("branch {} of {}", at + 1, leaves.len()), Tone::Text);
    }
    row
}

/// What a session outside the store can be called: the beginning of its first prompt.
fn first_prompt(session: &Session) -> Option<Box<str>> {
    session.entries().find_map(|(_, head)| {
        let is_prompt = matches!(head.kind.role(), Some(Role::User)) && !head.gist.is_empty();
        is_prompt.then_some(head.gist)
    })
}

fn sums(app: &App) -> Row {
    let Some(totals) = app.tree.docs.first().and_then(|doc| doc.totals.as_ref()) else { return Row::new() };
    let selection = app.tree.session().and_then(|session| session.tool_selection());
    let tools = selection.map(|selection| format!("{}  ", selection.words())).unwrap_or_default();
    let tokens = totals.usage.tokens();
    let row = Row::new()
        .text(sanitize::line(&tools), Tone::Label)
        .text(format!("{} tok", age::tokens(tokens)), Tone::Dim);
    if totals.usage.cost > 0.0 {
        row.text(format!("  {}", age::cost(totals.usage.cost)), Tone::Dim)
    } else {
        row
    }
}

/// The rule of a pane: its name, its state in words, and how far down one is. Its tone says where the focus is.
pub(super) fn title(painter: &mut Painter<'_, '_>, app: &App, region: &PaneRegion) {
    let Some(area) = region.title else { return };
    let is_focused = region.pane == app.focus;
    let (rule, name) = if is_focused { (Tone::Accent, Tone::Accent) } else { (Tone::Rule, Tone::Strong) };
    let columns = usize::from(area.width);
    let left = Row::new()
        .text("─ ", rule)
        .bold(region.pane.title(), name)
        .then(state(app, region.pane))
        .text(" ", rule);
    let right = position(app, region.pane);
    let right = if right.is_empty() { right } else { Row::new().text(" ", rule).then(right).text(" ", rule) };
    let left = left.fit(columns.saturating_sub(right.width() + 1));
    let line = columns.saturating_sub(left.width() + right.width() + 1);
    let row = left.text("─".repeat(line), rule).then(right).text("─", rule);
    painter.row(&row.fit(columns), area);
}

/// The pane with the focus and its state, but for what is looked for in it.
pub(in crate::tui) fn focused(app: &App) -> String {
    let state = state(app, app.focus);
    let lasting = state.spans.iter().filter(|span| span.tone != Tone::Label).map(|span| &*span.text);
    format!("{}{}", app.focus.title(), lasting.collect::<String>().trim_end_matches(" · reading…"))
}

/// What is looked for in the pane with the focus, and how much of it there is.
pub(in crate::tui) fn found(app: &App) -> Option<String> {
    let is_looking = !app.find().text().is_empty();
    is_looking.then(|| position(app, app.focus).plain())
}

/// The state of a pane in words.
fn state(app: &App, pane: Pane) -> Row {
    let mut words: Vec<String> = Vec::new();
    let find = match pane {
        Pane::Sessions => {
            words.push(match app.sessions.scope {
                ScopeChoice::All => "all".into(),
                ScopeChoice::ThisFolder => "this folder".into(),
            });
            words.push(order(app.sessions.listed_order()).into());
            if app.sessions.by_date && app.sessions.listed_order() == Sort::Recent {
                words.push("by date".into());
            }
            if app.sessions.named_only {
                words.push("named".into());
            }
            &app.sessions.find
        }
        Pane::Tree => {
            words.push(app.tree.filter.word().into());
            if let Some(parent) = app.parent_session() {
                words.push(format!("fork of {}", parent.title()));
            }
            if let Some(dead) = app.tree.session().and_then(|session| session.dead_branch()) {
                words.push(format!("dead branch: {} of {} entries", dead.current, dead.length));
            }
            if matches!(app.tree.content, TreeContent::Loading(_)) {
                words.push("reading…".into());
            }
            &app.tree.find
        }
        Pane::Messages => {
            words.push(match (app.messages.view, app.messages.held) {
                (View::Stored, _) => "stored".into(),
                (View::Sent, None) => "sent".into(),
                (View::Sent, Some(entry)) => {
                    let id =
                        app.messages.session().map(|session| session.entry_id(entry).as_str().to_owned());
                    format!("sent at {}", id.unwrap_or_default())
                }
            });
            let shown = app.messages.context.as_ref().and(app.messages.share);
            if let (View::Sent, Some(share)) = (app.messages.view, shown) {
                words.push(age::share(share));
            }
            &app.messages.find
        }
    };
    let mut row = Row::new().text(format!(" {}", sanitize::line(&words.join(" · "))), Tone::Dim);
    if !find.text().is_empty() {
        row = row.text(format!(" /{}", sanitize::line(find.text())), Tone::Label);
    }
    let is_damage = |finding: &crate::format::Diagnostic| finding.problem.is_damage();
    let has_damage = app.tree.session().is_some_and(|session| session.diagnostics().iter().any(is_damage));
    if pane == Pane::Tree && has_damage {
        row = row.text(" ⚠", Tone::Warn);
    }
    row
}

fn order(order: Sort) -> &'static str {
    match order {
        Sort::Threaded => "threaded",
        Sort::Recent => "recent",
        Sort::Relevance => "relevance",
    }
}

/// How far down one is in a pane.
fn position(app: &App, pane: Pane) -> Row {
    let text = match pane {
        Pane::Sessions => age::count(app.sessions.count()),
        Pane::Tree => match app.tree.selected() {
            Some(row) => format!("{}/{}", age::count(row + 1), age::count(app.tree.rows.len())),
            None if app.tree.session().is_some() => "0/0".into(),
            None => String::new(),
        },
        Pane::Messages if app.messages.search().needle().is_some() => matches(app),
        Pane::Messages if app.messages.items().is_empty() => String::new(),
        Pane::Messages => format!("{}%", app.messages.percent()),
    };
    Row::new().text(text, Tone::Dim)
}

/// At which of how many matches one is, and whether more may come.
fn matches(app: &App) -> String {
    let search = app.messages.search();
    let count = search.matches().len();
    let at = search.place(app.messages.anchor()).max(usize::from(count > 0));
    let place = format!("{}/{}", age::count(at), age::count(count));
    match search.progress() {
        SearchProgress::Over => place,
        SearchProgress::Running if count == 0 => "searching…".into(),
        SearchProgress::Running => format!("searching… {place}"),
        SearchProgress::Full => format!("{place}+"),
    }
}

/// What one can do here, or the line in which one types; at the right what there is to tell.
pub(super) fn footer(painter: &mut Painter<'_, '_>, app: &App, regions: &Regions) {
    let Some(area) = regions.footer else { return };
    let columns = usize::from(area.width).saturating_sub(2);
    let right = news(app, regions);
    let typing = app.typing();
    let is_typing = typing.is_some();
    let left = match typing {
        Some((before, find)) => {
            let tone = if find.is_selected() { Tone::Accent } else { Tone::Text };
            let typed = Row::new().bold(before, Tone::Accent).text(sanitize::line(find.text()), tone);
            let room = columns.saturating_sub(typed.width() + 4);
            let typed = typed.pan(typed_pan(before, find, columns));
            let keys = keys(app, room);
            if app.overlay.is_some() && !keys.is_empty() {
                typed.text("    ", Tone::Text).then(keys)
            } else {
                typed
            }
        }
        // What came of the branch under the cursor goes before keys that the help page tells as well.
        None => match app.attempt_at_cursor() {
            Some(_) if app.notice.is_none() => keys(app, columns.saturating_sub(right.width() + 2)),
            _ => keys(app, columns),
        },
    };
    let is_full = left.width() + right.width() >= columns;
    let row = match (is_full, is_typing, &app.notice) {
        (true, false, Some(_)) => right.fit(columns),
        (true, ..) => left.fit(columns),
        (false, ..) => Row::between(left, right, columns),
    };
    painter.row(&Row::new().text(" ", Tone::Text).then(row), area);
    if let Some((before, find)) = typing {
        let typed = sanitize::line(find.text());
        let column = 1 + width::of(before) + find.cursor().min(width::of(&typed));
        let column = (column - typed_pan(before, find, columns)) as u16;
        let position = Position { x: (area.x + column).min(area.right().saturating_sub(1)), y: area.y };
        painter.frame.set_cursor_position(position);
    }
}

/// Cells of a typed line that have gone out of view at the left, so that its cursor stays in view.
fn typed_pan(before: &str, find: &Find, columns: usize) -> usize {
    (width::of(before) + find.cursor() + 1).saturating_sub(columns)
}

/// As many keys as there is room for, each with its word; the last one, which leads to all others, before the rest.
fn keys(app: &App, columns: usize) -> Row {
    const GAP: usize = 2;
    let hint =
        |key: &str, words: &str| Row::new().bold(key, Tone::Accent).text(format!(" {words}"), Tone::Dim);
    if let Some(Overlay::Resume(dialog)) = &app.overlay
        && dialog.typing.is_some()
    {
        return hint("enter", "take this folder  ").then(hint("esc", "back")).fit(columns);
    }
    if let Some(Overlay::Export(dialog)) = &app.overlay
        && dialog.typing.is_some()
    {
        return hint("enter", "take this file  ").then(hint("esc", "back")).fit(columns);
    }
    let keymap = &app.setup.keymap;
    let mut hints: Vec<Row> = keymap
        .footer(app.scope(), |action| app.offers(action))
        .into_iter()
        .map(|(key, words)| hint(&key.to_string(), words))
        .collect();
    let Some(last) = hints.pop() else { return Row::new() };
    let mut row = Row::new();
    for hint in hints {
        if row.width() + hint.width() + last.width() + 2 * GAP > columns {
            break;
        }
        row = row.then(hint).text(" ".repeat(GAP), Tone::Text);
    }
    row.then(last).fit(columns)
}

fn news(app: &App, regions: &Regions) -> Row {
    if let Some(notice) = &app.notice {
        let tone = match notice.tone {
            NoticeTone::Done => Tone::Good,
            NoticeTone::Failed => Tone::Warn,
        };
        return Row::new().text(sanitize::line(&notice.text), tone);
    }
    if let Some(error) = &app.sessions.find_error
        && app.focus == Pane::Sessions
    {
        return Row::new().text(sanitize::line(error), Tone::Warn);
    }
    if regions.is_narrow && app.focus == Pane::Messages && app.messages.search().needle().is_some() {
        return Row::new().text(matches(app), Tone::Dim);
    }
    if let Some(Overlay::Search(view)) = &app.overlay {
        let progress = view.progress;
        let text = format!("searched {} of {}", age::bytes(progress.bytes_done), age::bytes(progress.bytes));
        return Row::new().text(if progress.is_running { text } else { String::new() }, Tone::Dim);
    }
    if app.sessions.is_reading_texts {
        return Row::new().text("reading messages…", Tone::Dim);
    }
    let progress = app.sessions.progress;
    if progress.is_running && !progress.is_again {
        let text = match progress.files {
            0 => "looking for sessions…".to_owned(),
            files => {
                format!("reading {} of {}", age::count(progress.files_done), age::counted(files, "session"))
            }
        };
        return Row::new().text(text, Tone::Dim);
    }
    if let Some(attempt) = app.attempt_at_cursor() {
        let words = Row::new().text(branch_words(attempt), Tone::Dim);
        let area = regions.footer.map_or(0, |footer| usize::from(footer.width));
        return words.fit(area * 2 / 3);
    }
    match regions {
        regions if regions.hides_sessions() => Row::new().text(SESSIONS_HINT, Tone::Dim),
        regions if regions.is_narrow => Row::new(),
        _ => Row::new().text(age::counted(app.sessions.found().len(), "session"), Tone::Faint),
    }
}
