//! Random session files: valid trees with everything odd that pi accepts. Equal seeds give equal files.

use serde_json::{Value, json};

use super::dates::ODD_DATES;
use super::dice::Dice;

/// Stands for a lone surrogate in generated texts, which JSON texts in Rust cannot hold.
const LONE_SURROGATE: char = '\u{e000}';

/// The text of the session file with this seed.
pub(crate) fn session(seed: u64) -> String {
    let mut writer = Writer {
        dice: Dice::new(seed),
        ids: Vec::new(),
        calls: Vec::new(),
        clock: 1_767_600_000_000,
        version: 3,
    };
    let mut lines = vec![writer.header()];
    let count = 1 + writer.dice.roll(36);
    for _ in 0..count {
        lines.push(writer.entry());
    }
    // A parent may come after its child.
    if writer.dice.once_in(6) && lines.len() > 4 {
        let at = 1 + writer.dice.roll(lines.len() - 2);
        lines.swap(at, at + 1);
    }
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.to_string().replace(LONE_SURROGATE, "\\ud83d"));
        text.push('\n');
    }
    text
}

pub(super) struct Writer {
    pub(super) dice: Dice,
    ids: Vec<Value>,
    pub(super) calls: Vec<String>,
    pub(super) clock: i64,
    version: u64,
}

impl Writer {
    fn header(&mut self) -> Value {
        let version = match self.dice.roll(12) {
            0 => Value::Null,
            1 => json!(2),
            2 => json!("3"),
            3 => json!(4),
            _ => json!(3),
        };
        self.version = version.as_u64().unwrap_or(if version.is_null() { 1 } else { 3 });
        let mut header = json!({ "type": "session", "id": "0198a000-0000-7000-8000-0000000000aa" });
        if !version.is_null() {
            header["version"] = version;
        }
        header["timestamp"] = self.time();
        match self.dice.roll(8) {
            0 => {}
            1 => header["cwd"] = json!("~/proj"),
            _ => header["cwd"] = json!("/home/dev/proj"),
        }
        if self.dice.once_in(5) {
            header["parentSession"] = json!("/home/dev/other.jsonl");
            header["extra"] = json!({"b": 1, "a": [1.50, 1e21, -0.0]});
        }
        header
    }

    fn entry(&mut self) -> Value {
        let mut entry = match self.dice.roll(40) {
            0..=8 => self.user(),
            9..=18 => self.assistant(),
            19..=22 => self.tool_result(),
            23..=24 => self.bash(),
            25..=26 => self.system(),
            27 => self.odd_role(),
            28 => self.custom_message(),
            29..=30 => self.compaction(),
            31 => self.branch_summary(),
            32..=33 => self.context_edit(),
            34..=35 => self.label(),
            36 => self.session_info(),
            37 => self.setting(),
            38 => self.usage_entry(),
            _ => self.unknown(),
        };
        if self.version >= 2 {
            let id = self.new_id();
            match self.dice.roll(30) {
                0 => entry["parentId"] = Value::Null,
                1 => entry["parentId"] = json!("unknown0"),
                2 => entry["parentId"] = json!(""),
                3 => {}
                4..=10 if !self.ids.is_empty() => entry["parentId"] = self.any_id(),
                _ => entry["parentId"] = self.ids.last().cloned().unwrap_or(Value::Null),
            }
            entry["id"] = id.clone();
            self.ids.push(id);
        }
        let time = self.time();
        if !(time.is_null() && self.dice.once_in(2)) {
            entry["timestamp"] = time;
        }
        entry
    }

    fn new_id(&mut self) -> Value {
        let number = self.ids.len();
        match self.dice.roll(40) {
            0 => json!(format!("é {number}")),
            1 => json!(format!("{number}")),
            2 => json!(number + 1),
            3 => json!(format!("id\"\\\n{number}")),
            _ => json!(format!("{:08x}", 0xa000_0000 + number)),
        }
    }

    fn any_id(&mut self) -> Value {
        if self.ids.is_empty() { json!("unknown1") } else { self.dice.pick(&self.ids).clone() }
    }

