//! The program as it is started: exit statuses, what goes to which stream, and that files stay as they are.

#![expect(clippy::expect_used, reason = "a test that cannot start the program has failed")]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// The program in an environment of its own, in which nobody has a store.
fn piscope(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_piscope"));
    command.args(args).env_clear().env("HOME", "/nowhere").env("TZ", "UTC");
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

fn run(args: &[&str]) -> Output {
    piscope(args).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A flat store with two sessions whose ids begin alike, and one of another id.
fn store() -> TempDir {
    let store = tempfile::tempdir().expect("a folder");
    for (name, id) in [("a", "0198-one"), ("b", "0198-two"), ("c", "7777")] {
        let lines = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2026-01-05T08:00:00.000Z\",\"cwd\":\"/p\"}}\n\
             {{\"type\":\"message\",\"id\":\"u1\",\"parentId\":null,\"timestamp\":\"2026-01-05T08:00:01.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"hello {name}\"}}}}\n"
        );
        fs::write(store.path().join(format!("{name}.jsonl")), lines).expect("a file");
    }
    store
}

#[test]
fn the_exit_status_says_what_happened() {
    let store = store();
    let store = store.path().to_string_lossy();
    let in_store = |args: &[&'static str]| -> Vec<String> {
        let args = args.iter().map(|&arg| arg.to_owned());
        args.chain(["--store".to_owned(), store.clone().into_owned()]).collect()
    };
    let sound = fixture("samples/v3-linear.jsonl").to_string_lossy().into_owned();
    let damaged = fixture("cases/002-torn-tail-partial-record.jsonl").to_string_lossy().into_owned();
    let no_session = fixture("cases/013-not-a-session-ndjson.jsonl").to_string_lossy().into_owned();
    let args = |args: &[&str]| args.iter().map(|&arg| arg.to_owned()).collect::<Vec<String>>();
    for (args, status, on_error) in [
        (args(&["info", &sound]), 0, ""),
        (args(&["check", &sound]), 0, ""),
        (args(&["info", "/nowhere/x.jsonl"]), 1, "cannot read /nowhere/x.jsonl: no such file or directory"),
        (args(&["tree", &no_session]), 1, "it is not a pi session"),
        (in_store(&["info", "0198"]), 1, "0198-one"),
        (args(&["tree", &sound, "--filter", "some"]), 2, "default, no-tools"),
        (args(&["x.jsonl", "list"]), 2, "a command takes its file behind its name"),
        (args(&["list", "--query", "re:["]), 2, "re:["),
        (args(&["show", &sound, "--raw", "--json"]), 2, "--raw"),
        (in_store(&["info", "99"]), 3, "99"),
        (in_store(&["list", "--query", "absent"]), 3, "no session to list"),
        (args(&["list"]), 3, "/nowhere/.pi/agent/sessions"),
        (args(&["show", &sound, "absent"]), 3, "cannot find entry absent"),
        (args(&["tree", &sound, "--find", "absent"]), 3, "no entry to show"),
        (args(&["check", &damaged]), 4, ""),
        (args(&["check", "/nowhere/x.jsonl", &sound]), 4, ""),
        (args(&["list", "--store", &sound]), 1, "cannot list"),
        (args(&["list", "--store", "/nowhere/store"]), 3, "/nowhere/store, which does not exist"),
        (in_store(&["info", "7"]), 0, ""),
        (in_store(&["info", "0198-t"]), 0, ""),
        (in_store(&["list", "--named"]), 3, "no session to list"),
        (in_store(&["check"]), 0, ""),
    ] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run(&args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{args:?} {error}");
        assert!(error.contains(on_error), "{args:?} {error}");
        assert_eq!(on_error.is_empty(), error.is_empty(), "{args:?} {error}");
        assert!(status == 2 || error.lines().count() <= 1, "one line: {error}");
    }
}

#[test]
fn one_json_document_ends_in_a_line_end() {
    let file = fixture("samples/v3-all-types.jsonl");
    let file = file.to_string_lossy();
    for command in ["info", "tree", "context", "show", "check"] {
        let output = text(&run(&[command, &file, "--json"]).stdout);
        assert!(output.ends_with("}\n") && output.matches('\n').count() == 1, "{command}");
        serde_json::from_str::<serde_json::Value>(&output).expect("JSON");
    }
}

#[test]
fn raw_lines_are_the_files_own_bytes() {
    let file = fixture("cases/019-invalid-utf8-bytes.jsonl");
    let bytes = fs::read(&file).expect("a fixture");
    let output = run(&["show", &file.to_string_lossy(), "--raw"]).stdout;
    let header = bytes.iter().position(|&byte| byte == b'\n').expect("a header") + 1;
    assert_eq!(output, bytes[header..]);
}

#[test]
fn what_people_read_holds_no_control_codes() {
    for name in [
        "cases/085-ansi-osc-c1-in-text.jsonl",
        "cases/079-name-newlines-escapes.jsonl",
        "cases/076-label-wide-and-control.jsonl",
    ] {
        let file = fixture(name);
        let folder = fixture("cases");
        for args in [
            vec!["info", &*file.to_string_lossy()],
            vec!["tree", &*file.to_string_lossy(), "--filter", "all"],
            vec!["context", &*file.to_string_lossy()],
            vec!["show", &*file.to_string_lossy()],
            vec!["list", "--store", &*folder.to_string_lossy()],
        ] {
            let output = text(&run(&args).stdout);
            let control = output.chars().find(|&c| c != '\n' && (c.is_control() || c == '\u{202e}'));
            assert_eq!(control, None, "{args:?}");
        }
    }
}

#[test]
fn forks_stand_where_they_left() {
    let store = tempfile::tempdir().expect("a folder");
    for name in ["099-thread-parent.jsonl", "100-thread-child.jsonl"] {
        let lines = fs::read_to_string(fixture("cases").join(name)).expect("a fixture");
        let lines = lines.replace("@DIR@", &store.path().to_string_lossy());
        fs::write(store.path().join(name), lines).expect("a file");
    }
    let parent = store.path().join("099-thread-parent.jsonl");
    let output =
        run(&["tree", &parent.to_string_lossy(), "--forks", "--store", &store.path().to_string_lossy()]);
    let output = text(&output.stdout);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!((lines[0], lines[2]), ("  • user: Parent talk", "› • assistant: ok"));
    assert!(lines[1].starts_with("  ↳ Child talk  ") && lines[1].ends_with("100-thread-child.jsonl"));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let file = fixture("samples/v3-all-types.jsonl");
    let mut child = piscope(&["show", &file.to_string_lossy()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut error).expect("text");
    assert_eq!((child.wait().expect("it ends").code(), error.as_str()), (Some(0), ""));
}

#[test]
fn reading_changes_no_byte_and_no_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("v1.jsonl");
    // pi would rewrite this file and add a line end.
    let mut bytes = fs::read(fixture("samples/v1.jsonl")).expect("a fixture");
    bytes.pop();
    fs::write(&file, &bytes).expect("a file");
    let before = fs::metadata(&file).expect("a file").modified().expect("a time");
    let (path, store) = (file.to_string_lossy(), folder.path().to_string_lossy());
    for args in [
        vec!["info", &*path],
        vec!["tree", &*path],
        vec!["context", &*path],
        vec!["show", &*path],
        vec!["check", &*store],
        vec!["list", "--store", &*store],
    ] {
        run(&args);
    }
    assert_eq!(fs::read(&file).expect("the file"), bytes);
    assert_eq!(fs::metadata(&file).expect("the file").modified().expect("a time"), before);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn resume_prints_the_command_and_starts_nothing() {
    let store = store();
    let root = store.path().canonicalize().expect("a path");
    let root = root.to_string_lossy();
    let resumed =
        |more: &[&str]| json(&[&["resume", "7777", "--store", &*root, "--json"][..], more].concat());
    let file = format!("{root}/c.jsonl");
    let plain = resumed(&[]);
    assert_eq!(plain["cwd"], "/p");
    assert_eq!(plain["argv"], serde_json::json!(["pi", "--session", file]));
    assert_eq!(plain["env"], serde_json::json!({}));
    let other = resumed(&["--in", "/else where", "--fork", "--tools", "read-only", "--prompt", "-v"]);
    assert_eq!(other["cwd"], "/else where");
    assert_eq!(
        other["argv"],
        serde_json::json!([
            "pi",
            "--session-dir",
            root,
            "--fork",
            file,
            "--tools",
            "read,grep,find,ls",
            "--",
            "-v"
        ])
    );
    let output = run(&["resume", "7777", "--store", &root, "--print"]);
    assert_eq!(text(&output.stdout), format!("cd /p && pi --session {file}\n"));
    let sessions = || fs::read_dir(store.path()).expect("a folder").count();
    let before = sessions();
    let output = run(&["resume", "7777", "--store", &root, "--at", "u1", "--resend", "--print"]);
    let line = text(&output.stdout);
    assert!(line.starts_with("piscope resume ") && line.ends_with(" --at u1 --resend\n"), "{line}");
    resumed(&["--at", "u1", "--print"]);
    let output = run(&["resume", "7777", "--store", &root, "--at", "u1", "--in", "/", "--prompt", "x"]);
    assert_eq!((output.status.code(), sessions()), (Some(3), before), "without a pi nothing is written");
    let rehearsed = resumed(&["--at", "u1", "--dry-run"]);
    assert_eq!(rehearsed["prompt"], "hello c");
    assert_eq!(fs::read_dir(store.path()).expect("a folder").count(), 3, "a rehearsal writes nothing");
    let resent = resumed(&["--at", "u1", "--resend"]);
    assert_eq!(resent["argv"][3], "hello c");
    assert!(Path::new(resent["argv"][2].as_str().expect("a path")).is_file());
    assert_eq!(fs::read_dir(store.path()).expect("a folder").count(), 4);
}

#[test]
fn resume_says_why_it_cannot() {
    let store = store();
    let root = store.path().to_string_lossy().into_owned();
    for (more, status, words) in [
        (&[][..], 1, "cannot start pi in /p: it is gone; choose another with --in DIR"),
        (&["--in", "/"], 3, "pi was not found: PATH is empty; the command would be: cd / && pi --session /"),
        (&["--at", "nothing", "--print"], 3, "has the id nothing"),
        (&["--prompt", &"x".repeat(130_000), "--print"], 0, ""),
        (&["--prompt", &"x".repeat(131_072 - 1), "--print"], 2, "it is too long for an argument"),
        (&["--tools", "all"], 2, "it is none of default, read-only, full, chat"),
    ] {
        let output = run(&[&["resume", "7777", "--store", &root][..], more].concat());
        assert_eq!(output.status.code(), Some(status), "{:?}", text(&output.stderr));
        assert!(text(&output.stderr).contains(words), "{words}: {}", text(&output.stderr));
    }
}

#[test]
fn prompts_and_labels_are_listed_the_newest_first() {
    let store = store();
    let root = store.path().to_string_lossy().into_owned();
    let more = "{\"type\":\"message\",\"id\":\"u2\",\"parentId\":null,\"timestamp\":\"2026-01-05T09:00:00.000Z\",\"message\":{\"role\":\"user\",\"content\":\"two\\nlines\"}}\n\
        {\"type\":\"label\",\"id\":\"l1\",\"parentId\":\"u2\",\"timestamp\":\"2026-01-05T09:00:01.000Z\",\"targetId\":\"u1\",\"label\":\"mark\"}\n";
    let file = store.path().join("c.jsonl");
    let before = fs::read_to_string(&file).expect("a file");
    fs::write(&file, before + more).expect("a file");
    let texts = |args: &[&str]| -> Vec<String> {
        let found = json(&[args, &["--store", &root, "--json"]].concat());
        let found = found["prompts"].as_array().expect("an array").clone();
        found.iter().map(|prompt| prompt["text"].as_str().expect("a text").to_owned()).collect()
    };
    assert_eq!(texts(&["prompts"])[0], "two\nlines");
    assert_eq!(texts(&["prompts"]).len(), 4);
    assert_eq!(texts(&["prompts", "--cwd", "/elsewhere"]).len(), 0);
    assert_eq!(texts(&["prompts", "7777"]), ["two\nlines"], "those of the branch pi continues");
    assert_eq!(texts(&["prompts", "7777", "--leaf", "u1"]), ["hello c"]);
    assert_eq!(texts(&["prompts", "7777", "--all"]), ["hello c", "two\nlines"]);
    let labels = json(&["labels", "--store", &root, "--json"]);
    assert_eq!(
        labels["labels"],
        serde_json::json!([{
            "path": file, "session": "7777", "entry": "u1", "label": "mark",
            "timestamp": "2026-01-05T09:00:01.000Z", "text": "hello c"
        }])
    );
    let output = run(&["labels", "--store", &root]);
    assert_eq!(text(&output.stdout), "[mark]  7777  u1  hello c\n");
    let output = run(&["labels", "--store", "/nowhere"]);
    assert_eq!(output.status.code(), Some(3));
}

/// A session whose last line is a label below its first entry, with a choice of tools, in a folder of its own.
fn left_behind() -> TempDir {
    let store = tempfile::tempdir().expect("a folder");
    let mut lines = String::from(
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-05T08:00:00.000Z\",\"cwd\":\"/p\"}\n",
    );
    for at in 0..30 {
        let parent = if at == 0 { "null".into() } else { format!("\"e{}\"", at - 1) };
        lines.push_str(&format!(
            "{{\"type\":\"message\",\"id\":\"e{at}\",\"parentId\":{parent},\"message\":{{\"role\":\"user\",\"content\":\"x\"}}}}\n"
        ));
    }
    lines.push_str(
        "{\"type\":\"custom\",\"customType\":\"pi-web:tool-selection\",\"data\":{\"version\":1,\"tools\":[]},\"id\":\"t\",\"parentId\":\"e0\"}\n",
    );
    fs::write(store.path().join("s.jsonl"), lines).expect("a file");
    store
}

#[test]
fn a_dead_branch_is_told_by_every_command() {
    let folder = left_behind();
    let (store, file) = (folder.path().to_string_lossy(), folder.path().join("s.jsonl"));
    let words = "pi would reopen the branch of t with 2 entries; the longest branch has 30 and ends at e29";
    for args in [
        vec!["check", &*store],
        vec!["info", &*file.to_string_lossy()],
        vec!["list", "--json", "--store", &*store],
    ] {
        let output = text(&run(&args).stdout);
        assert!(output.contains(words), "{args:?} {output}");
    }
    let info = json(&["info", &file.to_string_lossy(), "--json"]);
    assert_eq!(info["deadBranch"]["longestLeaf"], "e29");
    assert_eq!(
        (&info["deadBranch"]["entries"], &info["deadBranch"]["longestEntries"]),
        (&2.into(), &30.into())
    );
}

#[test]
fn the_choice_of_tools_is_told() {
    let folder = left_behind();
    let file = folder.path().join("s.jsonl");
    let info = json(&["info", &file.to_string_lossy(), "--json"]);
    assert_eq!(info["toolSelection"], serde_json::json!({ "tools": [], "preset": "Chat only" }));
    assert!(text(&run(&["info", &file.to_string_lossy()]).stdout).contains("Chat only"));
}

#[test]
fn the_context_tells_its_prompt_its_tools_and_its_size() {
    let file = fixture("cases/065-compaction-with-system-checkpoint.jsonl");
    let file = file.to_string_lossy();
    let context = json(&["context", &file, "--json", "--context-window", "1000"]);
    let system = &context["system"];
    let sections = system["sections"].as_array().expect("sections");
    assert!(sections.iter().all(|section| section["text"].is_string() && section["src"].is_string()));
    assert!(
        system["tools"]
            .as_array()
            .is_some_and(|tools| tools.iter().all(|tool| tool["declaration"].is_object()))
    );
    assert!(context["omitted"].as_array().is_some_and(|omitted| !omitted.is_empty()));
    assert_eq!(context["tokens"]["contextWindow"], 1000);

    let file = fixture("samples/v3-all-types.jsonl");
    let file = file.to_string_lossy();
    let known = json(&["context", &file, "--json", "--leaf", "null", "--context-window", "1000"]);
    assert_eq!((&known["tokens"]["used"], &known["tokens"]["percent"]), (&0.into(), &0.into()));
    let unknown = json(&["context", &file, "--json", "--leaf", "null"]);
    assert!(unknown["tokens"]["percent"].is_null() && unknown["tokens"]["contextWindow"].is_null());
    assert_eq!(run(&["context", &file, "--context-window", "0"]).status.code(), Some(2));
}

#[test]
fn no_command_says_undefined_to_people() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.jsonl");
    let lines = [
        r#"{"type":"session","version":3,"id":"s"}"#,
        r#"{"type":"message","id":"a","parentId":null,"message":{"content":"no role"}}"#,
        r#"{"type":"custom_message","id":"b","parentId":"a","content":"no type"}"#,
        r#"{"type":"custom","id":"c","parentId":"b"}"#,
        r#"{"type":"message","id":"d","parentId":"c","message":{"role":"assistant","content":[],"usage":{"input":5,"output":1}}}"#,
        r#"{"type":"usage","id":"e","parentId":"d","usage":{"input":5}}"#,
        r#"{"type":"model_change","id":"f","parentId":"e"}"#,
    ];
    fs::write(&file, lines.join("\n") + "\n").expect("a file");
    let file = file.to_string_lossy();
    for args in [
        vec!["info", &*file],
        vec!["tree", &*file, "--filter", "all"],
        vec!["context", &*file],
        vec!["show", &*file],
    ] {
        let output = run(&args);
        assert!(
            output.status.success() && !text(&output.stdout).contains("undefined"),
            "{args:?} {output:?}"
        );
    }
    let tree = json(&["tree", &file, "--filter", "all", "--json"]);
    assert_eq!(tree["rows"][0]["text"], "[undefined]");
    assert!(text(&run(&["tree", &file]).stdout).contains("(empty message)"));
}

#[test]
fn what_cannot_be_read_hides_nothing_else() {
    let sound = fixture("samples/v3-linear.jsonl").to_string_lossy().into_owned();
    let damaged = fixture("cases/002-torn-tail-partial-record.jsonl").to_string_lossy().into_owned();
    let output = run(&["check", "/nowhere/x.jsonl", &damaged, &sound]);
    let told = text(&output.stdout);
    assert!(told.contains("/nowhere/x.jsonl: no such file") && told.contains("002-torn"), "{told}");
    assert!(told.contains("3 files checked, 2 with findings"), "{told}");
}

#[test]
fn a_leaf_that_is_not_there_is_told() {
    let sound = fixture("samples/v3-linear.jsonl").to_string_lossy().into_owned();
    for command in ["context", "tree", "show"] {
        let output = text(&run(&[command, &sound, "--leaf", "nope"]).stdout);
        assert!(
            output.starts_with("no entry nope in the file; as in pi, the last one is taken: "),
            "{output}"
        );
        let output = text(&run(&[command, &sound]).stdout);
        assert!(!output.contains("no entry"), "{output}");
    }
}

#[test]
fn a_lone_return_in_a_prompt_ends_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    fs::write(
        &path,
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/p\"}\n\
         {\"type\":\"message\",\"id\":\"u\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"one\\rtwo\\rthree\"}}\n",
    )
    .expect("a file");
    let output = text(&run(&["show", &path.to_string_lossy()]).stdout);
    assert!(output.contains("one\ntwo\nthree\n"), "{output}");
}

