//! Everything there is to say of a session, as names and values.

use std::borrow::Cow;
use std::collections::BTreeSet;

use jiff::tz::TimeZone;

use super::costs::attempt_words;
use super::{Tone, age};
use crate::error::Error;
use crate::format::{Header, TOOLS_AND_SUMMARIES, Usage, account_in_words, js};
use crate::session::{Context, ContextTokens, EntryIx, Session, SystemState, ToolSelection, Totals};

/// Branches that are told one by one.
const TOLD_BRANCHES: usize = 30;
/// Findings that are told one by one.
const TOLD_DIAGNOSTICS: usize = 200;

/// A line of the details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What the lines below it are about.
    Heading(&'static str),
    /// A name and what there is to say of it. Neither is sanitised.
    Field {
        /// The name; empty where it is that of the line above.
        name: Cow<'static, str>,
        /// The value.
        value: String,
        /// How it is shown: [`Tone::Warn`] where something is wrong.
        tone: Tone,
    },
}

/// A session and what its details depend on besides.
#[derive(Clone, Copy)]
pub struct DetailsOf<'d> {
    /// The session.
    pub session: &'d Session,
    /// The context whose use of the window is told.
    pub context: &'d Context,
    /// The model's window in tokens, where it is known.
    pub window: Option<f64>,
    /// What only the folder of sessions tells.
    pub surroundings: &'d Surroundings,
    /// The present, in milliseconds since 1970.
    pub now: i64,
    /// Where local time is told.
    pub zone: &'d TimeZone,
}

/// What only the folder of sessions tells of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// When somebody last said something, in milliseconds since 1970.
    pub modified: Option<i64>,
    /// Whether its working directory is gone.
    pub is_cwd_gone: bool,
    /// What the session is called that it was split off, where that is there.
    pub parent: Option<String>,
    /// What it has copied of that one.
    pub copied: Usage,
    /// What was split off it: the name, and when somebody last said something there.
    pub forks: Vec<(String, Option<i64>)>,
}

/// All details.
///
/// # Errors
/// When the file can no longer be read.
pub fn details(of: &DetailsOf<'_>) -> Result<Vec<Detail>, Error> {
    let mut list = List::default();
    let totals = of.session.totals();
    file(of, &mut list);
    contents(of, &totals, &mut list);
    context(of, &mut list)?;
    spent(of, &totals, &mut list);
    branches(of, &mut list);
    labels(of, &mut list);
    damage(of, &mut list);
    Ok(list.0)
}

#[derive(Default)]
struct List(Vec<Detail>);

impl List {
    fn heading(&mut self, words: &'static str) {
        self.0.push(Detail::Heading(words));
    }

    /// Adds a line; none for an empty value.
    fn field(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) {
        self.toned(name, value, Tone::Text);
    }

    fn toned(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<String>, tone: Tone) {
        let value = value.into();
        if !value.is_empty() {
            self.0.push(Detail::Field { name: name.into(), value, tone });
        }
    }
}

fn file(of: &DetailsOf<'_>, list: &mut List) {
    let header = of.session.header();
    let around = of.surroundings;
    list.field("file", of.session.path().to_string_lossy());
    list.field("id", of.session.id());
    let cwd = header.cwd.as_deref().unwrap_or("unknown");
    if around.is_cwd_gone {
        list.toned("cwd", format!("{cwd} (gone)"), Tone::Warn);
    } else {
        list.field("cwd", cwd);
    }
    list.field("version", &*header.version.stored);
    list.field("size", age::bytes(of.session.length()));
    list.field("created", created(header, of.zone));
    list.field("modified", around.modified.map(|at| moment(at, of)).unwrap_or_default());
    match (&around.parent, header.parent_session.as_deref()) {
        (Some(title), Some(path)) => {
            list.field("parent", title);
            list.field("", path);
        }
        (None, Some(path)) => list.field("parent", path),
        (_, None) => {}
    }
    if !around.copied.is_zero() {
        let (tokens, cost) = (age::tokens(around.copied.tokens()), age::cost(around.copied.cost));
        list.field("copied", format!("{tokens} tokens and {cost} are its parent's"));
    }
    for (at, (title, when)) in around.forks.iter().enumerate() {
        let name = match (at, around.forks.len()) {
            (0, 1) => "fork",
            (0, _) => "forks",
            _ => "",
        };
        let when = when.map(|when| format!(" · {}", age::ago(of.now, when))).unwrap_or_default();
        list.field(name, format!("{title}{when}"));
    }
}

