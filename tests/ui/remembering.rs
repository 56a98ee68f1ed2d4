//! What the next start goes on with.

use std::path::Path;

use piscope::app::{App, Pane, Remembered, Setup};
use piscope::session::Filter;
use piscope::store::{Sort, Store};

use crate::harness::{HEADER, Harness, NOW, entry};

/// A store with a session in each of two folders, of which `b` was written last.
fn store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, time) in [("a", 1), ("b", 2)] {
        let project = folder.path().join(format!("--{name}--"));
        std::fs::create_dir(&project).unwrap();
        let header = HEADER.replace("/home/dev/p", &format!("/work/{name}")).replace("s-1", name);
        let lines = [1, 2, 3].map(|at| {
            let parent = if at == 1 { String::new() } else { format!("{name}{}", at - 1) };
            entry(&format!("{name}{at}"), &parent, "user", &format!("{name} says {at}"))
                .replace("08:00:01", &format!("0{time}:00:0{at}"))
        });
        std::fs::write(project.join("s.jsonl"), format!("{header}\n{}", lines.concat())).unwrap();
    }
    folder
}

fn start(folder: &Path, cwd: &str, remembered: Remembered) -> Harness {
    let store = Store::at(folder.to_owned());
    Harness::remembering(store, Path::new(cwd), remembered)
}

fn place(ui: &Harness) -> (Pane, String, Option<String>) {
    let session = ui.app.sessions.selected_session().unwrap().title().to_owned();
    let cursor = ui.app.tree.cursor_entry();
    let entry = cursor.map(|(doc, entry)| ui.app.tree.docs[doc].session.entry_id(entry).to_string());
    (ui.app.focus, session, entry)
}

#[test]
fn one_comes_back_to_where_one_was() {
    let folder = store();
    let mut ui = start(folder.path(), "/work/b", Remembered::default());
    ui.press("<c-s><down><tab><home><c-u>jZ");
    let left = place(&ui);
    assert_eq!(left, (Pane::Tree, "a says 1".into(), Some("a2".into())));
    let remembered = ui.app.remembered();
    let written = serde_json::to_string(&remembered).unwrap();
    let read: Remembered = serde_json::from_str(&written).unwrap();
    assert_eq!(read, remembered);

    let ui = start(folder.path(), "/work/b", read);
    assert_eq!(place(&ui), left);
    assert_eq!((ui.app.sessions.order, ui.app.tree.filter), (Sort::Recent, Filter::UserOnly));
    assert_eq!(ui.app.remembered(), remembered);
}

#[test]
fn who_starts_elsewhere_is_where_they_are_with_things_as_they_were() {
    let folder = store();
    let mut ui = start(folder.path(), "/work/b", Remembered::default());
    ui.press("<tab><c-u>k");
    let remembered = ui.app.remembered();
    let mut ui = start(folder.path(), "/work/a", remembered);
    assert_eq!(place(&ui), (Pane::Sessions, "a says 1".into(), Some("a3".into())));
    assert_eq!(ui.app.tree.filter, Filter::UserOnly);
    // Settings that were changed since are what is wanted.
    let mut changed = Setup { tree_filter: Filter::All, ..ui.app.setup.clone() };
    changed.remembered = ui.app.remembered();
    assert_eq!(App::new(changed, ui.app.size, NOW).tree.filter, Filter::All);
    // Both places stay in mind.
    ui.press("<tab><home>");
    let remembered = ui.app.remembered();
    let there = start(folder.path(), "/work/b", remembered.clone());
    assert_eq!(place(&there), (Pane::Tree, "b says 1".into(), Some("b2".into())));
    let here = start(folder.path(), "/work/a", remembered);
    assert_eq!(place(&here), (Pane::Tree, "a says 1".into(), Some("a1".into())));
}

#[test]
fn folded_projects_stay_folded_and_what_is_gone_is_forgotten() {
    let folder = store();
    let mut ui = start(folder.path(), "/elsewhere", Remembered::default());
    ui.press("<end><left><left>");
    let rows = ui.app.sessions.rows.len();
    let remembered = ui.app.remembered();
    let ui = start(folder.path(), "/elsewhere", remembered.clone());
    assert_eq!(ui.app.sessions.rows.len(), rows);
    std::fs::remove_dir_all(folder.path().join("--b--")).unwrap();
    std::fs::remove_dir_all(folder.path().join("--a--")).unwrap();
    let ui = start(folder.path(), "/elsewhere", remembered);
    assert!(ui.frame().contains("No sessions here yet"), "{}", ui.frame());
}
