//! What a person does and what the screen then shows, through the real update, jobs and drawing.

use std::path::Path;

use crate::harness::{Harness, fixture};
use insta::assert_snapshot;
use piscope::app::{Button, Item, MouseKind, Pane, Scope, SessionRow, TreeRow};
use piscope::store::{Environment, Store};

/// The titles of the sessions from top to bottom, with what stands in front of them.
fn titles(ui: &Harness) -> Vec<String> {
    ui.app
        .sessions
        .rows
        .iter()
        .filter_map(|row| match row {
            SessionRow::Session { summary, prefix, .. } => Some(format!("{prefix}{}", summary.title())),
            _ => None,
        })
        .collect()
}

/// The title of the session under the cursor.
fn selected(ui: &Harness) -> &str {
    ui.app.sessions.selected_session().unwrap().title()
}

/// The id of the entry under the tree's cursor.
fn entry(ui: &Harness) -> String {
    let (doc, entry) = ui.app.tree.cursor_entry().unwrap();
    ui.app.tree.docs[doc].session.entry_id(entry).to_string()
}

/// The ids of the entries among the messages.
fn messages(ui: &Harness) -> Vec<String> {
    let session = ui.app.messages.session().unwrap();
    ui.app.messages.items().iter().map(|item| session.entry_id(item.entry()).to_string()).collect()
}

/// The screen without the rows above and below the panes.
fn tree_lines(ui: &Harness) -> Vec<String> {
    ui.frame().lines().map(str::to_owned).collect()
}

#[test]
fn the_first_picture_on_a_wide_screen() {
    assert_snapshot!(Harness::demo().frame());
}

#[test]
fn a_medium_screen_shows_the_focus_and_its_neighbour() {
    let mut ui = Harness::demo();
    ui.resize(100, 30);
    assert_snapshot!("medium_sessions", ui.frame());
    ui.press("<enter><enter>");
    assert_snapshot!("medium_messages", ui.frame());
}

#[test]
fn a_narrow_screen_shows_one_pane_and_names_the_others() {
    let mut ui = Harness::demo();
    ui.resize(50, 16);
    assert_snapshot!("narrow_sessions", ui.frame());
    ui.press("<tab>");
    assert_snapshot!("narrow_tree", ui.frame());
    ui.press("<tab>");
    assert_snapshot!("narrow_messages", ui.frame());
}

#[test]
fn moving_in_sessions_previews_without_going_in() {
    let mut ui = Harness::demo();
    let before = ui.app.tree.path().unwrap().to_owned();
    ui.press("j");
    assert_ne!(ui.app.tree.path().unwrap(), before);
    assert_eq!(ui.app.focus, Pane::Sessions);
    assert!(!messages(&ui).is_empty());
}

#[test]
fn the_cursor_starts_in_the_folder_one_is_in() {
    let folder = tempfile::tempdir().unwrap();
    let demo = piscope::store::write_demo(folder.path(), crate::harness::NOW).unwrap();
    let cwd = demo.home.join("work/api");
    let ui = Harness::browse(Store::at(demo.sessions.clone()), &demo.home, &cwd);
    assert_eq!(selected(&ui), "Refactor auth module");
    let elsewhere = Harness::browse(Store::at(demo.sessions), &demo.home, &demo.home);
    assert_eq!(selected(&elsewhere), "dark mode");
}

#[test]
fn sessions_are_narrowed_ordered_and_folded() {
    let mut ui = Harness::demo();
    let threaded = titles(&ui);
    assert!(threaded.iter().any(|title| title == "└─ jwt variant"), "{threaded:?}");
    ui.press("<c-s>");
    assert!(titles(&ui).iter().all(|title| !title.starts_with('└')));
    ui.press("<c-s><c-s><c-n>");
    assert!(titles(&ui).len() < threaded.len());
    ui.press("<c-n>s");
    assert!(titles(&ui).is_empty(), "the home folder has no sessions");
    assert!(ui.frame().contains("no session of this folder"));
    assert!(ui.app.tree.session().is_none() && ui.app.messages.items().is_empty(), "nothing else is shown");
    ui.press("s<home><left>");
    assert!(titles(&ui).len() < threaded.len(), "a folded project hides its sessions");
    ui.press("<right>");
    assert_eq!(titles(&ui), threaded);
}

