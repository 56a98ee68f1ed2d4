//! Exports: asked for, chosen, written, and never over a file without a word.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use piscope::store::Store;
use tempfile::TempDir;

use crate::harness::{HEADER, Harness, entry};

/// A store with a session in which somebody said a password.
struct Desk {
    folder: TempDir,
    ui: Harness,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("sessions/--home-dev-p--");
        fs::create_dir_all(&project).unwrap();
        let lines = [
            entry("u1", "", "user", "log in with password=hunter22"),
            entry("a1", "u1", "assistant", "done"),
            entry("a2", "u1", "assistant", "another answer"),
        ];
        fs::write(project.join("s.jsonl"), format!("{HEADER}\n{}", lines.concat())).unwrap();
        let here = folder.path().join("here");
        fs::create_dir(&here).unwrap();
        let mut ui = Harness::browse(Store::at(folder.path().join("sessions")), folder.path(), &here);
        ui.resize(120, 24);
        Self { folder, ui }
    }

    fn here(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path().join("here")).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join("here").join(name)).unwrap()
    }

    fn notice(&self) -> String {
        let words = self.ui.app.notice.as_ref().map_or("", |notice| &notice.text);
        words.replace(self.folder.path().to_str().unwrap(), "~")
    }
}

#[test]
fn a_branch_is_exported_as_it_is_proposed() {
    let mut desk = Desk::new();
    desk.ui.press("E");
    assert_snapshot!("export_dialog", desk.ui.frame());
    desk.ui.press("<enter>");
    let name = &desk.here().concat();
    assert!(name.starts_with("log-in-with-password-hunter22") && name.ends_with("md"), "{name}");
    let text = desk.read(name);
    assert!(text.contains("## User") && text.contains("another answer") && !text.contains("done"), "{text}");
    assert!(desk.notice().starts_with(&format!("exported to ~/here/{name}, ")), "{}", desk.notice());
}

#[test]
fn everything_can_be_chosen() {
    let mut desk = Desk::new();
    desk.ui.press("<tab>kEfffcsp<c-u>out.txt<enter>");
    assert_snapshot!("export_chosen", desk.ui.frame());
    desk.ui.press("<enter>");
    assert_eq!(desk.here(), ["out.txt"]);
    let text = desk.read("out.txt");
    assert!(
        text.contains("password=[redacted password]") && text.contains("what the model is sent"),
        "{text}"
    );
    assert!(desk.notice().ends_with("; masked: 2 passwords"), "{}", desk.notice());
}

#[test]
fn a_proposed_name_holds_no_secret_either() {
    let mut desk = Desk::new();
    desk.ui.press("Es<enter>");
    assert!(desk.here()[0].starts_with("log-in-with-password-redacted-password-"), "{:?}", desk.here());
}

#[test]
fn the_form_follows_the_name_and_the_name_the_form() {
    let mut desk = Desk::new();
    desk.ui.press("Ep<c-u>a.json<enter>");
    desk.ui.press("<enter>");
    assert!(desk.read("a.json").starts_with('{'));
    desk.ui.press("Ep<c-u>b.md<enter>fff<enter>");
    assert_eq!(desk.here(), ["a.json", "b.json"]);
}

#[test]
fn a_file_that_is_there_is_asked_about() {
    let mut desk = Desk::new();
    let path = desk.folder.path().join("here/a.md");
    fs::write(&path, "mine").unwrap();
    desk.ui.press("Ep<c-u>a.md<enter><enter>");
    assert_eq!(desk.read("a.md"), "mine");
    assert_snapshot!("export_occupied", desk.ui.frame());
    desk.ui.press("<esc>");
    assert_eq!(desk.read("a.md"), "mine");
    desk.ui.press("Ep<c-u>a.md<enter><enter>");
    desk.ui.press("<enter>");
    assert!(desk.read("a.md").starts_with("# "));
    desk.ui.press("Ep<c-u>nowhere/a.md<enter><enter>");
    assert!(desk.notice().contains("cannot write ~/here/nowhere/a.md"), "{}", desk.notice());
    assert!(Path::new(&path).exists());
}
