//! The real program on a real terminal: it draws, it ends, and it leaves no trace.

#![cfg(feature = "tui")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a harness fails by panicking")]

mod answers;
mod copying;
mod handover;
mod home;
mod in_pi;
mod linear;
mod terminal;
mod writing;

use rustix::process::Signal;
use terminal::{Pty, signal_process};

/// The demo, drawn for the first time.
fn demo() -> Pty {
    let pty = Pty::piscope(&["--demo"]);
    pty.wait_for_text("Sessions");
    pty
}

#[test]
fn it_draws_on_the_alternate_screen_and_quits() {
    let mut pty = demo();
    pty.wait_for("the modes of a full screen", |screen| {
        screen.alternate_screen()
            && screen.hide_cursor()
            && screen.bracketed_paste()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::ButtonMotion
            && screen.mouse_protocol_encoding() == vt100::MouseProtocolEncoding::Sgr
    });
    assert!(!pty.has_first_modes(), "raw mode is on");
    pty.press("q");
    let ended = pty.finish();
    ended.assert_restored();
    assert_eq!((ended.status.exit_code(), ended.status.signal()), (0, None));
    assert_eq!(ended.screen.contents(), "", "nothing is left on the shell's screen");
}

#[test]
fn control_c_always_leaves() {
    for before in ["", "/some words", "?"] {
        let mut pty = demo();
        pty.press(before);
        pty.press("<c-c>");
        pty.finish().assert_restored();
    }
}

#[test]
fn a_signal_ends_it_cleanly_and_is_what_it_died_of() {
    for (signal, name) in [
        (Signal::TERM, "Terminated"),
        (Signal::INT, "Interrupt"),
        (Signal::HUP, "Hangup"),
        (Signal::QUIT, "Quit"),
    ] {
        let pty = demo();
        pty.signal(signal);
        let ended = pty.finish();
        ended.assert_restored();
        let died_of = ended.status.signal().map(|text| text.split(' ').next().unwrap());
        assert_eq!(died_of, Some(name));
    }
}

#[test]
fn it_draws_again_after_any_change_of_size() {
    let mut pty = demo();
    // The last size is the first again, but the terminal has cut what was drawn.
    for (columns, rows) in [(60, 20), (200, 50), (1, 1), (120, 40)] {
        pty.resize(columns, rows);
    }
    pty.wait_for_text("Sessions");
    pty.press("q");
    pty.finish().assert_restored();
}

#[test]
fn an_answer_about_colours_is_not_taken_for_keys() {
    let mut pty = demo();
    // It holds the keys `r` and `b`, and ends in what would be `alt+\`.
    pty.send(b"\x1b]11;rgb:fafa/fafa/f8f8\x1b\\");
    pty.press("q");
    let ended = pty.finish();
    ended.assert_restored();
    assert_eq!(ended.status.exit_code(), 0);
}

/// Runs the demo as a job of a shell that, once the job stops, says so and waits for a line to continue it.
fn job() -> (Pty, u32) {
    let pty = Pty::shell(
        r#"set -m
        sh -c 'echo "process $$."; exec "$PISCOPE" --demo'
        echo "stopped: $?"; read -r line; fg >/dev/null; echo "ended: $?""#,
    );
    let written = pty.wait_for_output("the number of the process", |written| written.contains('.'));
    let number = written.split("process ").nth(1).and_then(|rest| rest.split('.').next());
    let process = number.unwrap().parse().unwrap();
    pty.wait_for_text("Sessions");
    (pty, process)
}

#[test]
fn it_stops_and_continues_like_any_job() {
    for stop in [(|pty, _| pty.press("<c-z>")) as fn(&mut Pty, u32), |_, process| {
        signal_process(process, Signal::TSTP);
    }] {
        let (mut pty, process) = job();
        stop(&mut pty, process);
        pty.wait_for_text("stopped:");
        pty.wait_for("the shell's screen", |screen| !screen.alternate_screen() && !screen.hide_cursor());
        pty.press("<enter>");
        pty.wait_for("the picture", |screen| {
            screen.alternate_screen() && screen.contents().contains("Sessions")
        });
        pty.press("q");
        pty.wait_for_text("ended: 0");
        pty.finish().assert_restored();
    }
}

/// Waits until the program has taken the terminal for the second time.
fn wait_for_return(pty: &Pty) {
    pty.wait_for_output("the alternate screen, again", |written| written.matches("\x1b[?1049h").count() == 2);
}

#[test]
fn it_does_not_stop_where_no_shell_could_continue_it() {
    let mut pty = demo();
    pty.signal(Signal::TSTP);
    wait_for_return(&pty);
    pty.press("q");
    let ended = pty.finish();
    ended.assert_restored();
    assert_eq!(ended.status.exit_code(), 0);
}

#[test]
fn it_takes_the_screen_again_after_a_stop_that_it_could_not_see() {
    let mut pty = demo();
    pty.signal(Signal::STOP);
    pty.signal(Signal::CONT);
    wait_for_return(&pty);
    pty.wait_for("the picture", |screen| screen.alternate_screen() && screen.contents().contains("Sessions"));
    pty.press("q");
    pty.finish().assert_restored();
}

#[test]
fn without_a_terminal_it_says_so_and_writes_no_control_codes() {
    let pty = Pty::shell(r#""$PISCOPE" --demo | cat; echo done"#);
    pty.wait_for_text("done");
    let ended = pty.finish();
    assert!(ended.screen.contents().contains("is not a terminal"), "{}", ended.screen.contents());
    assert!(!ended.output.contains(&b'\x1b'));
}