#[test]
fn the_most_recent_stand_below_days_and_months() {
    let mut ui = Harness::demo();
    ui.press("d");
    assert_snapshot!("by_date", ui.frame());
    // Headings are passed over in both directions.
    let all: Vec<String> = titles(&ui);
    ui.press("<home>");
    let mut seen = vec![selected(&ui).to_owned()];
    for _ in 1..all.len() {
        ui.press("j");
        seen.push(selected(&ui).to_owned());
    }
    assert_eq!(seen, all);
    for title in all.iter().rev().skip(1) {
        ui.press("k");
        assert_eq!(selected(&ui), title);
    }
    ui.press("d");
    assert!(!ui.frame().contains("yesterday"), "{}", ui.frame());
}

#[test]
fn the_path_of_a_session_shows_its_end_in_the_row_and_whole_above() {
    let mut ui = Harness::demo();
    ui.press("z<c-p>");
    let file = ui.app.tree.path().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    let frame = ui.frame();
    let above = frame.lines().next().unwrap();
    assert!(above.contains(&file), "{above}");
    let end: String = file.chars().skip(file.chars().count() - 12).collect();
    assert_eq!(frame.lines().filter(|line| line.contains(&end)).count(), 2, "{frame}");
}

#[test]
fn a_store_without_sessions_says_where_it_looked_and_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.jsonl");
    std::fs::write(&notes, "{\"type\":\"note\"}\n").unwrap();
    let mut ui = Harness::open(folder.path());
    let frame = ui.frame();
    for words in
        ["No sessions here yet", "the folder you named", "1 finding", "notes.jsonl  it does not begin with"]
    {
        assert!(frame.contains(words), "{words}: {frame}");
    }
    ui.press("d");
    assert!(titles(&ui).len() > 5, "the demo");
    let ui = Harness::open(&notes);
    assert!(ui.frame().contains("ot a directory"), "{}", ui.frame());
}

#[test]
fn finding_a_session_by_name_phrase_and_expression() {
    let mut ui = Harness::demo();
    ui.press("/jwt");
    assert_eq!(selected(&ui), "jwt variant");
    assert_snapshot!("find_sessions", ui.frame());
    ui.press("<enter>");
    let found = ["jwt variant", "try sessions instead", "Refactor auth module"];
    assert_eq!(titles(&ui), found, "the search stays; in two of them somebody spoke of it");
    ui.press("<esc>");
    assert!(titles(&ui).len() > 5, "one step back ends it");
    ui.press("/\"auth module\"");
    assert_eq!(titles(&ui), ["Refactor auth module"]);
    ui.press("<c-u>re:^dark|^release");
    assert_eq!(titles(&ui).len(), 2);
    ui.press("<c-u>re:(");
    let error = ui.app.sessions.find_error.clone().unwrap();
    assert!(titles(&ui).is_empty() && ui.frame().contains(&error), "{}", ui.frame());
    ui.press("<esc>");
    assert!(ui.app.sessions.find_error.is_none());
}

#[test]
fn a_fork_opens_under_the_entry_it_left() {
    let mut ui = Harness::demo();
    ui.press("/refactor<enter><enter>");
    let forks =
        |ui: &Harness| ui.app.tree.rows.iter().filter(|row| matches!(row, TreeRow::Fork { .. })).count();
    assert_eq!(forks(&ui), 2);
    let at = ui.app.tree.rows.iter().position(|row| matches!(row, TreeRow::Fork { .. })).unwrap();
    let rows = ui.app.tree.rows.len();
    ui.press(&format!("<home>{}", "j".repeat(at)));
    assert_eq!(ui.app.tree.cursor().unwrap().entry, None);
    ui.press("<right>");
    assert!(ui.app.tree.rows.len() > rows, "its own entries are shown in place");
    assert_snapshot!("fork_open", ui.frame());
    ui.press("j<left><left>");
    assert_eq!(
        ui.app.tree.cursor().unwrap().entry,
        None,
        "left of its first entry, once folded, is the fork"
    );
    ui.press("<left>");
    assert_eq!(ui.app.tree.rows.len(), rows);
    ui.press("<enter>");
    assert_eq!(selected(&ui), "jwt variant", "entering goes to that session");
}

#[test]
fn a_forked_session_leads_back_to_its_parent() {
    let mut ui = Harness::demo();
    ui.press("/\"jwt variant\"<enter>");
    assert!(ui.frame().contains("fork of Refactor auth"));
    ui.press("p");
    assert_eq!(selected(&ui), "Refactor auth module");
    assert!(titles(&ui).len() > 5, "the search that left it out has ended");
    let cursor = ui.app.tree.cursor().unwrap();
    assert_eq!(cursor.entry, None, "the cursor is on the fork, below the entry it left");
    assert_eq!(ui.app.tree.docs[cursor.doc].session.name(), Some("jwt variant"));
    ui.press("p");
    assert!(ui.app.notice.as_ref().unwrap().text.contains("not forked"));
}

