use ratatui::layout::Size;

use super::StatsView;
use crate::app::App;
use crate::format::account_in_words;
use crate::present::costs::stats_remarks;
use crate::present::{Row, Tone, age, sanitize};
use crate::store::{Spent, StatsBy, StatsKey, StatsRow, StatsSort};

/// Rows above the list: the names of the columns.
pub(super) const HEAD_ROWS: usize = 1;
/// Rows below the list: a blank one, the sum, and what has to be known of it.
const FOOT_ROWS: usize = 3;

/// What stands for what was spent on the way to where a session goes on, and for what was not.
const CURRENT: &str = "━";
const ABANDONED: &str = "╌";

/// Rows of the list that are in view.
pub(super) fn list_height(height: u16) -> usize {
    usize::from(height).saturating_sub(HEAD_ROWS + FOOT_ROWS).max(1)
}

/// The columns of a row, by how much room there is.
struct Columns {
    name: usize,
    bar: usize,
    has_tokens: bool,
    has_abandoned: bool,
}

const FIGURE: usize = 8;
const ABANDONED_FIGURE: usize = 11;
/// On a wide screen names and figures stay near each other.
const MOST_NAME: usize = 64;

impl Columns {
    fn of(width: usize) -> Self {
        let (has_tokens, has_abandoned) = (width >= 76, width >= 48);
        let figures =
            FIGURE * (1 + 2 * usize::from(has_tokens)) + ABANDONED_FIGURE * usize::from(has_abandoned);
        let room = width.saturating_sub(figures + 2);
        let bar = if room < 24 { 0 } else { (room / 3).min(40) };
        Self { name: (room - bar).min(MOST_NAME), bar, has_tokens, has_abandoned }
    }

    /// A row of the table.
    fn row(&self, mark: Row, name: Row, bar: Row, figures: [String; 4], tone: Tone) -> Row {
        let [read, written, cost, abandoned] = figures;
        let name = name.fit(self.name.saturating_sub(1)).pad(self.name, Tone::Text);
        let mut row = mark.then(name).then(bar.pad(self.bar, Tone::Text));
        if self.has_tokens {
            row = row.text(format!("{read:>FIGURE$}{written:>FIGURE$}"), Tone::Dim);
        }
        row = row.text(format!("{cost:>FIGURE$}"), tone);
        if self.has_abandoned {
            row = row.text(format!("{abandoned:>ABANDONED_FIGURE$}"), Tone::Dim);
        }
        row.text(" ", Tone::Text)
    }
}

impl StatsView {
    /// What is added up, in words.
    pub(in crate::app) fn title(&self, app: &App) -> String {
        let Some(level) = self.level() else { return String::new() };
        let mut words = vec!["Spent".to_owned(), format!("by {}", noun(level.by))];
        words.extend(level.only.iter().filter_map(|key| match key {
            StatsKey::Session(_) => None,
            StatsKey::Project(cwd) => Some(project(app, cwd)),
            StatsKey::Model(model) => Some(account_in_words(model)),
            StatsKey::Day(on) => Some(day(*on)),
        }));
        words.push(self.period.words().to_owned());
        if let Some(sort) = self.sort {
            words.push(order(sort).to_owned());
        }
        sanitize::line(&words.join(" · ")).into_owned()
    }
}

impl App {
    /// The rows of the view, and which of them is under the cursor.
    pub(in crate::app) fn stats_rows(&self, view: &StatsView, size: Size) -> (Vec<Row>, Option<usize>) {
        let width = usize::from(size.width);
        let height = list_height(size.height);
        let Some(counted) = &view.counted else {
            return (vec![Row::new().text(" adding up…", Tone::Dim)], None);
        };
        let stats = &counted.stats;
        if stats.rows.is_empty() {
            let words =
                if self.sessions.progress.is_running { " reading…" } else { " nothing was used then" };
            return (vec![Row::new().text(words, Tone::Dim)], None);
        }
        let columns = Columns::of(width);
        let heading = view.level().map_or("", |level| noun(level.by));
        let blank = || Row::new().text(" ", Tone::Text);
        let names = ["in", "out", "cost", "abandoned"].map(str::to_owned);
        let mut rows =
            vec![columns.row(blank(), Row::new().text(heading, Tone::Dim), Row::new(), names, Tone::Dim)];
        let (at, top) = view.place(height);
        let by_tokens = view.sort() == StatsSort::Tokens || stats.total.total().cost == 0.0;
        let measure = |spent: &Spent| {
            let of = |usage: &crate::format::Usage| if by_tokens { usage.tokens() } else { usage.cost };
            (of(&spent.current), of(&spent.abandoned))
        };
        let most = stats.rows.iter().map(|row| measure(&row.spent)).map(|(one, other)| one + other);
        let most = most.fold(0.0, f64::max);
        for (place, row) in stats.rows.iter().enumerate().skip(top).take(height) {
            let is_selected = place == at;
            let mark = Row::new().text(if is_selected { "▌" } else { " " }, Tone::Accent);
            let name = self.stats_name(view, row, is_selected);
            let bar = bar(measure(&row.spent), most, columns.bar.saturating_sub(1));
            rows.push(columns.row(mark, name, bar, figures(&row.spent), Tone::Text));
        }
        rows.resize_with(HEAD_ROWS + height.min(stats.rows.len()) + 1, Row::new);
        let all =
            Row::new().bold(format!("all of {}", age::counted(stats.sessions, "session")), Tone::Strong);
        rows.push(columns.row(blank(), all, legend(columns.bar), figures(&stats.total), Tone::Strong));
        let remarks = stats_remarks(&stats.copied, (stats.doubtful, stats.doubtful_sessions));
        let remark = Row::new().text(format!(" {}", remarks.join("; ")), Tone::Dim);
        rows.push(remark.fit(width));
        (rows, Some(HEAD_ROWS + at - top))
    }

