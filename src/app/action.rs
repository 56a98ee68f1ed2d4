use super::copy::Take;
use super::{Finds, Step};
use crate::session::Filter;
use crate::store::StatsBy;

/// What a key asks for. The keymap turns keys into actions; the app carries them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Ends the program.
    Quit,
    /// Shows or hides all keys.
    ToggleHelp,
    /// Shows or hides what is wrong with the selected session.
    ToggleDamage,
    /// Shows everything there is to say of the session.
    OpenDetails,
    /// Shows what the sessions have cost.
    OpenStats,
    /// Adds that up by something else.
    StatsBy(StatsBy),
    /// Adds up over another period.
    NextPeriod,
    /// Changes the order of what was added up.
    NextStatsOrder,
    /// Shows branches beside each other.
    OpenCompare,
    /// Gives the focus to the other of two branches.
    NextSide,
    /// Shows the next branch on the side that has the focus.
    NextAttempt,
    /// Shows the previous branch there.
    PreviousAttempt,
    /// Goes to the next turn.
    NextTurn,
    /// Goes to the previous turn.
    PreviousTurn,
    /// Copies the line under the cursor of the details.
    CopyDetail,
    /// Gives the focus to the next pane.
    NextPane,
    /// Gives the focus to the previous pane.
    PreviousPane,
    /// Gives the focused pane the whole screen, or takes it away again.
    ToggleZoom,
    /// Moves in the focused pane.
    Move(Step),
    /// Goes in: from a session to its tree, from the tree to the messages.
    GoIn,
    /// Takes one step back: ends a search, closes what lies above, goes to the pane on the left.
    StepBack,
    /// Unfolds, or goes in where nothing is folded.
    Unfold,
    /// Folds, or goes to the parent.
    Fold,
    /// Folds or unfolds what is under the cursor.
    ToggleFold,
    /// Folds or unfolds everything in the messages: goes to the next level.
    NextLevel,
    /// Shows the message under the cursor as the JSON it is stored as, or as it is read again.
    ToggleRaw,
    /// Tells the times of messages by the clock, or by how long ago they were.
    ToggleTimes,
    /// Begins to type a search for the focused pane.
    Find,
    /// Goes to the next match.
    NextMatch,
    /// Goes to the previous match.
    PreviousMatch,
    /// Shows the sessions of this folder only, or all.
    ToggleScope,
    /// Changes the order of the sessions.
    CycleOrder,
    /// Shows only sessions with a name, or all.
    ToggleNamed,
    /// Lists the most recent sessions below the day or month of their last activity, or below nothing.
    ToggleDates,
    /// Shows the path of every session, or not.
    TogglePaths,
    /// Reads the store again.
    Rescan,
    /// Chooses a filter of the tree; choosing it again goes back to the default.
    Filter(Filter),
    /// Goes to the next filter.
    NextFilter,
    /// Goes to the previous filter.
    PreviousFilter,
    /// Folds the segment, or jumps up to where one starts.
    SegmentUp,
    /// Unfolds the segment, or jumps down to where the next one starts.
    SegmentDown,
    /// Shows the times of labels, or not.
    ToggleLabelTimes,
    /// Goes to the next entry with a label.
    NextLabel,
    /// Goes to the previous entry with a label.
    PreviousLabel,
    /// Goes to the session this one was forked from.
    GoToParentSession,
    /// Switches between what is stored and what is sent.
    ToggleView,
    /// Builds the context at the cursor and holds it there, or lets go.
    HoldContext,
    /// Goes to the next prompt.
    NextPrompt,
    /// Goes to the previous prompt.
    PreviousPrompt,
    /// Goes to the next message that says something: a tool's line is none.
    NextMessage,
    /// Goes to the previous message that says something.
    PreviousMessage,
    /// Goes to the next thing that failed.
    NextError,
    /// Goes to the previous thing that failed.
    PreviousError,
    /// Opens the menu of what can be copied.
    OpenCopyMenu,
    /// Copies something of what is marked or under the cursor.
    Take(Take),
    /// Does what is under the cursor of the menu, list or question above the panes.
    Choose,
    /// Marks what is under the cursor, or takes its mark away, and goes on to the next.
    ToggleMark,
    /// Asks what resuming the session comes to.
    Resume,
    /// Chooses from which entry to go on, and how.
    NextOrigin,
    /// Chooses where to resume.
    NextPlace,
    /// Chooses the tools to resume with.
    NextTools,
    /// Begins to type the folder to resume in.
    TypeFolder,
    /// Copies the command of the resume in question.
    CopyCommand,
    /// Opens the list of prompts or of labels.
    OpenFinder(Finds),
    /// Opens the search through the text of all sessions.
    OpenSearch,
    /// Looks for these in more sessions, or in fewer.
    NextFinderScope,
    /// Copies the text under the finder's cursor.
    CopyFound,
    /// Follow in the panes a session that is being written, instead of resuming it.
    FollowInstead,
    /// Picks what is under the cursor for the program that asked.
    Pick,
    /// Takes what is typed in the messages' search as a regular expression, or as a text.
    ToggleRegex,
    /// Shows only the message under the cursor, over the whole screen, or all again.
    ToggleAlone,
    /// Opens the message under the cursor in the person's editor or pager.
    OpenOutside,
    /// Asks for the label of the entry under the cursor.
    EditLabel,
    /// Asks for the name of the session under the cursor.
    Rename,
    /// Splits a session off at the entry under the cursor.
    Fork,
    /// Writes the branch through the cursor as a session of its own.
    Clone,
    /// Asks whether sessions are to be deleted.
    Delete,
    /// Brings back what was deleted last.
    Undelete,
    /// Asks how to export the branch through the cursor.
    OpenExport,
    /// Chooses another form for the export.
    NextFormat,
    /// Chooses between the branch and what the model is sent at its end.
    NextPart,
    /// Masks secrets in the export, or shows them.
    ToggleSecrets,
    /// Begins to type where the export goes.
    TypePath,
    /// Opens the demo sessions where there is no store.
    OpenDemo,
}