#[test]
fn the_filters_are_pis() {
    let mut ui = Harness::demo();
    ui.press("/refactor<enter><enter>");
    let count = |ui: &Harness| ui.app.tree.rows.len();
    let default = count(&ui);
    ui.press("<c-u>");
    let users = count(&ui);
    ui.press("<c-u>");
    assert_eq!(count(&ui), default, "pressed again, it goes back to the default");
    ui.press("<c-a>");
    let all = count(&ui);
    ui.press("<c-l>");
    let labelled = count(&ui);
    ui.press("<c-t>");
    let no_tools = count(&ui);
    assert!(labelled < users && users < no_tools && no_tools < default && default < all);
    ui.press("<c-d>");
    assert_eq!(count(&ui), default);
    ui.press("<c-o>");
    assert_eq!(count(&ui), no_tools);
}

#[test]
fn folding_a_segment_and_jumping_over_segments() {
    let mut ui = Harness::demo();
    ui.press("<tab>");
    let rows = ui.app.tree.rows.len();
    let leaf = entry(&ui);
    ui.press("<a-left>");
    assert_ne!(entry(&ui), leaf, "up to where the segment starts");
    ui.press("<a-left>");
    assert!(ui.app.tree.rows.len() < rows, "and there it folds");
    assert_snapshot!("folded_segment", ui.frame());
    ui.press("<a-right>");
    assert_eq!(ui.app.tree.rows.len(), rows);
    ui.press("<a-right>");
    assert_eq!(entry(&ui), leaf, "down to the end of the chain");
}

#[test]
fn the_cursor_starts_on_the_leaf_and_goes_round_at_the_ends() {
    let mut ui = Harness::demo();
    ui.press("<tab>");
    let session = ui.app.tree.session().unwrap();
    assert_eq!(entry(&ui), session.entry_id(session.current_leaf().unwrap()).to_string());
    ui.press("<home>");
    let first = entry(&ui);
    ui.press("k");
    let last = entry(&ui);
    ui.press("j");
    assert_eq!(entry(&ui), first);
    ui.press("<end>");
    assert_eq!(entry(&ui), last);
}

#[test]
fn searching_the_tree_as_pi_does() {
    let mut ui = Harness::demo();
    ui.press("<tab>/cookie");
    assert_snapshot!("find_tree", ui.frame());
    let found = ui.app.tree.rows.len();
    ui.press(" nothing-like-this");
    assert_eq!(ui.app.tree.rows.len(), 0);
    ui.press("<esc>");
    assert!(ui.app.tree.rows.len() > found);
}

#[test]
fn messages_follow_the_tree_and_the_tree_follows_the_messages() {
    let mut ui = Harness::demo();
    ui.press("<tab><home>jj");
    assert_eq!(
        ui.app.messages.current().map(Item::entry),
        ui.app.tree.cursor_entry().map(|(_, entry)| entry)
    );
    let branch = messages(&ui);
    ui.press("<tab><end>");
    assert_eq!(
        ui.app.messages.current().map(Item::entry),
        ui.app.tree.cursor_entry().map(|(_, entry)| entry)
    );
    ui.press("<home>");
    assert_eq!(messages(&ui), branch, "scrolling never changes the branch");
    let off_branch = ui.app.tree.rows.len() - 1;
    ui.press("<tab><tab><home>").press(&"j".repeat(off_branch));
    assert_ne!(messages(&ui), branch, "moving in the tree to another branch does");
}

#[test]
fn scrolling_stops_at_both_ends() {
    let mut ui = Harness::demo();
    ui.press("<tab><tab><end>");
    let last = ui.app.messages.anchor();
    let picture = ui.frame();
    ui.press("jj<pagedown><c-d>");
    assert_eq!((ui.app.messages.anchor(), ui.frame()), (last, picture));
    ui.press("<home>");
    let first = ui.app.messages.anchor();
    ui.press("kk<pageup><c-u>");
    assert_eq!(ui.app.messages.anchor(), first);
}

#[test]
fn folds_open_in_place() {
    let mut ui = Harness::demo();
    ui.press("<tab><tab><home>");
    let closed = ui.frame();
    ui.press("Z");
    let open = ui.frame();
    assert_ne!(open, closed);
    ui.press("Z");
    assert!(![&open, &closed].contains(&&ui.frame()));
    // A notice says what the level shows; it is gone with the next key.
    ui.press("Zk");
    assert_eq!(ui.frame(), closed);
}

