//! What settings make of the screen.

use std::fmt::Write;
use std::sync::Arc;

use insta::assert_snapshot;
use piscope::app::{Overlay, Pane, Setup, Zoom};
use piscope::config::{Look, PiTheme, ThemeChoice};
use piscope::session::Filter;
use piscope::store::Environment;
use piscope::tui::{Background, Colours, Theme};
use ratatui::buffer::Buffer;

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

/// Every run of one look: its text, the colours of text and background, what else sets it off.
fn looks(buffer: &Buffer) -> String {
    let mut told = String::new();
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let style = buffer[(x, y)].style();
            let start = x;
            while x < buffer.area.width && buffer[(x, y)].style() == style {
                x += 1;
            }
            let text: String = (start..x).map(|x| buffer[(x, y)].symbol()).collect();
            let (fg, bg) = (style.fg.unwrap(), style.bg.unwrap());
            if !text.trim().is_empty() {
                writeln!(told, "{y:>2} {:<40} {fg} on {bg} {:?}", text.trim_end(), style.add_modifier)
                    .unwrap();
            }
        }
    }
    told
}

#[test]
fn themes_colour_the_same_screen() {
    let pis = |name: &str| {
        let look = Look::Pi(Arc::new(PiTheme::find(name, &[]).unwrap()));
        ThemeChoice { light: look.clone(), dark: look }
    };
    let system = ThemeChoice { light: Look::System, dark: Look::System };
    let mut ui = Harness::demo();
    ui.resize(60, 12).press("<tab>");
    for (name, theme) in [
        ("theme_light", Theme::own(Colours::True, Background::Light)),
        ("theme_pi_light", Theme { choice: pis("light"), ..Theme::own(Colours::True, Background::Light) }),
        (
            "theme_pi_dark_sixteen",
            Theme { choice: pis("dark"), ..Theme::own(Colours::Sixteen, Background::Dark) },
        ),
        ("theme_system", Theme { choice: system, ..Theme::own(Colours::True, Background::Dark) }),
        ("theme_none", Theme { choice: pis("dark"), ..Theme::own(Colours::None, Background::Dark) }),
    ] {
        ui.theme = theme;
        assert_snapshot!(name, looks(&ui.buffer()));
    }
}

#[test]
fn the_tree_begins_with_the_filter_that_is_set_in_pi() {
    let setup = |ui: &Harness| Setup { tree_filter: Filter::UserOnly, ..ui.app.setup.clone() };
    let ui = Harness::demo();
    let with_filter = Harness::with(setup(&ui), Environment::new("/home/dev", "/home/dev"));
    assert!(with_filter.frame().contains("user-only"));
    assert!(with_filter.app.tree.rows.len() < ui.app.tree.rows.len());
}

#[test]
fn the_screen_is_set_up_as_the_file_says() {
    let own = "columns = [\"tokens\", \"cost\", \"size\", \"created\"]\nlist-times = \"iso\"\nmessage-times = \"iso\"\n\
               widths = [50, 20, 30]\nfirst-pane = \"tree\"\n";
    let mut ui = Harness::with_keys("{}", own);
    assert_eq!(ui.app.focus, Pane::Tree);
    ui.resize(200, 24);
    assert_snapshot!("own_view", ui.frame());
    ui.press("<tab>T");
    assert!(!ui.frame().contains("2026-11-29 12:51"), "by how long ago\n{}", ui.frame());
    ui.press("T");
    assert!(ui.frame().contains("2026-11"), "as it was set\n{}", ui.frame());
    let ui = Harness::with_keys("{}", "zoom = true\nfirst-pane = \"messages\"\nlist-times = \"clock\"\n");
    assert_eq!((ui.app.focus, ui.app.zoom), (Pane::Messages, Zoom::On));
}
