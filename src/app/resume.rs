use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use super::find::Find;
use super::finder::{Landing, Then};
use super::overlay::choice;
use super::{Action, App, At, Clip, Draft, Effect, Job, Notice, Origin, Overlay, Pane, Scope, Take};
use crate::format::EntryId;
use crate::present::{Row, Tone, sanitize, wrap};
use crate::resume::{Folder, Launch, Plan, Program, ProgramNotFound, Start, ToolPreset, quote};
use crate::store::{Environment, Liveness, Store};

/// Columns of the names of what is said about a resume.
const NAME_COLUMNS: usize = 10;

/// What resuming a session comes to.
#[derive(Clone, Debug)]
pub struct Offer {
    /// What is done if nothing else is chosen.
    pub launch: Launch,
    /// Where the session ends.
    pub leaf: Option<EntryId>,
    /// The model in force there.
    pub model: Option<String>,
    /// The session's folder.
    pub folder: Folder,
    /// The tools the session records.
    pub recorded: Option<ToolPreset>,
    /// What speaks for it that the session is being written.
    pub liveness: Liveness,
    /// The program that is run, if it is there.
    pub program: Result<Program, ProgramNotFound>,
    /// The entry from which to go on, where that is not the end of the session.
    pub at: Option<At>,
    /// Where the sessions are.
    pub store: Store,
    /// What the program is started with.
    pub environment: Environment,
}

/// A place in which pi can be started, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder.
    pub folder: PathBuf,
    /// Whether the session or a copy of it goes on there.
    pub start: Start,
    /// Why there, in a few words.
    pub why: &'static str,
}

/// The question before a resume.
#[derive(Clone, Debug)]
pub struct ResumeDialog {
    /// What it is about.
    pub offer: Offer,
    /// The places there are to choose from; the first is proposed.
    pub places: Vec<Place>,
    /// The tools there are to choose from; the first are proposed.
    pub tools: Vec<ToolPreset>,
    /// Another folder while it is typed.
    pub typing: Option<Find>,
    /// From where there is to go on; the first is proposed.
    pub origins: Vec<Origin>,
    place: usize,
    tool: usize,
    origin: usize,
}

impl ResumeDialog {
    /// The question about an offer.
    pub fn new(offer: Offer) -> Self {
        let recorded = offer.recorded.clone().filter(|recorded| *recorded != ToolPreset::ChatOnly);
        let mut tools: Vec<ToolPreset> = recorded.into_iter().chain(ToolPreset::USUAL).collect();
        if offer.recorded == Some(ToolPreset::ChatOnly) {
            tools.rotate_right(1);
        }
        let origins = Origin::all(offer.at.as_ref());
        Self { places: places(&offer), tools, typing: None, origins, place: 0, tool: 0, origin: 0, offer }
    }

    /// What is done as things are chosen now.
    pub fn plan(&self) -> Plan {
        let Offer { launch, store, environment, .. } = &self.offer;
        let place = &self.places[self.place];
        let launch = Launch {
            folder: place.folder.clone(),
            // A session that was split off needs no other copy.
            start: if matches!(self.origin(), Origin::Fork(_)) { Start::Resume } else { place.start },
            tools: self.tools[self.tool].clone(),
            ..launch.clone()
        };
        Plan::of(&launch, store, environment)
    }

    /// From where the conversation goes on.
    pub fn origin(&self) -> Origin {
        self.origins[self.origin]
    }

    /// Whether there is something to choose by an action, as things are.
    pub(super) fn offers(&self, action: Action) -> bool {
        match action {
            Action::NextOrigin => self.origins.len() > 1,
            Action::NextPlace => self.places.len() > 1,
            Action::FollowInstead => self.offer.liveness.is_live() && self.offer.leaf.is_some(),
            _ => true,
        }
    }

    pub(super) fn turn_origin(&mut self) {
        self.origin = (self.origin + 1) % self.origins.len();
    }

    /// The command that does all of it, as one would type it into a shell. There is none for going on from an entry in
    /// the same file, which appends to it first.
    pub fn shell_line(&self) -> Option<String> {
        let (Origin::Fork(draft), Some(at)) = (self.origin(), &self.offer.at) else {
            return (self.origin() == Origin::End).then(|| self.plan().shell_line());
        };
        let launch = &self.offer.launch;
        let mut line = format!(
            "piscope resume {} --at {}",
            quote(launch.session.as_os_str()),
            quote(at.session.entry_id(at.entry).as_str().as_ref())
        );
        if draft == Draft::Edited {
            line.push_str(" --resend");
        }
        match self.tool() {
            ToolPreset::Recorded(_) => {}
            preset if *preset == self.tools[0] => {}
            preset => line.push_str(&format!(" --tools {}", preset.word())),
        }
        if self.place().folder != launch.folder {
            line.push_str(&format!(" --in {}", quote(self.place().folder.as_os_str())));
        }
        Some(line)
    }

