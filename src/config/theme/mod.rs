//! pi's themes: what a theme file says, read and refused as pi 1.6.0 does it, and which one is chosen.

mod built_in;
mod choice;
mod colour;
mod oklab;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use crate::format::json::{Document, Value};

pub use choice::{Look, ThemeChoice};
pub use colour::Colour;
pub use oklab::chroma_and_hue;

/// A theme of pi: the colours of its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PiTheme {
    /// What it is called.
    pub name: String,
    colours: HashMap<&'static str, Colour>,
}

/// The parts of pi's screen that a theme gives colours to; the second is the token whose colour counts where a theme
/// leaves it out.
const TOKENS: [(&str, Option<&str>); 55] = [
    ("accent", None),
    ("border", None),
    ("borderAccent", None),
    ("borderMuted", None),
    ("success", None),
    ("error", None),
    ("warning", None),
    ("muted", None),
    ("dim", None),
    ("text", None),
    ("thinkingText", None),
    ("scrollbarTrack", Some("muted")),
    ("scrollbarThumb", Some("text")),
    ("selectedBg", None),
    ("searchMatchBg", Some("selectedBg")),
    ("searchMatchText", Some("text")),
    ("userMessageBg", None),
    ("userMessageText", None),
    ("customMessageBg", None),
    ("customMessageText", None),
    ("customMessageLabel", None),
    ("toolPendingBg", None),
    ("toolSuccessBg", None),
    ("toolErrorBg", None),
    ("toolTitle", None),
    ("toolOutput", None),
    ("mdHeading", None),
    ("mdLink", None),
    ("mdLinkUrl", None),
    ("mdCode", None),
    ("mdCodeBlock", None),
    ("mdCodeBlockBorder", None),
    ("mdQuote", None),
    ("mdQuoteBorder", None),
    ("mdHr", None),
    ("mdListBullet", None),
    ("toolDiffAdded", None),
    ("toolDiffRemoved", None),
    ("toolDiffContext", None),
    ("syntaxComment", None),
    ("syntaxKeyword", None),
    ("syntaxFunction", None),
    ("syntaxVariable", None),
    ("syntaxString", None),
    ("syntaxNumber", None),
    ("syntaxType", None),
    ("syntaxOperator", None),
    ("syntaxPunctuation", None),
    ("thinkingOff", None),
    ("thinkingMinimal", None),
    ("thinkingLow", None),
    ("thinkingMedium", None),
    ("thinkingHigh", None),
    ("thinkingXhigh", None),
    ("bashMode", None),
];

/// The one token that is named after another that is none of our business.
const THINKING_MAX: &str = "thinkingMax";

impl PiTheme {
    /// Reads a theme file.
    ///
    /// # Errors
    /// Why pi would refuse it, in words.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let document =
            Document::parse_lossy(bytes.to_vec()).map_err(|error| format!("it is no JSON: {error}"))?;
        let root = document.root();
        let name = check(root)?;
        let vars = values(root.get("vars"));
        let mut colours = HashMap::new();
        for (token, value) in values(root.get("colors")) {
            let colour = resolve(value, &vars)?;
            if let Some((token, _)) = TOKENS.iter().find(|(known, _)| *known == token) {
                colours.insert(*token, colour);
            }
        }
        let missing: Vec<&str> = TOKENS
            .iter()
            .filter(|(token, fallback)| fallback.is_none() && !colours.contains_key(token))
            .map(|(token, _)| *token)
            .collect();
        if !missing.is_empty() {
            return Err(format!("it has no colour for {}", missing.join(", ")));
        }
        for (token, fallback) in TOKENS {
            if let Some(colour) = fallback.and_then(|fallback| colours.get(fallback)).copied() {
                colours.entry(token).or_insert(colour);
            }
        }
        Ok(Self { name, colours })
    }

    /// The theme of a name: that of a file in one of the folders that says so, else one of pi's own, else that of the
    /// file of that name in the first folder.
    ///
    /// # Errors
    /// There is none, or it is broken, in words.
    pub fn find(name: &str, folders: &[PathBuf]) -> Result<Self, String> {
        if let Some(theme) = folders.iter().find_map(|folder| themes_in(folder).remove(name)) {
            return Ok(theme);
        }
        if let Some(source) = built_in::source(name) {
            return Self::parse(source.as_bytes());
        }
        let path = folders.first().map(|folder| folder.join(format!("{name}.json"))).unwrap_or_default();
        let bytes = fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("there is no theme `{name}`"),
            _ => format!("{name}.json cannot be read: {error}"),
        })?;
        Self::parse(&bytes).map_err(|reason| format!("{name}.json: {reason}"))
    }

    /// The colour of one of pi's tokens; the terminal's own where pi has no such token.
    pub fn colour(&self, token: &str) -> Colour {
        self.colours.get(token).copied().unwrap_or(Colour::Default)
    }
}

