//! What a terminal tells about itself, and what becomes of it.

use rustix::process::Signal;

use crate::terminal::Pty;

/// The accent on a dark background and on a light one, as the palette of 256 has them.
const DARK: &str = "38;5;111;";
const LIGHT: &str = "38;5;26;";

/// A demo whose questions have been asked.
fn asked() -> Pty {
    let pty = Pty::piscope(&["--demo"]);
    pty.wait_for_output("the questions", |written| written.contains("\x1b]11;?\x1b\\\x1b[?u\x1b[c"));
    pty
}

/// Waits until something new was written in a colour.
fn wait_for_colour(pty: &Pty, colour: &str, after: usize) -> usize {
    pty.wait_for_output(colour, |written| written[after..].contains(colour)).len()
}

#[test]
fn the_first_picture_waits_for_the_colour_behind_the_text_and_no_key_is_lost() {
    let mut pty = asked();
    // Keys among the answers, one of them in pieces.
    pty.send(b"?\x1b]11;rgb:fafa/fa");
    pty.send(b"fa/f8f8\x1b\\\x1b[?62;22c");
    pty.wait_for_text("Everywhere");
    wait_for_colour(&pty, LIGHT, 0);
    pty.press("qq");
    let ended = pty.finish();
    ended.assert_restored();
    let written = String::from_utf8_lossy(&ended.output);
    assert!(!written.contains(DARK), "it was first drawn for another background");
    assert!(!written.contains("\x1b[>1u"), "the kitty protocol was asked of a terminal that has none");
}

#[test]
fn it_follows_the_terminal_from_dark_to_light_and_back() {
    let mut pty = asked();
    pty.send(b"\x1b]11;rgb:1616/1717/1c1c\x07\x1b[?62c");
    let dark = wait_for_colour(&pty, DARK, 0);
    pty.send(b"\x1b[?997;2n");
    let light = wait_for_colour(&pty, LIGHT, dark);
    // What it is really like is told by its colour.
    let asked = |count| move |written: &str| written.matches("\x1b]11;?").count() == count;
    pty.wait_for_output("the question, again", asked(2));
    pty.send(b"\x1b]11;rgb:0/0/0\x07");
    wait_for_colour(&pty, DARK, light);
    pty.send(b"\x1b[I");
    pty.wait_for_output("the question when one comes back", asked(3));
    pty.press("q");
    pty.finish().assert_restored();
}

#[test]
fn the_kitty_keyboard_is_used_where_there_is_one_and_given_back_on_every_way_out() {
    for signal in [None, Some(Signal::TERM), Some(Signal::HUP)] {
        let mut pty = asked();
        pty.send(b"\x1b[?0u\x1b[?62c");
        pty.wait_for_output("the protocol", |written| written.contains("\x1b[>1u"));
        pty.wait_for_text("Sessions");
        // Only so can these be told from other keys.
        pty.send(b"\x1b[9u\x1b[111;6u");
        pty.wait_for_text("Tree all");
        match signal {
            None => pty.send(b"\x1b[99;5u"),
            Some(signal) => pty.signal(signal),
        }
        let ended = pty.finish();
        ended.assert_restored();
        let written = String::from_utf8_lossy(&ended.output);
        let is_in_time = written.rfind("\x1b[<1u") < written.rfind("\x1b[?1049l");
        assert!(is_in_time, "{signal:?}: each screen has a state of its own");
    }
}

#[test]
fn the_mouse_is_left_alone_on_request() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = Pty::at(home, env!("CARGO_BIN_EXE_piscope"), &["--demo"], &[("PISCOPE_MOUSE", "no")]);
    pty.wait_for_text("Sessions");
    pty.press("q");
    let ended = pty.finish();
    ended.assert_restored();
    assert!(!String::from_utf8_lossy(&ended.output).contains("\x1b[?1000h"));
}
