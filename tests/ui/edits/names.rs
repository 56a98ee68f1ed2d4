//! Names: typed, changed and cleared.

use insta::assert_snapshot;
use piscope::app::Input;

use super::Bench;
use crate::harness::NOW;

#[test]
fn a_session_is_named_and_its_name_cleared() {
    let mut bench = Bench::new();
    bench.ui.press("R");
    assert_snapshot!("rename_dialog", bench.frame());
    bench.ui.press("a name<enter>");
    assert_eq!(bench.session().name(), Some("a name"));
    assert_eq!(bench.ui.app.sessions.selected_session().unwrap().title(), "a name");
    assert_snapshot!("renamed", bench.frame());
    bench.ui.press("<c-r><backspace><enter>");
    assert_eq!(bench.session().name(), None);
    assert_eq!(bench.notice(), "name cleared");
    let before = bench.files();
    bench.ui.press("Rother<esc>");
    assert_eq!((bench.files(), bench.notice()), (before, "nothing was changed"));
}

#[test]
fn a_session_that_is_not_shown_is_named_where_it_stands() {
    let mut bench = Bench::new();
    bench.ui.press("j");
    let before = bench.place();
    bench.ui.press("R");
    bench.ui.app.update(piscope::app::Msg::Input(Input::Paste("two\n\nlines".into())), NOW);
    bench.ui.press("<enter>");
    let fork = piscope::session::Session::open(&bench.fork).unwrap();
    assert_eq!(fork.name(), Some("two lines"));
    assert_eq!(bench.place(), before);
}

#[test]
fn a_name_that_is_left_as_it_is_writes_nothing() {
    let mut bench = Bench::new();
    bench.ui.press("Rname<enter>");
    let before = bench.files();
    bench.ui.press("R<enter>");
    assert_eq!((bench.files(), bench.notice()), (before, "nothing was changed"));
}

#[test]
fn before_a_session_is_named_that_is_written_it_is_said_what_pi_will_do() {
    let mut bench = Bench::new();
    let file = bench.file.clone();
    bench.written(&file, 12);
    bench.ui.press("R");
    assert_snapshot!("rename_live", bench.frame());
}