/// The sound themes among the files of a folder, by what they call themselves; of two of one name the first.
fn themes_in(folder: &Path) -> BTreeMap<String, PiTheme> {
    let mut themes = BTreeMap::new();
    let mut files: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")) {
        if let Some(theme) = fs::read(file).ok().and_then(|bytes| PiTheme::parse(&bytes).ok()) {
            themes.entry(theme.name.clone()).or_insert(theme);
        }
    }
    themes
}

/// Checks everything about a theme but its colours, and returns its name.
fn check(root: Value<'_>) -> Result<String, String> {
    const TOP: [&str; 6] = ["$schema", "name", "appearance", "vars", "colors", "export"];
    const EXPORT: [&str; 3] = ["pageBg", "cardBg", "infoBg"];
    if !root.is_object() {
        return Err("it is no JSON object".into());
    }
    let name = root.get_str("name").filter(|name| !name.is_empty()).ok_or("its `name` is missing")?;
    if name.contains('/') {
        return Err(format!("its name `{name}` has a `/`, which stands between two themes"));
    }
    let unknown = |within: &str, found: Option<Value<'_>>, known: &dyn Fn(&str) -> bool| {
        let members = found.map(Value::members).unwrap_or_default();
        let odd = members.iter().map(|(name, _)| name).find(|name| !known(name));
        odd.map_or(Ok(()), |odd| Err(format!("there is no `{within}{odd}` in a theme")))
    };
    unknown("", Some(root), &|name| TOP.contains(&name))?;
    let is_token = |name: &str| name == THINKING_MAX || TOKENS.iter().any(|(token, _)| *token == name);
    unknown("colors.", root.get("colors"), &is_token)?;
    unknown("export.", root.get("export"), &|name| EXPORT.contains(&name))?;
    if root.get("$schema").is_some_and(|schema| schema.as_str().is_none()) {
        return Err("its `$schema` must be a text".into());
    }
    if let Some(appearance) = root.get("appearance")
        && !matches!(appearance.as_str().as_deref(), Some("dark" | "light"))
    {
        return Err("its `appearance` must be dark or light".into());
    }
    for part in ["colors", "vars", "export"] {
        let Some(found) = root.get(part) else { continue };
        if !found.is_object() {
            return Err(format!("its `{part}` must be an object"));
        }
        let odd = found.members().into_iter().find(|(_, value)| !is_value(*value));
        if let Some((name, _)) = odd {
            return Err(format!("`{part}.{name}` must be a text or a number from 0 to 255"));
        }
    }
    Ok(name.into_owned())
}

fn is_value(value: Value<'_>) -> bool {
    value.as_str().is_some() || index(value).is_some()
}

fn index(value: Value<'_>) -> Option<u8> {
    let number = value.as_f64()?;
    (number.fract() == 0.0 && (0.0..=255.0).contains(&number)).then_some(number as u8)
}

