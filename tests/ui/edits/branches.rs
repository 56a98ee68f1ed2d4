//! Forks and clones.

use std::fs;

use insta::assert_snapshot;
use piscope::app::Overlay;
use piscope::session::Session;

use super::Bench;

#[test]
fn a_fork_before_a_prompt_hangs_where_it_left_and_offers_the_prompt() {
    let mut bench = Bench::new();
    let before = fs::read(&bench.file).unwrap();
    bench.ui.press("<tab>k");
    assert_eq!(bench.cursor(), "u2");
    bench.ui.press("F");
    assert_snapshot!("forked", bench.frame());
    assert!(matches!(bench.ui.app.overlay, Some(Overlay::Edit(_))));
    bench.ui.press("<enter>");
    assert!(bench.ui.app.overlay.is_none());
    assert_eq!(bench.ui.copied.len(), 1);
    let made = bench.ui.app.sessions.selected_session().unwrap().path.clone();
    assert_eq!(Session::open(&made).unwrap().len(), 2);
    assert_eq!(bench.ui.app.tree.path(), Some(bench.file.as_path()), "the tree shows what was forked");
    let cursor = bench.ui.app.tree.cursor().unwrap();
    assert_eq!((cursor.entry, bench.ui.app.tree.docs[cursor.doc].session.path()), (None, made.as_path()));
    assert_eq!(fs::read(&bench.file).unwrap(), before);
}

#[test]
fn the_prompt_of_a_fork_need_not_be_taken() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>kF<esc>");
    assert!(bench.ui.app.overlay.is_none() && bench.ui.copied.is_empty());
    assert_eq!(bench.ui.app.sessions.found().len(), 3, "the fork is there all the same");
}

#[test]
fn a_fork_before_the_first_prompt_is_a_header_and_its_path_is_told() {
    let mut bench = Bench::new();
    let before = fs::read(&bench.file).unwrap();
    bench.ui.press("<tab>kkk");
    assert_eq!(bench.cursor(), "u1");
    bench.ui.press("F<enter>");
    let made = bench.ui.app.sessions.selected_session().unwrap().path.clone();
    let session = Session::open(&made).unwrap();
    assert_eq!((session.len(), session.header().parent_session.as_deref()), (0, bench.file.to_str()));
    assert_snapshot!("forked_before_everything", bench.frame().replace(session.id(), "ID"));
    assert_eq!(fs::read(&bench.file).unwrap(), before);
}

#[test]
fn a_fork_at_an_answer_ends_with_it() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>kkF");
    assert!(bench.ui.app.overlay.is_none());
    assert_eq!(bench.notice(), "forked");
    let made = bench.ui.app.sessions.selected_session().unwrap().path.clone();
    assert_eq!(Session::open(&made).unwrap().len(), 2);
}

#[test]
fn a_clone_is_a_session_of_its_own() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>K");
    assert_eq!(bench.notice(), "cloned this branch");
    let made = bench.ui.app.sessions.selected_session().unwrap().path.clone();
    assert_eq!(Session::open(made).unwrap().len(), 4);
    assert_eq!(bench.ui.app.sessions.found().len(), 3);
    assert_snapshot!("cloned", bench.frame());
}
