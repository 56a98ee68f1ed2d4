//! Our answers, in the shape of the oracle's.

use clap::Parser;
use piscope::cli::{self, Args, Failure};
use piscope::store::Environment;
use serde_json::{Map, Value};

/// Runs a command in this process and returns its JSON document, also where it says that nothing was found.
///
/// # Errors
/// The line for standard error.
pub(crate) fn command(args: &[&str]) -> Result<Value, String> {
    let args =
        Args::try_parse_from(std::iter::once(&"piscope").chain(args)).map_err(|error| error.to_string())?;
    let command = args.command.as_ref().expect("a command");
    let mut out = Vec::new();
    match cli::run(&args, command, &environment(), &mut out) {
        Ok(()) | Err(Failure::NothingFound(_)) if !out.is_empty() => {
            Ok(super::parse(std::str::from_utf8(&out).expect("UTF-8")))
        }
        Ok(()) => Err("no output".into()),
        Err(failure) => Err(failure.to_string()),
    }
}

/// What the questions were asked in: the home directory of the golden answers, and the folder of the files.
fn environment() -> Environment {
    Environment::new("/home/dev", std::env::current_dir().expect("a working directory"))
}

/// A question's arguments: what is positional, and the options.
#[derive(Debug, Default)]
pub(crate) struct Question<'q> {
    pub(crate) mode: &'q str,
    pub(crate) positional: Vec<&'q str>,
    pub(crate) options: Map<String, Value>,
}

impl<'q> Question<'q> {
    pub(crate) fn of(arguments: &'q [String]) -> Self {
        const VALUED: [&str; 7] =
            ["--context-window", "--filter", "--find", "--width", "--cwd", "--keys", "--select"];
        let mut question = Self { mode: arguments[0].as_str(), ..Self::default() };
        let mut rest = arguments[1..].iter();
        while let Some(argument) = rest.next() {
            if VALUED.contains(&argument.as_str()) {
                let value = rest.next().expect("a value");
                question.options.insert(argument.clone(), value.as_str().into());
            } else if argument.starts_with("--") && argument.len() > 2 {
                question.options.insert(argument.clone(), Value::Null);
            } else {
                question.positional.push(argument);
            }
        }
        question
    }

    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).and_then(Value::as_str)
    }

    /// Our answer in the oracle's shape.
    ///
    /// # Errors
    /// The line for standard error where we refuse.
    pub(crate) fn answer(&self) -> Result<Value, String> {
        match self.mode {
            "dump" => self.dump(),
            "tree" => self.tree(),
            other => panic!("no answer to {other}"),
        }
    }

    fn dump(&self) -> Result<Value, String> {
        let window = self.option("--context-window").unwrap_or("200000");
        let mut info = command(&self.with_leaf(&["info", "--json", "--context-window", window]))?;
        info["context"] = command(&self.with_leaf(&["context", "--json"]))?;
        Ok(info)
    }

    fn tree(&self) -> Result<Value, String> {
        let mut args = vec!["tree", "--json"];
        for option in ["--filter", "--find", "--width"] {
            if let Some(value) = self.option(option) {
                args.extend([option, value]);
            }
        }
        command(&self.with_leaf(&args))
    }

    fn with_leaf<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        let mut args = args.to_vec();
        args.push(self.positional[0]);
        if let Some(leaf) = self.positional.get(1) {
            args.extend(["--leaf", leaf]);
        }
        args
    }
}

/// What both answers are compared on: pi's answer without what only the oracle says.
pub(crate) fn comparable(question: &Question<'_>, mut pi: Value) -> Value {
    let Some(fields) = pi.as_object_mut() else { return pi };
    // What pi does to the file on disk, digests of texts that are compared whole, what keys did.
    for only_theirs in ["openEffect", "migratedEntries", "cyclic", "status", "log", "row"] {
        fields.remove(only_theirs);
    }
    if question.mode == "dump" {
        lenient_totals(fields);
        if fields.get("context").is_some_and(|context| context.get("error").is_some()) {
            fields.remove("context");
        }
        for message in array(fields.get_mut("context").and_then(|context| context.get_mut("messages"))) {
            for digest in ["blocks", "bytes", "sha", "inner", "text"] {
                message.as_object_mut().expect("a message").remove(digest);
            }
            message.as_object_mut().expect("a message").entry("content").or_insert(Value::Null);
        }
    } else {
        for row in array(fields.get_mut("rows")) {
            row.as_object_mut().expect("a row").remove("copy");
        }
    }
    pi
}

/// Half a surrogate pair has no column in pi; the U+FFFD that stands for it here has one. So narrow lines with one are cut elsewhere.
pub(crate) fn forgive_half_surrogates(pi: &mut Value, ours: &Value) {
    let is_odd = |row: &Value| {
        ["label", "text"]
            .iter()
            .any(|part| row[part].as_str().is_some_and(|text| text.contains(char::REPLACEMENT_CHARACTER)))
    };
    for (theirs, ours) in array(pi.get_mut("rows")).zip(ours["rows"].as_array().into_iter().flatten()) {
        if is_odd(ours) {
            theirs.as_object_mut().expect("a row").remove("line");
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
        for sums in ["tokens", "cost", "byModel"] {
            totals.as_object_mut().expect("totals").remove(sums);
        }
    }
}

fn array(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_array_mut).into_iter().flatten()
}

/// True where pi gave no answer.
pub(crate) fn failed(answer: &Value) -> bool {
    answer.get("error").is_some()
}
