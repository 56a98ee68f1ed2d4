use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use jiff::tz::TimeZone;

use super::*;
use crate::format::entry_head;
use crate::format::json::Document;
use crate::present::Times;

const NOW: i64 = 1_767_600_120_000; // 2026-01-05 08:02 UTC

/// The blocks of a branch, each entry being one line, as plain text.
fn shown(lines: &str, columns: usize, fold: Fold) -> Vec<String> {
    let bodies: Vec<Document> = lines.lines().map(|line| Document::parse(line.into()).unwrap()).collect();
    let mut calls = HashMap::new();
    let mut results = HashSet::new();
    for body in &bodies {
        let Some(message) = body.root().get("message") else { continue };
        results.extend(message.get_str("toolCallId"));
        for item in message.get("content").into_iter().flat_map(Value::items) {
            calls.insert(call::Call::id(item), item);
        }
    }
    let has_result = |id: &str| results.contains(id);
    let options = options(columns, fold);
    let mut out = Vec::new();
    let mut above: Option<EntryHead> = None;
    for body in &bodies {
        let head = entry_head(body.root(), 1, 0, 0);
        let call_id = body.root().get("message").and_then(|message| message.get_str("toolCallId"));
        let subject = Subject {
            head: &head,
            above: above.as_ref(),
            replaced: None,
            body: body.root(),
            call: call_id.and_then(|id| calls.get(&id).copied()),
            has_result: &has_result,
            thinking_level: None,
            model_above: None,
            label: None,
        };
        if above.as_ref().is_some_and(|above| gap(above, &head) > 0) {
            out.push(String::new());
        }
        out.extend(block(&subject, &options).rows.iter().map(|row| row.plain().trim_end().to_owned()));
        above = Some(head);
    }
    out
}

pub(super) fn options(columns: usize, fold: Fold) -> BlockOptions<'static> {
    static ZONE: OnceLock<TimeZone> = OnceLock::new();
    BlockOptions {
        columns,
        fold,
        pages: 0,
        code: CodeTones::Plain,
        now: NOW,
        zone: ZONE.get_or_init(|| TimeZone::UTC),
        times: Times::Clock,
        home: Some("/home/u"),
        cell: None,
    }
}

fn message(message: &str) -> String {
    format!(
        r#"{{"type":"message","id":"x","parentId":null,"timestamp":"2026-01-05T08:00:00Z","message":{message}}}"#
    )
}