fn values(object: Option<Value<'_>>) -> HashMap<String, Value<'_>> {
    let members = object.map(Value::members).unwrap_or_default();
    members.into_iter().map(|(name, value)| (name.into_owned(), value)).collect()
}

/// The colour of a value, which may be the name of a variable whose value is the name of another.
fn resolve<'t>(mut value: Value<'t>, vars: &HashMap<String, Value<'t>>) -> Result<Colour, String> {
    // Who has followed more names than there are goes in a circle.
    for _ in 0..=vars.len() {
        if let Some(index) = index(value) {
            return Ok(Colour::Index(index));
        }
        let text = value.as_str().unwrap_or_default();
        if Colour::is_literal(&text) {
            return Colour::parse(&text).ok_or_else(|| format!("`{text}` is no colour"));
        }
        value = *vars.get(&*text).ok_or_else(|| format!("there is no variable `{text}`"))?;
    }
    Err(format!("its variable {} leads to itself", value.source()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A whole theme with one value in it, and variables.
    fn theme(accent: &str, vars: &str) -> String {
        let colours = TOKENS.iter().filter(|(token, fallback)| fallback.is_none() && *token != "accent");
        let colours: Vec<String> = colours.map(|(token, _)| format!(r##""{token}":"#123456""##)).collect();
        let colours = colours.join(",");
        format!(r#"{{"name":"mine","vars":{vars},"colors":{{"accent":{accent},{colours}}}}}"#)
    }

    #[test]
    fn values_are_colours_numbers_or_variables() {
        for (accent, vars, expected) in [
            (r##""#ff0000""##, "{}", Ok(Colour::Rgb([255, 0, 0]))),
            ("39", "{}", Ok(Colour::Index(39))),
            ("\"\"", "{}", Ok(Colour::Default)),
            (r#""a""#, r##"{"a":"b","b":"#0f0"}"##, Ok(Colour::Rgb([0, 255, 0]))),
            (r#""a""#, r#"{"a":7}"#, Ok(Colour::Index(7))),
            (r#""a""#, r#"{"a":""}"#, Ok(Colour::Default)),
            (r#""a""#, "{}", Err("there is no variable `a`")),
            (r#""a""#, r#"{"a":"b","b":"a"}"#, Err("its variable \"b\" leads to itself")),
            (r#""a""#, r#"{"a":"a"}"#, Err("its variable \"a\" leads to itself")),
            (r##""#12""##, "{}", Err("`#12` is no colour")),
            ("256", "{}", Err("`colors.accent` must be a text or a number from 0 to 255")),
            ("1.5", "{}", Err("`colors.accent` must be a text or a number from 0 to 255")),
            ("null", "{}", Err("`colors.accent` must be a text or a number from 0 to 255")),
            (r#""a""#, r#"{"a":true}"#, Err("`vars.a` must be a text or a number from 0 to 255")),
        ] {
            let found = PiTheme::parse(theme(accent, vars).as_bytes()).map(|theme| theme.colour("accent"));
            assert_eq!(
                found.as_ref().map_err(String::as_str),
                expected.as_ref().map_err(|error| *error),
                "{accent}"
            );
        }
    }

    #[test]
    fn a_theme_is_whole_and_holds_nothing_else() {
        let good = theme("1", "{}");
        let refused = |old: &str, new: &str| PiTheme::parse(good.replace(old, new).as_bytes()).unwrap_err();
        assert_eq!(
            refused("\"mine\"", "\"a/b\""),
            "its name `a/b` has a `/`, which stands between two themes"
        );
        assert_eq!(refused("\"name\"", "\"nome\""), "its `name` is missing");
        assert_eq!(refused("\"vars\"", "\"wars\""), "there is no `wars` in a theme");
        assert_eq!(refused("\"accent\"", "\"akzent\""), "there is no `colors.akzent` in a theme");
        assert_eq!(refused("\"accent\":1,", ""), "it has no colour for accent");
        assert_eq!(
            refused("\"vars\":{}", "\"appearance\":\"grey\""),
            "its `appearance` must be dark or light"
        );
        assert_eq!(refused("\"vars\":{}", "\"vars\":[]"), "its `vars` must be an object");
        assert_eq!(PiTheme::parse(b"[]").unwrap_err(), "it is no JSON object");
    }

    #[test]
    fn what_may_be_left_out_is_as_another_token() {
        let theme = PiTheme::parse(theme("1", "{}").as_bytes()).unwrap();
        assert_eq!(theme.colour("searchMatchBg"), theme.colour("selectedBg"));
        assert_eq!(theme.colour("nothing"), Colour::Default);
    }

    #[test]
    fn a_theme_is_found_by_what_it_calls_itself_then_by_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        write("other.json", &theme("1", "{}"));
        write("dark.json", &theme("2", "{}").replace("mine", "shade"));
        write("broken.json", "{");
        let find = |name: &str| PiTheme::find(name, &[folder.path().to_owned()]).map(|theme| theme.name);
        assert_eq!(find("mine").unwrap(), "mine");
        assert_eq!(find("dark").unwrap(), "dark");
        assert_eq!(find("light").unwrap(), "light");
        assert_eq!(find("other").unwrap(), "mine");
        assert!(find("broken").unwrap_err().contains("broken.json: it is no JSON"));
        assert_eq!(find("none").unwrap_err(), "there is no theme `none`");
    }
}
