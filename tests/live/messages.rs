use serde_json::{Value, json};

use super::generate::Writer;

/// Messages and what they are made of.
impl Writer {
    pub(super) fn text(&mut self) -> String {
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

    pub(super) fn content(&mut self) -> Value {
        match self.dice.roll(10) {
            0..=2 => json!(self.text()),
            3 if self.dice.once_in(3) => Value::Null,
            _ => {
                let count = self.dice.roll(4);
                (0..count).map(|_| self.block()).collect()
            }
        }
    }

    pub(super) fn block(&mut self) -> Value {
        match self.dice.roll(12) {
            0 => json!({"type": "image", "data": "AAAA", "mimeType": "image/png"}),
            1 => json!({"type": "surprise", "n": 1.0}),
            _ => json!({"type": "text", "text": self.text()}),
        }
    }

    pub(super) fn with_content(&mut self, mut message: Value) -> Value {
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

    pub(super) fn user(&mut self) -> Value {
        self.with_content(json!({"role": "user"}))
    }

    pub(super) fn usage(&mut self) -> Value {
        let mut number = |most: usize| self.dice.roll(most);
        let (input, output, read, write) = (number(5000), number(900), number(3) * 700, number(3) * 90);
        let total = [input + output + read + write, 0, 12_345][number(3)];
        let cost = [0.0, 0.01, 0.123_456, 1.5][number(4)];
        json!({"input": input, "output": output, "cacheRead": read, "cacheWrite": write, "totalTokens": total,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": cost}})
    }

    pub(super) fn assistant(&mut self) -> Value {
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

    pub(super) fn tool_call(&mut self) -> Value {
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

    pub(super) fn arguments(&mut self) -> Value {
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

    pub(super) fn tool_result(&mut self) -> Value {
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

    pub(super) fn bash(&mut self) -> Value {
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

    pub(super) fn system_message(&mut self) -> Value {
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

    pub(super) fn system(&mut self) -> Value {
        let message = self.system_message();
        json!({"type": "message", "message": message})
    }

    pub(super) fn odd_role(&mut self) -> Value {
        let role =
            *self.dice.pick(&["custom", "hookMessage", "weird", "branchSummary", "compactionSummary", ""]);
        let mut message = json!({"role": role, "customType": "note", "display": true, "summary": self.text(), "fromId": "x", "tokensBefore": 10});
        if self.dice.once_in(8) {
            message.as_object_mut().expect("an object").remove("role");
        }
        self.with_content(message)
    }
}
