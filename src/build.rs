//! Tells a release which commit it was built from, for `--version`.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    // Anybody else's build would only be repeated with every commit.
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if is_release { commit() } else { None };
    println!("cargo::rustc-env=PISCOPE_COMMIT={}", commit.map(|id| format!(" ({id})")).unwrap_or_default());
}

/// The commit of the sources, if they are a work tree of their own and not a copy inside somebody else's.
fn commit() -> Option<String> {
    let root = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new(&root).canonicalize().ok()? {
        return None;
    }
    for changing in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", changing])?;
        println!("cargo::rerun-if-changed={path}");
    }
    git(&["rev-parse", "--short=9", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
