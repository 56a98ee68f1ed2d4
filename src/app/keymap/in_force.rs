use std::collections::HashMap;

use super::super::{Action, Key, KeyName, Pane};
use super::{ALWAYS_LEAVES, BINDINGS, Binding, PI_ACTIONS, PiAction, Scope};
use crate::config::{ConfigFinding, KeySetting};

/// The keys in force: those of the table, changed by what the person set in pi's `keybindings.json` and, before that,
/// in our own file of settings.
#[derive(Clone, Debug)]
pub struct Keymap {
    rows: Vec<KeyRow>,
    meanings: HashMap<(Scope, Key), Meaning>,
}

/// An action with its keys in force where it works.
#[derive(Clone, Debug)]
pub struct KeyRow {
    /// Where, what and in which words.
    pub binding: &'static Binding,
    keys: Vec<(Key, Source)>,
}

/// Who gave an action its key; what is greater wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// Our table.
    Table,
    /// pi's file: which of [`PI_ACTIONS`].
    Pi(usize),
    /// Our file: which of its settings.
    Own(usize),
}

#[derive(Clone, Copy, Debug)]
struct Meaning {
    action: Action,
    source: Source,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::of(BINDINGS.iter().map(KeyRow::of).collect())
    }
}

impl KeyRow {
    fn of(binding: &'static Binding) -> Self {
        let keys = binding.keys.iter().filter_map(|key| Some((key.parse().ok()?, Source::Table)));
        Self { binding, keys: keys.collect() }
    }

    /// The keys; the first is the one shown.
    pub fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        self.keys.iter().map(|(key, _)| *key)
    }

    /// Puts keys in the place of some, or before the others where there are none of these.
    fn replace(&mut self, old: &[Key], new: &[Key], source: Source) {
        let at = self.keys().position(|key| old.contains(&key)).unwrap_or(0);
        let mut kept = self.keys.clone();
        kept.retain(|(key, _)| !old.contains(key) && !new.contains(key));
        let new: Vec<Key> = new.iter().copied().filter(|key| self.takes(*key)).collect();
        let lost_all = new.is_empty() && kept.is_empty();
        // Where one types, a letter cannot be a command; then the old keys are better than none.
        if lost_all && self.binding.scope.is_for_typing() {
            return;
        }
        let at = at.min(kept.len());
        kept.splice(at..at, new.into_iter().map(|key| (key, source)));
        self.keys = kept;
    }

    fn takes(&self, key: Key) -> bool {
        !self.binding.scope.is_for_typing() || key.typed().is_none()
    }

    /// Whether nobody can change it.
    fn is_fixed(&self) -> bool {
        self.binding.keys == [ALWAYS_LEAVES]
    }
}

impl Keymap {
    /// The table of keys as the settings of pi's file and of ours change it, and what could not be done as it was
    /// asked for.
    ///
    /// A key of the person's wins over a key of the table in the same scope, and in the panes over one that a pane
    /// has; what our file says wins over what pi's file says, and what stands first in pi over what comes later.
    pub fn new(pi: &[KeySetting], own: &[KeySetting]) -> (Self, Vec<ConfigFinding>) {
        let mut findings = Vec::new();
        let mut rows: Vec<KeyRow> = BINDINGS.iter().map(KeyRow::of).collect();
        let set_in_pi = |action: &PiAction| pi.iter().find(|setting| setting.action == action.id);
        for (at, action) in PI_ACTIONS.iter().enumerate() {
            let Some(setting) = set_in_pi(action) else { continue };
            let old: Vec<Key> = action.keys.iter().filter_map(|key| key.parse().ok()).collect();
            let Some(new) = usable(setting, &old, &mut findings) else { continue };
            for row in rows.iter_mut().filter(|row| action.actions.contains(&row.binding.action)) {
                let has_pis_keys = row.keys().any(|key| old.contains(&key));
                if (has_pis_keys || old.is_empty()) && !row.is_fixed() {
                    row.replace(&old, &new, Source::Pi(at));
                }
            }
        }
        for (at, setting) in own.iter().enumerate() {
            let scope =
                |row: &KeyRow| setting.scope.as_deref().is_none_or(|scope| scope == row.binding.scope.name());
            let is_meant = |row: &KeyRow| row.binding.action.name() == setting.action && !row.is_fixed();
            if !rows.iter().any(|row| is_meant(row) && scope(row)) {
                let place = setting.scope.as_ref().map_or_else(String::new, |scope| format!(" in {scope}"));
                findings.push(setting.finding(format!("there is no action `{}`{place}", setting.action)));
                continue;
            }
            let Some(new) = usable(setting, &[], &mut findings) else { continue };
            for row in rows.iter_mut().filter(|row| is_meant(row) && scope(row)) {
                let old: Vec<Key> = row.keys().collect();
                row.replace(&old, &new, Source::Own(at));
            }
        }
        let setting_of = |source| match source {
            Source::Table => None,
            Source::Pi(at) => set_in_pi(&PI_ACTIONS[at]),
            Source::Own(at) => own.get(at),
        };
        settle(&mut rows, setting_of, &mut findings);
        (Self::of(rows), findings)
    }

