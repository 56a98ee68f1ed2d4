//! The real pi, kept running behind the oracle's batch mode.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::Value;

/// The longest that pi may think about one question.
const LIMIT: Duration = Duration::from_secs(20);

/// A pi that answers questions about the files of one folder.
pub(crate) struct Oracle {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
}

impl Oracle {
    /// Starts pi in `folder`, as `PI_PACKAGE_DIR` and `PI_NODE` say; `None` where they say nothing.
    pub(crate) fn start(folder: &Path) -> Option<Self> {
        let package = PathBuf::from(std::env::var_os("PI_PACKAGE_DIR")?);
        let node = PathBuf::from(std::env::var_os("PI_NODE")?);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/oracle.mjs");
        let mut child = Command::new(node)
            .arg(script)
            .args(["batch", "--pi"])
            .arg(package)
            .current_dir(folder)
            .env("HOME", "/home/dev")
            .env("TZ", "UTC")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the oracle starts");
        let questions = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, answers) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Some(Self { child, questions, answers })
    }

    /// Puts a question.
    pub(crate) fn ask(&mut self, question: &[String]) -> Value {
        let line = serde_json::to_string(question).expect("JSON");
        writeln!(self.questions, "{line}").expect("the oracle listens");
        match self.answers.recv_timeout(LIMIT) {
            Ok(answer) => crate::pi::parse(&answer),
            Err(error) => panic!("pi gave no answer to {line}: {error}"),
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // A process that has already ended is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
