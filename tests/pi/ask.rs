//! Our answers, in the shape of the oracle's.

use std::path::Path;

use clap::Parser;
use piscope::cli::{self, Args, Failure};
use piscope::store::Environment;
use serde_json::{Map, Value};

/// Runs a command in this process, as if it had been started in `folder`, and returns its JSON document, also where
/// it says that nothing was found.
///
/// # Errors
/// The line for standard error.
pub(crate) fn command(folder: &Path, args: &[&str]) -> Result<Value, String> {
    Ok(super::parse(&text_of(folder, args)?))
}

/// As [`command`], whatever it writes.
///
/// # Errors
/// The line for standard error.
pub(crate) fn text_of(folder: &Path, args: &[&str]) -> Result<String, String> {
    let args = std::iter::once(&"piscope").chain(args);
    let args = Args::try_parse_from(args).map_err(|error| error.to_string())?;
    let command = args.command.as_ref().ok_or("no command")?;
    let mut out = Vec::new();
    match cli::run(&args, command, &Environment::new("/home/dev", folder), &mut out) {
        Ok(()) | Err(Failure::NothingFound(_)) if !out.is_empty() => {
            Ok(String::from_utf8_lossy(&out).into_owned())
        }
        Ok(()) => Err("no output".into()),
        Err(failure) => Err(failure.to_string()),
    }
}

/// A question put to the oracle: what is positional, and the options.
#[derive(Debug, Default)]
pub(crate) struct Question {
    pub(crate) mode: String,
    pub(crate) positional: Vec<String>,
    options: Map<String, Value>,
}

impl Question {
    pub(crate) fn of(arguments: &[String]) -> Self {
        const VALUED: [&str; 7] =
            ["--context-window", "--filter", "--find", "--width", "--cwd", "--keys", "--select"];
        let mut question = Self { mode: arguments[0].clone(), ..Self::default() };
        let mut rest = arguments[1..].iter();
        while let Some(argument) = rest.next() {
            if VALUED.contains(&argument.as_str()) {
                let value = rest.next().cloned().unwrap_or_default();
                question.options.insert(argument.clone(), value.into());
            } else if argument.starts_with("--") && argument.len() > 2 {
                question.options.insert(argument.clone(), Value::Null);
            } else {
                question.positional.push(argument.clone());
            }
        }
        question
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.options.contains_key(name)
    }

    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).and_then(Value::as_str)
    }

    /// Our answer in the oracle's shape, about the files below `folder`.
    ///
    /// # Errors
    /// The line for standard error where we refuse.
    pub(crate) fn answer(&self, folder: &Path) -> Result<Value, String> {
        match self.mode.as_str() {
            "dump" => self.dump(folder),
            "tree" => self.tree(folder),
            "list" => self.list(folder),
            "search" => self.search(folder),
            other => Err(format!("no answer to {other}")),
        }
    }

    fn dump(&self, folder: &Path) -> Result<Value, String> {
        let window = self.option("--context-window").unwrap_or("200000");
        let mut info = self.about_file(folder, &["info", "--json", "--context-window", window])?;
        info["context"] = self.about_file(folder, &["context", "--json"])?;
        Ok(info)
    }

    fn tree(&self, folder: &Path) -> Result<Value, String> {
        self.about_file(folder, &self.with_options(&["tree", "--json"], &["--filter", "--find", "--width"]))
    }

    fn list(&self, folder: &Path) -> Result<Value, String> {
        let mut answer = self.about_root(folder, &self.with_options(&["list", "--json"], &["--cwd"]))?;
        let threaded = self.with_options(&["list", "--json", "--sort", "threaded"], &["--cwd"]);
        answer["threaded"] = self.about_root(folder, &threaded)?["rows"].take();
        Ok(answer)
    }

    fn search(&self, folder: &Path) -> Result<Value, String> {
        let query = self.positional.get(1).map_or("", String::as_str);
        let sort = self.positional.get(2).map_or("relevance", String::as_str);
        // In the threaded order any query turns threads off; without one, the oracle answers with the plain list.
        let sort = if sort == "threaded" { "relevance" } else { sort };
        let mut args = vec!["list", "--json", "--sort", sort, "--query", query];
        if self.has("--named") {
            args.push("--named");
        }
        let mut answer = self.about_root(folder, &args)?;
        answer["hits"] = answer["rows"].take();
        Ok(answer)
    }

    fn with_options<'a>(&'a self, args: &[&'a str], names: &[&'a str]) -> Vec<&'a str> {
        let given = names.iter().filter_map(|name| Some([*name, self.option(name)?]));
        args.iter().copied().chain(given.flatten()).collect()
    }

    fn about_file(&self, folder: &Path, args: &[&str]) -> Result<Value, String> {
        let file = folder.join(&self.positional[0]);
        let file = file.to_string_lossy();
        let leaf = self.positional.get(1).map(|leaf| ["--leaf", leaf]);
        let args: Vec<&str> =
            args.iter().copied().chain([&*file]).chain(leaf.into_iter().flatten()).collect();
        command(folder, &args)
    }

    /// Rows with their paths below the root.
    fn about_root(&self, folder: &Path, args: &[&str]) -> Result<Value, String> {
        let root = match self.positional[0].as_str() {
            "." => folder.to_owned(),
            name => folder.join(name),
        };
        let text = root.to_string_lossy();
        let args: Vec<&str> = args.iter().copied().chain(["--store", &*text]).collect();
        let mut answer = command(folder, &args)?;
        for row in array(answer.get_mut("rows")) {
            let path = Path::new(row["path"].as_str().unwrap_or_default());
            row["path"] = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().into();
        }
        Ok(answer)
    }
}