fn contents(of: &DetailsOf<'_>, totals: &Totals, list: &mut List) {
    let session = of.session;
    list.heading("holds");
    list.field("entries", entries(session, totals));
    let mut kinds: Vec<(Box<str>, usize)> = session.entry_types().into_iter().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let kinds: Vec<String> =
        kinds.into_iter().map(|(kind, count)| format!("{} {kind}", age::count(count))).collect();
    list.field("by kind", kinds.join(", "));
    let leaves = (0..session.len()).filter(|&at| session.links().children(EntryIx::new(at)).is_empty());
    list.field("branches", age::count(leaves.count()));
    if let Some(dead) = session.dead_branch() {
        let words = format!("pi would reopen {} of {} entries", dead.current, dead.length);
        list.toned("dead branch", words, Tone::Warn);
    }
    list.field("leaf", session.current_leaf().map_or("", |leaf| session.entry_id(leaf).as_str()));
}

fn context(of: &DetailsOf<'_>, list: &mut List) -> Result<(), Error> {
    let DetailsOf { session, context, window, .. } = *of;
    let tokens = session.context_tokens(context)?;
    let system = session.system_state(context)?;
    list.heading("sent");
    list.field("context", in_use(tokens, window));
    list.field("model", model(context));
    list.field("thinking", &*context.thinking_level);
    list.field("prompt", prompt_words(system.as_ref()));
    list.field("tools", tool_words(system.as_ref()));
    list.field("chosen", session.tool_selection().map(ToolSelection::words).unwrap_or_default());
    let used: BTreeSet<String> =
        session.entries().filter_map(|(ix, _)| session.charge(ix)).map(|charge| charge.account).collect();
    let used: Vec<String> = used
        .iter()
        .filter(|account| *account != TOOLS_AND_SUMMARIES)
        .map(|account| account_in_words(account))
        .collect();
    if used.len() > 1 {
        list.field("models used", used.join(", "));
    }
    Ok(())
}

fn spent(of: &DetailsOf<'_>, totals: &Totals, list: &mut List) {
    list.heading("spent");
    list.field("tokens", tokens_words(&totals.usage));
    list.field("cost", age::cost(totals.usage.cost));
    let abandoned = of.session.abandoned_usage();
    if !abandoned.is_zero() {
        let tokens = format!("{} tokens", age::tokens(abandoned.tokens()));
        let cost =
            if abandoned.cost > 0.0 { format!(", {}", age::cost(abandoned.cost)) } else { String::new() };
        list.field("abandoned", format!("{tokens}{cost} of that"));
    }
    if totals.doubtful > 0 {
        let entries = age::counted_as(totals.doubtful as usize, "entry", "entries");
        list.toned("as zero", format!("missing or absurd numbers in {entries}"), Tone::Warn);
    }
    for model in &totals.by_model {
        let value = format!("{:>6}  {}", age::tokens(model.tokens), age::cost(model.cost));
        list.field(account_in_words(&model.key), value);
    }
}

fn branches(of: &DetailsOf<'_>, list: &mut List) {
    let branches = of.session.branches();
    if branches.len() < 2 {
        return;
    }
    list.heading("branches, each from where it left another");
    for (at, branch) in branches.iter().take(TOLD_BRANCHES).enumerate() {
        let when = of.session.entry(branch.leaf).time.map(|time| age::ago(of.now, time));
        let when = when.map(|when| format!(" · {when}")).unwrap_or_default();
        let name = if at == 0 { "current".to_owned() } else { of.session.entry_id(branch.leaf).to_string() };
        let tone = if branch.ending.is_bad() { Tone::Warn } else { Tone::Text };
        list.toned(name, format!("{}{when}", attempt_words(branch)), tone);
    }
    if branches.len() > TOLD_BRANCHES {
        list.field("", format!("and {} more", age::count(branches.len() - TOLD_BRANCHES)));
    }
}

