//! Random session files: valid trees with everything odd that pi accepts. Equal seeds give equal files.

use serde_json::{Value, json};

/// Stands for a lone surrogate in generated texts, which JSON texts in Rust cannot hold.
const LONE_SURROGATE: char = '\u{e000}';

/// A small random generator (xorshift), so that a seed means the same on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `sides`.
    fn roll(&mut self, sides: usize) -> usize {
        ((self.next() >> 11) % sides as u64) as usize
    }

    /// True once in `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    pub(crate) fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.roll(items.len())]
    }
}

/// The text of the session file with this seed.
pub(crate) fn session(seed: u64) -> String {
    let mut writer = Writer {
        dice: Dice::new(seed),
        ids: Vec::new(),
        calls: Vec::new(),
        clock: 1_767_600_000_000,
        version: 3,
    };
    writer.dice.next();
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

struct Writer {
    dice: Dice,
    ids: Vec<Value>,
    calls: Vec<String>,
    clock: i64,
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
        const ODD: [&str; 34] = [
            "2026-01-05",
            "2026-01",
            "2026",
            "2026-01-05T08:00Z",
            "2026-01-05T08:00:00.5Z",
            "2026-01-05T08:00:00.123456789Z",
            "2026-01-05T08:00:00+02:00",
            "2026-01-05T08:00:00+0200",
            "2026-01-05T24:00:00Z",
            "2026-01-05T08:00:00",
            "2026-01-05 08:00:00",
            "2026-01-05 08:00:00Z",
            "2026-01-05T08:00:00 Z",
            "Mon, 05 Jan 2026 08:00:00 GMT",
            "Mon Jan 05 2026 08:00:00 GMT+0100",
            "Jan 5, 2026",
            "5 Jan 2026 08:00",
            "2026/01/05",
            "01/05/2026",
            "1/5/2026 8:00",
            "2026-1-5",
            "2026-13-01",
            "2026-02-30",
            "2026-02-30T00:00:00Z",
            "not a date",
            "",
            " 2026-01-05T08:00:00Z",
            "+002026-01-05T08:00:00Z",
            "1767600000000",
            "12",
            "2026-01-05t08:00:00z",
            "2026-01-05T08",
            "20260105",
            "2026-01-05T08:00:00.Z",
        ];
        self.clock += [1000, 1, 0, -5000, 60_000][self.dice.roll(5)];
        match self.dice.roll(16) {
            0 => json!(*self.dice.pick(&ODD)),
            1 => match self.dice.roll(6) {
                0 => json!(self.clock),
                1 => json!(1.5),
                2 => json!(true),
                3 => json!([2026]),
                4 => json!({}),
                _ => Value::Null,
            },
            _ => json!(iso(self.clock)),
        }
    }

    fn text(&mut self) -> String {
        const TEXTS: [&str; 16] = [
            "Plan the parser.",
            "",
            "  ",
            "two\nlines\tand a tab",
            "設計 レビュー 👩\u{200d}💻",
            "\u{1b}[31mred\u{1b}[0m and \u{7} bell",
            "cut \u{e000} here",
            "a \"quoted\" \\ text",
            "label branch user a1",
            "\u{feff}mark",
            "line one\r\nline two\r",
            "x",
            "read ls",
            "e\u{301}a\u{308}",
            "\u{a0}nbsp\u{a0}",
            "```\ncode\n```\n",
        ];
        match self.dice.roll(12) {
            0 => "long ".repeat(30 + self.dice.roll(60)),
            1 => format!("{}😀{}", "a".repeat(190 + self.dice.roll(12)), "b".repeat(self.dice.roll(30))),
            _ => (*self.dice.pick(&TEXTS)).to_owned(),
        }
    }

    fn content(&mut self) -> Value {
        match self.dice.roll(10) {
            0..=2 => json!(self.text()),
            3 if self.dice.once_in(3) => Value::Null,
            _ => {
                let count = self.dice.roll(4);
                (0..count).map(|_| self.block()).collect()
            }
        }
    }

    fn block(&mut self) -> Value {
        match self.dice.roll(12) {
            0 => json!({"type": "image", "data": "AAAA", "mimeType": "image/png"}),
            1 => json!({"type": "surprise", "n": 1.0}),
            _ => json!({"type": "text", "text": self.text()}),
        }
    }

    fn with_content(&mut self, mut message: Value) -> Value {
        if !self.dice.once_in(25) {
            message["content"] = self.content();
        }
        match self.dice.roll(12) {
            0 => {}
            1 => message["timestamp"] = json!("2026-01-05T08:00:00Z"),
            2 => message["timestamp"] = json!(0),
            _ => message["timestamp"] = json!(self.clock),
        }
        json!({"type": "message", "message": message})
    }

    fn user(&mut self) -> Value {
        self.with_content(json!({"role": "user"}))
    }

    fn usage(&mut self) -> Value {
        let mut number = |most: usize| self.dice.roll(most);
        let (input, output, read, write) = (number(5000), number(900), number(3) * 700, number(3) * 90);
        let total = [input + output + read + write, 0, 12_345][number(3)];
        let cost = [0.0, 0.01, 0.123_456, 1.5][number(4)];
        json!({"input": input, "output": output, "cacheRead": read, "cacheWrite": write, "totalTokens": total,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": cost}})
    }

    fn assistant(&mut self) -> Value {
        let mut content = Vec::new();
        for _ in 0..self.dice.roll(4) {
            content.push(match self.dice.roll(6) {
                0 => json!({"type": "thinking", "thinking": self.text()}),
                1..=2 => self.tool_call(),
                _ => self.block(),
            });
        }
        let mut message = json!({"role": "assistant", "content": content, "timestamp": self.clock});
        if self.dice.once_in(15) {
            message["content"] = self.content();
        }
        if !self.dice.once_in(20) {
            message["provider"] = json!(*self.dice.pick(&["lab", "other"]));
        }
        if !self.dice.once_in(20) {
            message["model"] = json!(*self.dice.pick(&["tiny-1", "big-2"]));
        }
        if self.dice.once_in(10) {
            message["responseModel"] = json!("tiny-1-0105");
        }
        if !self.dice.once_in(20) {
            message["usage"] = if self.dice.once_in(6) {
                json!({"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0, "cost": {"total": 0}})
            } else {
                self.usage()
            };
        }
        match self.dice.roll(10) {
            0 => {}
            1 => message["stopReason"] = json!("aborted"),
            2 => {
                message["stopReason"] = json!("error");
                message["errorMessage"] = json!(self.text());
            }
            3 => message["stopReason"] = json!("length"),
            4 => message["stopReason"] = Value::Null,
            5..=6 => message["stopReason"] = json!("toolUse"),
            _ => message["stopReason"] = json!("stop"),
        }
        json!({"type": "message", "message": message})
    }

    fn tool_call(&mut self) -> Value {
        let id = if self.dice.once_in(8) && !self.calls.is_empty() {
            self.dice.pick(&self.calls).clone()
        } else {
            format!("call_{}", self.calls.len())
        };
        self.calls.push(id.clone());
        let name =
            *self.dice.pick(&["read", "write", "edit", "bash", "grep", "find", "ls", "powershell", "mcp__x"]);
        let arguments = if self.dice.once_in(25) { json!("just text") } else { self.arguments() };
        json!({"type": "toolCall", "id": id, "name": name, "arguments": arguments})
    }

    fn arguments(&mut self) -> Value {
        let mut arguments = json!({});
        let paths = [
            "/home/dev/proj/src/lib.rs",
            "src/main.rs",
            "/home/dev",
            "/home/developer/x",
            "",
            "/etc/passwd",
            "~/x",
            "C:\\x",
        ];
        let odd = [json!(null), json!(7), json!(true), json!(["a", null, "b"]), json!({"k": 1})];
        let key = if self.dice.once_in(4) { "file_path" } else { "path" };
        match self.dice.roll(10) {
            0 => {}
            1 => arguments[key] = self.dice.pick(&odd).clone(),
            _ => arguments[key] = json!(*self.dice.pick(&paths)),
        }
        let numbers = [
            json!(5),
            json!("7"),
            json!(null),
            json!(0),
            json!(-1),
            json!(1.5),
            json!(true),
            json!("x"),
            json!(""),
            json!("0x10"),
            json!([3]),
            json!(" 4 "),
        ];
        for key in ["offset", "limit"] {
            if self.dice.once_in(2) {
                arguments[key] = self.dice.pick(&numbers).clone();
            }
        }
        if self.dice.once_in(2) {
            let text = self.text();
            arguments["command"] = if self.dice.once_in(8) {
                self.dice.pick(&odd).clone()
            } else {
                json!(format!("cargo test {text}"))
            };
        }
        if self.dice.once_in(2) {
            arguments["pattern"] =
                if self.dice.once_in(8) { self.dice.pick(&odd).clone() } else { json!("fn .*\\n") };
        }
        arguments
    }

    fn tool_result(&mut self) -> Value {
        let mut message = json!({"role": "toolResult", "isError": self.dice.once_in(4)});
        if !self.dice.once_in(12) {
            message["toolCallId"] = if self.calls.is_empty() || self.dice.once_in(8) {
                json!("call_unknown")
            } else {
                json!(self.dice.pick(&self.calls).clone())
            };
        }
        if !self.dice.once_in(12) {
            message["toolName"] = json!(*self.dice.pick(&["read", "bash", "mcp__x", ""]));
        }
        if self.dice.once_in(8) {
            message["usage"] = self.usage();
        }
        self.with_content(message)
    }

    fn bash(&mut self) -> Value {
        let mut message = json!({"role": "bashExecution", "command": self.text(), "output": self.text(), "timestamp": self.clock});
        match self.dice.roll(5) {
            0 => message["exitCode"] = json!(0),
            1 => message["exitCode"] = json!(2),
            2 => message["exitCode"] = Value::Null,
            _ => {}
        }
        message["cancelled"] = json!(self.dice.once_in(4));
        message["truncated"] = json!(self.dice.once_in(3));
        if self.dice.once_in(3) {
            message["fullOutputPath"] = json!("/tmp/full.log");
        }
        if self.dice.once_in(4) {
            message["excludeFromContext"] = json!(true);
        }
        json!({"type": "message", "message": message})
    }

    fn system_message(&mut self) -> Value {
        let mut message = json!({"role": "system", "timestamp": self.clock});
        if !self.dice.once_in(6) {
            message["content"] = if self.dice.once_in(3) {
                json!([{"type": "text", "text": self.text()}, {"type": "text", "text": self.text()}])
            } else {
                json!(self.text())
            };
        }
        if self.dice.once_in(2) {
            let mut sections = json!({});
            for _ in 0..=self.dice.roll(3) {
                let name = *self.dice.pick(&["tools", "skills", "2", "context"]);
                sections[name] = if self.dice.once_in(4) { Value::Null } else { json!(self.text()) };
            }
            message["sections"] = sections;
        }
        if self.dice.once_in(2) {
            let tools: Vec<Value> = (0..self.dice.roll(3)).map(|_| json!({"name": *self.dice.pick(&["read", "bash", "edit"]), "description": self.text(), "parameters": {"type": "object", "properties": {}}})).collect();
            message["toolsAdded"] = json!(tools);
        }
        if self.dice.once_in(3) {
            let name = *self.dice.pick(&["read", "bash", "none"]);
            message["toolsRemoved"] =
                if self.dice.once_in(4) { json!([name]) } else { json!([{ "name": name }]) };
        }
        message
    }

    fn system(&mut self) -> Value {
        let message = self.system_message();
        json!({"type": "message", "message": message})
    }

    fn odd_role(&mut self) -> Value {
        let role =
            *self.dice.pick(&["custom", "hookMessage", "weird", "branchSummary", "compactionSummary", ""]);
        let mut message = json!({"role": role, "customType": "note", "display": true, "summary": self.text(), "fromId": "x", "tokensBefore": 10});
        if self.dice.once_in(8) {
            message.as_object_mut().expect("an object").remove("role");
        }
        self.with_content(message)
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

/// A text that looks like a date, more or less.
pub(crate) fn date_text(seed: u64) -> String {
    const WHOLE: &[&str] = &[
        "2026-01-05",
        "2026-01-05T08:00:04.123Z",
        "5 Jan 2026 08:00",
        "Mon, 05 Jan 2026 08:00:00 GMT",
        "1/5/2026 8:00 PM",
        "2026/01/05 10:20:30.4",
        "Jan 5, 2026",
        "2026-01-05T08:00:00+02:00",
    ];
    const PIECES: &[&str] = &[
        "2026",
        "26",
        "1999",
        "99",
        "01",
        "1",
        "5",
        "05",
        "31",
        "32",
        "13",
        "0",
        "00",
        "12",
        "24",
        "08",
        "8",
        "59",
        "60",
        "123",
        "1234567",
        "000123",
        "-",
        "-",
        "/",
        ":",
        ":",
        ":",
        ".",
        " ",
        " ",
        "T",
        "t",
        "Z",
        "+",
        "Jan",
        "february",
        "Mon",
        "am",
        "PM",
        "GMT",
        "EST",
        "+02:00",
        "-0530",
        "(a (b) c)",
        ")",
        ",",
        "é",
    ];
    let mut dice = Dice::new(seed);
    dice.next();
    if dice.once_in(3) {
        return (0..=dice.roll(9)).map(|_| *dice.pick(PIECES)).collect();
    }
    let mut text = (*dice.pick(WHOLE)).to_owned();
    for _ in 0..=dice.roll(2) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let at = *dice.pick(&places);
        let end = *dice.pick(&places);
        match dice.roll(3) {
            0 => text.insert_str(at, *dice.pick(PIECES)),
            1 if at < end && end - at < 4 => text.replace_range(at..end, ""),
            _ if at < end && end - at < 4 => text.replace_range(at..end, *dice.pick(PIECES)),
            _ => {}
        }
    }
    text
}

fn iso(millis: i64) -> String {
    piscope::format::js::iso(millis)
}
