//! Our side: the operations carried out, and the answers of the getters in the shape of pi's.

use std::path::Path;

use piscope::edit::SessionManager;
use piscope::edit::manager::{NewSession, TreeNode};
use piscope::error::Error;
use piscope::format::json::Document;
use piscope::session::message::{Content, Message, UsageReport};
use piscope::session::{Entry, EntryBody};
use piscope::store::Environment;
use serde_json::{Map, Value, json};

pub(super) fn make(
    environment: &Environment,
    is_persisted: bool,
    dir: &Path,
) -> Result<SessionManager, Error> {
    let options = NewSession::default();
    if is_persisted {
        SessionManager::create(environment, "/home/dev/p", Some(dir), &options)
    } else {
        SessionManager::in_memory(environment, "/home/dev/p", &options)
    }
}

/// Arguments of an operation.
struct Arguments<'a>(&'a [Value], Vec<String>);

impl<'a> Arguments<'a> {
    fn is_given(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|value| value.get("$").is_none())
    }

    fn text(&self, at: usize) -> &'a str {
        self.0[at].as_str().unwrap_or_default()
    }

    fn some_text(&self, at: usize) -> Option<&'a str> {
        self.is_given(at).then(|| self.text(at))
    }

    fn json(&self, at: usize) -> Option<String> {
        self.is_given(at).then(|| self.0[at].to_string())
    }

    fn flag(&self, at: usize) -> Option<bool> {
        self.0.get(at)?.as_bool()
    }

    fn usage(&self, at: usize) -> Option<UsageReport> {
        UsageReport::of(document(&self.json(at)?).root())
    }

    /// The id of the entry that is meant; an unknown one where there is none.
    fn entry(&self, at: usize) -> &str {
        let place = self.0[at]["$entry"].as_u64().unwrap() as usize;
        self.1.get(place).map_or("none", String::as_str)
    }

    fn some_entry(&self, at: usize) -> Option<&str> {
        (!self.0[at].is_null()).then(|| self.entry(at))
    }
}

fn document(json: &str) -> Document {
    Document::parse(json.to_owned()).unwrap()
}

fn content(value: &Value) -> Content {
    Content::of(document(&value.to_string()).root())
}

fn ids(manager: &SessionManager) -> Vec<String> {
    manager.session().entries().map(|(ix, _)| manager.session().entry_id(ix).to_string()).collect()
}