    /// The place that is chosen.
    pub fn place(&self) -> &Place {
        &self.places[self.place]
    }

    /// The tools that are chosen.
    pub fn tool(&self) -> &ToolPreset {
        &self.tools[self.tool]
    }

    fn choose_folder(&mut self, folder: PathBuf) {
        let start =
            if matches!(self.offer.folder, Folder::There(_)) { Start::Resume } else { Start::ForkHere };
        self.places.push(Place { folder, start, why: "as you typed it" });
        self.place = self.places.len() - 1;
    }
}

/// Where a session can go on. pi itself asks what to do about a folder that is gone, unless a copy is made.
fn places(offer: &Offer) -> Vec<Place> {
    let here = || offer.environment.cwd().to_owned();
    let place = |folder, start, why| Place { folder, start, why };
    match &offer.folder {
        Folder::There(folder) => {
            let mut places = vec![place(folder.clone(), Start::Resume, "")];
            if *folder != here() {
                places.push(place(here(), Start::ForkHere, "a copy, in this folder"));
            }
            places
        }
        Folder::Gone { proposal, .. } => {
            let moved = proposal
                .clone()
                .map(|folder| place(folder, Start::ForkHere, "a copy, where the folder seems to have gone"));
            let here = [
                place(here(), Start::ForkHere, "a copy, in this folder"),
                place(here(), Start::Resume, "once, in this folder: pi asks"),
            ];
            moved.into_iter().chain(here).collect()
        }
        Folder::Unnamed => vec![place(here(), Start::Resume, "the session names no folder")],
    }
}

impl App {
    /// Asks what resuming the session under the cursor comes to.
    pub(super) fn offer_resume(&mut self, effects: &mut Vec<Effect>) {
        let found = match &self.overlay {
            Some(Overlay::Finder(finder)) => finder.selected().map(|found| found.summary.path.clone()),
            _ => None,
        };
        let Some(path) = found.or_else(|| self.cursor_session()) else {
            self.notice = Some(Notice::failed("no session is selected"));
            return;
        };
        let known = self.sessions.found().map(|summary| summary.cwd.clone()).collect();
        let store = self.setup.store.clone();
        let at = self.cursor_entry().filter(|(session, entry)| {
            self.overlay.is_none() && self.focus != Pane::Sessions && session.current_leaf() != Some(*entry)
        });
        self.tickets.offer = self.run(Job::Offer { path, at, known, store }, effects);
    }

    /// Shows the question, or goes on at once where nothing is to be asked.
    pub(super) fn take_offer(&mut self, offer: Offer, effects: &mut Vec<Effect>) {
        let has_doubts = offer.liveness.is_live()
            || offer.program.is_err()
            || offer.at.is_some()
            || !matches!(offer.folder, Folder::There(_));
        self.overlay = Some(Overlay::Resume(Box::new(ResumeDialog::new(offer))));
        if !self.setup.asks_before_resume && !has_doubts {
            self.resume(effects);
        }
    }

    /// Shows what pi has left: everything may be another than before, and the place stays the same.
    pub(super) fn come_back(&mut self, ended: Result<ExitStatus, String>, effects: &mut Vec<Effect>) {
        self.notice = match ended {
            Ok(status) if status.success() => None,
            Ok(status) => Some(Notice::failed(format!("pi ended: {status}"))),
            Err(reason) => Some(Notice::failed(format!("cannot start pi: {reason}"))),
        };
        self.rescan(crate::store::Kept::Trusted, effects);
        if let Some(path) = self.tree.path().map(Path::to_owned) {
            let view = self.tree.view(0);
            self.open(path, view, effects);
        }
    }

