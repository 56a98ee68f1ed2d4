//! The real pi's session manager in a process of its own.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A pi that appends, opens and branches when it is told to.
pub(crate) struct Pi {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Pi {
    /// Starts pi as `PI_PACKAGE_DIR` and `PI_NODE` say; says so and gives `None` where they say nothing.
    pub(crate) fn start() -> Option<Self> {
        let (Some(package), Some(node)) = (std::env::var_os("PI_PACKAGE_DIR"), std::env::var_os("PI_NODE"))
        else {
            println!("not compared: PI_PACKAGE_DIR and PI_NODE are not set");
            return None;
        };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/writes/pi.mjs");
        let mut child = Command::new(node)
            .arg(script)
            .arg(PathBuf::from(package))
            .env("HOME", "/home/dev")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("pi starts");
        let questions = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Some(Self { child, questions, answers })
    }

    /// Has pi do something to a file. `more` are the fields of the question besides.
    pub(crate) fn act(&mut self, act: &str, file: &Path, more: Value) -> Value {
        self.begin(act, file, more);
        self.answer()
    }

    /// The same without waiting for the answer.
    pub(crate) fn begin(&mut self, act: &str, file: &Path, more: Value) {
        let mut question = json!({ "act": act, "file": file });
        if let (Some(question), Value::Object(more)) = (question.as_object_mut(), more) {
            question.extend(more);
        }
        writeln!(self.questions, "{question}").expect("pi listens");
    }

    /// The answer to what was begun.
    pub(crate) fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("pi answers");
        serde_json::from_str(&line).expect("JSON")
    }
}

impl Drop for Pi {
    fn drop(&mut self) {
        // A process that has already ended is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