/// What both answers are compared on: pi's answer without what only the oracle says.
pub(crate) fn comparable(question: &Question, mut pi: Value) -> Value {
    let Some(fields) = pi.as_object_mut() else { return pi };
    // What pi does to the file on disk, digests of texts that are compared whole, what keys did.
    for only_theirs in ["openEffect", "migratedEntries", "cyclic", "status", "log", "mode", "tokens"] {
        fields.remove(only_theirs);
    }
    match question.mode.as_str() {
        "dump" => {
            lenient_totals(fields);
            if fields.get("context").is_some_and(|context| context.get("error").is_some()) {
                fields.remove("context");
            }
            // A file that pi's list drops for one odd line has a row here.
            if fields.get("row").is_some_and(Value::is_null) {
                fields.remove("row");
            }
            // The path in a row is where the oracle's copy lies.
            without(fields.get_mut("row"), &["allMessagesText", "path"]);
            for message in array(fields.get_mut("context").and_then(|context| context.get_mut("messages"))) {
                without(Some(message), &["blocks", "bytes", "sha", "inner", "text"]);
            }
        }
        "tree" => array(fields.get_mut("rows")).for_each(|row| without(Some(row), &["copy"])),
        _ => {
            array(fields.get_mut("rows")).for_each(|row| without(Some(row), &["allMessagesText"]));
            array(fields.get_mut("threaded"))
                .for_each(|row| without(Some(row), &["isLast", "prefix", "current"]));
            array(fields.get_mut("hits")).for_each(|row| without(Some(row), &["score"]));
        }
    }
    pi
}

/// Half a surrogate pair has no column in pi; the U+FFFD that stands for it here has one. So narrow lines with one
/// are cut elsewhere.
pub(crate) fn forgive_half_surrogates(pi: &mut Value, ours: &Value) {
    let is_odd = |row: &Value| {
        let text = |part: &&str| row[part].as_str().unwrap_or_default().contains(char::REPLACEMENT_CHARACTER);
        ["label", "text"].iter().any(text)
    };
    for (theirs, ours) in array(pi.get_mut("rows")).zip(ours["rows"].as_array().into_iter().flatten()) {
        if is_odd(ours) {
            without(Some(theirs), &["line"]);
        }
    }
}

/// Where pi's own totals fail, the oracle also gives the sums with every missing number as 0.
fn lenient_totals(fields: &mut Map<String, Value>) {
    let Some(totals) = fields.get_mut("totals") else { return };
    if let Some(lenient) = totals.get("lenient") {
        *totals = lenient.clone();
    }
    // A missing number makes pi's sums no number at all; ours count it as 0.
    let is_poisoned = |value: &Value| value.is_null();
    let poisoned = totals["tokens"].as_object().is_some_and(|tokens| tokens.values().any(is_poisoned));
    if poisoned || is_poisoned(&totals["cost"]) {
        without(Some(totals), &["tokens", "cost", "byModel"]);
    }
}

fn without(object: Option<&mut Value>, keys: &[&str]) {
    if let Some(object) = object.and_then(Value::as_object_mut) {
        for key in keys {
            object.remove(*key);
        }
    }
}

fn array(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_array_mut).into_iter().flatten()
}

/// True where pi gave no answer.
pub(crate) fn failed(answer: &Value) -> bool {
    answer.get("error").is_some_and(|error| !error.is_null())
}
