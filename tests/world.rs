//! What a person's own files for pi say here is what they say to the real pi: keys, settings, themes and colours.
//!
//! Needs `PI_PACKAGE_DIR` and `PI_NODE`, which `tests/oracle/install` prints; without them it says so and does nothing.
#![cfg(feature = "tui")]
#![expect(clippy::unwrap_used, reason = "a test that cannot ask or read its questions has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use piscope::app::{Key, PI_ACTIONS};
use piscope::config::{Colour, Config, PiTheme};
use piscope::store::{Environment, PiSettings};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

#[test]
fn a_persons_files_say_what_they_say_to_pi() {
    let (Some(package), Some(node)) = (std::env::var_os("PI_PACKAGE_DIR"), std::env::var_os("PI_NODE"))
    else {
        writeln!(std::io::stderr(), "not compared: PI_PACKAGE_DIR and PI_NODE are not set").unwrap();
        return;
    };
    let colours = colours();
    let (themes, keybindings, settings) = (themes(Path::new(&package)), keybindings(), settings());
    let ids: Vec<&str> = PI_ACTIONS.iter().map(|action| action.id).collect();
    let questions = json!({
        "colours": colours, "themes": themes, "ids": ids, "keybindings": keybindings, "settings": settings,
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/world.mjs");
    let mut pi = Command::new(node)
        .arg(script)
        .env("PI_PACKAGE_DIR", &package)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    pi.stdin.take().unwrap().write_all(questions.to_string().as_bytes()).unwrap();
    let answers: Value = serde_json::from_slice(&pi.wait_with_output().unwrap().stdout).unwrap();

    for (name, asked) in [
        ("colours", colours.len()),
        ("themes", themes.len()),
        ("keybindings", keybindings.len()),
        ("settings", settings.len()),
    ] {
        assert_eq!(list(&answers[name]).len(), asked, "{name}");
    }
    for (text, pis) in colours.iter().zip(list(&answers["colours"])) {
        assert_eq!(json!(Colour::parse(text).map(shown)), *pis, "{text}");
    }
    for (text, pis) in themes.iter().zip(list(&answers["themes"])) {
        let ours = PiTheme::parse(text.as_bytes());
        assert_eq!(ours.is_ok(), pis.is_object(), "{ours:?}\n{text}");
        let Ok(ours) = ours else { continue };
        for (token, pis) in pis.as_object().unwrap().iter().filter(|(token, _)| *token != "thinkingMax") {
            assert_eq!(json!(shown(ours.colour(token))), *pis, "{token} in {text}");
        }
    }
    for (text, pis) in keybindings.iter().zip(list(&answers["keybindings"])) {
        assert_eq!(json!(keys_of(text)), *pis, "{text}");
    }
    for (files, pis) in settings.iter().zip(list(&answers["settings"])) {
        assert_eq!(settings_of(files), *pis, "{files}");
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn shown(colour: Colour) -> String {
    match colour {
        Colour::Default => "default".into(),
        Colour::Index(index) => format!("index {index}"),
        Colour::Rgb([red, green, blue]) => format!("rgb {red} {green} {blue}"),
    }
}

/// Good and bad ones, and some hundreds all over both spaces.
fn colours() -> Vec<String> {
    let mut colours: Vec<String> = [
        "#0af",
        "#00aaff",
        "#00AAFF",
        "#00aaf",
        "#",
        "red",
        "okhsl(250 60% 55%)",
        "OkHsL(250deg .6 0.55)",
        "okhsl(250 60 55)",
        "okhsl(250, 60%, 55%)",
        "okhsl(250 60% 55%) ",
        "okhsl (250 60% 55%)",
        "oklch(62% 0.1 200)",
        "oklch(62% 0.1 200DEG)",
        "oklch(+62% 1e-1 -160)",
        "oklch(62% -0.1 200)",
        "oklch(101% 0.1 200)",
        "oklch(1. .1 200.)",
        "oklch(inf 0.1 200)",
        "oklch(0.5 0.1)",
        "oklch(0.5 0.1 1 1)",
        "okhsl(0 0% 0%)",
        "okhsl(0 100% 100%)",
        "okhsl(120 100% 50%)",
        "okhsl(720 80% 50%)",
        "oklch(100% 0.3 150)",
        "oklch(0 0 0)",
    ]
    .map(str::to_owned)
    .into();
    let mut runner = TestRunner::deterministic();
    let parts = (0..3600_u32, 0..=1000_u32, 0..=1000_u32);
    for _ in 0..400 {
        let (hue, one, other) = parts.new_tree(&mut runner).unwrap().current();
        let (hue, one, other) = (f64::from(hue) / 10.0, f64::from(one) / 10.0, f64::from(other) / 10.0);
        colours.push(format!("okhsl({hue} {one}% {other}%)"));
        colours.push(format!("oklch({one}% {} {hue})", other / 250.0));
    }
    colours
}

/// pi's own, and what can be wrong or left out in one.
fn themes(package: &Path) -> Vec<String> {
    let dark = fs::read_to_string(package.join("dist/modes/interactive/theme/dark.json")).unwrap();
    let light = fs::read_to_string(package.join("dist/modes/interactive/theme/light.json")).unwrap();
    let changed = |old: &str, new: &str| {
        assert!(dark.contains(old), "{old}");
        dark.replacen(old, new, 1)
    };
    let accent = |value: &str| changed("\"accent\": \"violet\"", &format!("\"accent\": {value}"));
    let var = |value: &str| {
        changed("\"vars\": {", &format!("\"vars\": {{{value},"))
            .replace("\"accent\": \"violet\"", "\"accent\": \"one\"")
    };
    vec![
        accent("39"),
        accent("0"),
        accent("255"),
        accent("256"),
        accent("-1"),
        accent("1.0"),
        accent("1.5"),
        accent("\"\""),
        accent("\"#fff\""),
        accent("\"#ff\""),
        accent("\"nowhere\""),
        accent("null"),
        accent("true"),
        accent("[]"),
        accent("\"oklch(62% 0.1 200)\""),
        accent("\"oklch(62%)\""),
        var("\"one\": \"two\", \"two\": \"three\", \"three\": 7"),
        var("\"one\": \"two\", \"two\": \"one\""),
        var("\"one\": \"one\""),
        var("\"one\": \"\""),
        var("\"one\": null"),
        var("\"two\": \"nowhere\", \"one\": 3"),
        changed("\"accent\"", "\"akzent\""),
        changed("\"bashMode\": \"okhsl(159 64% 65%)\"", "\"more\": 1"),
        changed("\"searchMatchBg\": \"okhsl(53 51% 24%)\",", ""),
        changed("\"searchMatchText\": \"muted\",", ""),
        changed("\"scrollbarTrack\": \"okhsl(237 7% 33%)\",", ""),
        changed("\"thinkingMax\": \"okhsl(20 99% 63%)\",", ""),
        changed("\"thinkingMax\": \"okhsl(20 99% 63%)\",", "\"thinkingMax\": \"nowhere\","),
        changed("\"selectedBg\": \"blueBg\",", ""),
        changed("\"name\": \"dark\"", "\"name\": \"a/b\""),
        changed("\"name\": \"dark\"", "\"name\": \"\""),
        changed("\"name\": \"dark\",", ""),
        changed("\"name\": \"dark\"", "\"name\": 1"),
        changed("\"appearance\": \"dark\",", ""),
        changed("\"appearance\": \"dark\"", "\"appearance\": \"grey\""),
        changed("\"appearance\": \"dark\"", "\"author\": \"me\""),
        changed("\"pageBg\"", "\"paperBg\""),
        changed("\"pageBg\": \"okhsl(262 14% 16%)\"", "\"pageBg\": null"),
        changed("\"pageBg\": \"okhsl(262 14% 16%)\"", "\"pageBg\": \"nowhere\""),
        changed("\"$schema\": \"https://pi.dev/schemas/theme.schema.json\"", "\"$schema\": 1"),
        format!("\u{feff}{dark}"),
        format!("{dark},"),
        "{}".into(),
        "[]".into(),
        "null".into(),
        String::new(),
        dark.clone(),
        light,
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/themes/pi-light.json"))
            .unwrap(),
    ]
}

fn keybindings() -> Vec<String> {
    [
        "{}",
        "",
        "{",
        "null",
        "7",
        "[]",
        "[\"up\"]",
        r#"{"tui.select.up":"ctrl+k"}"#,
        r#"{"tui.select.up":["ctrl+k","k","ctrl+k"]}"#,
        r#"{"tui.select.up":[]}"#,
        r#"{"tui.select.up":"Ctrl+K"}"#,
        r#"{"tui.select.up":["k","K"]}"#,
        r#"{"tui.select.up":["k",1]}"#,
        r#"{"tui.select.up":null,"tui.select.down":"j"}"#,
        r#"{"tui.select.up":"super+k","tui.select.down":"shift+1"}"#,
        r#"{"tui.select.up":"ctrl+ctrl+k","tui.select.down":"shift+ctrl+alt+super+j"}"#,
        r#"{"tui.select.up":"pageup","tui.select.down":"pageUp"}"#,
        r#"{"tui.select.up":"f12","tui.select.down":"f13"}"#,
        r#"{"tui.select.up":"ctrl++","tui.select.down":"+","tui.select.pageUp":"ctrl+"}"#,
        r#"{"tui.select.up":"\"","tui.select.down":"\\","tui.select.pageUp":" "}"#,
        r#"{"tui.select.up":"a+b","tui.select.down":"plus","tui.select.pageUp":"clear"}"#,
        r#"{"tui.select.up":"é","tui.select.down":"'","tui.select.pageUp":"`"}"#,
        r#"{"selectUp":"k","selectDown":"j","tui.select.down":"d"}"#,
        r#"{"fork":"f","treeEditLabel":"e","deleteSession":["d"],"nonsense":"x"}"#,
        r#"{"tui.select.up":"a","tui.select.up":"b"}"#,
        r#"{"app.session.rename":"f2","app.tree.filter.all":["ctrl+t"],"app.message.copy":"alt+c","app.model.select":1}"#,
        r#"{"$schema":7,"tui.select.up":"k"}"#,
        "\u{feff}{\"tui.select.up\":\"k\"}",
        "{\"tui.select.up\":\"k\",}",
    ]
    .map(str::to_owned)
    .into()
}

/// The keys of each of pi's actions that we have, with pi's own where the file says nothing.
fn keys_of(text: &str) -> BTreeMap<&'static str, Vec<String>> {
    let home = tempfile::tempdir().unwrap();
    let environment = Environment::new(home.path(), home.path());
    fs::create_dir_all(environment.agent_dir()).unwrap();
    fs::write(environment.agent_dir().join("keybindings.json"), text).unwrap();
    let config = Config::read(environment).with_pis();
    let keys = PI_ACTIONS.iter().map(|action| {
        let set = config.pi_keys.iter().find(|setting| setting.action == action.id);
        let mut keys = Vec::new();
        let all = set.map_or_else(
            || action.keys.iter().map(|key| (*key).to_owned()).collect(),
            |set| set.keys.clone(),
        );
        for key in all {
            // Every key of pi that does not want the shift of a sign is one here.
            assert!(key == "shift+1" || key.parse::<Key>().is_ok(), "{key}");
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        (action.id, keys)
    });
    keys.collect()
}

fn settings() -> Vec<Value> {
    let global = [
        "{}",
        "",
        "{",
        "null",
        "[]",
        "7",
        r#"{"theme":"g","treeFilterMode":"all","sessionDir":"/g"}"#,
        r#"{"theme":"g","defaultProjectTrust":"always"}"#,
        r#"{"theme":"g","defaultProjectTrust":"never"}"#,
        r#"{"theme":7,"treeFilterMode":7}"#,
        "\u{feff}{\"theme\":\"g\"}",
    ];
    let project = [
        "{}",
        "",
        "{",
        r#"{"theme":"light/dark","treeFilterMode":"user-only","sessionDir":"/p"}"#,
        r#"{"theme":null,"treeFilterMode":null,"sessionDir":null}"#,
        r#"{"theme":1,"treeFilterMode":"nonsense","sessionDir":""}"#,
    ];
    let trust =
        ["{}", r#"{"CWD":true}"#, r#"{"CWD":false,"ABOVE":true}"#, r#"{"CWD":null,"ABOVE":true}"#, "{"];
    let mut cases = Vec::new();
    for global in global {
        for project in project {
            for trust in trust {
                cases.push(json!({ "global": global, "project": project, "trust": trust }));
            }
        }
    }
    cases
}

fn settings_of(files: &Value) -> Value {
    let home = tempfile::tempdir().unwrap();
    let home = fs::canonicalize(home.path()).unwrap();
    let cwd = home.join("work").join("project");
    let environment = Environment::new(&home, &cwd);
    let text = |name: &str| files[name].as_str().unwrap();
    let folder = |path: &Path| path.to_str().unwrap().to_owned();
    let trust = text("trust").replace("CWD", &folder(&cwd)).replace("ABOVE", &folder(cwd.parent().unwrap()));
    fs::create_dir_all(environment.agent_dir()).unwrap();
    fs::create_dir_all(cwd.join(".pi")).unwrap();
    fs::write(environment.agent_dir().join("settings.json"), text("global")).unwrap();
    fs::write(cwd.join(".pi/settings.json"), text("project")).unwrap();
    fs::write(environment.agent_dir().join("trust.json"), trust).unwrap();
    let settings = PiSettings::read(&environment);
    json!({ "theme": settings.theme(), "filter": settings.tree_filter().word(), "sessionDir": settings.session_dir() })
}
