//! A home folder with a session and a fake pi.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::terminal::Pty;

/// A pi that records how it was called, says that it is there and waits for a line.
const FAKE_PI: &str = r#"#!/bin/sh
{
    echo "process $$"
    echo "cwd $(pwd)"
    echo "agent $PI_CODING_AGENT_DIR"
    echo "modes $(stty -g)"
    for argument in "$@"; do printf 'argument <%s>\n' "$argument"; done
} >"$HOME/called"
echo "pi is here"
read -r line
exit 7
"#;

/// A home with one session of the folder `work` in it, and a fake pi.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Self { folder };
        fs::create_dir_all(home.path("work")).unwrap();
        fs::create_dir_all(home.path("bin")).unwrap();
        fs::write(home.path("bin/pi"), FAKE_PI).unwrap();
        fs::set_permissions(home.path("bin/pi"), PermissionsExt::from_mode(0o755)).unwrap();
        let store = home.path("agent/sessions/--work--");
        fs::create_dir_all(&store).unwrap();
        let cwd = home.path("work");
        let lines = format!(
            r#"{{"type":"session","version":3,"id":"0123","timestamp":"2026-01-01T00:00:00.000Z","cwd":"{}"}}
{{"type":"message","id":"aaaa","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{{"role":"user","content":"hé"}}}}
"#,
            cwd.display()
        );
        fs::write(home.session(), lines).unwrap();
        // Old enough not to count as live.
        let file = fs::File::options().append(true).open(home.session()).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(3600)).unwrap();
        home
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(below)
    }

    pub(crate) fn session(&self) -> PathBuf {
        self.path("agent/sessions/--work--/s.jsonl")
    }

    /// The variables in which pi is found and its folder is given relative to the home.
    fn variables(&self) -> [(&'static str, String); 2] {
        let path = std::env::var("PATH").unwrap();
        [
            ("PATH", format!("{}:{path}", self.path("bin").display())),
            ("PI_CODING_AGENT_DIR", "agent".to_owned()),
        ]
    }

    /// Starts the program and waits for its first picture.
    pub(crate) fn piscope(self, arguments: &[&str], variables: &[(&str, &str)]) -> Pty {
        let pty = self.run(env!("CARGO_BIN_EXE_piscope"), arguments, variables);
        pty.wait_for_text("▎ hé");
        pty
    }

    pub(crate) fn run(self, program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Pty {
        let own = self.variables();
        let mut all: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
        all.extend_from_slice(variables);
        Pty::at(self.folder, program, arguments, &all)
    }
}
