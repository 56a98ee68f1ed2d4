//! The screen as lines: what changes is said, and nothing moves the cursor.

use crate::home::Home;

#[test]
fn what_changes_is_a_line_and_nothing_is_drawn() {
    let mut pty = Home::new().run(env!("CARGO_BIN_EXE_piscope"), &["--linear"], &[]);
    pty.wait_for_text("Sessions");
    pty.wait_for_text("hé 1");
    pty.press("<tab><tab>");
    pty.wait_for_text("Messages stored");
    pty.wait_for_text("you");
    pty.press("y");
    pty.wait_for_text("m message text, as it was written");
    pty.press("<down>");
    pty.wait_for_text("c code block");
    pty.press("<up><enter>");
    pty.wait_for_text("1 message: sent 2 characters to the terminal's clipboard");
    pty.press("q");
    let ended = pty.finish();
    assert_eq!(ended.status.exit_code(), 0);
    let written = String::from_utf8(ended.output).unwrap();
    let sequences: Vec<&str> = written.split('\x1b').skip(1).collect();
    let allowed = ["[?2004h", "[?2004l", "]52;c;aMOp", "\\"];
    assert!(
        sequences.iter().all(|sequence| allowed.iter().any(|start| sequence.starts_with(start))),
        "{sequences:?}"
    );
    assert!(!written.contains(['│', '─', '▌', '▎', '•']), "{written}");
}

#[test]
fn ascii_is_drawn_where_the_locale_knows_no_more() {
    let mut pty = Home::new().run(env!("CARGO_BIN_EXE_piscope"), &[], &[("LANG", "C"), ("LC_ALL", "C")]);
    let screen = pty.wait_for_text("| h?");
    assert!(screen.is_ascii(), "{screen}");
    assert!(screen.contains("- Sessions all - threaded --"), "{screen}");
    pty.press("q");
    pty.finish().assert_restored();
}

#[test]
fn a_terminal_without_a_screen_is_refused_with_advice() {
    let pty = Home::new().run(env!("CARGO_BIN_EXE_piscope"), &[], &[("TERM", "dumb")]);
    pty.wait_for_text("piscope --linear");
    let ended = pty.finish();
    assert_eq!(ended.status.exit_code(), 1);
    assert!(!ended.output.contains(&b'\x1b'));
}
