//! What settings make of the screen.

use insta::assert_snapshot;
use piscope::app::{Overlay, Pane};

use crate::harness::Harness;

const PIS_KEYS: &str = r#"{
    "tui.select.up": "ctrl+p",
    "tui.select.down": ["ctrl+n", "alt+down"],
    "tui.select.confirm": "ctrl+j",
    "tui.select.cancel": ["ctrl+g", "ctrl+c"],
    "app.session.rename": "f2",
    "app.tree.filter.userOnly": "f3",
    "app.tree.editLabel": "ctrl+e"
}"#;

#[test]
fn pis_keys_do_what_they_do_in_pi() {
    let mut ui = Harness::with_keys(PIS_KEYS, "");
    ui.press("<ctrl+n><ctrl+n><ctrl+p>");
    assert_eq!(
        ui.app.sessions.selected(),
        Harness::with_keys("", "").press("<down>").app.sessions.selected()
    );
    ui.press("<ctrl+j>");
    assert_eq!(ui.app.focus, Pane::Tree);
    ui.press("<ctrl+u>");
    assert_eq!(ui.app.tree.filter.word(), "default");
    ui.press("<f3>");
    assert_eq!(ui.app.tree.filter.word(), "user-only");
    ui.press("<ctrl+e>");
    assert!(matches!(ui.app.overlay, Some(Overlay::Edit(_))));
    ui.press("<ctrl+g>");
    assert!(ui.app.overlay.is_none());
    ui.press("<ctrl+c>");
    assert!(ui.is_over);
}

#[test]
fn the_screen_shows_the_keys_in_force() {
    let mut ui = Harness::with_keys(PIS_KEYS, "[keys]\nhelp = [\"f12\"]\nfind = \"ctrl+f\"\nresume = []\n");
    ui.resize(160, 24).press("<ctrl+n>");
    assert_snapshot!("own_keys_footer", ui.frame());
    ui.press("<f12>");
    assert_snapshot!("own_keys_help", ui.frame());
}

#[test]
fn a_search_is_typed_accepted_and_cancelled_with_the_keys_of_the_person() {
    let mut ui = Harness::with_keys(PIS_KEYS, "");
    ui.press("/jwt<ctrl+j>");
    assert_eq!(ui.app.sessions.find.text(), "jwt");
    assert!(!ui.app.sessions.find.is_typing());
    ui.press("/<ctrl+g>");
    assert_eq!(ui.app.sessions.find.text(), "");
}

#[test]
fn what_is_broken_in_a_file_is_told_on_the_screen() {
    for (pi, own, told) in [
        ("{", "", "it is no JSON"),
        ("", "[keys]\nnonsense = 1", "`nonsense` must be a key or a list of keys"),
        (r#"{"app.tree.filter.all": "ctrl+t"}"#, "", "so `filter-no-tools` has no key left in tree"),
    ] {
        let ui = Harness::with_keys(if pi.is_empty() { "{}" } else { pi }, own);
        assert!(ui.frame().contains(told), "{told} in\n{}", ui.frame());
    }
}
