use std::fs;
use std::path::{Path, PathBuf};

use super::Environment;
use crate::format::json::{Document, Value};
use crate::session::Filter;

/// pi's settings: `settings.json` of the agent directory, overlaid by `.pi/settings.json` of the working directory.
///
/// What the project says wins, key by key; its `null` turns a global value off. pi heeds a project only where the person
/// trusts it, but for the session directory, which it reads before it asks.
#[derive(Clone, Debug)]
pub struct PiSettings {
    global: Option<Document>,
    project: Option<Document>,
    trusts_project: bool,
    /// The files that are not understood, with the reason.
    pub broken: Vec<(PathBuf, String)>,
}

impl PiSettings {
    /// Reads them for somebody in an environment. A file that is not understood counts as empty.
    pub fn read(environment: &Environment) -> Self {
        let agent = environment.agent_dir();
        let project = environment.cwd().join(".pi").join("settings.json");
        let mut broken = Vec::new();
        let mut read = |path: &Path| match object(path) {
            Ok(found) => found,
            Err(reason) => {
                broken.push((path.to_owned(), reason));
                None
            }
        };
        let global = read(&agent.join("settings.json"));
        let project = read(&project);
        let trusts_project = project.is_some() && {
            let by_default =
                global.as_ref().and_then(|settings| settings.root().get_str("defaultProjectTrust"));
            trusts(&agent.join("trust.json"), environment.cwd())
                .unwrap_or(by_default.as_deref() == Some("always"))
        };
        Self { global, project, trusts_project, broken }
    }

    /// The folder of the sessions, where one is set: an empty text or `null` sets none. A value that is no text, at
    /// which pi fails, counts as not given.
    pub fn session_dir(&self) -> Option<String> {
        let said = |settings: &Option<Document>| {
            let value = settings.as_ref()?.root().get("sessionDir")?;
            if value.is_null() { Some(String::new()) } else { text(value) }
        };
        said(&self.project).or_else(|| said(&self.global)).filter(|dir| !dir.is_empty())
    }

    /// The name of the theme, or of one for light and one for dark terminals, as in `light/dark`.
    pub fn theme(&self) -> Option<String> {
        self.value("theme").and_then(text)
    }

    /// The filter that the tree begins with.
    pub fn tree_filter(&self) -> Filter {
        self.value("treeFilterMode").and_then(text).and_then(|word| Filter::parse(&word)).unwrap_or_default()
    }

    /// Whether pi heeds what the project brings along.
    pub fn trusts_project(&self) -> bool {
        self.trusts_project
    }

    fn value(&self, key: &str) -> Option<Value<'_>> {
        let project = self.project.as_ref().filter(|_| self.trusts_project);
        let said = |settings: &'_ Document| settings.root().get(key).map(|_| ()).is_some();
        let chosen = project.filter(|settings| said(settings)).or(self.global.as_ref())?;
        chosen.root().get(key)
    }
}

fn text(value: Value<'_>) -> Option<String> {
    value.as_str().map(std::borrow::Cow::into_owned)
}

/// The JSON object in a file; nothing where there is no file or nothing in it. A byte order mark is tolerated.
fn object(path: &Path) -> Result<Option<Document>, String> {
    let bytes = match fs::read(path) {
        Ok(bytes) if !bytes.is_empty() => bytes,
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("it cannot be read: {error}")),
    };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
    let document = Document::parse_lossy(bytes).map_err(|error| format!("it is no JSON: {error}"))?;
    if document.root().is_object() { Ok(Some(document)) } else { Err("it is no JSON object".into()) }
}

