//! Stories about the search through all sessions.

use insta::assert_snapshot;
use piscope::app::{Pane, SessionRow};

use crate::harness::Harness;

/// The title of the session that is shown, and the text of the entry at which its messages stand.
fn reading(ui: &Harness) -> (String, String) {
    let session = ui.app.messages.session().unwrap();
    let title = ui.app.sessions.summary(session.path()).unwrap().title().to_owned();
    let entry = ui.app.messages.current().unwrap().entry();
    (title, session.copy_text(entry).unwrap().unwrap_or_default())
}

#[test]
fn hits_of_all_sessions_are_shown_where_they_stand() {
    let mut ui = Harness::demo();
    ui.press("S");
    assert_snapshot!("search_empty", ui.frame());
    ui.press("cookie");
    assert_snapshot!("search_wide", ui.frame());
    ui.resize(100, 30);
    assert_snapshot!("search_medium", ui.frame());
    ui.resize(50, 20);
    assert_snapshot!("search_narrow", ui.frame());
}

#[test]
fn the_other_panes_follow_the_cursor_and_esc_leads_back() {
    let mut ui = Harness::demo();
    ui.press("<tab><up><up>");
    let before = ui.frame();
    ui.press("Scookie<down><down><down>");
    assert_ne!(ui.frame(), before);
    let hit = reading(&ui);
    assert!(hit.1.to_lowercase().contains("cookie"), "{hit:?}");
    ui.press("<esc>");
    assert_eq!(ui.frame(), before);
}

#[test]
fn enter_lands_on_the_entry_in_its_branch() {
    let mut ui = Harness::demo();
    ui.press("S\"short-lived\" role:user<enter>");
    assert_eq!((ui.app.focus, ui.app.overlay.is_none()), (Pane::Messages, true));
    let (title, text) = reading(&ui);
    assert_eq!(title, "jwt variant");
    assert!(text.starts_with("use JWT, but short-lived"), "{text}");
    assert!(ui.frame().contains("Messages stored /short-lived"), "{}", ui.frame());
}

#[test]
fn the_list_is_filtered_by_what_was_said() {
    let mut ui = Harness::demo();
    ui.press("/\"sixty bytes\"");
    let titles: Vec<String> = ui
        .app
        .sessions
        .rows
        .iter()
        .filter_map(|row| match row {
            SessionRow::Session { summary, .. } => Some(summary.title().to_owned()),
            _ => None,
        })
        .collect();
    assert_eq!(titles, ["dark mode"]);
    ui.press("<c-u>what no tool and nobody said");
    assert!(ui.frame().contains("no session matches"), "{}", ui.frame());
}

#[test]
fn a_query_that_cannot_be_run_says_why() {
    let mut ui = Harness::demo();
    for (typed, told) in [
        ("re:(", "the regular expression ( cannot be used"),
        ("since:soon x", "soon is no time to search from"),
        ("zzzz nowhere", "nothing found"),
        ("re:cook.e in:web", "Search · "),
    ] {
        ui.press("S").press(typed);
        let frame = ui.frame();
        assert!(frame.contains(told), "{typed}\n{frame}");
        ui.press("<esc>");
    }
}
