//! Texts that are copied: to the terminal, tmux, X11 and Wayland, or printed at the end.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::home::Home;

#[test]
fn a_copy_without_a_desktop_goes_to_the_terminal() {
    let mut pty = Home::new().piscope(&[], &[]);
    pty.press("ym");
    pty.wait_for_text("1 message: sent 2 characters to the terminal's clipboard");
    pty.wait_for_output("OSC 52", |written| written.contains("\x1b]52;c;aMOp\x1b\\"));
    pty.press("q");
    pty.finish().assert_restored();
}

#[test]
fn a_copy_in_screen_is_wrapped_for_it() {
    let mut pty = Home::new().piscope(&[], &[("STY", "1.here")]);
    pty.press("ym");
    pty.wait_for_output("OSC 52", |written| written.contains("\x1bP\x1b]52;c;aMOp\x07\x1b\\"));
    pty.press("q");
    pty.finish().assert_restored();
}

#[test]
fn what_cannot_be_copied_is_printed_at_the_end() {
    let mut pty = Home::new().piscope(&[], &[("PISCOPE_CLIPBOARD", "print")]);
    pty.press("ym");
    pty.wait_for_text("not copied; 2 characters will be printed at the end");
    pty.press("q");
    let ended = pty.finish();
    ended.assert_restored();
    assert_eq!(ended.screen.contents().trim(), "hé");
}

#[test]
fn what_a_file_holds_is_printed_to_a_terminal_as_text_only() {
    let home = Home::new();
    let line = r#"{"type":"message","id":"bbbb","parentId":"aaaa","message":{"role":"user","content":"\u001b]0;evil\u0007end"}}"#;
    fs::write(home.session(), fs::read_to_string(home.session()).unwrap() + line + "\n").unwrap();
    let mut pty = home.run(env!("CARGO_BIN_EXE_piscope"), &[], &[("PISCOPE_CLIPBOARD", "print")]);
    pty.wait_for_text("▎ end");
    pty.press("ym");
    pty.wait_for_text("will be printed at the end");
    pty.press("q");
    let ended = pty.finish();
    assert!(ended.screen.contents().contains("end"));
    assert!(!String::from_utf8_lossy(&ended.output).contains("]0;evil"));
}

#[test]
fn an_unknown_way_to_copy_is_refused() {
    let pty = Home::new().run(env!("CARGO_BIN_EXE_piscope"), &[], &[("PISCOPE_CLIPBOARD", "smoke")]);
    pty.wait_for_text("PISCOPE_CLIPBOARD is smoke, which is none of auto");
    let ended = pty.finish();
    assert_eq!(ended.status.exit_code(), 2);
    assert!(!ended.output.contains(&b'\x1b'));
}

