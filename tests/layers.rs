//! Who may import whom: the table of the design, checked against every path in `src/`.
//!
//! A path is read wherever it stands, in a `use` or in an expression, with groups opened and `super` resolved.
//! Test modules are free to use what they like.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A top-level module with what it may use of ours and what it must not use of others.
struct Layer {
    name: &'static str,
    ours: &'static [&'static str],
    denied: &'static [&'static str],
}

const ALL: &[&str] = &[
    "error", "cancel", "format", "session", "store", "config", "resume", "edit", "present", "export", "app",
    "jobs", "tui", "cli",
];
const TERMINAL: [&str; 4] = ["ratatui", "crossterm", "tui_tree_widget", "arboard"];

/// What a module without I/O and without a clock must not use.
const PURE: &[&str] = &["std::fs", "std::env", "std::thread", "std::time::Instant", "std::time::SystemTime"];
/// The same where positioned reads of an open file are allowed.
const TIMELESS: &[&str] = &["std::env", "std::thread", "std::time::Instant", "std::time::SystemTime"];

const LAYERS: &[Layer] = &[
    Layer { name: "error", ours: &[], denied: &["std::fs", "std::env"] },
    Layer { name: "cancel", ours: &["error"], denied: &["std::fs", "std::env"] },
    Layer { name: "format", ours: &[], denied: PURE },
    Layer { name: "session", ours: &["error", "cancel", "format"], denied: TIMELESS },
    Layer { name: "store", ours: &["error", "cancel", "format", "session"], denied: &["std::env"] },
    Layer { name: "edit", ours: &["error", "cancel", "format", "session", "store"], denied: &["std::env"] },
    Layer { name: "config", ours: &["format", "session", "store", "present"], denied: &["std::env"] },
    Layer {
        name: "resume",
        ours: &["error", "cancel", "format", "session", "store"],
        denied: &["std::thread"],
    },
    Layer { name: "present", ours: &["error", "cancel", "format", "session"], denied: PURE },
    Layer {
        name: "export",
        ours: &["error", "cancel", "format", "session", "store", "edit", "present"],
        denied: &["std::env"],
    },
    Layer {
        name: "app",
        ours: &[
            "error", "cancel", "format", "session", "store", "config", "resume", "edit", "present", "export",
        ],
        denied: PURE,
    },
    Layer {
        name: "jobs",
        ours: &[
            "error", "cancel", "format", "session", "store", "resume", "edit", "present", "export", "app",
        ],
        denied: &["std::env", "std::thread"],
    },
    Layer { name: "tui", ours: ALL, denied: &[] },
    Layer {
        name: "cli",
        ours: &[
            "error", "cancel", "format", "session", "store", "config", "resume", "edit", "present", "export",
        ],
        denied: &[],
    },
];

/// Modules and the paths that are theirs although their layer is denied them, each with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("store::locate", "std::env", "it is the one place that reads the environment"),
    ("app", "ratatui::layout", "rectangles and sizes are plain data"),
    ("cli", "ratatui::layout", "rectangles and sizes are plain data"),
];

#[test]
fn every_module_uses_only_what_its_layer_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut report = String::new();
    let files = rust_files(&root);
    assert!(files.len() > 10, "src holds {} files", files.len());
    for file in files {
        let module = module_of(file.strip_prefix(&root).unwrap());
        for breach in breaches(&module, &fs::read_to_string(&file).unwrap()) {
            writeln!(report, "src/{}: {breach}", file.strip_prefix(&root).unwrap().display()).unwrap();
        }
    }
    assert!(report.is_empty(), "modules that reach out of their layer:\n{report}");
}

#[test]
fn a_breach_is_seen_however_it_is_written() {
    for (module, source, wanted) in [
        ("format::head", "use crate::session::Session;", "format must not use session"),
        ("format", "use super::store;", "format must not use store"),
        ("format::a::b", "super::super::super::edit::append(x)", "format must not use edit"),
        ("app::tree", "use std::{io, fs as files};", "app must not use std::fs"),
        ("app", "let now = std::time::Instant::now();", "app must not use std::time::Instant"),
        ("store::scan", "use crate::{error::{Cause, Error}, app::{App}};", "store must not use app"),
        ("session", "fn f(x: &ratatui::text::Line) {}", "session must not use ratatui"),
        ("surprise", "use crate::format::js;", "surprise is in no layer"),
    ] {
        let found = breaches(module, source);
        assert_eq!(found.len(), 1, "{module}: {source}: {found:?}");
        assert!(found[0].contains(wanted), "{found:?}");
    }
}

