use piscope::edit::SessionManager;
use serde_json::{Value, json};

/// Draws operations. Entries are named by their place in the file, because ids differ between the two programs.
pub(super) struct Writer {
    dice: Dice,
    clock: u64,
}

/// A small random generator (xorshift), so that a seed means the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % sides as u64) as usize
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }
}

const TEXTS: [&str; 7] = [
    "Plan the parser.",
    "",
    "two\nlines\tand a tab",
    "設計 👩\u{200d}💻",
    "a \"quoted\" \\ text \u{7}",
    " x ",
    "\u{2028}é\r\n",
];

impl Writer {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        dice.roll(2);
        Self { dice, clock: 1000 }
    }

    /// An operation on a session: a method of pi's with its arguments.
    pub(super) fn operation(&mut self, manager: &SessionManager) -> Value {
        let count = manager.session().len();
        // Before the first entry names and labels are refused here, and harmful in pi.
        let is_before_all = manager.get_leaf_id().is_none() && count > 0;
        let (method, arguments) = match self.dice.roll(40) {
            14 => ("appendThinkingLevelChange", json!([self.one_of(["off", "high"])])),
            15..=16 => ("appendModelChange", json!(["lab", self.one_of(["tiny-1", "big-2"])])),
            17 => (
                "appendUsage",
                json!(["title", "lab", "tiny-1", usage(), self.some(|writer| json!(writer.text()))]),
            ),
            18..=20 => {
                // What is not there cannot be kept, which is refused here and lost in pi.
                let is_none = count == 0 || self.dice.once_in(4);
                let kept = if is_none { Value::Null } else { json!({ "$entry": self.dice.roll(count) }) };
                let details = self.some(|_| json!({"files": ["a"], "n": 1.5}));
                let from_hook = self.some(|_| json!(true));
                let usage = self.some(|_| usage());
                ("appendCompaction", json!([self.text(), kept, 1234, details, from_hook, usage]))
            }
            21 => (
                "appendCustomEntry",
                json!(["ext", self.some(|writer| json!({"note": writer.text(), "n": null}))]),
            ),
            22 if !is_before_all => ("appendSessionInfo", json!([self.text()])),
            23 => {
                let content = self.content();
                let details = self.some(|_| json!([1, {"a": "b"}]));
                ("appendCustomMessageEntry", json!(["ext", content, self.dice.once_in(2), details]))
            }
            24..=26 => {
                let replacement =
                    if self.dice.once_in(3) { Value::Null } else { json!({"content": self.content()}) };
                ("appendContextEdit", json!([self.entry(count), replacement]))
            }
            27..=29 if !is_before_all => {
                ("appendLabelChange", json!([self.entry(count), self.some(|writer| json!(writer.text()))]))
            }
            30..=32 => ("branch", json!([self.entry(count)])),
            33 => ("resetLeaf", json!([])),
            34 => {
                let from = if self.dice.once_in(5) { Value::Null } else { self.entry(count) };
                let details = self.some(|_| json!({"d": []}));
                (
                    "branchWithSummary",
                    json!([from, self.text(), details, self.some(|_| json!(false)), self.some(|_| usage())]),
                )
            }
            35 if count > 6 => ("createBranchedSession", json!([self.entry(count)])),
            36 if self.dice.once_in(3) => {
                let id = self.some(|writer| json!(writer.one_of(["mine", "", "-", "a.b"])));
                ("newSession", json!([{"id": id, "parentSession": self.some(|_| json!("/somewhere.jsonl"))}]))
            }
            37 if self.dice.once_in(3) => {
                ("setSessionFile", json!([self.one_of(["other.jsonl", "one.jsonl"])]))
            }
            38 => ("reopen", json!([])),
            _ => ("appendMessage", json!([self.message()])),
        };
        json!({ "method": method, "arguments": arguments })
    }

    /// An entry to ask about.
    pub(super) fn probe(&mut self, manager: &SessionManager) -> Value {
        self.entry(manager.session().len())
    }

    /// An entry by its place, now and then one that is not there.
    fn entry(&mut self, count: usize) -> Value {
        json!({ "$entry": if count == 0 || self.dice.once_in(12) { 9999 } else { self.dice.roll(count) } })
    }

    /// Something or nothing, which is not the same as null.
    fn some(&mut self, make: impl FnOnce(&mut Self) -> Value) -> Value {
        if self.dice.once_in(2) { make(self) } else { json!({"$": "undefined"}) }
    }

    fn one_of<const N: usize>(&mut self, words: [&'static str; N]) -> &'static str {
        words[self.dice.roll(N)]
    }

    fn text(&mut self) -> String {
        TEXTS[self.dice.roll(TEXTS.len())].to_owned()
    }

    fn content(&mut self) -> Value {
        match self.dice.roll(4) {
            0 => json!(self.text()),
            1 => json!([]),
            2 => {
                json!([{"type": "text", "text": self.text()}, {"type": "image", "data": "AAAA", "mimeType": "image/png"}])
            }
            _ => json!([{"type": "text", "text": self.text()}]),
        }
    }

    fn message(&mut self) -> Value {
        self.clock += 1;
        let (timestamp, content) = (self.clock, self.content());
        match self.dice.roll(9) {
            0..=2 => json!({"role": "user", "content": content, "timestamp": timestamp}),
            3..=4 => json!({"role": "assistant", "content": [
                    {"type": "thinking", "thinking": self.text()},
                    {"type": "text", "text": self.text()},
                    {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": self.text()}}],
                "api": "a", "provider": "lab", "model": "big-2", "usage": usage(), "stopReason": "toolUse",
                "timestamp": timestamp}),
            5 => json!({"role": "toolResult", "toolCallId": "c1", "toolName": "read", "content": content,
                "details": {"lines": 3}, "isError": self.dice.once_in(2), "timestamp": timestamp}),
            6 => json!({"role": "bashExecution", "command": "ls", "output": self.text(), "exitCode": 0,
                "cancelled": false, "truncated": false, "timestamp": timestamp}),
            7 => {
                json!({"role": "system", "content": self.text(), "sections": {"cwd": self.text(), "old": null},
                "toolsAdded": [{"name": self.one_of(["read", "ls"]), "description": self.text()}],
                "timestamp": timestamp})
            }
            _ => json!({"role": "custom", "customType": "ext", "content": content, "display": true,
                "timestamp": timestamp}),
        }
    }
}

fn usage() -> Value {
    json!({"input": 10, "output": 2, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 12,
        "cost": {"input": 0.1, "output": 0.25, "cacheRead": 0, "cacheWrite": 0, "total": 0.35}})
}
