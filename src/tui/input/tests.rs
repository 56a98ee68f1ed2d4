use super::*;
use proptest::prelude::*;

fn shown(heard: &[Heard]) -> String {
    let one = |heard: &Heard| match heard {
        Heard::Input(Input::Key(key)) => key.to_string(),
        Heard::Input(Input::Mouse(mouse)) => format!("{:?}@{},{}", mouse.kind, mouse.column, mouse.row),
        other => format!("{other:?}"),
    };
    heard.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// What is heard of bytes after which nothing comes.
fn heard(bytes: &[u8]) -> String {
    let mut parser = Parser::default();
    let mut heard = parser.feed(bytes);
    while parser.patience().is_some() {
        heard.extend(parser.give_up());
    }
    shown(&heard)
}

#[test]
fn keys_of_terminals_have_our_names() {
    for (bytes, keys) in [
        ("l", "l"),
        ("L?é設😀 ", "L ? é 設 😀 space"),
        ("\r\n\t\x7f\x08", "enter ctrl+j tab backspace backspace"),
        ("\x00\x01\x04\x1a\x1c\x1d\x1e\x1f", "ctrl+space ctrl+a ctrl+d ctrl+z ctrl+\\ ctrl+] ctrl+^ ctrl+-"),
        ("\x1b", "esc"),
        ("\x1b\x1b", "esc esc"),
        ("\x1b\x1bx", "esc esc x"),
        ("\x1b\x1b\x1b[A", "esc alt+up"),
        (
            "\x1bb\x1bB\x1b\r\x1b\x7f\x1b é\x1b\x04",
            "alt+b alt+shift+b alt+enter alt+backspace alt+space é ctrl+alt+d",
        ),
        ("\x1bé", "alt+é"),
        ("\x1b[", "alt+["),
        ("\x1bO", "alt+shift+o"),
        ("\x1bOx", "alt+shift+o x"),
        ("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F\x1b[E", "up down right left home end clear"),
        ("\x1bOA\x1bOH\x1bOF\x1bOP\x1bOS\x1bOM", "up home end f1 f4 enter"),
        (
            "\x1b[1~\x1b[2~\x1b[3~\x1b[4~\x1b[5~\x1b[6~\x1b[7~\x1b[8~",
            "home insert delete end pageUp pageDown home end",
        ),
        ("\x1b[11~\x1b[15~\x1b[17~\x1b[21~\x1b[23~\x1b[24~\x1b[34~", "f1 f5 f6 f10 f11 f12 f20"),
        ("\x1b[[A\x1b[[E", "f1 f5"),
        ("\x1b[Z", "shift+tab"),
        (
            "\x1b[1;5D\x1b[1;3C\x1b[1;2A\x1b[1;9B\x1b[3;5~",
            "ctrl+left alt+right shift+up super+down ctrl+delete",
        ),
        ("\x1b\x1b[D\x1b\x1bOC", "alt+left alt+right"),
        ("\x1b[1;5P\x1b[15;2~", "ctrl+f1 shift+f5"),
    ] {
        assert_eq!(heard(bytes.as_bytes()), keys, "{bytes:?}");
    }
}

#[test]
fn the_kitty_keyboard_protocol_says_more() {
    for (bytes, keys) in [
        ("\x1b[27u", "esc"),
        ("\x1b[100;5u\x1b[111;6u\x1b[79;6u", "ctrl+d ctrl+shift+o ctrl+shift+o"),
        ("\x1b[127;5u\x1b[13;2u\x1b[9;5u", "ctrl+backspace shift+enter ctrl+tab"),
        ("\x1b[107;9u\x1b[107;13u", "super+k super+ctrl+k"),
        ("\x1b[100;69u\x1b[100;133u", "ctrl+d ctrl+d"),
        ("\x1b[100;5:2u\x1b[100;5:3u", "ctrl+d"),
        ("\x1b[111:79;6u", "ctrl+shift+o"),
        ("\x1b[57414u\x1b[57421u\x1b[57404u\x1b[57441;2u\x1b[57428u", "enter pageUp 5"),
        ("\x1b[1;1:3A\x1b[57376u", "f13"),
        // What xterm says where it is asked to tell more, and tmux in its name.
        ("\x1b[27;5;105~\x1b[27;6;79~", "tab ctrl+shift+o"),
    ] {
        assert_eq!(heard(bytes.as_bytes()), keys, "{bytes:?}");
    }
}

#[test]
fn answers_are_no_typing() {
    for (bytes, expected) in [
        ("j\x1b]11;rgb:1616/1717/1c1c\x1b\\q", "j Background([22, 23, 28]) q"),
        ("\x1b]11;rgb:FF/fF/00\x07q", "Background([255, 255, 0]) q"),
        ("\x1b]11;rgb:f/0/8\x07", "Background([255, 0, 136])"),
        ("\x1b]11;rgba:ff/ff/ff/80\x07", "Background([255, 255, 255])"),
        ("\x1b]11;#16171c\x07", "Background([22, 23, 28])"),
        ("\x1b]11;#161617171c1c\x07", "Background([22, 23, 28])"),
        ("\x1b]11;rgb:1/2\x07q", "q"),
        ("\x1b]11;rgb:////\x07q", "q"),
        ("\x1b]1q", "alt+] 1 q"),
        ("\x1b]q", "alt+] q"),
        ("\x1b]", "alt+]"),
        ("\x1b]\x1b]", "alt+] alt+]"),
        ("\x1b]11;rgb:ffx\x01", "alt+] 1 1 ; r g b : f f x ctrl+a"),
        ("\x1b[?62;4;22cj", "Fence j"),
        ("\x1b[?0uj", "Keyboard j"),
        ("\x1b[?997;1nj\x1b[?997;2n", "Scheme(Dark) j Scheme(Light)"),
        ("\x1b[?997;3nj\x1b[?2026;2$yj\x1b[>1;10;0cj", "j j j"),
        ("\x1b[Ij\x1b[Oj", "Input(FocusGained) j Input(FocusLost) j"),
        // A sequence that breaks off leaves the next one whole.
        ("\x1b[12\x1b[Aj", "up j"),
    ] {
        assert_eq!(heard(bytes.as_bytes()), expected, "{bytes:?}");
    }
    let endless = format!("\x1b]11;rgb:{}", "f".repeat(99));
    assert_eq!(heard(endless.as_bytes()).matches('f').count(), 99);
}

#[test]
fn a_mouse_presses_drags_and_scrolls() {
    for (bytes, expected) in [
        ("\x1b[<0;4;5M\x1b[<32;5;5M\x1b[<0;5;5m", "Press(Left)@3,4 Drag(Left)@4,4 Release(Left)@4,4"),
        ("\x1b[<2;4;5M\x1b[<1;4;5M", "Press(Right)@3,4 Press(Middle)@3,4"),
        ("\x1b[<64;4;5M\x1b[<65;4;5M\x1b[<66;1;1M", "ScrollUp@3,4 ScrollDown@3,4 ScrollLeft@0,0"),
        ("\x1b[<35;4;5M\x1b[<0;0;0M\x1b[<0;4Mj", "j"),
        ("\x1b[M !!j", "j"),
    ] {
        assert_eq!(heard(bytes.as_bytes()), expected, "{bytes:?}");
    }
}

#[test]
fn a_paste_is_one_text_whatever_is_in_it() {
    let mut parser = Parser::default();
    for piece in ["\x1b[200~one\r\x1b[A\x03tw", "o\x1b[20", "1~j"] {
        let heard = parser.feed(piece.as_bytes());
        let expected = if piece.ends_with('j') { "Input(Paste(\"one\\r\\u{1b}[A\\u{3}two\")) j" } else { "" };
        assert_eq!(shown(&heard), expected);
        assert_eq!(parser.patience(), None);
    }
}

proptest! {
    /// However a terminal cuts what it sends, the same is heard, and nothing makes the reader fail.
    #[test]
    fn pieces_do_not_matter(
        parts in prop::collection::vec(
            prop_oneof![
                Just(b"\x1b[1;5D".to_vec()),
                Just(b"\x1b]11;rgb:1616/1717/1c1c\x1b\\".to_vec()),
                Just(b"\x1b[?62c".to_vec()),
                Just(b"\x1b[<0;4;5M".to_vec()),
                Just(b"\x1b[200~x\x1b[201~".to_vec()),
                Just("é".as_bytes().to_vec()),
                Just(b"j".to_vec()),
            ],
            0..12,
        ),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let bytes = parts.concat();
        let whole = Parser::default().feed(&bytes);
        prop_assert_eq!(whole.len(), parts.len());
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut parser = Parser::default();
        let pieces: Vec<Heard> = cuts.windows(2).flat_map(|cut| parser.feed(&bytes[cut[0]..cut[1]])).collect();
        prop_assert_eq!(pieces, whole);
    }

    #[test]
    fn noise_is_survived(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0x1b), Just(b'['), Just(b']')], 0..200)) {
        let mut parser = Parser::default();
        parser.feed(&bytes);
        while parser.patience().is_some() {
            let before = parser.pending.len();
            parser.give_up();
            prop_assert!(parser.pending.len() < before);
        }
    }
}