    fn of(mut rows: Vec<KeyRow>) -> Self {
        drop_repetitions(&mut rows);
        let meaning = |row: &KeyRow| {
            let (scope, action) = (row.binding.scope, row.binding.action);
            let one = |(key, source): &(Key, Source)| ((scope, *key), Meaning { action, source: *source });
            row.keys.iter().map(one).collect::<Vec<_>>()
        };
        let meanings = rows.iter().flat_map(meaning).collect();
        Self { rows, meanings }
    }

    /// The action of a key in a scope; a pane's own meaning goes before the one it has everywhere, and a menu's
    /// before the one it has in all that lies above the panes.
    pub fn resolve(&self, scope: Scope, key: Key) -> Option<Action> {
        self.meaning(scope, key).map(|meaning| meaning.action)
    }

    /// The key that somebody who types has pressed: `enter` and `esc` for the keys that they have chosen to accept
    /// and to step back. None where they have made the key a command.
    pub fn typed(&self, scope: Scope, key: Key) -> Option<Key> {
        let chosen = |meaning: &Meaning| key.typed().is_none() && meaning.source != Source::Table;
        match self.meaning(scope, key).filter(chosen).map(|meaning| meaning.action) {
            None => Some(key),
            Some(Action::GoIn | Action::Choose) => Some(Key::plain(KeyName::Enter)),
            Some(Action::StepBack) => Some(Key::plain(KeyName::Escape)),
            Some(_) => None,
        }
    }

    fn meaning(&self, scope: Scope, key: Key) -> Option<Meaning> {
        let found = self.meanings.get(&(scope, key));
        let wider = || self.meanings.get(&(scope.wider()?, key));
        found.or_else(wider).copied()
    }

    /// What works in a scope and not in a wider one, in the order of the table; actions without a key are left out.
    pub fn rows(&self, scope: Scope) -> impl Iterator<Item = &KeyRow> {
        self.rows.iter().filter(move |row| row.binding.scope == scope && !row.keys.is_empty())
    }

    /// The key to show for an action in a scope.
    pub fn key(&self, scope: Scope, action: Action) -> Option<Key> {
        self.rows(scope).find(|row| row.binding.action == action)?.keys().next()
    }

    /// What the footer says in a scope, of what is `offered` now: the key to press and what it does.
    pub fn footer(&self, scope: Scope, offered: impl Fn(Action) -> bool) -> Vec<(Key, &'static str)> {
        let belongs = |row: &&KeyRow| row.binding.scope == scope || scope.wider() == Some(row.binding.scope);
        self.rows
            .iter()
            .filter(belongs)
            .filter(|row| offered(row.binding.action))
            .filter_map(|row| Some((row.keys().next()?, row.binding.footer?)))
            .collect()
    }
}

/// The keys of a setting that can be had; none where it names some and there is not one of them to be had. That
/// `expected` are not is not worth a word.
fn usable(setting: &KeySetting, expected: &[Key], findings: &mut Vec<ConfigFinding>) -> Option<Vec<Key>> {
    let mut keys = Vec::new();
    for text in &setting.keys {
        match text.parse::<Key>() {
            Ok(key) if key == Key::ctrl('c') || key == Key::ctrl('z') => {
                if !expected.contains(&key) {
                    let does = if key == Key::ctrl('c') { "leaves" } else { "suspends" };
                    findings.push(setting.finding(format!("`{key}` always {does}")));
                }
            }
            Ok(key) if keys.contains(&key) => {}
            Ok(key) => keys.push(key),
            Err(error) => findings.push(setting.finding(format!("`{}`: {error}", setting.action))),
        }
    }
    (!keys.is_empty() || setting.keys.is_empty()).then_some(keys)
}