#[test]
fn stored_and_sent_are_one_key_apart() {
    let mut ui = Harness::demo();
    ui.press("/refactor<enter><enter>c<tab><home>");
    assert_snapshot!("sent", ui.frame());
    let marked = ui.frame().lines().filter(|line| line.contains('▏')).count();
    assert!(marked > 5, "the tree marks what is sent");
    let sent = messages(&ui);
    ui.press("c");
    assert_ne!(messages(&ui), sent);
    assert!(!ui.frame().contains('▏'));
    ui.press("<home>jjjjjjjjC");
    assert!(ui.frame().contains("sent at "), "{}", ui.frame());
}

#[test]
fn finding_text_in_the_messages() {
    let mut ui = Harness::demo();
    ui.press("<tab><tab><home>/cookie<enter>");
    let first = ui.app.messages.anchor();
    assert!(!ui.app.messages.search().matches().is_empty());
    ui.press("n");
    assert_ne!(ui.app.messages.anchor(), first);
    ui.press("N");
    assert_eq!(ui.app.messages.anchor(), first);
    assert_snapshot!("find_messages", ui.frame());
    ui.press("<esc>");
    assert!(ui.app.messages.search().matches().is_empty() && ui.app.focus == Pane::Messages);
}

#[test]
fn damage_is_listed_with_line_numbers() {
    let mut ui = Harness::demo();
    ui.press("/jwt<enter>!");
    assert_snapshot!("damage", ui.frame());
    ui.press("<esc>");
    assert!(ui.app.overlay.is_none());
}

#[test]
fn all_keys_are_on_the_help_page() {
    let mut ui = Harness::demo();
    ui.resize(100, 200).press("?");
    let frame = ui.frame();
    for binding in piscope::app::BINDINGS
        .iter()
        .filter(|binding| !matches!(binding.scope, Scope::Overlay | Scope::Empty))
    {
        assert!(frame.contains(binding.help), "{}", binding.help);
    }
    ui.resize(100, 20).press("<end>");
    assert_snapshot!("help_end", ui.frame());
}

#[test]
fn an_empty_store_says_where_it_looked_and_offers_the_demo() {
    let folder = tempfile::tempdir().unwrap();
    let environment =
        Environment::new(folder.path(), folder.path()).with("XDG_CACHE_HOME", folder.path().join("cache"));
    let setup = piscope::app::Setup {
        store: Store::locate(&environment, None),
        cwd: folder.path().to_string_lossy().into_owned(),
        home: folder.path().to_str().map(Into::into),
        zone: jiff::tz::TimeZone::UTC,
        session: None,
        asks_before_resume: true,
        picks: false,
        context_window: None,
        remembered: piscope::app::Remembered::default(),
        keymap: piscope::app::Keymap::default(),
        view: piscope::config::View::default(),
        tree_filter: piscope::session::Filter::default(),
    };
    let mut ui = Harness::with(setup, environment);
    ui.resize(100, 30);
    assert_snapshot!("empty", ui.frame());
    ui.press("d");
    assert_eq!(selected(&ui), "dark mode");
}

#[test]
fn files_that_are_no_sessions_say_why() {
    let mut ui = Harness::open(fixture("cases"));
    ui.press("<end><right><end>");
    assert_snapshot!("not_sessions", tree_lines(&ui)[..4].join("\n"));
    let pane: Vec<String> = tree_lines(&ui)
        .into_iter()
        .filter(|line| line.contains("not sessions") || line.contains("013-"))
        .collect();
    assert_eq!(pane.len(), 2, "{pane:#?}");
}

#[test]
fn a_file_that_vanishes_is_told_and_the_rest_works() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["v3-linear.jsonl", "v3-branches.jsonl"] {
        std::fs::copy(fixture("samples").join(name), folder.path().join(name)).unwrap();
    }
    let mut ui = Harness::open(folder.path());
    let gone = ui
        .app
        .sessions
        .found()
        .map(|summary| summary.path.clone())
        .find(|path| Some(path.as_path()) != ui.app.tree.path())
        .unwrap();
    std::fs::remove_file(&gone).unwrap();
    ui.press("j");
    assert!(ui.frame().contains("no such file"), "{}", ui.frame());
    ui.press("k");
    assert!(!messages(&ui).is_empty());
    ui.press("<f5>");
    assert_eq!(ui.app.sessions.found().len(), 1);
}