/// What the person has decided about a folder, or about the nearest one above it.
fn trusts(file: &Path, cwd: &Path) -> Option<bool> {
    let decisions = object(file).ok()??;
    let cwd = fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned());
    cwd.ancestors().find_map(|folder| decisions.root().get(folder.to_str()?)?.as_bool())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files {
        agent: PathBuf,
        cwd: PathBuf,
        _folder: tempfile::TempDir,
    }

    impl Files {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let root = fs::canonicalize(folder.path()).unwrap();
            let (agent, cwd) = (root.join("agent"), root.join("work").join("project"));
            fs::create_dir_all(&agent).unwrap();
            fs::create_dir_all(cwd.join(".pi")).unwrap();
            Self { agent, cwd, _folder: folder }
        }

        fn read(&self, global: &str, project: &str, trust: &str) -> PiSettings {
            fs::write(self.agent.join("settings.json"), global).unwrap();
            fs::write(self.cwd.join(".pi/settings.json"), project).unwrap();
            let trust = trust.replace("CWD", self.cwd.to_str().unwrap());
            fs::write(
                self.agent.join("trust.json"),
                trust.replace("ABOVE", self.cwd.parent().unwrap().to_str().unwrap()),
            )
            .unwrap();
            let environment = Environment::new("/home/u", &self.cwd).with("PI_CODING_AGENT_DIR", &self.agent);
            PiSettings::read(&environment)
        }
    }

    #[test]
    fn the_project_covers_the_global_settings_where_it_is_trusted() {
        const TRUSTED: &str = r#"{"CWD":true}"#;
        let files = Files::new();
        for (global, project, trust, theme) in [
            (r#"{"theme":"g"}"#, "{}", TRUSTED, Some("g")),
            (r#"{"theme":"g"}"#, r#"{"theme":"p"}"#, TRUSTED, Some("p")),
            (r#"{"theme":"g"}"#, r#"{"theme":"p"}"#, r#"{"ABOVE":true}"#, Some("p")),
            (r#"{"theme":"g"}"#, r#"{"theme":"p"}"#, r#"{"ABOVE":true,"CWD":false}"#, Some("g")),
            (r#"{"theme":"g"}"#, r#"{"theme":"p"}"#, r#"{"ABOVE":true,"CWD":null}"#, Some("p")),
            (r#"{"theme":"g"}"#, r#"{"theme":"p"}"#, "{}", Some("g")),
            (r#"{"theme":"g"}"#, r#"{"theme":"p"}"#, "", Some("g")),
            (r#"{"theme":"g"}"#, r#"{"theme":"p"}"#, "nope", Some("g")),
            (r#"{"theme":"g","defaultProjectTrust":"always"}"#, r#"{"theme":"p"}"#, "{}", Some("p")),
            (
                r#"{"theme":"g","defaultProjectTrust":"always"}"#,
                r#"{"theme":"p"}"#,
                r#"{"CWD":false}"#,
                Some("g"),
            ),
            (r#"{"theme":"g"}"#, r#"{"theme":null}"#, TRUSTED, None),
            (r#"{"theme":"g"}"#, r#"{"theme":7}"#, TRUSTED, None),
            ("\u{feff}{\"theme\":\"light/dark\"}", "", TRUSTED, Some("light/dark")),
            (r#"{"theme":"g",}"#, "[]", TRUSTED, None),
        ] {
            assert_eq!(
                files.read(global, project, trust).theme().as_deref(),
                theme,
                "{global} {project} {trust}"
            );
        }
    }

    #[test]
    fn the_tree_begins_with_the_filter_that_is_set() {
        let files = Files::new();
        for (word, filter) in [
            (r#""no-tools""#, Filter::NoTools),
            (r#""labeled-only""#, Filter::LabeledOnly),
            (r#""everything""#, Filter::Default),
            ("1", Filter::Default),
        ] {
            let settings = files.read(&format!(r#"{{"treeFilterMode":{word}}}"#), "{}", "");
            assert_eq!(settings.tree_filter(), filter, "{word}");
        }
    }

    #[test]
    fn a_broken_file_is_told_and_counts_as_empty() {
        let files = Files::new();
        let settings = files.read("{", "7", "");
        assert_eq!(settings.broken.len(), 2);
        assert!(settings.broken[0].1.starts_with("it is no JSON"), "{:?}", settings.broken);
        assert_eq!(settings.broken[1].1, "it is no JSON object");
        assert!(files.read("", "{}", "").broken.is_empty());
    }
}