pub(super) fn call(
    environment: &Environment,
    manager: &mut SessionManager,
    operation: &Value,
    dir: &Path,
) -> Result<(), Error> {
    let arguments = operation["arguments"].as_array().unwrap();
    let a = Arguments(arguments, ids(manager));
    match operation["method"].as_str().unwrap() {
        "appendMessage" => {
            let message = Message::of(document(&a.0[0].to_string()).root());
            manager.append_message(&message).map(drop)
        }
        "appendThinkingLevelChange" => manager.append_thinking_level_change(a.text(0)).map(drop),
        "appendModelChange" => manager.append_model_change(a.text(0), a.text(1)).map(drop),
        "appendUsage" => {
            let usage = a.usage(3).unwrap();
            let entry = manager.append_usage(a.text(0), a.text(1), a.text(2), &usage, a.some_text(4))?;
            assert_eq!(Some(&entry.id), manager.get_leaf_id());
            Ok(())
        }
        "appendCompaction" => {
            let (details, usage) = (a.json(3), a.usage(5));
            let tokens = a.0[2].as_f64().unwrap();
            manager
                .append_compaction(
                    a.text(0),
                    a.some_entry(1),
                    tokens,
                    details.as_deref(),
                    a.flag(4),
                    usage.as_ref(),
                )
                .map(drop)
        }
        "appendCustomEntry" => manager.append_custom_entry(a.text(0), a.json(1).as_deref()).map(drop),
        "appendSessionInfo" => manager.append_session_info(a.text(0)).map(drop),
        "appendCustomMessageEntry" => {
            let (content, details) = (content(&a.0[1]), a.json(3));
            manager
                .append_custom_message_entry(a.text(0), &content, a.flag(2).unwrap(), details.as_deref())
                .map(drop)
        }
        "appendContextEdit" => {
            let content = a.0[1].get("content").map(content);
            manager.append_context_edit(a.entry(0), content.as_ref()).map(drop)
        }
        "appendLabelChange" => manager.append_label_change(a.entry(0), a.some_text(1)).map(drop),
        "branch" => manager.branch(a.entry(0)),
        "resetLeaf" => {
            manager.reset_leaf();
            Ok(())
        }
        "branchWithSummary" => {
            let (details, usage) = (a.json(2), a.usage(4));
            manager
                .branch_with_summary(
                    a.some_entry(0),
                    a.text(1),
                    details.as_deref(),
                    a.flag(3),
                    usage.as_ref(),
                )
                .map(drop)
        }
        "createBranchedSession" => manager.create_branched_session(a.entry(0)).map(drop),
        "newSession" => {
            let text = |name: &str| a.0[0][name].as_str().map(str::to_owned);
            let options = NewSession { id: text("id"), parent_session: text("parentSession") };
            manager.new_session(&options).map(drop)
        }
        "setSessionFile" if manager.is_persisted() => manager.set_session_file(dir.join(a.text(0))),
        "reopen" => {
            let file = manager.get_session_file().filter(|file| file.exists());
            if let Some(file) = file {
                *manager = SessionManager::open(environment, file, None, None)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// What all getters say; `probe` is an entry to ask about.
pub(super) fn answers(manager: &SessionManager, probe: &Value) -> Value {
    let all = ids(manager);
    let probe = probe["$entry"].as_u64().and_then(|at| all.get(at as usize)).map_or("none", String::as_str);
    let list = |entries: Vec<Entry>| entries.iter().map(entry).collect::<Vec<_>>();
    let context = manager.build_session_context().unwrap();
    let projection = manager.build_session_projection().unwrap();
    let model =
        context.model.as_ref().map(|model| json!({"provider": model.provider, "modelId": model.model}));
    let header: Value =
        serde_json::from_str(&manager.session().header_body().unwrap().root().stringify()).unwrap();
    json!({
        "leafId": manager.get_leaf_id().map(ToString::to_string),
        "leafEntry": manager.get_leaf_entry().unwrap().as_ref().map(entry),
        "entry": manager.get_entry(probe).unwrap().as_ref().map(entry),
        "entries": list(manager.get_entries().unwrap()),
        "entryCount": manager.get_entry_count(),
        "branch": list(manager.get_branch(None).unwrap()),
        "branchOf": list(manager.get_branch(Some(probe)).unwrap()),
        "children": list(manager.get_children(probe).unwrap()),
        "labels": all.iter().map(|id| manager.get_label(id)).collect::<Vec<_>>(),
        "name": manager.get_session_name(),
        "header": header,
        "cwd": manager.get_cwd(),
        "sessionDir": manager.get_session_dir(),
        "sessionId": manager.get_session_id(),
        "sessionFile": manager.get_session_file(),
        "isPersisted": manager.is_persisted(),
        "usesDefault": manager.is_persisted() && manager.uses_default_session_dir(),
        "tree": manager.get_tree().iter().map(node).collect::<Vec<_>>(),
        "contextEntries": list(manager.build_context_entries().unwrap()),
        "context": context.messages.iter().map(message).collect::<Vec<_>>(),
        "thinkingLevel": context.thinking_level,
        "model": model,
        "projection": projection.entries.iter().map(|it| json!({
            "id": it.source_entry.id.as_str(),
            "messages": it.messages.iter().map(message).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

fn node(node: &TreeNode<'_>) -> Value {
    json!({
        "id": node.id().as_str(),
        "label": node.label(),
        "labelTimestamp": node.label_timestamp().map(value),
        "children": node.children().map(|child| self::node(&child)).collect::<Vec<_>>(),
    })
}

fn message(message: &Message) -> Value {
    value(&message.to_json())
}

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// A typed entry as pi's JSON.
fn entry(entry: &Entry) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    let raw = |json: &Option<String>| json.as_deref().map(value);
    set("type", Some(entry.kind().into()));
    set("id", Some(entry.id.as_str().into()));
    set("parentId", Some(entry.parent_id.as_ref().map(ToString::to_string).into()));
    set("timestamp", entry.timestamp.clone().map(Value::from));
    let text = |text: &Option<String>| text.clone().map(Value::from);
    let usage_of = |usage: &Option<UsageReport>| usage.as_ref().map(|usage| value(&usage.to_json()));
    match &entry.body {
        EntryBody::Message(it) => set("message", it.as_ref().map(message)),
        EntryBody::ThinkingLevelChange { thinking_level } => set("thinkingLevel", text(thinking_level)),
        EntryBody::ModelChange { provider, model_id } => {
            set("provider", text(provider));
            set("modelId", text(model_id));
        }
        EntryBody::Usage { kind, provider, model, usage, note } => {
            set("kind", text(kind));
            set("provider", text(provider));
            set("model", text(model));
            set("usage", usage_of(usage));
            set("note", text(note));
        }
        EntryBody::Compaction(it) => {
            set("summary", text(&it.summary));
            set("firstKeptEntryId", it.first_kept_entry_id.as_ref().map(|id| id.as_str().into()));
            set("tokensBefore", it.tokens_before.map(|tokens| (tokens as u64).into()));
            set("details", raw(&it.details));
            set("usage", usage_of(&it.usage));
            set("fromHook", it.from_hook.map(Value::from));
            set("systemMessage", it.system_message.clone().map(|system| message(&Message::System(system))));
        }
        EntryBody::BranchSummary { from_id, summary, details, usage, from_hook } => {
            set("fromId", text(from_id));
            set("summary", text(summary));
            set("details", raw(details));
            set("usage", usage_of(usage));
            set("fromHook", from_hook.map(Value::from));
        }
        EntryBody::Custom { custom_type, data } => {
            set("customType", text(custom_type));
            set("data", raw(data));
        }
        EntryBody::CustomMessage(it) => {
            set("customType", text(&it.custom_type));
            set("content", it.content.as_ref().map(|content| value(&content.to_json())));
            set("display", it.display.map(Value::from));
            set("details", raw(&it.details));
        }
        EntryBody::ContextEdit { target_id, replacement } => {
            set("targetId", text(target_id));
            set("replacement", raw(replacement));
        }
        EntryBody::Label { target_id, label } => {
            set("targetId", text(target_id));
            set("label", text(label));
        }
        EntryBody::SessionInfo { name } => set("name", text(name)),
        EntryBody::Unknown(_) => {}
    }
    assert!(entry.other.iter().all(|field| field.name == "timestamp"), "{:?}", entry.other);
    Value::Object(fields)
}
