mod in_force;
mod pi;

use super::copy::Take;
use super::{Action, Finds, Pane, Step};
use crate::session::Filter;
use crate::store::StatsBy;

pub use in_force::{KeyRow, Keymap};
pub use pi::{PI_ACTIONS, PiAction};

/// Where a key has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In every pane.
    Anywhere,
    /// In one pane.
    In(Pane),
    /// While something lies above the panes.
    Overlay,
    /// In the menu of what can be copied.
    CopyMenu,
    /// In the question before a resume.
    Resume,
    /// In the question before an export.
    Export,
    /// In a list that typing narrows.
    Finder,
    /// In the search through all sessions.
    Search,
    /// Where it is told what sessions have cost.
    Stats,
    /// Where branches are shown beside each other.
    Compare,
    /// In the details of a session.
    Details,
    /// In a question before something is changed on the disk.
    Question,
    /// Where there is nothing to browse.
    Empty,
}

impl Scope {
    /// All scopes, in the order in which they are listed.
    pub const ALL: [Self; 15] = [
        Self::Anywhere,
        Self::In(Pane::Sessions),
        Self::In(Pane::Tree),
        Self::In(Pane::Messages),
        Self::CopyMenu,
        Self::Resume,
        Self::Export,
        Self::Finder,
        Self::Search,
        Self::Stats,
        Self::Compare,
        Self::Details,
        Self::Overlay,
        Self::Question,
        Self::Empty,
    ];

    /// Its name in the file of settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anywhere => "everywhere",
            Self::In(Pane::Sessions) => "sessions",
            Self::In(Pane::Tree) => "tree",
            Self::In(Pane::Messages) => "messages",
            Self::CopyMenu => "copy-menu",
            Self::Resume => "before-resume",
            Self::Export => "before-export",
            Self::Finder => "lists",
            Self::Search => "search",
            Self::Stats => "stats",
            Self::Compare => "compare",
            Self::Details => "details",
            Self::Overlay => "pages",
            Self::Question => "question",
            Self::Empty => "nothing-there",
        }
    }

    /// Whether characters go into a line of text there, so that they cannot be commands.
    fn is_for_typing(self) -> bool {
        matches!(self, Self::Finder | Self::Search | Self::Question)
    }

    /// The scope whose keys work in this one too, where it has no meaning of its own for them.
    fn wider(self) -> Option<Self> {
        match self {
            Self::In(_) => Some(Self::Anywhere),
            Self::CopyMenu | Self::Resume | Self::Export | Self::Details | Self::Compare | Self::Stats => {
                Some(Self::Overlay)
            }
            Self::Anywhere | Self::Overlay | Self::Finder | Self::Search | Self::Question | Self::Empty => {
                None
            }
        }
    }
}

/// One row of the table of keys: the only place where a key and its words are written down. The footer, the
/// help page and the README are made from it.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Where it works.
    pub scope: Scope,
    /// The keys, in pi's notation; the first is the one shown.
    pub keys: &'static [&'static str],
    /// What they ask for.
    pub action: Action,
    /// One or two words for the footer, where it belongs there.
    pub footer: Option<&'static str>,
    /// What they do, for the help page.
    pub help: &'static str,
}

const fn key(scope: Scope, keys: &'static [&'static str], action: Action, help: &'static str) -> Binding {
    Binding { scope, keys, action, footer: None, help }
}

const fn shown(binding: Binding, footer: &'static str) -> Binding {
    Binding { footer: Some(footer), ..binding }
}

const SESSIONS: Scope = Scope::In(Pane::Sessions);
const TREE: Scope = Scope::In(Pane::Tree);
const MESSAGES: Scope = Scope::In(Pane::Messages);

/// The key that nobody can take: it leaves, wherever one is.
const ALWAYS_LEAVES: &str = "ctrl+c";

use Scope::{
    Anywhere, Compare, CopyMenu, Details, Empty, Export, Finder, Overlay, Question, Resume, Search, Stats,
};