/// Takes keys away from actions where another one has the better right to them.
fn settle<'s>(
    rows: &mut [KeyRow],
    setting_of: impl Fn(Source) -> Option<&'s KeySetting>,
    findings: &mut Vec<ConfigFinding>,
) {
    let reaches = |one: Scope, other: Scope| one == other || (one == Scope::Anywhere && other.is_pane());
    let mut lost = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        for &(key, source) in &row.keys {
            let beats = |other: &&KeyRow, theirs: Source| {
                let is_same = other.binding.scope == row.binding.scope;
                let goes_before = match (source, theirs) {
                    (Source::Pi(ours), Source::Pi(theirs)) | (Source::Own(ours), Source::Own(theirs)) => {
                        is_same && theirs < ours
                    }
                    _ => theirs > source,
                };
                goes_before
                    && other.binding.action != row.binding.action
                    && reaches(other.binding.scope, row.binding.scope)
            };
            let winner = rows.iter().find_map(|other| {
                let theirs = other.keys.iter().find(|(theirs, _)| *theirs == key)?.1;
                beats(&other, theirs).then_some((other.binding.action, theirs))
            });
            lost.extend(winner.map(|winner| (at, key, source, winner)));
        }
    }
    for &(at, key, source, (winner, _)) in &lost {
        rows[at].keys.retain(|(other, _)| *other != key);
        if let Some(setting) = setting_of(source) {
            findings.push(setting.finding(format!("`{key}` is that of `{}` already", winner.name())));
        }
    }
    for &(at, key, source, (winner, by)) in &lost {
        let Binding { scope, action, .. } = *rows[at].binding;
        let has_key = |row: &KeyRow| {
            row.binding.action == action && !row.keys.is_empty() && reaches(row.binding.scope, scope)
        };
        if source == Source::Table
            && !rows.iter().any(has_key)
            && let Some(setting) = setting_of(by)
        {
            let (loser, winner, scope) = (action.name(), winner.name(), scope.name());
            let words = format!("`{winner}` takes `{key}`, so `{loser}` has no key left in {scope}");
            findings.push(setting.finding(words));
        }
    }
}

/// Takes away from the panes what works everywhere by the same keys.
fn drop_repetitions(rows: &mut [KeyRow]) {
    for at in 0..rows.len() {
        let row = &rows[at];
        let repeats = |other: &KeyRow| {
            other.binding.scope == Scope::Anywhere
                && other.binding.action == row.binding.action
                && row.keys().all(|key| other.keys().any(|other| other == key))
        };
        if row.binding.scope.is_pane() && rows.iter().any(repeats) {
            rows[at].keys.clear();
        }
    }
}

