//! The extension that opens the program from within the real pi.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::home::Home;

/// A session of the same folder, one of whose prompts is another.
const OTHER: &str = r#"{"type":"message","id":"dddd","parentId":null,"timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"from another session"}}
"#;

/// `PI_PACKAGE_DIR` and `PI_NODE` say where pi and the node that runs it are.
#[test]
fn browse_takes_a_prompt_into_pis_editor_and_switches_sessions() {
    let (Ok(package), Ok(node)) = (std::env::var("PI_PACKAGE_DIR"), std::env::var("PI_NODE")) else {
        eprintln!("skipped: PI_PACKAGE_DIR and PI_NODE do not say where pi is");
        return;
    };
    let home = Home::new();
    let pi = format!("#!/bin/sh\nexec '{node}' '{package}/dist/cli.js' \"$@\"\n");
    fs::write(home.path("bin/pi"), pi).unwrap();
    fs::set_permissions(home.path("bin/pi"), PermissionsExt::from_mode(0o755)).unwrap();
    let session = fs::read_to_string(home.session()).unwrap();
    let header = session.lines().next().unwrap().replace("0123", "4567").replace("2026-01", "2025-01");
    let other = home.session().with_file_name("other.jsonl");
    fs::write(&other, format!("{header}\n{OTHER}")).unwrap();
    let extensions = home.path("agent/extensions");
    fs::create_dir_all(&extensions).unwrap();
    let extension = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/pi-extension/piscope.ts");
    fs::copy(extension, extensions.join("piscope.ts")).unwrap();

    let agent = home.path("agent");
    let script = format!("cd work && exec pi --session '{}'", home.session().display());
    let variables = [("PI_OFFLINE", "1"), ("PI_CODING_AGENT_DIR", agent.to_str().unwrap())];
    let mut pty = home.run("/bin/sh", &["-c", &script], &variables);
    pty.wait_for_text("No models available");

    // The tree of the session that is open; its prompt is taken.
    pty.press("/browse<enter>");
    pty.wait_for_text("▎ hé");
    pty.press("o");
    let is_in_editor = |screen: &vt100::Screen| {
        !screen.contents().contains("Sessions") && screen.contents().matches("hé").count() == 2
    };
    pty.wait_for("the prompt in pi's editor", is_in_editor);
    pty.press("<c-u>");

    // Nothing is picked, and pi is as it was.
    pty.press("/browse<enter>");
    pty.wait_for_text("▎ hé");
    pty.press("q");
    // Both take pastes in brackets each time that they take the terminal: pi, piscope, pi, piscope, pi.
    pty.wait_for_output("pi again", |written| written.matches("\x1b[?2004h").count() == 5);

    // Another session is picked.
    pty.press("/browse<enter>");
    pty.wait_for_text("from another");
    pty.press("<s-tab><end>");
    pty.wait_for_text("▎ from another session");
    pty.press("o");
    pty.wait_for("the other session in pi", |screen| {
        let text = screen.contents();
        !text.contains("Sessions") && text.contains("from another session") && !text.contains("hé")
    });
    pty.press("<c-d>");
    drop(pty.finish());
}
