use super::copy::Take;
use super::{Action, Finds, Step};
use crate::session::Filter;
use crate::store::StatsBy;

impl Action {
    /// Its name in the file of settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quit => "quit",
            Self::ToggleHelp => "help",
            Self::ToggleDamage => "damage",
            Self::OpenStats => "stats",
            Self::StatsBy(by) => of_stats(by),
            Self::NextPeriod => "next-period",
            Self::NextStatsOrder => "stats-order",
            Self::NextPane => "next-pane",
            Self::PreviousPane => "previous-pane",
            Self::ToggleZoom => "zoom",
            Self::Move(step) => of_step(step),
            Self::GoIn => "go-in",
            Self::StepBack => "step-back",
            Self::Unfold => "unfold",
            Self::Fold => "fold",
            Self::ToggleFold => "toggle-fold",
            Self::NextLevel => "next-level",
            Self::ToggleRaw => "raw",
            Self::ToggleTimes => "times",
            Self::Find => "find",
            Self::NextMatch => "next-match",
            Self::PreviousMatch => "previous-match",
            Self::ToggleScope => "scope",
            Self::CycleOrder => "order",
            Self::ToggleNamed => "named-only",
            Self::ToggleDates => "by-date",
            Self::TogglePaths => "paths",
            Self::Rescan => "rescan",
            Self::Filter(filter) => of_filter(filter),
            Self::NextFilter => "next-filter",
            Self::PreviousFilter => "previous-filter",
            Self::SegmentUp => "segment-up",
            Self::SegmentDown => "segment-down",
            Self::ToggleLabelTimes => "label-times",
            Self::NextLabel => "next-label",
            Self::PreviousLabel => "previous-label",
            Self::GoToParentSession => "parent-session",
            Self::ToggleView => "stored-or-sent",
            Self::HoldContext => "hold-context",
            Self::NextPrompt => "next-prompt",
            Self::PreviousPrompt => "previous-prompt",
            Self::NextMessage => "next-message",
            Self::PreviousMessage => "previous-message",
            Self::NextError => "next-error",
            Self::PreviousError => "previous-error",
            Self::OpenCopyMenu => "copy",
            Self::Take(take) => of_take(take),
            Self::Choose => "choose",
            Self::ToggleMark => "mark",
            Self::Resume => "resume",
            Self::NextOrigin => "next-origin",
            Self::NextPlace => "next-place",
            Self::NextTools => "next-tools",
            Self::TypeFolder => "type-folder",
            Self::CopyCommand => "copy-command",
            Self::FollowInstead => "follow-instead",
            Self::OpenDetails => "details",
            Self::OpenCompare => "compare",
            Self::NextSide => "next-side",
            Self::NextAttempt => "next-branch",
            Self::PreviousAttempt => "previous-branch",
            Self::NextTurn => "next-turn",
            Self::PreviousTurn => "previous-turn",
            Self::CopyDetail => "copy-line",
            Self::OpenFinder(Finds::Prompts) => "prompts",
            Self::OpenFinder(Finds::Labels) => "labels",
            Self::OpenSearch => "search",
            Self::NextFinderScope => "next-scope",
            Self::CopyFound => "copy-found",
            Self::Pick => "pick",
            Self::ToggleRegex => "regex",
            Self::ToggleAlone => "alone",
            Self::OpenOutside => "editor",
            Self::EditLabel => "label",
            Self::Rename => "rename",
            Self::Fork => "fork",
            Self::Clone => "clone",
            Self::Delete => "delete",
            Self::Undelete => "undelete",
            Self::OpenExport => "export",
            Self::NextFormat => "next-format",
            Self::NextPart => "next-part",
            Self::ToggleSecrets => "secrets",
            Self::TypePath => "type-path",
            Self::OpenDemo => "demo",
        }
    }
}

fn of_step(step: Step) -> &'static str {
    match step {
        Step::Up => "up",
        Step::Down => "down",
        Step::PageUp => "page-up",
        Step::PageDown => "page-down",
        Step::HalfUp => "half-page-up",
        Step::HalfDown => "half-page-down",
        Step::First => "first",
        Step::Last => "last",
    }
}

fn of_stats(by: StatsBy) -> &'static str {
    match by {
        StatsBy::Session => "by-session",
        StatsBy::Project => "by-project",
        StatsBy::Model => "by-model",
        StatsBy::Day => "by-day",
    }
}

fn of_filter(filter: Filter) -> &'static str {
    match filter {
        Filter::Default => "filter-default",
        Filter::NoTools => "filter-no-tools",
        Filter::UserOnly => "filter-user-only",
        Filter::LabeledOnly => "filter-labeled-only",
        Filter::All => "filter-all",
    }
}

fn of_take(take: Take) -> &'static str {
    match take {
        Take::Text => "copy-text",
        Take::Code => "copy-code",
        Take::Command => "copy-tool-command",
        Take::Output => "copy-tool-output",
        Take::Prompt => "copy-prompt",
        Take::Prompts => "copy-prompts",
        Take::Branch => "copy-branch",
        Take::Context => "copy-context",
        Take::EntryId => "copy-entry-id",
        Take::SessionId => "copy-session-id",
        Take::Path => "copy-path",
        Take::Cwd => "copy-folder",
        Take::ResumeCommand => "copy-resume-command",
    }
}
