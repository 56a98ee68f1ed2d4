//! What is handed over: the terminal to pi, a pick to a script.

use std::fs;
use std::io::Write;
use std::path::Path;

use piscope::session::Session;

use crate::home::Home;
use crate::terminal::Pty;

fn called(home: &Path) -> String {
    fs::read_to_string(home.join("called")).unwrap()
}

#[test]
fn resuming_becomes_pi_in_the_folder_of_the_session() {
    let home = Home::new();
    let (work, agent, session) = (home.path("work"), home.path("agent"), home.session());
    let mut pty = home.piscope(&[], &[]);
    pty.press("r");
    pty.wait_for_text("Resume in pi");
    pty.press("<enter>");
    pty.wait_for("pi on the shell's screen", |screen| {
        screen.contents().contains("pi is here") && !screen.alternate_screen() && !screen.hide_cursor()
    });
    assert!(pty.has_first_modes(), "pi has the terminal as the shell left it");
    let called = called(pty.home.path());
    for wanted in [
        format!("process {}\n", pty.program),
        format!("cwd {}\n", work.display()),
        format!("agent {}\n", agent.display()),
        format!("argument <--session>\nargument <{}>\n", session.display()),
    ] {
        assert!(called.contains(&wanted), "{wanted} in {called}");
    }
    pty.press("<enter>");
    let ended = pty.finish();
    ended.assert_restored();
    assert_eq!(ended.status.exit_code(), 7, "the status is pi's");
}

#[test]
fn with_stay_the_screen_comes_back_to_the_same_place() {
    let mut pty = Home::new().piscope(&["--stay"], &[("PISCOPE_CONFIRM_RESUME", "no")]);
    pty.press("<tab>r");
    pty.wait_for("pi on the shell's screen", |screen| {
        screen.contents().contains("pi is here") && !screen.alternate_screen()
    });
    assert!(pty.has_first_modes());
    assert!(!called(pty.home.path()).contains(&format!("process {}\n", pty.program)), "it is a child");
    pty.press("q<enter>");
    pty.wait_for("the picture, and what became of pi", |screen| {
        screen.alternate_screen() && screen.contents().contains("pi ended: exit status: 7")
    });
    pty.press("<enter>q");
    let ended = pty.finish();
    ended.assert_restored();
    assert_eq!(ended.status.exit_code(), 0);
}

#[test]
fn where_there_is_no_pi_it_says_where_it_looked_and_copies_the_command() {
    let home = Home::new();
    fs::remove_file(home.path("bin/pi")).unwrap();
    let bin = home.path("bin");
    let mut pty = home.piscope(&[], &[("PATH", bin.to_str().unwrap())]);
    pty.press("r");
    pty.wait_for_text("pi was not found in");
    pty.press("<enter>");
    pty.wait_for_text("1 resume command: sent");
    // The beginning of `cd /`, as the sequence carries it.
    pty.wait_for_output("the command for the terminal's clipboard", |written| {
        written.contains("\x1b]52;c;Y2Qg")
    });
    pty.press("q");
    pty.finish().assert_restored();
}

#[test]
fn a_folder_that_is_gone_is_told_and_a_copy_goes_on_here() {
    let home = Home::new();
    fs::remove_dir(home.path("work")).unwrap();
    let mut pty = home.piscope(&[], &[]);
    pty.press("r");
    pty.wait_for_text("is no longer there");
    pty.press("<enter>");
    pty.wait_for_text("pi is here");
    let called = called(pty.home.path());
    assert!(called.contains("argument <--fork>"), "{called}");
    let here = pty.home.path().canonicalize().unwrap();
    assert!(called.contains(&format!("cwd {}\n", here.display())), "{called}");
    pty.press("<enter>");
    pty.finish().assert_restored();
}

/// Lets the session go on with an answer and another prompt.
fn lengthen(home: &Home) {
    let lines = r#"{"type":"message","id":"bbbb","parentId":"aaaa","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"yes"}],"provider":"p","model":"m","api":"a","usage":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":2,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"stop","timestamp":1}}
{"type":"message","id":"cccc","parentId":"bbbb","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"user","content":"and then"}}
"#;
    let mut file = fs::File::options().append(true).open(home.session()).unwrap();
    file.write_all(lines.as_bytes()).unwrap();
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(3600)).unwrap();
}

/// The ids on the branch at which pi opens a session.
fn branch(path: &str) -> Vec<String> {
    let session = Session::open(path).unwrap();
    let path = session.path_to(session.current_leaf());
    path.into_iter().map(|ix| session.entry_id(ix).to_string()).collect()
}

/// What pi was called with.
fn arguments(pty: &Pty) -> Vec<String> {
    let called = called(pty.home.path());
    called.split("argument <").skip(1).map(|rest| rest.trim_end().trim_end_matches('>').to_owned()).collect()
}