    /// Copies the command as the question stands.
    pub(super) fn copy_resume_command(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Resume(dialog)) = &self.overlay else { return };
        match dialog.shell_line() {
            Some(line) => {
                effects.push(Effect::Copy(Clip::of(Take::ResumeCommand, 1, line)));
                self.overlay = None;
            }
            None => self.notice = Some(Notice::failed("no command does that: a line is appended first")),
        }
    }

    /// Goes to the end of the session instead: a cursor that is there moves on with what is written.
    pub(super) fn follow_instead(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Resume(dialog)) = &self.overlay else { return };
        let (path, leaf) = (dialog.offer.launch.session.clone(), dialog.offer.leaf.clone());
        let Some(entry) = leaf.filter(|_| dialog.offer.liveness.is_live()) else { return };
        self.overlay = None;
        self.focus = Pane::Messages;
        self.land_on(Landing { path, entry, then: Then::ToEnd }, effects);
    }

    /// Chooses the next place.
    pub(super) fn turn_place(&mut self) {
        if let Some(Overlay::Resume(dialog)) = &mut self.overlay {
            dialog.place = (dialog.place + 1) % dialog.places.len();
        }
    }

    /// Chooses the next tools.
    pub(super) fn turn_tools(&mut self) {
        if let Some(Overlay::Resume(dialog)) = &mut self.overlay {
            dialog.tool = (dialog.tool + 1) % dialog.tools.len();
        }
    }

    /// Begins to type another folder.
    pub(super) fn type_folder(&mut self) {
        if let Some(Overlay::Resume(dialog)) = &mut self.overlay {
            let mut find = Find::default();
            find.start();
            dialog.typing = Some(find);
        }
    }

    /// Takes the folder that was typed.
    pub(super) fn take_typed_folder(&mut self) {
        let Some(Overlay::Resume(dialog)) = &mut self.overlay else { return };
        let Some(typed) = dialog.typing.take().filter(|typed| !typed.text().trim().is_empty()) else {
            return;
        };
        let folder = dialog.offer.environment.absolute(typed.text().trim());
        dialog.choose_folder(folder);
    }

    /// The file of the session that is meant in the focused pane.
    pub(super) fn cursor_session(&self) -> Option<PathBuf> {
        match self.focus {
            Pane::Sessions => self.sessions.selected_session().map(|row| row.path.clone()),
            _ => self.cursor_entry().map(|(session, _)| session.path().to_owned()),
        }
    }

    /// The rows of the question.
    pub(super) fn resume_rows(&self, dialog: &ResumeDialog, columns: usize) -> Vec<Row> {
        let offer = &dialog.offer;
        let place = dialog.place();
        let shorten = |path: &Path| {
            let text = path.to_string_lossy();
            sanitize::line(&self.shorten(&text)).into_owned()
        };
        let mut rows = Vec::new();
        let mut say = |name: &str, row: Row| {
            let named = Row::new().text(format!(" {name:<NAME_COLUMNS$}"), Tone::Dim).then(row);
            rows.extend(wrap(&named, columns, NAME_COLUMNS + 1));
        };
        if let Folder::Gone { folder, .. } = &offer.folder {
            say(
                "gone",
                Row::new().text(shorten(folder), Tone::Text).text(" ✗ is no longer there", Tone::Warn),
            );
        }
        let mut folder = Row::new().bold(shorten(&place.folder), Tone::Text);
        if !place.why.is_empty() {
            folder = folder.text(format!("  {}", place.why), Tone::Dim);
        }
        if dialog.places.len() > 1 {
            folder = folder.text(format!("  {} of {}", dialog.place + 1, dialog.places.len()), Tone::Faint);
        }
        say("folder", folder);
        if dialog.origins.len() > 1 {
            let words = dialog.origin().words();
            let count = format!("  {} of {}", dialog.origin + 1, dialog.origins.len());
            say("from", Row::new().text(words, Tone::Text).text(count, Tone::Faint));
        }
        let model = offer.model.as_deref().unwrap_or("pi's own choice");
        say("model", Row::new().text(sanitize::line(model), Tone::Text));
        let tools = dialog.tools.iter().enumerate().map(|(at, preset)| {
            let words = match preset {
                ToolPreset::Recorded(tools) => format!("as recorded: {}", tools.join(" ")),
                preset => preset.word().to_owned(),
            };
            (words, at == dialog.tool)
        });
        say("tools", choice(tools));
        if let Some(words) = offer.liveness.words() {
            let words = format!("⚠ {words}: two writers at once are a bad idea");
            let mut row = Row::new().text(words, Tone::Warn);
            if let Some(key) = self.setup.keymap.key(Scope::Resume, Action::FollowInstead) {
                row = row.text("; ", Tone::Dim).bold(key.to_string(), Tone::Accent);
                row = row.text(" follows it here instead", Tone::Dim);
            }
            say("live", row);
        }
        let command = if let Some(line) = dialog.shell_line() {
            Row::new().text(sanitize::line(&line), Tone::Code)
        } else {
            let line = dialog.plan().shell_line();
            Row::new().text("appends a line, then ", Tone::Dim).text(sanitize::line(&line), Tone::Code)
        };
        say("command", command);
        if let Err(missing) = &offer.program {
            say("missing", Row::new().text(sanitize::line(&missing.to_string()), Tone::Warn));
            say("", Row::new().text("enter copies the command instead", Tone::Dim));
        }
        rows
    }
}