#[test]
fn a_file_that_vanishes_while_it_is_shown_stays_on_the_screen() {
    let gone = |empty: bool| {
        let folder = tempfile::tempdir().unwrap();
        for name in ["v3-linear.jsonl", "v3-branches.jsonl"] {
            std::fs::copy(fixture("samples").join(name), folder.path().join(name)).unwrap();
        }
        let mut ui = Harness::open(folder.path());
        let shown = ui.app.tree.path().unwrap().to_owned();
        if empty {
            std::fs::write(&shown, "").unwrap();
        } else {
            std::fs::remove_file(&shown).unwrap();
        }
        ui.press("<tab>").changed(&[&shown]);
        let name = shown.file_name().unwrap().to_string_lossy().into_owned();
        let told = ui.app.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default();
        assert!(told.starts_with(&name), "{told}");
        assert_eq!(ui.app.tree.path(), Some(shown.as_path()), "it stays while the reader does");
        assert!(!messages(&ui).is_empty());
        ui.press("<s-tab>jk");
        assert_ne!(ui.app.tree.path(), Some(shown.as_path()), "it goes with the next step in the list");
        drop(folder);
    };
    gone(false);
    gone(true);
}

#[test]
fn without_a_search_there_is_no_next_match() {
    let mut ui = Harness::demo();
    for keys in ["n", "N", "<tab>n"] {
        let before = (ui.app.sessions.selected(), ui.app.tree.selected());
        ui.press(keys);
        assert_eq!((ui.app.sessions.selected(), ui.app.tree.selected()), before, "{keys}");
        assert!(ui.frame().contains("nothing is searched for"), "{keys}");
    }
}

#[test]
fn forks_share_only_ids_that_stand_in_their_files_and_carry_no_label() {
    let folder = tempfile::tempdir().unwrap();
    let parent = folder.path().join("a.jsonl");
    let message = |text: &str| {
        format!("{{\"type\":\"message\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n")
    };
    let header = |more: &str| format!("{{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/p\"{more}}}\n");
    std::fs::write(&parent, header("") + &message("one") + &message("two")).unwrap();
    let more = format!(",\"parentSession\":\"{}\"", parent.display());
    std::fs::write(folder.path().join("b.jsonl"), header(&more) + &message("other")).unwrap();
    let mut ui = Harness::open(folder.path());
    ui.press("<end><up>");
    while ui.app.tree.path() != Some(parent.as_path()) {
        ui.press("k");
    }
    ui.press("<tab><home>");
    assert!(matches!(ui.app.tree.rows[0], TreeRow::Fork { .. }), "{}", ui.frame());
    ui.press("<left>");
    assert_eq!(ui.app.tree.selected(), Some(0), "there is nothing above it");
    ui.press("<c-l>");
    assert!(ui.app.tree.rows.is_empty(), "labelled only");
}

#[test]
fn the_mouse_gives_the_focus_selects_and_scrolls() {
    let mut ui = Harness::demo();
    let press = MouseKind::Press(Button::Left);
    ui.mouse(press, 60, 6);
    assert_eq!((ui.app.focus, ui.app.tree.selected()), (Pane::Tree, Some(2)));
    ui.mouse(press, 5, 6);
    assert_eq!(ui.app.focus, Pane::Sessions);
    assert_eq!(ui.app.sessions.selected(), Some(2));
    let before = ui.app.messages.anchor();
    ui.mouse(MouseKind::ScrollUp, 120, 20);
    assert_ne!(ui.app.messages.anchor(), before);
    assert_eq!(ui.app.focus, Pane::Sessions, "the wheel leaves the focus where it is");
    ui.press("<tab><end>");
    let last = ui.app.tree.selected();
    ui.mouse(MouseKind::ScrollDown, 60, 20);
    assert_eq!(ui.app.tree.selected(), last, "the wheel does not go round");
    ui.resize(60, 20).mouse(press, 19, 0);
    assert_eq!(ui.app.focus, Pane::Messages);
    ui.mouse(press, 1, 0);
    assert_eq!(ui.app.focus, Pane::Sessions);
    ui.resize(100, 30).press("<tab><tab>").mouse(press, 95, 29);
    assert_eq!(ui.app.focus, Pane::Sessions);
}

/// What was copied last.
fn copied(ui: &Harness) -> &str {
    &ui.copied.last().unwrap().text
}