#[test]
fn a_turn_reads_like_a_conversation() {
    let branch = [
        message(r#"{"role":"user","content":"use cookies,\n  keep it boring"}"#),
        message(
            r###"{"role":"assistant","model":"sonnet-4.5","usage":{"input":1000,"output":234,"cost":{"total":0.012}},
            "content":[{"type":"thinking","thinking":"Where is it?\nHm."},{"type":"text","text":"## Plan\nI look at `auth.rs`."},
            {"type":"toolCall","id":"1","name":"read","arguments":{"path":"/home/u/src/auth.rs","offset":5,"limit":10}},
            {"type":"toolCall","toolCallId":"2","toolName":"bash","input":{"command":"cargo test\n"}},
            {"type":"toolCall","id":"3","name":"ask","arguments":{"question":"Which?","n":2}}]}"###,
        ),
        message(r#"{"role":"toolResult","toolCallId":"1","content":[{"type":"text","text":"a\nb\n"}]}"#),
        message(
            r#"{"role":"toolResult","toolCallId":"2","isError":true,"content":"one\n\nCommand exited with code 101"}"#,
        ),
    ]
    .map(|line| line.replace('\n', ""))
    .join("\n");
    assert_eq!(
        shown(&branch, 60, Fold::Closed),
        [
            "▎ you                                                  08:00",
            "▎ use cookies,",
            "▎   keep it boring",
            "",
            "▎ assistant  sonnet-4.5           08:00 · ↑1.0k ↓234 · $0.01",
            "  ▸ thinking  Where is it? Hm.                       2 lines",
            "  Plan",
            "  I look at auth.rs.",
            "",
            "  ▸ ? ask question Which?  n 2                     no result",
            "",
            "  ▸ read ~/src/auth.rs:5-14                          2 lines",
            "  ▸ ✗ bash cargo test                               exit 101",
        ]
    );
    assert_eq!(
        shown(&branch, 60, Fold::Open)[5..],
        [
            "  ▾ thinking                                         2 lines",
            "    Where is it?",
            "    Hm.",
            "",
            "  Plan",
            "  I look at auth.rs.",
            "",
            "  ▾ ? ask question Which?  n 2                     no result",
            "    question: Which?",
            "    n: 2",
            "",
            "  ▾ read ~/src/auth.rs:5-14                          2 lines",
            "    5  a",
            "    6  b",
            "  ▾ ✗ bash cargo test                               exit 101",
            "    one",
            "",
            "    Command exited with code 101",
        ]
    );
}

#[test]
fn a_heading_drops_whole_facts() {
    let answer = |model: &str| {
        message(&format!(
            r#"{{"role":"assistant","model":"{model}","content":"ok","usage":{{"input":1234,"output":96,"cacheRead":12000,"cost":{{"total":0.012}}}}}}"#
        ))
    };
    for (columns, heading) in [
        (60, "▎ assistant  sonnet-4.5       08:00 · ↑1.2k ↓96 R12k · $0.01"),
        (50, "▎ assistant  sonnet-4.5    08:00 · 13k tok · $0.01"),
        (42, "▎ assistant        08:00 · 13k tok · $0.01"),
        (33, "▎ assistant       08:00 · 13k tok"),
        (24, "▎ assistant        08:00"),
        (16, "▎ assistant"),
        (8, "▎ assis…"),
    ] {
        assert_eq!(shown(&answer("sonnet-4.5"), columns, Fold::Closed)[0], heading);
    }
}

#[test]
fn times_are_told_by_the_clock_or_as_ages() {
    let moment = |time, times| BlockOptions { times, ..options(60, Fold::Open) }.moment(time);
    for (time, clock, age) in [
        (Some(NOW - 60_000), "08:01", "1m ago"),
        (Some(NOW), "08:02", "just now"),
        (Some(NOW - 86_400_000), "4 Jan 08:02", "1d ago"),
        (None, "", ""),
    ] {
        assert_eq!((&*moment(time, Times::Clock), &*moment(time, Times::Age)), (clock, age));
    }
}

#[test]
fn an_answer_that_only_calls_is_left_to_the_results() {
    let call = r#"{"type":"toolCall","id":"1","name":"bash","arguments":{"command":"ls"}}"#;
    let result = message(
        r#"{"role":"toolResult","toolCallId":"1","content":"a","details":{"exitCode":0,"durationMs":8400}}"#,
    );
    let line = "  ▸ bash ls               exit 0 · 8.4 s";
    let branch = |content: &str, more: &str| {
        let answer = message(&format!(r#"{{"role":"assistant","content":[{content}{call}]{more}}}"#));
        shown(&format!("{answer}\n{result}"), 40, Fold::Closed)
    };
    assert_eq!(branch("", ""), [line]);
    assert_eq!(
        branch(r#"{"type":"thinking","thinking":"Hm."},"#, ""),
        ["  ▸ thinking  Hm.                 1 line", line]
    );
    assert_eq!(branch("", r#","stopReason":"aborted""#).len(), 4);
    assert_eq!(branch(r#"{"type":"text","text":"Look."},"#, "").len(), 4);
}

#[test]
fn a_long_path_keeps_its_end() {
    let branch = [
        message(r#"{"role":"assistant","content":[{"type":"toolCall","id":"1","name":"read","arguments":{"path":"/very/long/way/to/the/place/main.rs"}}]}"#),
        message(r#"{"role":"toolResult","toolCallId":"1","content":"a"}"#),
    ]
    .join("\n");
    for (columns, row) in [
        (60, "  ▸ read /very/long/way/to/the/place/main.rs          1 line"),
        (38, "  ▸ read …/to/the/place/main.rs 1 line"),
        (20, "  ▸ read ….rs 1 line"),
        (12, "  ▸ r… 1 li…"),
    ] {
        assert_eq!(shown(&branch, columns, Fold::Closed), [row]);
    }
}

#[test]
fn edits_unfold_into_diffs() {
    let branch = [
        message(
            r#"{"role":"assistant","content":[
            {"type":"toolCall","id":"1","name":"edit","arguments":{"path":"a.rs","oldText":"let x = 1;","newText":"let y = 1;"}},
            {"type":"toolCall","id":"2","name":"edit","arguments":{"path":"b.rs","edits":[{"oldText":"p","newText":"q"},{"oldText":"r","newText":""}]}},
            {"type":"toolCall","id":"3","name":"edit","arguments":{"path":"c.rs"}}]}"#,
        ),
        message(r#"{"role":"toolResult","toolCallId":"1","content":"done"}"#),
        message(r#"{"role":"toolResult","toolCallId":"2","content":"done"}"#),
        message(r#"{"role":"toolResult","toolCallId":"3","content":"done","details":{"diff":"   8 a\n-  9 b\n+  9 c\n  ..."}}"#),
    ]
    .map(|line| line.replace('\n', ""))
    .join("\n");
    assert_eq!(
        shown(&branch, 40, Fold::Open),
        [
            "  ▾ edit a.rs                      +1 −1",
            "    - let x = 1;",
            "    + let y = 1;",
            "  ▾ edit b.rs                      +1 −2",
            "    - p",
            "    + q",
            "    …",
            "    - r",
            "  ▾ edit c.rs                      +1 −1",
            "    8   a",
            "    9 - b",
            "    9 + c",
            "    …",
        ]
    );
}

#[test]
fn every_other_kind_says_what_it_is() {
    let time = r#""timestamp":"2026-01-05T08:00:00Z""#;
    for (line, rows) in [
        (
            message(
                r#"{"role":"assistant","content":[],"stopReason":"error","errorMessage":"overloaded\n529"}"#,
            ),
            vec!["▎ assistant                      08:00", "  ✗ error: overloaded 529"],
        ),
        (
            message(
                r#"{"role":"assistant","content":"x","deferred":true,"rawStopReason":"QUEUED","diagnostics":[{"type":"t"}]}"#,
            ),
            vec![
                "▎ assistant                      08:00",
                "  x",
                "  … deferred (QUEUED)",
                "  ▸ 1 diagnostic",
            ],
        ),
        (
            message(
                r#"{"role":"assistant","content":[{"type":"thinking","thinking":"","redacted":true}],"stopReason":"length"}"#,
            ),
            vec![
                "▎ assistant                      08:00",
                "  · thinking, hidden by the provider",
                "  ✗ stopped at the length limit",
            ],
        ),
        (
            message(
                r#"{"role":"user","content":[{"type":"image","data":"R0lGODlhQAHwAA==","mimeType":"image/gif"}]}"#,
            ),
            vec!["▎ you                            08:00", "▎ ▣ image/gif 10 B 320×240"],
        ),
        (
            message(
                r#"{"role":"bashExecution","command":"env","output":"A=1\nB=2","exitCode":1,"excludeFromContext":true}"#,
            ),
            vec!["▎ you ran  not sent (!!)         08:00", "▎ ▸ $ env           ✗ exit 1 · 2 lines"],
        ),
        (
            message(
                r#"{"role":"system","content":"Be brief.","sections":{"cwd":"/x"},"toolsAdded":[{"name":"read"}]}"#,
            ),
            vec!["▎ system  1 section, 1 tool      08:00", "▎ ▸ text  ▸ cwd  ▸ tools"],
        ),
        (message("{}"), vec!["▎ message                        08:00", "▎ (empty message)", "▎ {}"]),
        (
            format!(r#"{{"type":"compaction",{time},"summary":"a\nb\nc\nd\ne","tokensBefore":92000}}"#),
            vec!["  ╌╌╌ compaction · 92k tokens ╌╌ 08:00", "▎ a", "▎ b", "▎ c", "▎ … 2 more lines"],
        ),
        (
            format!(r#"{{"type":"branch_summary",{time}}}"#),
            vec!["  ╌╌╌ branch summary ╌╌╌╌╌╌╌╌╌╌╌ 08:00", "▎ (no summary)"],
        ),
        (
            format!(
                r#"{{"type":"custom_message",{time},"customType":"ci","content":"green\ntoo","display":false}}"#
            ),
            vec!["▎ ci  not shown in pi            08:00", "▎ green", "▎ … 1 more line"],
        ),
        (
            format!(r#"{{"type":"model_change",{time},"provider":"lab","modelId":"tiny"}}"#),
            vec!["  ─── model lab/tiny ─────────── 08:00"],
        ),
        (
            format!(r#"{{"type":"label",{time},"targetId":"7c","label":"green"}}"#),
            vec!["  ─── label ◆ green  on 7c ───── 08:00"],
        ),
        (
            format!(r#"{{"type":"session_info",{time},"name":" "}}"#),
            vec!["  ─── name cleared ───────────── 08:00"],
        ),
        (
            format!(r#"{{"type":"context_edit",{time},"targetId":"7c","replacement":null}}"#),
            vec!["  ─── context omits 7c ───────── 08:00"],
        ),
        (
            format!(r#"{{"type":"future","id":1,{time}}}"#),
            vec![
                "▎ future                         08:00",
                "▎ {",
                r#"▎   "type": "future","#,
                r#"▎   "id": 1,"#,
                "▎ …",
            ],
        ),
    ] {
        assert_eq!(shown(&line, 38, Fold::Closed), rows, "{line}");
    }
}

#[test]
fn a_new_day_is_told() {
    let at = |day: u8, role: &str| {
        format!(
            r#"{{"type":"message","timestamp":"2026-01-0{day}T08:00:00Z","message":{{"role":"{role}","content":"x"}}}}"#
        )
    };
    let branch = [at(4, "user"), at(4, "toolResult"), at(5, "toolResult")].join("\n");
    assert_eq!(
        shown(&branch, 40, Fold::Closed),
        [
            "▎ you                        4 Jan 08:00",
            "▎ x",
            "",
            "  ▸ tool                          1 line",
            "",
            "  ─── Mon 5 Jan 2026 ───────────────────",
            "",
            "  ▸ tool                          1 line",
        ]
    );
}

#[test]
fn a_compaction_says_what_it_cost_and_touched() {
    let line = r#"{"type":"compaction","timestamp":"2026-01-05T08:00:00Z","summary":"a","tokensBefore":92000,"fromHook":true,
        "usage":{"input":1,"cost":{"total":0.31}},"details":{"readFiles":["a.rs","b.rs"],"modifiedFiles":["c.rs"]}}"#.replace('\n', "");
    assert_eq!(
        shown(&line, 70, Fold::Closed),
        [
            "  ╌╌╌ compaction · 92k tokens · ↑1 · $0.31 · by an extension ╌╌╌ 08:00",
            "▎ a",
            "▎ read 2 files, changed 1 file",
        ]
    );
    assert_eq!(shown(&line, 70, Fold::Open)[2..], ["▎ read a.rs  b.rs", "▎ changed c.rs"]);
}

#[test]
fn an_entry_can_be_shown_as_it_is_stored() {
    assert_eq!(
        shown(r#"{"type":"label","id":"7c","timestamp":"2026-01-05T08:00:00Z"}"#, 50, Fold::RAW),
        [
            "▎ stored as  7c  line 1 · 0 B                08:00",
            "▎ {",
            "▎   \"type\": \"label\",",
            "▎   \"id\": \"7c\",",
            "▎   \"timestamp\": \"2026-01-05T08:00:00Z\"",
            "▎ }",
        ]
    );
}

#[test]
fn a_run_of_tools_takes_one_line() {
    let calls = [("read", false), ("bash", true), ("read", false)];
    let head_of = |line: String| entry_head(Document::parse(line).unwrap().root(), 1, 0, 0);
    let result = message(r#"{"role":"toolResult","content":""}"#);
    let (above, head) = (head_of(result.replace("-05T", "-04T")), head_of(result));
    let rows = |above| {
        let block = tool_run_line(&Run { calls: &calls, head: &head, above }, &options(50, Fold::Hidden));
        assert!(block.is_foldable);
        block.rows.iter().map(|row| row.plain().trim_end().to_owned()).collect::<Vec<_>>()
    };
    let line = "  ▸ 3 tool calls: 2 read, 1 bash          1 failed";
    assert_eq!(rows(Some(&head)), [line]);
    assert_eq!(rows(Some(&above)), ["", "  ─── Mon 5 Jan 2026 ─────────────────────────────", "", line]);
}

#[test]
fn long_texts_are_bounded_and_counted() {
    let lines = "x\\n".repeat(50_000);
    let rows = shown(&message(&format!(r#"{{"role":"user","content":"{lines}"}}"#)), 40, Fold::Open);
    assert_eq!(rows.len(), 2_001);
    assert_eq!(rows[2_000], "▎ … 48,001 more lines");
    let output = shown(
        &message(&format!(r#"{{"role":"toolResult","toolName":"bash","content":"{lines}end"}}"#)),
        40,
        Fold::Open,
    );
    assert_eq!(output.len(), 1 + 600 + 1 + 400);
    assert_eq!((output[601].trim(), output[1_001].trim()), ("… 49,001 more lines", "end"));
    let huge = "y".repeat(3_000_000);
    let rows = shown(&message(&format!(r#"{{"role":"user","content":"{huge}"}}"#)), 400, Fold::Open);
    assert_eq!(rows.last().unwrap(), "▎ … 2.6 MB more");
}