#[test]
fn from_an_entry_a_new_session_goes_on_and_the_old_one_stays_as_it_is() {
    let home = Home::new();
    lengthen(&home);
    let session = home.session();
    let before = fs::read(&session).unwrap();
    let mut pty = home.piscope(&[], &[]);
    pty.press("<tab>kr");
    pty.wait_for_text("this entry, in a new session");
    pty.press("<enter>");
    pty.wait_for_text("pi is here");
    let [flag, new] = arguments(&pty).try_into().unwrap();
    assert_eq!((flag.as_str(), branch(&new)), ("--session", vec!["aaaa".to_owned(), "bbbb".to_owned()]));
    assert_ne!(Path::new(&new), session);
    assert_eq!(fs::read(&session).unwrap(), before);
    pty.press("<enter>");
    pty.finish().assert_restored();
}

/// `PI_PACKAGE_DIR` and `PI_NODE` say where pi and the node that runs it are.
#[test]
fn the_real_pi_opens_a_forked_session_at_the_expected_leaf() {
    let (Ok(package), Ok(node)) = (std::env::var("PI_PACKAGE_DIR"), std::env::var("PI_NODE")) else {
        eprintln!("skipped: PI_PACKAGE_DIR and PI_NODE do not say where pi is");
        return;
    };
    let home = Home::new();
    lengthen(&home);
    let pi = format!("#!/bin/sh\nexec '{node}' '{package}/dist/cli.js' \"$@\"\n");
    fs::write(home.path("bin/pi"), pi).unwrap();
    let mut pty = home.piscope(&[], &[("PI_OFFLINE", "1")]);
    pty.press("<tab>kr");
    pty.wait_for_text("this entry, in a new session");
    pty.press("<enter>");
    pty.wait_for_text("No models available");
    pty.press("/tree<enter>");
    let screen = pty.wait_for_text("Session Tree");
    assert!(screen.contains("› • assistant: yes"), "{screen}");
    assert!(!screen.contains("and then"), "{screen}");
    pty.press("<esc>");
    pty.wait_for("the end of the tree", |screen| !screen.contents().contains("Session Tree"));
    pty.press("<c-d>");
    drop(pty.finish());
}

#[test]
fn on_request_the_same_file_goes_on_from_an_entry() {
    let home = Home::new();
    lengthen(&home);
    let session = home.session();
    let mut pty = home.piscope(&[], &[]);
    pty.press("<tab>kr");
    pty.wait_for_text("this entry, in a new session");
    pty.press("a");
    pty.wait_for_text("pi opens it here from now on");
    pty.press("<enter>");
    pty.wait_for_text("pi is here");
    let session = session.to_str().unwrap();
    assert_eq!(arguments(&pty), ["--session", session]);
    assert_eq!(branch(session)[..2], ["aaaa", "bbbb"]);
    assert_eq!(branch(session).len(), 3, "the branch point is the leaf");
    pty.press("<enter>");
    pty.finish().assert_restored();
}

#[test]
fn a_prompt_is_edited_and_sent_again_above_where_it_was() {
    let home = Home::new();
    lengthen(&home);
    let temporary = home.path("tmp");
    fs::create_dir(&temporary).unwrap();
    let editor = r#"sh -c 'tr -d "\n" <"$0" >"$HOME/given"; printf "%s\n" "-x and @y" "two" >"$0"'"#;
    let mut pty = home.piscope(&[], &[("EDITOR", editor), ("TMPDIR", temporary.to_str().unwrap())]);
    pty.press("<tab><home>r");
    pty.wait_for_text("above this prompt, in a new session, the text edited and sent");
    pty.press("<enter>");
    pty.wait_for_text("pi is here");
    assert_eq!(fs::read_to_string(pty.home.path().join("given")).unwrap(), "hé");
    let arguments = arguments(&pty);
    assert_eq!(arguments[0], "--session");
    assert_eq!(arguments[2..], ["--", "-x and @y\ntwo"]);
    assert!(branch(&arguments[1]).is_empty(), "nothing stands above the first prompt");
    assert_eq!(fs::read_dir(temporary).unwrap().count(), 0, "the edited text does not stay behind");
    pty.press("<enter>");
    pty.finish().assert_restored();
}

