//! Whatever stands in a file, no block has a row that is too wide or holds what a terminal would obey.

use proptest::prelude::*;

use super::tests::options;
use super::*;
use crate::format::entry_head;
use crate::format::json::Document;

/// Texts that try to get out of where they are put: escape sequences, whole, torn and nested, in the places where
/// Markdown, code, diffs, tables, lists and links are read.
fn hostile_text() -> impl Strategy<Value = String> {
    const PIECES: [&str; 40] = [
        "\u{1b}[31m",
        "\u{1b}[2J",
        "\u{1b}]8;;https://x.y\u{7}",
        "\u{1b}]8;;\u{1b}\\",
        "\u{1b}",
        "\u{9b}",
        "\u{9d}0;t\u{9c}",
        "\u{90}q",
        "\u{1b}P",
        "\u{7}",
        "\u{0}",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{202e}",
        "\u{2066}",
        "\u{feff}",
        "\u{200d}",
        "[a](https://b.c/",
        ")",
        "<https://d.e/",
        ">",
        "![p](",
        "https://f.g/h?i=",
        "mailto:j@k",
        "&#27;",
        "&#x9b;",
        "`",
        "```rust\n",
        "|",
        "\n|-|-|\n",
        "\n",
        "\r",
        "\t",
        "    ",
        "- ",
        "> ",
        "+ 12 ",
        "設",
        "👩\u{200d}💻",
    ];
    let piece = prop_oneof![
        6 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z ]{1,12}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// JSON in which names and values that mean something occur everywhere, with values of any shape.
fn odd_json() -> impl Strategy<Value = String> {
    const WORDS: [&str; 59] = [
        "type",
        "message",
        "role",
        "content",
        "text",
        "thinking",
        "toolCall",
        "image",
        "assistant",
        "user",
        "toolResult",
        "bashExecution",
        "system",
        "custom",
        "compaction",
        "branch_summary",
        "label",
        "usage",
        "context_edit",
        "custom_message",
        "summary",
        "tokensBefore",
        "command",
        "output",
        "exitCode",
        "name",
        "arguments",
        "path",
        "edits",
        "oldText",
        "newText",
        "edit",
        "bash",
        "read",
        "write",
        "details",
        "diff",
        "isError",
        "sections",
        "toolsAdded",
        "data",
        "source",
        "targetId",
        "replacement",
        "id",
        "stopReason",
        "grep",
        "find",
        "ls",
        "pattern",
        "offset",
        "limit",
        "nestedCalls",
        "truncation",
        "diagnostics",
        "deferred",
        "fullOutputPath",
        "usage",
        "readFiles",
    ];
    let string = prop_oneof![
        prop::sample::select(&WORDS[..]).prop_map(|word| format!("\"{word}\"")),
        Just(r#""\u001b[31m**a** `b`\n\t\u202e- 設計\r\n\u009b2J```\n👩\u200d💻""#.to_owned()),
        Just(r#""+ 12 x\n- 12 y\n ...""#.to_owned()),
        Just(r#""a.rs:3: \u001b]8;;x\u0007y\na.rs-4- z\n\n[2 more]""#.to_owned()),
        Just(r#""|a|b|\n|-|:-:|\n|\u001b[1mx|`y`|\n\n- [x] [l](\u009dq)\n> &#27;[2J""#.to_owned()),
        Just(r#""1%\r\u001b[K50%\r\u001b[38;5;9m100%\u001b[0m\tok""#.to_owned()),
        hostile_text().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    let leaf = prop_oneof![
        3 => string,
        1 => Just("null".to_owned()),
        1 => Just("true".to_owned()),
        1 => prop_oneof![Just("1e999"), Just("-3"), Just("0"), Just("1767600120000")].prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((prop::sample::select(&WORDS[..]), inner), 0..8).prop_map(|members| {
                let members: Vec<String> =
                    members.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_entry_is_drawn(
        kind in prop::sample::select(vec![
            "message", "custom_message", "compaction", "branch_summary", "model_change", "label", "custom",
            "thinking_level_change", "context_edit", "session_info", "usage", "future",
        ]),
        role in prop::sample::select(vec![
            "user", "assistant", "toolResult", "bashExecution", "system", "custom", "branchSummary", "odd",
        ]),
        fields in odd_json(),
        inner in odd_json(),
        columns in 0usize..=120,
        fold in prop::sample::select(vec![Fold::Open, Fold::Closed, Fold::Hidden, Fold::RAW]),
    ) {
        let members = |json: &str| match json.strip_prefix('{') {
            Some(rest) if rest != "}" => format!("{},", &rest[..rest.len() - 1]),
            _ => format!("\"content\":{json},"),
        };
        let line = format!(
            r#"{{{}"message":{{{}"role":"{role}"}},"type":"{kind}"}}"#,
            members(&fields),
            members(&inner)
        );
        let body = Document::parse(line).unwrap();
        let call = Document::parse(inner).unwrap();
        let head = entry_head(body.root(), 1, 0, 0);
        let cell = Some(CellSize { width: 9, height: 17 });
        let options = BlockOptions { code: CodeTones::Highlighted, home: None, cell, ..options(columns, fold) };
        let subject = Subject {
            head: &head,
            above: Some(&head),
            replaced: Some(3),
            body: body.root(),
            call: Some(call.root()),
            has_result: &|_| false,
            thinking_level: Some("hi\u{1b}gh"),
            model_above: Some("m"),
            label: Some("◆\u{202e}"),
        };
        let sent = Sent {
            from: role,
            content: call.root(),
            stored: body.root().get("message"),
            call: Some(call.root()),
            has_result: &|_| false,
            tokens: 7,
            is_edited: true,
            note: "",
        };
        let calls = [("re\u{1b}[2Jad", true), ("\u{9b}m", false)];
        let run = Run { calls: &calls, head: &head, above: Some(&head) };
        let blocks = [block(&subject, &options), sent_block(&sent, &options), tool_run_line(&run, &options)];
        let lines = [
            left_out("a\u{1b}[0m", "b\u{9d}0;x\u{7}", columns),
            context_end("m\u{202e}", "\u{1b}c", 1e9, None, columns),
        ];
        for row in blocks.iter().flat_map(|block| &block.rows).chain(&lines) {
            prop_assert!(row.width() <= columns, "{row:?}");
            prop_assert!(row.plain().chars().all(is_harmless), "{row:?}");
            for link in row.spans.iter().filter_map(|span| span.link.as_ref()) {
                prop_assert!(link.as_str().bytes().all(|byte| matches!(byte, b'!'..=b'~')), "{link:?}");
            }
            #[cfg(feature = "tui")]
            prop_assert!(drawn(row).chars().all(is_harmless), "{row:?}");
        }
        for block in &blocks {
            prop_assert!(block.more.is_none_or(|more| more < block.rows.len()));
            for room in &block.pictures {
                prop_assert!(room.row + usize::from(room.rows) <= block.rows.len());
                prop_assert!(usize::from(room.column + room.columns) <= columns);
            }
        }
    }
}

/// What reaches the cells of a terminal.
#[cfg(feature = "tui")]
fn drawn(row: &Row) -> String {
    use ratatui::text::{Line, Span};
    let mut buffer = ratatui::buffer::Buffer::empty(ratatui::layout::Rect::new(0, 0, 130, 1));
    let line: Line<'_> = row.spans.iter().map(|span| Span::raw(span.text.as_str())).collect();
    buffer.set_line(0, 0, &line, 130);
    buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
}

/// No control character, nothing that turns the direction of writing, nothing that a sequence begins with.
fn is_harmless(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
