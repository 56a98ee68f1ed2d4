//! What a tool's line unfolds into: the call where its line does not say all, then what came back.

use super::BlockOptions;
use super::call::Call;
use super::content::{content as write_content, picture, unknown};
use super::page::{Page, Setting, line_count};
use super::tool::Outcome;
use crate::format::json::Value;
use crate::format::{Block, Blocks, js};
use crate::present::diff::Diff;
use crate::present::row::{Row, Tone};
use crate::present::{listing, sanitize};

/// As much of an edit as is compared, in UTF-16 units.
const LOOK_UNITS: usize = 64 * 1024;
/// Calls that a tool made in turn, of which more are not listed.
const MOST_NESTED: usize = 100;
/// Keys of `details` that are shown in other ways.
const KNOWN_DETAILS: [&str; 8] = [
    "diff",
    "firstChangedLine",
    "patch",
    "truncation",
    "fullOutputPath",
    "exitCode",
    "durationMs",
    "nestedCalls",
];

/// Writes what is unfolded of the call itself.
pub(super) fn of_call(page: &mut Page, call: &Call<'_>, diff: &Diff) {
    match &*call.name {
        "edit" if !diff.is_empty() => page.diff(diff),
        "write" => {
            if let Some(content) = call.argument("content") {
                page.code(content, &path_of(call), None);
            }
        }
        "bash" => {
            let Some(command) = call.argument("command") else { return };
            let is_cut = command.str_bytes() + "▸ bash ".len() > page.width() / 2;
            if is_cut || command.raw_str().is_none() || line_count(command) > 1 {
                page.code(command, "sh", None);
            }
        }
        "read" | "grep" | "find" | "ls" => {}
        _ => {
            if let Some(arguments) = call.arguments.filter(|arguments| !arguments.is_falsy()) {
                page.yaml(arguments);
            }
        }
    }
}

/// Writes what came back: a file with its line numbers, matches and paths as lists, anything else as it stands.
pub(super) fn of_result(page: &mut Page, call: &Call<'_>, content: Option<Value<'_>>, outcome: Outcome) {
    let tone = match (outcome, &*call.name) {
        (Outcome::Failed, "bash") | (Outcome::Done, _) => Tone::Tool,
        _ => Tone::Bad,
    };
    let is_list = matches!(&*call.name, "read" | "grep" | "find" | "ls") && outcome == Outcome::Done;
    if !is_list {
        return write_content(page, content, Setting::Output(tone));
    }
    let before = page.len();
    for block in Blocks::of(content) {
        match block {
            Block::Text(Some(text)) if &*call.name == "read" => {
                let first = call.argument("offset").and_then(Value::as_f64).unwrap_or(1.0);
                page.code(text, &path_of(call), Some(first.clamp(0.0, 1e9) as usize));
            }
            Block::Text(Some(text)) => {
                let wanted = call.argument("pattern").and_then(Value::as_str).unwrap_or_default();
                let list = |text: &str| match &*call.name {
                    "grep" => listing::matches(text, &wanted),
                    _ => listing::paths(text),
                };
                page.list(text, list);
            }
            Block::Image(image) => picture(page, image),
            Block::Text(None) => {}
            Block::Thinking(value) | Block::ToolCall(value) | Block::Other(value) => unknown(page, value),
        }
    }
    if page.len() == before {
        page.remark("(no output)");
    }
}

/// Writes what a result tells besides: what was cut off and where all of it is, calls the tool made in turn, and what
/// only an extension knows the meaning of.
pub(super) fn of_details(
    page: &mut Page,
    call: &Call<'_>,
    details: Option<Value<'_>>,
    options: &BlockOptions<'_>,
) {
    let Some(details) = details else { return };
    let is_truncated =
        details.get("truncation").is_some_and(|cut| cut.get("truncated").is_none_or(|flag| !flag.is_falsy()));
    if is_truncated {
        truncation(page, details);
    }
    for nested in details.get("nestedCalls").into_iter().flat_map(Value::items).take(MOST_NESTED) {
        let nested = Call::of(nested);
        let lead = Row::new().text("· ", Tone::Faint).bold(sanitize::line(&nested.name), Tone::Tool);
        page.row(lead.text(" ", Tone::Text).then(nested.summary(options.home)));
    }
    let is_built_in = matches!(&*call.name, "read" | "write" | "edit" | "bash" | "grep" | "find" | "ls");
    if is_built_in {
        return;
    }
    let mut more = details.members();
    more.retain(|(key, _)| !KNOWN_DETAILS.contains(&&**key));
    if !more.is_empty() {
        page.row(Row::new().text("details", Tone::Faint));
        page.indented(2, |page| page.yaml_members(more));
    }
}

/// Writes that an output was cut, as the holder of `truncation` and `fullOutputPath` tells it.
pub(super) fn truncation(page: &mut Page, holder: Value<'_>) {
    let number = |key: &str| holder.get("truncation").and_then(|cut| cut.get_f64(key)).map(js::number);
    let mut words = match (number("outputLines"), number("totalLines")) {
        (Some(kept), Some(all)) => format!("{kept} of {all} lines kept"),
        _ => "output truncated".to_owned(),
    };
    if let Some(path) = holder.get_str("fullOutputPath").filter(|path| !path.is_empty()) {
        words.push_str(&format!("; all of it: {path}"));
    }
    page.remark(&words);
}

fn path_of(call: &Call<'_>) -> String {
    let path = call.argument("path").or_else(|| call.argument("file_path"));
    path.and_then(Value::as_str).unwrap_or_default().into_owned()
}

/// The change an edit makes: as its result recorded it, else from its arguments.
pub(crate) fn edit_of(call: &Call<'_>, details: Option<Value<'_>>) -> Diff {
    if &*call.name != "edit" {
        return Diff::default();
    }
    let recorded =
        details.and_then(|details| details.get("diff")).and_then(|diff| diff.str_prefix(LOOK_UNITS));
    if let Some((recorded, _)) = recorded.filter(|(recorded, _)| !recorded.is_empty()) {
        return Diff::parse(&recorded);
    }
    let mut diff = Diff::default();
    let mut append = |edit: Value<'_>| {
        let text =
            |key: &str| edit.get(key).and_then(|text| text.str_prefix(LOOK_UNITS)).map(|(text, _)| text);
        if let (Some(old), Some(new)) = (text("oldText"), text("newText")) {
            diff.append(&old, &new);
        }
    };
    if let Some(arguments) = call.arguments {
        append(arguments);
    }
    if let Some(edits) = call.argument("edits") {
        edits.items().take(100).for_each(append);
    }
    diff
}