#[test]
fn every_choice_of_the_copy_menu_takes_its_thing() {
    let mut ui = Harness::demo();
    ui.press("<tab>y");
    assert_snapshot!("copy_menu", ui.frame());
    ui.press("<esc>");
    assert!(ui.app.overlay.is_none() && ui.copied.is_empty());
    // (keys to get there, key in the menu, what is taken, how it begins)
    for (keys, choice, what, start) in [
        ("<home>j", "m", "1 message", "add a dark mode"),
        ("<home>j", "<enter>", "1 message", "add a dark mode"),
        ("<home>jjj", "p", "1 prompt", "add a dark mode"),
        ("<end>", "P", "5 prompts", "add a dark mode"),
        ("<end>", "b", "38 entries", "# dark mode"),
        ("<end>", "x", "34 sent messages", "[\n  {\"role\":"),
        ("<home>j", "i", "1 session id", ""),
        ("<home>j", "f", "1 path", "/"),
        ("<home>j", "d", "1 folder", "/"),
        ("<home>j", "r", "1 resume command", "cd /"),
        ("<home>j", "e", "1 entry id", ""),
    ] {
        let mut ui = Harness::demo();
        ui.press("<tab>").press(keys).press("y").press(choice);
        let clip = ui.copied.last().unwrap_or_else(|| panic!("{choice}: {:?}", ui.app.notice));
        assert_eq!(clip.what, what, "{choice}");
        assert!(clip.text.starts_with(start) && !clip.text.is_empty(), "{choice}: {}", clip.text);
        assert!(ui.app.overlay.is_none());
    }
}

#[test]
fn in_messages_the_block_under_the_cursor_is_taken() {
    let mut ui = Harness::demo();
    ui.press("/dark<enter><tab><home>jj<tab>");
    assert_eq!(ui.app.focus, Pane::Messages);
    let entry = entry(&ui);
    for (key, what, start) in [
        ("m", "1 message", "I'll start with the colours."),
        ("p", "1 prompt", "add a dark mode"),
        ("e", "1 entry id", &*entry),
        ("t", "1 command", "{\"path\""),
    ] {
        ui.press("y").press(key);
        let clip = ui.copied.last().unwrap();
        assert_eq!(clip.what, what);
        assert!(clip.text.starts_with(start), "{what}: {}", clip.text);
    }
    ui.press("mm");
    assert_eq!(ui.app.marks.count(Pane::Messages), 2);
    ui.press("<c-x>");
    assert_eq!(ui.copied.last().unwrap().what, "2 messages");
}

#[test]
fn tool_commands_and_outputs_are_taken_where_they_are() {
    let mut ui = Harness::open(fixture("samples"));
    let mut taken = [false; 2];
    let sessions = ui.app.sessions.rows.len();
    for _ in 0..sessions {
        ui.press("<tab><c-a><home>");
        for _ in 0..ui.app.tree.rows.len() {
            for (at, choice) in ["t", "o"].into_iter().enumerate() {
                let before = ui.copied.len();
                ui.press("y").press(choice);
                let is_taken = ui.copied.len() > before;
                assert_eq!(is_taken, ui.app.notice.is_none(), "either it is taken or it is told");
                taken[at] |= is_taken;
            }
            ui.press("j");
        }
        ui.press("<c-d><esc>j");
    }
    assert_eq!(taken, [true; 2], "commands, outputs");
}

#[test]
fn several_marked_entries_are_taken_together() {
    let mut ui = Harness::demo();
    ui.press("<tab><home>jmjm");
    assert_eq!(ui.app.marks.count(Pane::Tree), 2);
    assert_snapshot!("marks", ui.frame());
    ui.press("ye");
    assert_eq!(copied(&ui).lines().count(), 2);
    ui.press("<esc>");
    assert_eq!((ui.app.marks.count(Pane::Tree), ui.app.focus), (0, Pane::Tree), "one step back");
    ui.press("<esc><home>jmmyf");
    assert_eq!(copied(&ui).lines().count(), 2);
    assert!(copied(&ui).lines().all(|path| Path::new(path).is_file()));
}

#[test]
fn a_resume_is_confirmed_and_can_be_turned() {
    let mut ui = Harness::demo();
    ui.press("/dark<enter>r");
    // The paths of the demo are those of a folder made for this test.
    let rows: Vec<String> = ui.frame().lines().skip(30).map(str::to_owned).collect();
    let frame = rows.join("\n");
    for words in
        ["Resume in pi", "folder    ~/work/web", "tools     [default]", "pi was not found", "copy command"]
    {
        assert!(frame.contains(words), "{words} in {frame}");
    }
    ui.press("t<enter>");
    assert!(copied(&ui).contains("--tools read,grep,find,ls"), "without pi the command is copied");
    ui.press("rwy");
    assert!(copied(&ui).contains("pi --fork /"), "{}", copied(&ui));
    ui.press("rf").press("/tmp/else where<enter>y");
    assert!(copied(&ui).starts_with("cd '/tmp/else where' && pi --session /"), "{}", copied(&ui));
    ui.press("r<esc>");
    assert!(ui.app.overlay.is_none() && ui.resumed.is_none());
}