    fn time(&mut self) -> Value {
        self.clock += [1000, 1, 0, -5000, 60_000][self.dice.roll(5)];
        match self.dice.roll(16) {
            0 => json!(*self.dice.pick(ODD_DATES)),
            1 => match self.dice.roll(6) {
                0 => json!(self.clock),
                1 => json!(1.5),
                2 => json!(true),
                3 => json!([2026]),
                4 => json!({}),
                _ => Value::Null,
            },
            _ => json!(piscope::format::js::iso(self.clock)),
        }
    }

    fn custom_message(&mut self) -> Value {
        let content = match self.content() {
            Value::Null => json!("x"),
            content => content,
        };
        let mut entry =
            json!({"type": "custom_message", "content": content, "display": self.dice.once_in(2)});
        if !self.dice.once_in(10) {
            entry["customType"] = json!(*self.dice.pick(&["note", "hook user", ""]));
        }
        entry
    }

    fn compaction(&mut self) -> Value {
        let tokens = *self.dice.pick(&[0, 499, 500, 12_499, 12_500, 1_234_567]);
        let mut entry = json!({"type": "compaction", "summary": self.text(), "tokensBefore": tokens});
        match self.dice.roll(10) {
            0 => {}
            1 => entry["firstKeptEntryId"] = json!("unknown0"),
            2 => entry["firstKeptEntryId"] = Value::Null,
            // Its own id, as ids are given by number.
            3 => entry["firstKeptEntryId"] = json!(format!("{:08x}", 0xa000_0000 + self.ids.len())),
            4 => entry["firstKeptEntryId"] = json!(format!("{:08x}", 0xa000_0001 + self.ids.len())),
            _ => entry["firstKeptEntryId"] = self.any_id(),
        }
        if self.version < 2 || self.dice.once_in(20) {
            entry["firstKeptEntryIndex"] =
                [json!(0), json!(1), json!(3), json!(99), json!("2"), json!(2.5), json!(-1)]
                    [self.dice.roll(7)]
                .clone();
        }
        if self.dice.once_in(3) {
            entry["systemMessage"] = self.system_message();
        }
        if self.dice.once_in(4) {
            entry["usage"] = self.usage();
        }
        entry
    }

    fn branch_summary(&mut self) -> Value {
        let mut entry = json!({"type": "branch_summary", "fromId": "root"});
        if !self.dice.once_in(8) {
            entry["summary"] = json!(self.text());
        }
        if self.dice.once_in(4) {
            entry["usage"] = self.usage();
        }
        entry
    }

    fn context_edit(&mut self) -> Value {
        let mut entry = json!({"type": "context_edit", "targetId": self.any_id()});
        entry["replacement"] = match self.dice.roll(8) {
            0..=2 => Value::Null,
            3..=4 => json!({"content": self.text()}),
            5 => json!({"content": [self.block()]}),
            6 => json!({"content": []}),
            _ => json!({"content": [self.block(), self.block()], "extra": 1}),
        };
        entry
    }

    fn label(&mut self) -> Value {
        let mut entry = json!({"type": "label", "targetId": self.any_id()});
        match self.dice.roll(8) {
            0 => {}
            1 => entry["label"] = json!(""),
            2 => entry["label"] = Value::Null,
            3 => entry["label"] = json!(self.text()),
            _ => entry["label"] = json!(*self.dice.pick(&["one", "two", "three words here"])),
        }
        entry
    }

    fn session_info(&mut self) -> Value {
        let mut entry = json!({"type": "session_info"});
        match self.dice.roll(6) {
            0 => {}
            1 => entry["name"] = Value::Null,
            2 => entry["name"] = json!("   "),
            _ => entry["name"] = json!(self.text()),
        }
        entry
    }

    fn setting(&mut self) -> Value {
        if self.dice.once_in(2) {
            json!({"type": "model_change", "provider": "lab", "modelId": *self.dice.pick(&["tiny-1", "big-2"])})
        } else {
            json!({"type": "thinking_level_change", "thinkingLevel": *self.dice.pick(&["off", "high"])})
        }
    }

    fn usage_entry(&mut self) -> Value {
        json!({"type": "usage", "kind": "title", "provider": "lab", "model": "tiny-1", "usage": self.usage()})
    }

    fn unknown(&mut self) -> Value {
        match self.dice.roll(4) {
            0 => json!({"type": "frobnicate", "data": 1}),
            1 => json!({"type": "custom"}),
            2 => json!({"type": ""}),
            _ => json!({"type": "custom", "customType": "note", "data": {"version": 1}}),
        }
    }
}