/// Whether a program can be run; says so where it cannot.
fn is_installed(program: &str) -> bool {
    let found = Command::new(program).arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn a_copy_in_tmux_reaches_tmux_and_its_terminal() {
    if !is_installed("tmux") {
        return;
    }
    let home = Home::new();
    let socket = home.path("socket");
    let socket = socket.to_str().unwrap().to_owned();
    let tmux = ["-S", &socket, "-f", "/dev/null", "new-session", env!("CARGO_BIN_EXE_piscope")];
    let mut pty = home.run("tmux", &tmux, &[]);
    pty.wait_for_text("▎ hé");
    pty.press("ym");
    pty.wait_for_text("1 message: copied 2 characters to tmux");
    // tmux itself tells the terminal, as its default `set-clipboard external` allows.
    pty.wait_for_output("OSC 52 from tmux", |written| {
        written.contains("\x1b]52;") && written.contains("aMOp")
    });
    let buffer = Command::new("tmux").args(["-S", &socket, "show-buffer"]).output().unwrap();
    assert_eq!(String::from_utf8(buffer.stdout).unwrap(), "hé");
    pty.press("q");
    pty.wait_for_text("[exited]");
    drop(pty.finish());
}

/// A Wayland compositor without a screen that ends with the test.
struct Sway {
    compositor: std::process::Child,
    runtime: TempDir,
    display: String,
}

impl Sway {
    fn start() -> Option<Self> {
        if !is_installed("sway") || !is_installed("wl-paste") {
            return None;
        }
        let runtime = tempfile::tempdir().unwrap();
        fs::set_permissions(runtime.path(), PermissionsExt::from_mode(0o700)).unwrap();
        let config = runtime.path().join("config");
        fs::write(&config, "xwayland disable\nexec echo \"$WAYLAND_DISPLAY\"\n").unwrap();
        let mut sway = Command::new("sway");
        // It refuses to be root.
        if runtime.path().metadata().unwrap().uid() == 0 {
            const NOBODY: u32 = 65_534;
            chown(runtime.path(), Some(NOBODY), Some(NOBODY)).unwrap();
            sway.uid(NOBODY).gid(NOBODY);
        }
        let mut compositor = sway
            .arg("-c")
            .arg(&config)
            .env("XDG_RUNTIME_DIR", runtime.path())
            .envs([
                ("WLR_BACKENDS", "headless"),
                ("WLR_LIBINPUT_NO_DEVICES", "1"),
                ("WLR_RENDERER", "pixman"),
            ])
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut display = String::new();
        let output = compositor.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut display).unwrap();
        let display = display.trim().to_owned();
        let started = Self { compositor, runtime, display };
        if started.display.is_empty() {
            eprintln!("skipped: sway does not start here");
            return None;
        }
        Some(started)
    }

    fn variables(&self) -> [(&str, &str); 2] {
        [("XDG_RUNTIME_DIR", self.runtime.path().to_str().unwrap()), ("WAYLAND_DISPLAY", &self.display)]
    }

    /// What another program would paste.
    fn paste(&self) -> String {
        let paste = Command::new("wl-paste").arg("--no-newline").envs(self.variables()).output().unwrap();
        String::from_utf8(paste.stdout).unwrap()
    }
}

impl Drop for Sway {
    fn drop(&mut self) {
        self.compositor.kill().unwrap();
        self.compositor.wait().unwrap();
    }
}

/// Copies on a desktop, and looks for the text there before and after the end of the program.
fn assert_outlives_the_program(variables: &[(&str, &str)], paste: impl Fn() -> String) {
    let mut pty = Home::new().piscope(&[], variables);
    pty.press("ym");
    pty.wait_for_text("1 message: copied 2 characters");
    assert_eq!(paste(), "hé");
    pty.press("q");
    pty.finish().assert_restored();
    // The server that takes over may need a moment to be the owner.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while paste() != "hé" {
        assert!(std::time::Instant::now() < deadline, "the text is gone with the program");
        std::thread::yield_now();
    }
}

#[test]
fn a_copy_on_wayland_outlives_the_program() {
    let Some(sway) = Sway::start() else { return };
    assert_outlives_the_program(&sway.variables(), || sway.paste());
}

/// A bare X server that ends with the test, and not sooner: one that resets when its last client leaves, as no desktop
/// does, drops the client that comes at that moment.
struct Xvfb {
    server: std::process::Child,
    display: String,
}

impl Xvfb {
    fn start() -> Option<Self> {
        if !is_installed("Xvfb") || !is_installed("xclip") {
            return None;
        }
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "320x240x8"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        let output = server.stdout.take().unwrap();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut number).unwrap();
        Some(Self { server, display: format!(":{}", number.trim()) })
    }

    /// What another program would paste.
    fn paste(&self) -> String {
        let paste = Command::new("xclip")
            .args(["-selection", "clipboard", "-o"])
            .env("DISPLAY", &self.display)
            .output()
            .unwrap();
        String::from_utf8(paste.stdout).unwrap()
    }
}

impl Drop for Xvfb {
    fn drop(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }
}

#[test]
fn a_copy_on_x11_outlives_the_program() {
    let Some(x) = Xvfb::start() else { return };
    assert_outlives_the_program(&[("DISPLAY", &x.display)], || x.paste());
}