#[test]
fn a_prompt_that_no_argument_can_carry_goes_to_the_clipboard() {
    let home = Home::new();
    lengthen(&home);
    let editor = r#"sh -c 'head -c 300000 /dev/zero | tr "\0" x >"$0"'"#;
    let mut pty = home.piscope(&[], &[("EDITOR", editor)]);
    pty.press("<tab><home>r");
    pty.wait_for_text("the text edited and sent");
    pty.press("<enter>");
    pty.wait_for_text("pi is here");
    assert_eq!(arguments(&pty).len(), 2, "nothing is sent");
    pty.wait_for_output("the text for the terminal's clipboard", |written| {
        written.contains(&format!("\x1b]52;c;{}", "eHh4".repeat(1000)))
    });
    pty.press("<enter>");
    pty.finish().assert_restored();
}

#[test]
fn an_editor_that_fails_or_an_empty_text_sends_nothing() {
    for (editor, words) in [
        ("false", "cannot edit the prompt"),
        ("sh -c ': >\"$0\"'", "nothing is sent"),
        ("true", "was not saved"),
    ] {
        let home = Home::new();
        lengthen(&home);
        let sessions = home.session().parent().unwrap().to_owned();
        let mut pty = home.piscope(&[], &[("VISUAL", editor), ("EDITOR", "vi")]);
        pty.press("<tab><home>r");
        pty.wait_for_text("the text edited and sent");
        pty.press("<enter>");
        pty.wait_for_text(words);
        assert_eq!(fs::read_dir(sessions).unwrap().count(), 1, "no session was written");
        pty.press("<esc><esc>q");
        pty.finish().assert_restored();
    }
}

#[test]
fn the_command_becomes_pi_too() {
    let home = Home::new();
    lengthen(&home);
    let script = r#"exec "$PISCOPE" resume 0123 --at bbbb --tools chat --prompt '@x'"#;
    let mut pty = home.run("/bin/sh", &["-c", script], &[]);
    pty.wait_for_text("pi is here");
    assert!(called(pty.home.path()).contains(&format!("process {}\n", pty.program)));
    let arguments = arguments(&pty);
    assert_eq!(branch(&arguments[1]), ["aaaa", "bbbb"]);
    assert_eq!(arguments[2..4], ["--no-tools", "--no-extensions"]);
    assert_eq!(arguments.last().unwrap(), " @x");
    pty.press("<enter>");
    assert_eq!(pty.finish().status.exit_code(), 7);
}

#[test]
fn a_script_gets_what_was_picked_and_the_screen_is_drawn_beside_it() {
    for (what, keys, wanted) in [
        ("--pick", "o", "agent/sessions/--work--/s.jsonl>"),
        ("--pick=id", "<tab>o", "<0123>"),
        ("--pick=entry", "<tab><tab><enter>", "s.jsonl\taaaa>"),
    ] {
        let script = format!(r#"picked=$("$PISCOPE" {what}); echo "status $?: <$picked>""#);
        let mut pty = Home::new().run("/bin/sh", &["-c", &script], &[]);
        pty.wait_for_text("▎ hé");
        pty.press(keys);
        let written = pty.wait_for_output(wanted, |written| written.contains(wanted));
        assert!(written.contains("status 0: <"));
        pty.finish().assert_restored();
    }
}

#[test]
fn the_readmes_shell_function_goes_on_with_what_is_picked() {
    let readme = include_str!("../../README.md");
    let from = readme.find("pis() {").unwrap();
    let function = readme[from..].split("```").next().unwrap();
    let home = Home::new();
    let session = home.session();
    let script = format!("piscope() {{ \"$PISCOPE\" \"$@\"; }}\n{function}\npis");
    let mut pty = home.run("/bin/bash", &["-c", &script], &[]);
    pty.wait_for_text("▎ hé");
    pty.press("o");
    pty.wait_for_text("pi is here");
    assert_eq!(arguments(&pty), ["--session", session.to_str().unwrap()]);
    pty.press("<enter>");
    pty.finish().assert_restored();
}

#[test]
fn picking_nothing_is_a_status_of_its_own() {
    let script = r#"picked=$("$PISCOPE" --pick); echo "status $?: <$picked>""#;
    let mut pty = Home::new().run("/bin/sh", &["-c", script], &[]);
    pty.wait_for_text("▎ hé");
    pty.press("q");
    pty.wait_for_text("status 3: <>");
    pty.finish().assert_restored();
}

#[test]
fn the_next_start_goes_on_where_the_last_one_ended() {
    let script = r#""$PISCOPE"; echo "left"; "$PISCOPE""#;
    let mut pty = Home::new().run("/bin/sh", &["-c", script], &[]);
    pty.wait_for_text("enter open");
    pty.press("<tab>");
    pty.wait_for_text("enter read");
    pty.press("q");
    pty.wait_for("the second start, in the tree", |screen| {
        screen.alternate_screen() && screen.contents().contains("enter read")
    });
    pty.wait_for_output("the end of the first", |written| written.contains("left"));
    pty.press("q");
    pty.finish().assert_restored();
}
