use super::super::{Action, Step, Take};
use crate::session::Filter;

/// One of the actions that pi lets people choose keys for, and what answers to it here.
#[derive(Clone, Copy, Debug)]
pub struct PiAction {
    /// pi's name for it in `keybindings.json`.
    pub id: &'static str,
    /// pi's own keys. They are ours, too, wherever one of `actions` has them.
    pub keys: &'static [&'static str],
    /// What does here what it does there.
    pub actions: &'static [Action],
}

const fn pi(id: &'static str, keys: &'static [&'static str], actions: &'static [Action]) -> PiAction {
    PiAction { id, keys, actions }
}

/// pi's actions that we have, too, in the order in which pi looks for the meaning of a key. Of the others
/// `app.session.new`, `.tree` and `.resume` lead to what this program is already.
pub const PI_ACTIONS: &[PiAction] = &[
    pi("app.session.toggleSort", &["ctrl+s"], &[Action::CycleOrder]),
    pi("app.session.toggleNamedFilter", &["ctrl+n"], &[Action::ToggleNamed]),
    pi("app.session.togglePath", &["ctrl+p"], &[Action::TogglePaths]),
    pi("app.session.delete", &["ctrl+d"], &[Action::Delete]),
    pi("app.session.rename", &["ctrl+r"], &[Action::Rename]),
    pi("app.session.deleteNoninvasive", &["ctrl+backspace"], &[Action::Delete]),
    pi("app.session.fork", &[], &[Action::Fork]),
    pi("tui.select.up", &["up"], &[Action::Move(Step::Up)]),
    pi("tui.select.down", &["down"], &[Action::Move(Step::Down)]),
    pi("app.tree.foldOrUp", &["ctrl+left", "alt+left"], &[Action::SegmentUp]),
    pi("app.tree.unfoldOrDown", &["ctrl+right", "alt+right"], &[Action::SegmentDown]),
    pi("tui.select.pageUp", &["pageUp"], &[Action::Move(Step::PageUp)]),
    pi("tui.select.pageDown", &["pageDown"], &[Action::Move(Step::PageDown)]),
    pi("tui.select.confirm", &["enter"], &[Action::GoIn, Action::Choose]),
    pi("app.message.copy", &["ctrl+x"], &[Action::Take(Take::Text)]),
    pi("tui.select.cancel", &["escape", "ctrl+c"], &[Action::StepBack]),
    pi("app.tree.filter.default", &["ctrl+d"], &[Action::Filter(Filter::Default)]),
    pi("app.tree.filter.noTools", &["ctrl+t"], &[Action::Filter(Filter::NoTools)]),
    pi("app.tree.filter.userOnly", &["ctrl+u"], &[Action::Filter(Filter::UserOnly)]),
    pi("app.tree.filter.labeledOnly", &["ctrl+l"], &[Action::Filter(Filter::LabeledOnly)]),
    pi("app.tree.filter.all", &["ctrl+a"], &[Action::Filter(Filter::All)]),
    pi("app.tree.filter.cycleBackward", &["shift+ctrl+o"], &[Action::PreviousFilter]),
    pi("app.tree.filter.cycleForward", &["ctrl+o"], &[Action::NextFilter]),
    pi("app.tree.editLabel", &["shift+l"], &[Action::EditLabel]),
    pi("app.tree.toggleLabelTimestamp", &["shift+t"], &[Action::ToggleLabelTimes]),
];

#[cfg(test)]
mod tests {
    use super::super::{ALWAYS_LEAVES, BINDINGS};
    use super::*;
    use crate::app::Key;

    #[test]
    fn without_settings_every_key_of_pi_does_here_what_it_does_there() {
        for PiAction { id, keys, actions } in PI_ACTIONS {
            for key in keys.iter().filter(|key| **key != ALWAYS_LEAVES) {
                let key: Key = key.parse().unwrap();
                let answers = |action: &Action| {
                    BINDINGS.iter().any(|binding| {
                        binding.action == *action && binding.keys.iter().any(|ours| ours.parse() == Ok(key))
                    })
                };
                assert!(actions.iter().all(answers), "{id} {key}");
            }
        }
    }
}