#[test]
fn what_a_layer_may_do_is_no_breach() {
    for (module, source) in [
        ("format::head", "use super::{content::Block, js}; // use crate::session::Session"),
        ("format", r#"let text = "std::fs::read and crate::app";"#),
        ("store::locate", "std::env::var_os(name)"),
        ("app::regions", "use ratatui::layout::{Rect, Size};"),
        ("session", "use std::fs::File; use crate::format::json::Document;"),
        ("tui::draw", "use crate::{app::App, present}; use ratatui::Frame;"),
        ("format", "fn a() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n"),
        ("format", "let a = 'a'; let b: &'static str = c; let d = '\\''; let e = '\"'; app::run()"),
    ] {
        assert!(breaches(module, source).is_empty(), "{module}: {source}: {:?}", breaches(module, source));
    }
}

/// What a module's source uses although its layer must not, one sentence each.
fn breaches(module: &str, source: &str) -> Vec<String> {
    let top = module.split("::").next().unwrap_or_default();
    if top.is_empty() {
        return Vec::new();
    }
    let Some(layer) = LAYERS.iter().find(|layer| layer.name == top) else {
        return vec![format!("{top} is in no layer; give it a place in tests/layers.rs")];
    };
    let excepted = |path: &str| {
        EXCEPTIONS.iter().any(|(at, allowed, _)| is_below(module, at) && is_below(path, allowed))
    };
    let mut found: Vec<String> = paths(module, &tokens(&without_tests(source)))
        .into_iter()
        .filter(|path| !excepted(path))
        .filter_map(|path| denied(layer, &path))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn denied(layer: &Layer, path: &str) -> Option<String> {
    if let Some(rest) = path.strip_prefix("crate::") {
        let other = rest.split("::").next().unwrap_or_default();
        let known = ALL.contains(&other);
        let allowed = !known || other == layer.name || layer.ours.contains(&other);
        return (!allowed).then(|| format!("{} must not use {other} ({path})", layer.name));
    }
    let terminal = TERMINAL.iter().filter(|_| layer.name != "tui");
    let hit = layer.denied.iter().chain(terminal).find(|denied| is_below(path, denied))?;
    Some(format!("{} must not use {hit} ({path})", layer.name))
}

/// True when `path` is `above` or lies below it.
fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The path of the module a file holds: `app/tree.rs` is `app::tree`; `lib.rs` and
/// `main.rs` are the crate itself, as is the script that builds it.
fn module_of(file: &Path) -> String {
    let parts: Vec<_> =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    match parts.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["lib" | "main" | "build"] => String::new(),
        [folders @ .., "mod"] => folders.join("::"),
        whole => whole.join("::"),
    }
}

/// Every source file, test modules in files of their own left out.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for item in fs::read_dir(folder).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let tests: Vec<PathBuf> = found.iter().flat_map(|path| test_modules(path)).collect();
    found.retain(|path| !tests.iter().any(|test| path.starts_with(test) || path.with_extension("") == *test));
    found.sort();
    found
}

/// The test modules that a file has in files of their own: the path of each without its ending.
fn test_modules(path: &Path) -> Vec<PathBuf> {
    let source = fs::read_to_string(path).unwrap();
    let is_folder = path.file_stem().is_some_and(|stem| stem == "mod" || stem == "lib" || stem == "main");
    let folder = if is_folder { path.parent().unwrap().to_owned() } else { path.with_extension("") };
    let lines: Vec<&str> = source.lines().collect();
    let declared = lines.windows(2).filter(|lines| lines[0] == "#[cfg(test)]");
    let names = declared.filter_map(|lines| lines[1].strip_prefix("mod ")?.strip_suffix(';'));
    names.map(|name| folder.join(name)).collect()
}

/// The source without the modules that are compiled for tests only, as rustfmt lays them out.
fn without_tests(source: &str) -> String {
    let mut kept = String::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if line != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        // The item goes with its attribute: to its closing brace where it has one.
        if lines.next().is_some_and(|item| item.ends_with('{')) {
            lines.by_ref().take_while(|line| !line.starts_with('}')).for_each(drop);
        }
    }
    kept
}

/// The words and marks of Rust source that matter for paths; comments and literals are gone.
fn tokens(source: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(end) = raw_string_end(rest) {
            end
        } else if first == '"' {
            quoted_end(rest, '"')
        } else if first == '\'' && is_char_literal(rest) {
            quoted_end(rest, '\'')
        } else if first == '_' || first.is_alphanumeric() {
            let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
            out.push(rest[..end].to_owned());
            end
        } else if rest.starts_with("::") {
            out.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                out.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[taken..];
    }
    out
}

/// Where `r"…"` or `r#"…"#` at the start ends.
fn raw_string_end(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('r')?;
    let hashes = inner.len() - inner.trim_start_matches('#').len();
    let body = inner[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    Some(1 + hashes + 1 + body.find(&close)? + close.len())
}

fn quoted_end(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// True for `'a'` and `'\n'`, false for the lifetime `'a`.
fn is_char_literal(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    matches!((chars.next(), chars.next()), (Some('\\'), _) | (_, Some('\'')))
}

/// Every path in the tokens, groups opened: `a::{b, c::d}` is `a::b` and `a::c::d`. `self` and `super` at the start
/// are resolved against the module.
fn paths(module: &str, tokens: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let starts = is_word(&tokens[at]) && tokens.get(at + 1).is_some_and(|next| next == "::");
        let goes_on = at > 0 && tokens[at - 1] == "::";
        if starts && !goes_on {
            at = tree(tokens, at, &[], module, &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// Reads one use tree or path from `at` behind `before`, and returns where it ends.
fn tree(tokens: &[String], mut at: usize, before: &[String], module: &str, found: &mut Vec<String>) -> usize {
    let mut path = before.to_vec();
    let here: Vec<String> = std::iter::once("crate").chain(module.split("::")).map(str::to_owned).collect();
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "super" if path.is_empty() => path = here[..here.len() - 1].to_vec(),
            "super" => drop(path.pop()),
            "self" if path.is_empty() => path.clone_from(&here),
            "self" => {}
            "{" => {
                at += 1;
                while let Some(token) = tokens.get(at).filter(|token| *token != "}") {
                    at = match token.as_str() {
                        "," => at + 1,
                        "as" => at + 2,
                        _ => tree(tokens, at, &path, module, found).max(at + 1),
                    };
                }
                return at + 1;
            }
            word if is_word(word) => path.push(word.to_owned()),
            _ => break,
        }
        at += 1;
        if tokens.get(at).is_none_or(|next| next != "::") {
            break;
        }
        at += 1;
    }
    found.push(path.join("::"));
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c == '_' || c.is_alphabetic())
}