/// All keys.
pub const BINDINGS: &[Binding] = &[
    key(Anywhere, &["up", "k"], Action::Move(Step::Up), "up"),
    key(Anywhere, &["down", "j"], Action::Move(Step::Down), "down"),
    key(Anywhere, &["pageUp"], Action::Move(Step::PageUp), "a page up"),
    key(Anywhere, &["pageDown"], Action::Move(Step::PageDown), "a page down"),
    key(Anywhere, &["home", "g"], Action::Move(Step::First), "to the first"),
    key(Anywhere, &["end", "G"], Action::Move(Step::Last), "to the last"),
    shown(key(SESSIONS, &["enter"], Action::GoIn, "go into the session's tree"), "open"),
    shown(key(TREE, &["enter"], Action::GoIn, "read the messages"), "read"),
    shown(
        key(MESSAGES, &["enter"], Action::GoIn, "fold or unfold the block; where one picks, pick it"),
        "pick",
    ),
    key(Anywhere, &["esc"], Action::StepBack, "a step back"),
    key(Anywhere, &["right", "l"], Action::Unfold, "unfold, or go in"),
    key(Anywhere, &["left", "h"], Action::Fold, "fold, or go to the parent"),
    shown(key(Anywhere, &["tab"], Action::NextPane, "to the next pane"), "pane"),
    key(Anywhere, &["shift+tab"], Action::PreviousPane, "to the previous pane"),
    shown(key(Anywhere, &["/"], Action::Find, "find in this pane"), "find"),
    shown(key(Anywhere, &["S"], Action::OpenSearch, "search the text of all sessions"), "search"),
    key(Anywhere, &["n"], Action::NextMatch, "to the next match"),
    key(Anywhere, &["N"], Action::PreviousMatch, "to the previous match"),
    shown(key(SESSIONS, &["s"], Action::ToggleScope, "sessions of this folder, or all"), "scope"),
    shown(key(SESSIONS, &["ctrl+s"], Action::CycleOrder, "order: threaded, recent, relevance"), "order"),
    key(SESSIONS, &["ctrl+n"], Action::ToggleNamed, "only sessions with a name"),
    key(SESSIONS, &["d"], Action::ToggleDates, "the most recent by day and month, or not"),
    key(SESSIONS, &["ctrl+p"], Action::TogglePaths, "show paths"),
    shown(key(SESSIONS, &["ctrl+r", "R"], Action::Rename, "name the session, or clear its name"), "rename"),
    shown(
        key(
            SESSIONS,
            &["ctrl+d", "ctrl+backspace"],
            Action::Delete,
            "move the session, or all that are marked, to the trash",
        ),
        "delete",
    ),
    key(SESSIONS, &["u"], Action::Undelete, "bring back what was deleted last"),
    key(SESSIONS, &["f5", "ctrl+l"], Action::Rescan, "read all sessions again, forget what was kept"),
    key(TREE, &["ctrl+d"], Action::Filter(Filter::Default), "filter: default"),
    key(TREE, &["ctrl+t"], Action::Filter(Filter::NoTools), "filter: no tools"),
    key(TREE, &["ctrl+u"], Action::Filter(Filter::UserOnly), "filter: prompts only"),
    key(TREE, &["ctrl+l"], Action::Filter(Filter::LabeledOnly), "filter: labelled only"),
    key(TREE, &["ctrl+a"], Action::Filter(Filter::All), "filter: all entries"),
    shown(key(TREE, &["ctrl+o"], Action::NextFilter, "next filter"), "filter"),
    key(TREE, &["ctrl+shift+o", "alt+o"], Action::PreviousFilter, "previous filter"),
    key(TREE, &["space"], Action::ToggleFold, "fold or unfold"),
    key(TREE, &["ctrl+left", "alt+left"], Action::SegmentUp, "fold the segment, or jump to its start"),
    key(TREE, &["ctrl+right", "alt+right"], Action::SegmentDown, "unfold, or jump to the next fork"),
    shown(key(TREE, &["L"], Action::EditLabel, "label this entry, or clear its label"), "label"),
    key(TREE, &["F"], Action::Fork, "fork: a new session from here"),
    key(TREE, &["K"], Action::Clone, "clone: this branch as a session of its own"),
    key(MESSAGES, &["L"], Action::EditLabel, "label this entry, or clear its label"),
    key(MESSAGES, &["F"], Action::Fork, "fork: a new session from here"),
    key(MESSAGES, &["K"], Action::Clone, "clone: this branch as a session of its own"),
    shown(
        key(TREE, &["="], Action::OpenCompare, "compare the branches here, or through two marked entries"),
        "compare",
    ),
    key(MESSAGES, &["="], Action::OpenCompare, "compare the branches here, or through two marked entries"),
    key(TREE, &["T"], Action::ToggleLabelTimes, "show the times of labels"),
    key(TREE, &["}"], Action::NextLabel, "to the next label"),
    key(TREE, &["{"], Action::PreviousLabel, "to the previous label"),
    key(TREE, &["ctrl+f"], Action::Move(Step::PageDown), "a page down"),
    key(TREE, &["ctrl+b"], Action::Move(Step::PageUp), "a page up"),
    key(MESSAGES, &["ctrl+d"], Action::Move(Step::HalfDown), "half a page down"),
    key(MESSAGES, &["ctrl+u"], Action::Move(Step::HalfUp), "half a page up"),
    shown(key(MESSAGES, &["space"], Action::ToggleFold, "fold or unfold the block"), "fold"),
    key(MESSAGES, &["Z"], Action::NextLevel, "all tools on lines, unfolded, or hidden"),
    key(MESSAGES, &["alt+r"], Action::ToggleRegex, "find by regular expression"),
    key(MESSAGES, &["f"], Action::ToggleAlone, "only this message, unfolded"),
    key(MESSAGES, &["e"], Action::OpenOutside, "open the message in your editor"),
    key(MESSAGES, &["J"], Action::ToggleRaw, "the JSON of the message"),
    key(MESSAGES, &["T"], Action::ToggleTimes, "times by the clock, or how long ago"),
    key(MESSAGES, &[")"], Action::NextMessage, "to the next message"),
    key(MESSAGES, &["("], Action::PreviousMessage, "to the previous message"),
    key(MESSAGES, &[">"], Action::NextError, "to the next error"),
    key(MESSAGES, &["<"], Action::PreviousError, "to the previous error"),
    key(MESSAGES, &["}"], Action::NextLabel, "to the next label"),
    key(MESSAGES, &["{"], Action::PreviousLabel, "to the previous label"),
    key(MESSAGES, &["]"], Action::NextPrompt, "to the next prompt"),
    key(MESSAGES, &["["], Action::PreviousPrompt, "to the previous prompt"),
    key(TREE, &["]"], Action::NextPrompt, "to the next prompt"),
    key(TREE, &["["], Action::PreviousPrompt, "to the previous prompt"),
    shown(key(TREE, &["c"], Action::ToggleView, "messages as stored, or as sent"), "stored/sent"),
    shown(key(MESSAGES, &["c"], Action::ToggleView, "messages as stored, or as sent"), "stored/sent"),
    key(TREE, &["C"], Action::HoldContext, "hold the context at this entry"),
    key(MESSAGES, &["C"], Action::HoldContext, "hold the context at this entry"),
    shown(
        key(Anywhere, &["p"], Action::GoToParentSession, "to the session this one was forked from"),
        "parent",
    ),
    shown(key(Anywhere, &["y"], Action::OpenCopyMenu, "copy: choose what"), "copy"),
    key(Anywhere, &["ctrl+x"], Action::Take(Take::Text), "copy the text under the cursor"),
    key(Anywhere, &["m"], Action::ToggleMark, "mark, to copy several together"),
    shown(key(Anywhere, &["r"], Action::Resume, "resume in pi"), "resume"),
    key(Anywhere, &["E"], Action::OpenExport, "export the branch as a document"),
    key(Anywhere, &["P"], Action::OpenFinder(Finds::Prompts), "all prompts"),
    key(Anywhere, &["B"], Action::OpenFinder(Finds::Labels), "all labels"),
    shown(key(Anywhere, &["o"], Action::Pick, "pick this, where the program was started to pick"), "pick"),
    key(Anywhere, &["z"], Action::ToggleZoom, "give this pane the whole screen"),
    shown(key(SESSIONS, &["$"], Action::OpenStats, "what all sessions have cost"), "cost"),
    key(TREE, &["$"], Action::OpenStats, "what all sessions have cost"),
    key(MESSAGES, &["$"], Action::OpenStats, "what all sessions have cost"),
    shown(key(SESSIONS, &["i"], Action::OpenDetails, "everything about the session"), "details"),
    key(TREE, &["i"], Action::OpenDetails, "everything about the session"),
    key(MESSAGES, &["i"], Action::OpenDetails, "everything about the session"),
    shown(key(Anywhere, &["!"], Action::ToggleDamage, "what is wrong with this session"), "damage"),
    shown(key(Anywhere, &["?", "f1"], Action::ToggleHelp, "all keys"), "help"),
    key(Anywhere, &["q"], Action::Quit, "quit"),
    key(Anywhere, &["ctrl+c"], Action::Quit, "quit, wherever you are"),
    key(CopyMenu, &["m", "y"], Action::Take(Take::Text), "message text, as it was written"),
    key(CopyMenu, &["c"], Action::Take(Take::Code), "code block"),
    key(CopyMenu, &["t"], Action::Take(Take::Command), "tool command"),
    key(CopyMenu, &["o"], Action::Take(Take::Output), "tool output"),
    key(CopyMenu, &["p"], Action::Take(Take::Prompt), "prompt that led here"),
    key(CopyMenu, &["P"], Action::Take(Take::Prompts), "all prompts of the branch"),
    key(CopyMenu, &["b"], Action::Take(Take::Branch), "whole branch as Markdown"),
    key(CopyMenu, &["x"], Action::Take(Take::Context), "context as JSON"),
    key(CopyMenu, &["e"], Action::Take(Take::EntryId), "entry id"),
    key(CopyMenu, &["i"], Action::Take(Take::SessionId), "session id"),
    key(CopyMenu, &["f"], Action::Take(Take::Path), "path of the file"),
    key(CopyMenu, &["d"], Action::Take(Take::Cwd), "working directory"),
    key(CopyMenu, &["r"], Action::Take(Take::ResumeCommand), "command that resumes it"),
    shown(key(CopyMenu, &["enter"], Action::Choose, "copy this"), "copy"),
    shown(key(Resume, &["enter"], Action::Choose, "hand over to pi"), "resume"),
    shown(key(Resume, &["a"], Action::NextOrigin, "go on from somewhere else"), "from"),
    shown(key(Resume, &["w"], Action::NextPlace, "another place"), "where"),
    shown(key(Resume, &["f"], Action::TypeFolder, "another folder"), "folder"),
    shown(key(Resume, &["t"], Action::NextTools, "other tools"), "tools"),
    shown(key(Resume, &["l"], Action::FollowInstead, "follow here what is being written"), "follow"),
    shown(key(Resume, &["y"], Action::CopyCommand, "copy the command"), "copy command"),
    shown(key(Export, &["enter"], Action::Choose, "write the document"), "export"),
    shown(key(Export, &["f"], Action::NextFormat, "another form"), "format"),
    shown(key(Export, &["c"], Action::NextPart, "the branch, or what the model is sent"), "branch/context"),
    shown(key(Export, &["s"], Action::ToggleSecrets, "mask secrets, or show them"), "secrets"),
    shown(key(Export, &["p"], Action::TypePath, "another file"), "file"),
    shown(key(Finder, &["enter"], Action::Choose, "go to this entry"), "go to"),
    shown(key(Finder, &["ctrl+s"], Action::NextFinderScope, "this session, its folder, all"), "scope"),
    shown(key(Finder, &["ctrl+y"], Action::CopyFound, "copy its text"), "copy"),
    shown(key(Finder, &["ctrl+r"], Action::Resume, "resume its session in pi"), "resume"),
    key(Finder, &["up", "ctrl+p"], Action::Move(Step::Up), "up"),
    key(Finder, &["down", "ctrl+n"], Action::Move(Step::Down), "down"),
    key(Finder, &["pageUp"], Action::Move(Step::PageUp), "a page up"),
    key(Finder, &["pageDown"], Action::Move(Step::PageDown), "a page down"),
    shown(key(Finder, &["esc"], Action::StepBack, "close"), "close"),
    key(Finder, &["ctrl+c"], Action::Quit, "quit, wherever you are"),
    shown(key(Search, &["enter"], Action::Choose, "go to this entry, on its branch"), "go to"),
    key(Search, &["up", "ctrl+p"], Action::Move(Step::Up), "up; the other panes follow"),
    key(Search, &["down", "ctrl+n"], Action::Move(Step::Down), "down; the other panes follow"),
    key(Search, &["pageUp"], Action::Move(Step::PageUp), "a page up"),
    key(Search, &["pageDown"], Action::Move(Step::PageDown), "a page down"),
    shown(key(Search, &["esc"], Action::StepBack, "back to where you were"), "back"),
    key(Search, &["ctrl+c"], Action::Quit, "quit, wherever you are"),
    shown(key(Details, &["y"], Action::CopyDetail, "copy this line"), "copy line"),
    key(Details, &["i"], Action::StepBack, "close"),
    shown(key(Stats, &["enter", "right", "l"], Action::Choose, "its sessions; the session itself"), "go in"),
    key(Stats, &["left", "h"], Action::StepBack, "back up"),
    shown(key(Stats, &["p"], Action::StatsBy(StatsBy::Project), "by project"), "project"),
    shown(key(Stats, &["s"], Action::StatsBy(StatsBy::Session), "by session"), "session"),
    shown(key(Stats, &["m"], Action::StatsBy(StatsBy::Model), "by model"), "model"),
    shown(key(Stats, &["d"], Action::StatsBy(StatsBy::Day), "by day"), "day"),
    shown(key(Stats, &["t"], Action::NextPeriod, "7 days, 30 days, all time"), "period"),
    shown(key(Stats, &["o"], Action::NextStatsOrder, "order: cost, tokens, name, latest"), "order"),
    shown(key(Compare, &["enter"], Action::Choose, "go to this branch"), "go to"),
    shown(key(Compare, &["tab", "shift+tab"], Action::NextSide, "to the other branch"), "other"),
    shown(key(Compare, &["right", "l"], Action::NextAttempt, "the next of all branches here"), "next branch"),
    key(Compare, &["left", "h"], Action::PreviousAttempt, "the previous of all branches here"),
    key(Compare, &["]"], Action::NextTurn, "to the next turn"),
    key(Compare, &["["], Action::PreviousTurn, "to the previous turn"),
    key(Compare, &["="], Action::StepBack, "close"),
    key(Overlay, &["up", "k"], Action::Move(Step::Up), "up"),
    key(Overlay, &["down", "j"], Action::Move(Step::Down), "down"),
    key(Overlay, &["pageUp"], Action::Move(Step::PageUp), "a page up"),
    key(Overlay, &["pageDown", "space"], Action::Move(Step::PageDown), "a page down"),
    key(Overlay, &["home", "g"], Action::Move(Step::First), "to the first"),
    key(Overlay, &["end", "G"], Action::Move(Step::Last), "to the last"),
    shown(key(Overlay, &["esc", "q", "enter", "?", "!"], Action::StepBack, "close"), "close"),
    key(Overlay, &["ctrl+c"], Action::Quit, "quit, wherever you are"),
    shown(key(Question, &["enter"], Action::Choose, "do it"), "do it"),
    shown(key(Question, &["esc"], Action::StepBack, "leave everything as it is"), "cancel"),
    key(Question, &["ctrl+c"], Action::Quit, "quit, wherever you are"),
    shown(key(Empty, &["d"], Action::OpenDemo, "open the demo sessions"), "demo"),
    shown(key(Empty, &["f5", "r"], Action::Rescan, "look again"), "look again"),
    shown(key(Empty, &["u"], Action::Undelete, "bring back what was deleted last"), "bring back"),
    shown(key(Empty, &["q", "esc"], Action::Quit, "quit"), "quit"),
    key(Empty, &["ctrl+c"], Action::Quit, "quit, wherever you are"),
];

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::app::Key;

    #[test]
    fn every_key_can_be_read_and_means_one_thing() {
        let mut seen = HashMap::new();
        for binding in BINDINGS {
            for text in binding.keys {
                let key: Key = text.parse().unwrap();
                assert_eq!(key.to_string(), *text);
                let other = seen.insert((binding.scope, key), binding.action);
                assert!(other.is_none(), "{text} in {:?}", binding.scope);
            }
        }
    }

    #[test]
    fn an_action_has_one_row_in_a_scope() {
        let mut seen = HashSet::new();
        for binding in BINDINGS.iter().filter(|binding| binding.keys != [ALWAYS_LEAVES]) {
            let (scope, action) = (binding.scope.name(), binding.action.name());
            assert!(seen.insert((scope, action)), "{scope} {action}");
        }
    }
}