fn labels(of: &DetailsOf<'_>, list: &mut List) {
    if of.session.labels().is_empty() {
        return;
    }
    list.heading("labels");
    for label in of.session.labels().iter() {
        list.field(label.target.to_string(), &*label.text);
    }
}

fn damage(of: &DetailsOf<'_>, list: &mut List) {
    if of.session.diagnostics().is_empty() {
        return;
    }
    list.heading("damage");
    let all = of.session.diagnostics();
    for diagnostic in all.iter().take(TOLD_DIAGNOSTICS) {
        let place =
            if diagnostic.line == 0 { "file".to_owned() } else { format!("line {}", diagnostic.line) };
        list.toned(place, format!("{}: {}", diagnostic.problem.word(), diagnostic.message), Tone::Warn);
    }
    if all.len() > TOLD_DIAGNOSTICS {
        list.field("", format!("and {} more", age::count(all.len() - TOLD_DIAGNOSTICS)));
    }
}

fn created(header: &Header, zone: &TimeZone) -> String {
    header
        .created()
        .and_then(|at| Some(format!("{} {}", age::date(at, zone)?, age::clock(at, zone)?)))
        .unwrap_or_default()
}

fn moment(at: i64, of: &DetailsOf<'_>) -> String {
    let ago = age::ago(of.now, at);
    age::date(at, of.zone)
        .zip(age::clock(at, of.zone))
        .map_or(ago.clone(), |(date, clock)| format!("{date} {clock} · {ago}"))
}

fn entries(session: &Session, totals: &Totals) -> String {
    format!(
        "{}: {}, {}, {}",
        age::count(session.len()),
        age::counted(totals.user_messages as usize, "prompt"),
        age::counted(totals.assistant_messages as usize, "answer"),
        age::counted(totals.tool_results as usize, "tool result"),
    )
}

fn in_use(tokens: ContextTokens, window: Option<f64>) -> String {
    let Some(count) = tokens.known() else { return "unknown until the next answer".into() };
    match window.and_then(|window| tokens.percent(window).zip(Some(window))) {
        Some((percent, window)) => {
            format!("{} tokens, {percent:.1} % of {}", age::tokens(count), age::tokens(window))
        }
        None => format!("{} tokens", age::tokens(count)),
    }
}

fn model(context: &Context) -> String {
    let Some(model) = &context.model else { return String::new() };
    let part = |part: &Option<Box<str>>| part.as_deref().unwrap_or("unknown").to_owned();
    format!("{}/{}", part(&model.provider), part(&model.model))
}

/// Input is everything read, as in pi's `/session`; where a cache was used, its share stands behind it.
fn tokens_words(usage: &Usage) -> String {
    let read = usage.read();
    let cached = if usage.cache_read > 0.0 && read > 0.0 {
        format!(" ({:.0} % cached)", usage.cache_read / read * 100.0)
    } else {
        String::new()
    };
    format!("{} in{cached}, {} out", age::tokens(read), age::tokens(usage.output))
}

/// The prompt in force in a few words.
pub(crate) fn prompt_words(system: Option<&SystemState>) -> String {
    let Some(system) = system else { return "unknown".into() };
    let names: Vec<&str> = system.sections.iter().map(|section| section.name.as_str()).collect();
    let size = age::counted(js::units(&system.prompt()), "character");
    if names.is_empty() { size } else { format!("{size}, with {}", names.join(", ")) }
}

/// The tools in force by name.
pub(crate) fn tool_words(system: Option<&SystemState>) -> String {
    let names: Vec<&str> =
        system.map(|system| system.tools.iter().map(|tool| tool.name.as_str()).collect()).unwrap_or_default();
    match (system, names.is_empty()) {
        (None, _) => "unknown".into(),
        (Some(_), true) => "none".into(),
        (Some(_), false) => names.join(", "),
    }
}