#[test]
fn from_an_entry_there_are_several_ways_to_go_on() {
    let mut ui = Harness::demo();
    ui.press("/dark<enter><tab><home>jjr");
    for words in [
        "this entry, in a new session; this one stays as it is  1 of 3",
        "this entry, in the same file: pi opens it here from now on, not where it was  2 of 3",
        "where the session ends  3 of 3",
    ] {
        assert!(ui.frame().contains(words), "{words} in {}", ui.frame());
        ui.press("a");
    }
    ui.press("y");
    assert!(copied(&ui).starts_with("piscope resume /") && copied(&ui).contains(" --at "), "{}", copied(&ui));
    ui.press("kr");
    assert!(ui.frame().contains("above this prompt, in a new session, the text edited and sent  1 of 4"));
    ui.press("ty");
    assert!(copied(&ui).ends_with(" --resend --tools read-only"), "{}", copied(&ui));
    // What appends to the file first is done by no command.
    ui.press("raa");
    assert!(ui.frame().contains("appends a line, then cd "), "{}", ui.frame());
    let before = ui.copied.len();
    ui.press("y");
    assert_eq!(ui.copied.len(), before);
    assert!(ui.frame().contains("no command does that"), "{}", ui.frame());
}

/// The session folder of a story in which pi can be found: the demo, with a `pi` in `PATH`.
#[cfg(unix)]
fn with_pi() -> (Harness, tempfile::TempDir) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let pi = folder.path().join("pi");
    std::fs::write(&pi, "").unwrap();
    std::fs::set_permissions(&pi, PermissionsExt::from_mode(0o755)).unwrap();
    let demo = piscope::store::write_demo(folder.path(), crate::harness::NOW).unwrap();
    let environment = Environment::new(&demo.home, &demo.home)
        .with("PATH", folder.path())
        .with("XDG_CACHE_HOME", folder.path().join("cache"));
    let setup = piscope::app::Setup {
        store: Store::at(demo.sessions),
        cwd: demo.home.to_string_lossy().into_owned(),
        home: demo.home.to_str().map(Into::into),
        zone: jiff::tz::TimeZone::UTC,
        session: None,
        asks_before_resume: true,
        picks: false,
        context_window: None,
        remembered: piscope::app::Remembered::default(),
        keymap: piscope::app::Keymap::default(),
        view: piscope::config::View::default(),
        tree_filter: piscope::session::Filter::default(),
    };
    (Harness::with(setup, environment), folder)
}

#[cfg(unix)]
#[test]
fn a_prompt_goes_through_the_editor_or_to_the_clipboard() {
    let (mut ui, _folder) = with_pi();
    ui.press("/dark<enter><tab><home>jr<enter>");
    let words = ui.resumed.take().unwrap().argv;
    assert!(words.last().unwrap().to_string_lossy().starts_with("ADD A DARK MODE"), "{words:?}");
    let (mut ui, _folder) = with_pi();
    ui.press("/dark<enter><tab><home>jra<enter>");
    assert!(copied(&ui).starts_with("add a dark mode"));
    assert_eq!(ui.resumed.take().unwrap().argv.len(), 3, "nothing is sent");
    let (mut ui, _folder) = with_pi();
    ui.press("/dark<enter>r<enter>");
    assert_eq!(ui.resumed.take().unwrap().argv.len(), 3);
}

/// The rows of the question, but for the paths of this run: the command, and where pi was looked for.
#[cfg(unix)]
fn question(ui: &mut Harness) -> String {
    let frame = ui.frame();
    let rows = frame.lines().skip_while(|row| !row.contains("─ Resume in pi"));
    let mut is_of_this_run = false;
    let of_everyone = rows.filter(|row| {
        let name = row.get(..13).map_or("", str::trim);
        if !name.is_empty() || row.trim().is_empty() {
            is_of_this_run = matches!(name, "command" | "missing");
        }
        !is_of_this_run
    });
    of_everyone.map(|row| row.trim_end().to_owned() + "\n").collect()
}