    fn stats_name(&self, view: &StatsView, row: &StatsRow, is_selected: bool) -> Row {
        let named = |words: &str| {
            let words = sanitize::line(words);
            if is_selected { Row::new().bold(words, Tone::Text) } else { Row::new().text(words, Tone::Text) }
        };
        match &row.key {
            key @ StatsKey::Session(_) => {
                let Some(session) = view.session(key) else { return Row::new() };
                let name = named(session.title().trim());
                let is_project = |key: &StatsKey| matches!(key, StatsKey::Project(_));
                if view.level().is_some_and(|level| level.only.iter().any(is_project)) {
                    return name;
                }
                name.text(format!("  {}", sanitize::line(&project(self, &session.cwd))), Tone::Faint)
            }
            StatsKey::Project(cwd) => named(&project(self, cwd))
                .text(format!("  {}", age::counted(row.sessions, "session")), Tone::Faint),
            StatsKey::Model(model) => named(&account_in_words(model)),
            StatsKey::Day(on) => named(&day(*on)),
        }
    }
}

/// What a row is, in one word.
fn noun(by: StatsBy) -> &'static str {
    match by {
        StatsBy::Session => "session",
        StatsBy::Project => "project",
        StatsBy::Model => "model",
        StatsBy::Day => "day",
    }
}

fn order(sort: StatsSort) -> &'static str {
    match sort {
        StatsSort::Cost => "dearest first",
        StatsSort::Tokens => "most tokens first",
        StatsSort::Name => "by name",
        StatsSort::Recent => "latest first",
    }
}

fn project(app: &App, cwd: &str) -> String {
    if cwd.is_empty() { "no folder".into() } else { app.shorten(cwd).into_owned() }
}

fn day(day: Option<crate::store::Day>) -> String {
    match day {
        Some(day) => {
            day.date().map_or_else(|| day.to_string(), |date| date.strftime("%a %-d %b %Y").to_string())
        }
        None => "no date".into(),
    }
}

fn figures(spent: &Spent) -> [String; 4] {
    let total = spent.total();
    let abandoned = match spent.abandoned {
        nothing if nothing.is_zero() => String::new(),
        abandoned if abandoned.cost > 0.0 => age::cost(abandoned.cost),
        abandoned => format!("{} tok", age::tokens(abandoned.tokens())),
    };
    [age::tokens(total.read()), age::tokens(total.output), age::cost(total.cost), abandoned]
}

/// A bar of at most so many cells, full for the most: what is current, then what is abandoned. What is anything at all
/// has a cell.
fn bar((current, abandoned): (f64, f64), most: f64, cells: usize) -> Row {
    if most <= 0.0 || cells == 0 {
        return Row::new();
    }
    let share = |part: f64| ((part / most * cells as f64).round() as usize).max(usize::from(part > 0.0));
    let current = share(current).min(cells);
    let abandoned = share(abandoned).min(cells - current);
    Row::new().text(CURRENT.repeat(current), Tone::Accent).text(ABANDONED.repeat(abandoned), Tone::Warn)
}

fn legend(cells: usize) -> Row {
    let row = Row::new()
        .text(CURRENT, Tone::Accent)
        .text(" current ", Tone::Dim)
        .text(ABANDONED, Tone::Warn)
        .text(" abandoned", Tone::Dim);
    if row.width() < cells { row } else { Row::new() }
}