impl Scope {
    fn is_pane(self) -> bool {
        matches!(self, Self::In(Pane::Sessions | Pane::Tree | Pane::Messages))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Vec<KeySetting> {
        let setting = |(at, line): (usize, &str)| {
            let (name, keys) = line.split_once('=').unwrap();
            let (scope, action) = match name.split_once('/') {
                Some((scope, action)) => (Some(scope.to_owned()), action),
                None => (None, name),
            };
            KeySetting {
                action: action.to_owned(),
                keys: keys.split_whitespace().map(str::to_owned).collect(),
                scope,
                path: "file".into(),
                line: at + 1,
            }
        };
        text.split("; ").filter(|line| !line.is_empty()).enumerate().map(setting).collect()
    }

    fn keymap(pi: &str, own: &str) -> (Keymap, Vec<String>) {
        let (keymap, findings) = Keymap::new(&settings(pi), &settings(own));
        (keymap, findings.into_iter().map(|finding| finding.message).collect())
    }

    const SESSIONS: Scope = Scope::In(Pane::Sessions);
    const TREE: Scope = Scope::In(Pane::Tree);
    const MESSAGES: Scope = Scope::In(Pane::Messages);

    #[test]
    fn a_pane_goes_before_anywhere() {
        let keymap = Keymap::default();
        let resolve = |scope, key: &str| keymap.resolve(scope, key.parse().unwrap()).map(Action::name);
        assert_eq!(resolve(TREE, "ctrl+d"), Some("filter-default"));
        assert_eq!(resolve(MESSAGES, "ctrl+d"), Some("half-page-down"));
        assert_eq!(resolve(SESSIONS, "ctrl+d"), Some("delete"));
        assert_eq!(resolve(TREE, "q"), Some("quit"));
        assert_eq!(resolve(Scope::Overlay, "q"), Some("step-back"));
        assert_eq!(resolve(Scope::Overlay, "tab"), None);
    }

    #[test]
    fn settings_change_what_keys_do() {
        // What pi's file and ours say, a scope and an action, the keys that it has then.
        for (pi, own, scope, action, keys) in [
            ("", "", Scope::Anywhere, "up", "up k"),
            // pi's keys give way to the person's, ours stay.
            ("tui.select.up=ctrl+k", "", Scope::Anywhere, "up", "ctrl+k k"),
            ("tui.select.up=ctrl+k", "", Scope::Finder, "up", "ctrl+k ctrl+p"),
            ("tui.select.up=", "", Scope::Anywhere, "up", "k"),
            ("tui.select.confirm=ctrl+j", "", TREE, "go-in", "ctrl+j"),
            ("tui.select.confirm=ctrl+j", "", Scope::Question, "choose", "ctrl+j"),
            ("tui.select.cancel=escape ctrl+c", "", Scope::Anywhere, "step-back", "esc"),
            ("tui.select.cancel=ctrl+g", "", Scope::Overlay, "step-back", "ctrl+g q enter ? !"),
            ("app.session.delete=ctrl+k", "", SESSIONS, "delete", "ctrl+k ctrl+backspace"),
            ("app.session.delete=ctrl+k; app.session.deleteNoninvasive=", "", SESSIONS, "delete", "ctrl+k"),
            ("app.tree.editLabel=e", "", MESSAGES, "label", "e"),
            ("app.message.copy=alt+c", "", Scope::CopyMenu, "copy-text", "m y"),
            ("app.session.fork=ctrl+f", "", TREE, "fork", "ctrl+f F"),
            ("app.model.select=ctrl+x", "", Scope::Anywhere, "copy-text", "ctrl+x"),
            // A key that cannot be had leaves the others.
            ("app.tree.editLabel=shift+1", "", TREE, "label", "L"),
            // Ours take all keys of an action, wherever it works or in one place.
            ("", "up=w", Scope::Anywhere, "up", "w"),
            ("tui.select.up=ctrl+k", "up=w", Scope::Anywhere, "up", "w"),
            ("", "up=w", Scope::Overlay, "up", "w"),
            ("", "pages/up=w", Scope::Anywhere, "up", "up k"),
            ("", "tree/label=e", MESSAGES, "label", "L"),
            ("", "tree/label=e", TREE, "label", "e"),
            ("", "help=", Scope::Anywhere, "help", ""),
            // Where one types, a letter is no command.
            ("", "up=w", Scope::Finder, "up", "up ctrl+p"),
            ("", "up=w alt+w", Scope::Finder, "up", "alt+w"),
            // A pane need not repeat what works everywhere.
            ("", "page-down=v", TREE, "page-down", ""),
            // Who asks gets the key.
            ("", "find=c", TREE, "stored-or-sent", ""),
            ("", "find=c", MESSAGES, "stored-or-sent", ""),
            ("", "find=c", Scope::CopyMenu, "copy-code", "c"),
            ("tui.select.up=ctrl+t", "", TREE, "filter-no-tools", ""),
            ("", "quit=x", Scope::Anywhere, "quit", "x ctrl+c"),
        ] {
            let (keymap, _) = keymap(pi, own);
            let rows = keymap.rows(scope).filter(|row| row.binding.action.name() == action);
            let found: Vec<String> = rows.flat_map(KeyRow::keys).map(|key| key.to_string()).collect();
            assert_eq!(found.join(" "), keys, "{pi} {own}: {action} in {}", scope.name());
        }
    }

    #[test]
    fn what_cannot_be_done_is_told() {
        for (pi, own, told) in [
            ("tui.select.up=k; tui.select.cancel=escape ctrl+c", "up=w; down=alt+s", vec![]),
            ("", "uup=w", vec!["there is no action `uup`"]),
            ("", "tree/rename=w", vec!["there is no action `rename` in tree"]),
            ("", "up=ctrl+", vec!["`up`: `ctrl+` is no key"]),
            ("", "quit=ctrl+c; help=ctrl+z", vec!["`ctrl+c` always leaves", "`ctrl+z` always suspends"]),
            ("", "help=x; zoom=x", vec!["`x` is that of `help` already"]),
            (
                "app.tree.filter.all=ctrl+t",
                "",
                vec!["`filter-all` takes `ctrl+t`, so `filter-no-tools` has no key left in tree"],
            ),
            ("app.tree.filter.all=ctrl+t; app.tree.filter.noTools=alt+t", "", vec![]),
            ("app.session.rename=r", "", vec![]),
            ("app.tree.filter.all=", "", vec![]),
        ] {
            assert_eq!(keymap(pi, own).1, told, "{pi} {own}");
        }
    }

    #[test]
    fn chosen_keys_are_heard_while_one_types() {
        let (keymap, _) =
            keymap("tui.select.confirm=ctrl+j; tui.select.cancel=ctrl+g; tui.select.up=ctrl+k", "find=x");
        let typed = |key: &str| {
            let typed = keymap.typed(Scope::Finder, key.parse().unwrap());
            typed.map_or_else(String::new, |key| key.to_string())
        };
        for (key, heard) in [
            ("ctrl+j", "enter"),
            ("ctrl+g", "esc"),
            ("ctrl+k", ""),
            ("enter", "enter"),
            ("x", "x"),
            ("ctrl+w", "ctrl+w"),
        ] {
            assert_eq!(typed(key), heard, "{key}");
        }
    }
}