#[test]
fn the_file_of_settings_is_read_and_its_mistakes_are_told() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join(".config/piscope");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("config.toml"), "context-window = 1000\ncolour = 1\n").expect("a file");
    let sound = fixture("samples/v3-linear.jsonl").to_string_lossy().into_owned();
    let run = |args: &[&str]| piscope(args).env("HOME", home.path()).output().expect("the program starts");
    let output = run(&["context", &sound, "--json"]);
    let window = |output: &Output| text(&output.stdout).contains("\"contextWindow\":1000");
    assert!(
        window(&output) && text(&output.stderr).contains("config.toml line 2: there is no setting `colour`")
    );
    assert!(!window(&run(&["context", &sound, "--json", "--context-window", "5"])));
    let printed = text(&run(&["config", "--print"]).stdout);
    assert!(printed.contains("#clipboard = \"auto\""), "{printed}");
}

/// Runs a script in a program, if that is there, and returns what it writes to standard output.
fn in_program(program: &str, arguments: &[&str], input: &[u8]) -> Option<String> {
    use std::io::Write;
    let child = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("MANWIDTH", "80")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: {program} is not installed");
        return None;
    };
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{program}: {}", text(&output.stderr));
    Some(text(&output.stdout))
}

#[test]
fn shells_complete_what_the_completions_say() {
    let bash = "COMP_WORDS=(piscope li); COMP_CWORD=1; _piscope piscope li piscope; echo ${COMPREPLY[@]}\n";
    let fish = "complete -C 'piscope li'\n";
    let zsh = "whence -w _piscope; print ${_comps[piscope]}\n";
    let before = "autoload -U compinit; compinit -D\n";
    for (shell, arguments, before, after, wanted) in [
        ("bash", &["--norc"][..], "", bash, "list\n"),
        ("fish", &["--no-config"], "", fish, "list\tList the sessions of the store\n"),
        ("zsh", &["-f"], before, zsh, "_piscope: function\n_piscope\n"),
    ] {
        let script = text(&run(&["completions", shell]).stdout);
        let script = format!("{before}{script}\n{after}");
        if let Some(written) = in_program(shell, arguments, script.as_bytes()) {
            assert_eq!(written, wanted, "{shell}");
        }
    }
    for shell in ["nushell", "powershell"] {
        assert!(text(&run(&["completions", shell]).stdout).contains("--context-window"), "{shell}");
    }
    assert_eq!(run(&["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn man_reads_the_manual() {
    for (command, words) in [(&["man"][..], "Exit status:"), (&["man", "list"], "piscope-list(1)")] {
        let page = run(command).stdout;
        if let Some(read) = in_program("man", &["--warnings", "-l", "-"], &page) {
            assert!(read.contains(words), "{read}");
        }
    }
    assert_eq!(run(&["man", "nothing"]).status.code(), Some(3));
}
