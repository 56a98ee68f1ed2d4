//! Labels: typed, changed, cleared, asked about first in version 1.

use std::fs;

use insta::assert_snapshot;
use piscope::app::{Input, Pane, TreeRow};

use super::Bench;
use crate::harness::HEADER;

#[test]
fn a_label_is_typed_changed_and_cleared_in_place() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>kk");
    assert_eq!(bench.cursor(), "a1");
    bench.ui.press("Lgood");
    assert_snapshot!("label_dialog", bench.frame());
    bench.ui.press("<enter>");
    assert_eq!(bench.label("a1").as_deref(), Some("good"));
    assert_eq!((bench.cursor().as_str(), bench.notice()), ("a1", "labelled"));
    assert_snapshot!("labelled", bench.frame());
    let leaf = bench.session();
    let above = leaf.links().parent(leaf.current_leaf().unwrap()).unwrap();
    assert_eq!(leaf.entry_id(above).as_str(), "a2", "the current position stays");
    // The old text is selected, so that typing replaces it.
    bench.ui.press("Lbetter<enter>");
    assert_eq!(bench.label("a1").as_deref(), Some("better"));
    bench.ui.press("L<backspace><enter>");
    assert_eq!((bench.label("a1"), bench.notice()), (None, "label cleared"));
    assert_eq!(bench.ui.app.focus, Pane::Tree);
}

#[test]
fn a_label_that_is_cancelled_changes_nothing() {
    let mut bench = Bench::new();
    let before = bench.files();
    bench.ui.press("<tab>kkLgood<esc>");
    assert_eq!(bench.files(), before);
    assert_snapshot!("label_cancelled", bench.frame());
    // Nor does one that is left as it is.
    bench.ui.press("Lgood<enter>");
    let labelled = bench.files();
    bench.ui.press("L<enter>");
    assert_eq!((bench.files(), bench.notice()), (labelled, "nothing was changed"));
}

#[test]
fn a_filter_by_labels_and_the_label_jumps_see_a_new_label_at_once() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>kkLgood<enter><c-l>");
    assert_eq!(bench.cursor(), "a1");
    let shown = bench.ui.app.tree.rows.iter().filter(|row| matches!(row, TreeRow::Entry { .. })).count();
    assert_eq!(shown, 1);
    bench.ui.press("<c-l>G}");
    assert_eq!(bench.cursor(), "a1");
}

#[test]
fn a_filter_by_labels_loses_a_row_whose_label_is_cleared() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>Lone<enter>kLtwo<enter><c-l>");
    let shown = |bench: &Bench| {
        bench.ui.app.tree.rows.iter().filter(|it| matches!(it, TreeRow::Entry { .. })).count()
    };
    assert_eq!((bench.cursor().as_str(), shown(&bench)), ("u2", 2));
    bench.ui.press("L<backspace><enter>");
    assert_eq!((bench.cursor().as_str(), shown(&bench)), ("a2", 1));
}

#[test]
fn several_labels_stand_beside_each_other_with_their_times() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>");
    bench.ui.press("L実装を確認 👩‍👩‍👧‍👦<enter>kk");
    bench.ui.press("L");
    bench.ui.app.update(
        piscope::app::Msg::Input(Input::Paste("two\r\nlines\u{1b}[31m\tred".into())),
        crate::harness::NOW,
    );
    bench.ui.press("<enter>kLa label that is so long that no row has the room for all of it<enter>T");
    assert_eq!(bench.label("a1").as_deref(), Some("two lines[31m red"));
    assert_eq!(bench.label("a2").as_deref(), Some("実装を確認 👩‍👩‍👧‍👦"));
    assert_snapshot!("labels_and_times", bench.frame());
}

#[test]
fn a_label_leaves_cursors_folds_and_scroll_where_they_were() {
    let mut lines: String =
        crate::harness::HEADER.to_owned() + "\n" + &crate::harness::entry("r", "", "user", "root");
    for branch in ["a", "b"] {
        let mut parent = "r".to_owned();
        for at in 0..30 {
            let id = format!("{branch}{at}");
            lines +=
                &crate::harness::entry(&id, &parent, if at % 2 == 0 { "user" } else { "assistant" }, &id);
            parent = id;
        }
    }
    let mut bench = Bench::with(&lines);
    // One branch is folded, and the other one read in its middle.
    bench.ui.press("<tab>/a0<enter><esc>");
    assert_eq!(bench.cursor(), "a0");
    bench.ui.press("<left>kkkkkkkkkkkk");
    let before = bench.place();
    assert!(before.tops[1] > 0 && before.rows < 40, "{before:?}");
    bench.ui.press("Lhere<enter>");
    assert_eq!(bench.place(), before);
    bench.ui.press("L<backspace><enter>");
    assert_eq!(bench.place(), before);
    // The same from the messages.
    bench.ui.press("<tab>((");
    let before = bench.place();
    bench.ui.press("Lthere<enter>");
    assert_eq!(bench.place(), before);
}

#[test]
fn before_a_label_in_a_session_that_is_written_it_is_said_what_pi_will_do() {
    let mut bench = Bench::new();
    let file = bench.file.clone();
    bench.written(&file, 12);
    bench.ui.press("<tab>kkL");
    assert_snapshot!("label_live", bench.frame());
    bench.ui.press("mark<enter>");
    assert_eq!((bench.label("a1").as_deref(), bench.notice()), (Some("mark"), "labelled"));
}

#[test]
fn version_1_asks_before_it_is_migrated() {
    let v1 = HEADER.replace("\"version\":3,", "")
        + "\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"old prompt\"}}\n";
    let mut bench = Bench::with(&v1);
    bench.ui.press("<tab>Lgood<enter>");
    assert_snapshot!("migrate_dialog", bench.frame());
    let before = bench.files();
    bench.ui.press("<esc>");
    assert_eq!(bench.files(), before);
    bench.ui.press("Lgood<enter><enter>");
    assert!(bench.notice().starts_with("labelled; the file of version 1 is kept as"), "{}", bench.notice());
    assert_eq!(bench.session().labels().len(), 1);
    let id = bench.session().entry_id(piscope::session::EntryIx::new(0)).to_string();
    assert_snapshot!("migrated", bench.frame().replace(&id, "00000000"));
    let backup = bench.file.with_file_name("s.jsonl.v1-backup");
    assert_eq!(fs::read_to_string(backup).unwrap(), v1);
}