#[cfg(unix)]
#[test]
fn the_question_before_a_resume_says_what_will_be_done() {
    let (mut ui, _folder) = with_pi();
    ui.press("/dark<enter>r");
    assert_snapshot!("resume", question(&mut ui));
    ui.press("wt");
    assert_snapshot!("resume_turned", question(&mut ui));
    ui.press("<esc><tab><home>jr");
    assert_snapshot!("resume_from_a_prompt", question(&mut ui));
    ui.press("<esc>jr");
    assert_snapshot!("resume_from_an_entry", question(&mut ui));
    ui.resize(60, 24);
    assert_snapshot!("resume_narrow", question(&mut ui));
    ui.resize(160, 45);
    ui.press("f~/else");
    assert_snapshot!("resume_folder_typed", question(&mut ui));
    let (mut ui, _folder) = with_pi();
    ui.press("/spike<enter>r");
    assert_snapshot!("resume_folder_gone", question(&mut ui));
}

#[test]
fn a_folder_that_is_gone_offers_other_places() {
    let mut ui = Harness::demo();
    ui.press("/spike<enter>r");
    let frame = ui.frame();
    assert!(frame.contains("~/old/prototype ✗ is no longer there"), "{frame}");
    assert!(frame.contains("a copy, in this folder  1 of 2"), "{frame}");
    ui.press("w");
    assert!(ui.frame().contains("once, in this folder: pi asks  2 of 2"));
}

#[test]
fn prompts_of_all_sessions_are_found_and_lead_to_their_place() {
    let mut ui = Harness::demo();
    ui.press("P");
    assert_snapshot!("prompts", ui.frame());
    ui.press("jwt short");
    assert_snapshot!("prompts_narrowed", ui.frame());
    ui.press("<c-y>");
    assert!(copied(&ui).starts_with("use JWT, but short-lived"));
    ui.press("<enter>");
    assert_eq!((ui.app.focus, selected(&ui)), (Pane::Messages, "jwt variant"));
    let session = ui.app.messages.session().unwrap();
    let (_, at) = ui.app.tree.cursor_entry().unwrap();
    assert!(session.copy_text(at).unwrap().unwrap().starts_with("use JWT, but short-lived"));
    ui.press("P");
    assert!(ui.frame().contains("Prompts · this session"));
    ui.press("<c-s>");
    assert!(ui.frame().contains("Prompts · this folder"));
    ui.press("<esc>");
    assert!(ui.app.overlay.is_none());
}

#[test]
fn a_found_prompt_is_copied_whole_and_joined_only_with_its_equals() {
    let folder = tempfile::tempdir().unwrap();
    let start = "word ".repeat(1_000);
    let prompts = ["one", "two", "one"].map(|end| format!("{start}{end}"));
    let lines = [
        crate::harness::entry("a", "", "user", &prompts[0]),
        crate::harness::entry("b", "a", "user", &prompts[1]),
        crate::harness::entry("c", "b", "user", &prompts[2]),
    ];
    let project = folder.path().join("--p--");
    std::fs::create_dir(&project).unwrap();
    std::fs::write(project.join("s.jsonl"), format!("{}\n{}", crate::harness::HEADER, lines.concat()))
        .unwrap();
    let mut ui = Harness::open(folder.path());
    ui.press("P");
    let Some(piscope::app::Overlay::Finder(finder)) = &ui.app.overlay else { panic!("no list") };
    assert_eq!(finder.shown().map(|found| found.times).collect::<Vec<_>>(), [2, 1]);
    ui.press("<c-y><down><c-y>");
    let texts: Vec<&str> = ui.copied.iter().map(|clip| &*clip.text).collect();
    assert_eq!(texts, [&*prompts[0], &*prompts[1]]);
}

#[test]
fn a_found_prompt_resumes_its_own_session() {
    let mut ui = Harness::demo();
    ui.press("Pjwt short<c-r>");
    let Some(piscope::app::Overlay::Resume(dialog)) = &ui.app.overlay else { panic!("no question") };
    let launch = &dialog.offer.launch;
    let named = ui.app.sessions.summary(&launch.session).unwrap().title();
    assert_eq!(named, "jwt variant");
}

#[test]
fn bookmarks_lead_to_what_they_mark() {
    let mut ui = Harness::demo();
    ui.press("B");
    assert_snapshot!("bookmarks", ui.frame());
    ui.press("contrast<enter>");
    assert_eq!(selected(&ui), "dark mode");
    let (doc, at) = ui.app.tree.cursor_entry().unwrap();
    assert_eq!(&*ui.app.tree.docs[doc].session.label_of(at).unwrap().text, "contrast");
}

#[test]
fn one_leaves_by_q_and_by_an_interrupt_while_typing() {
    let mut ui = Harness::demo();
    ui.press("/q");
    assert!(!ui.is_over);
    ui.press("<c-c>");
    assert!(ui.is_over);
    let mut ui = Harness::demo();
    ui.press("q");
    assert!(ui.is_over);
}
