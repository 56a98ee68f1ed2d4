use super::*;
use crate::format::json::Document;

fn read(json: &str) -> Message {
    Message::of(Document::parse(json.to_owned()).unwrap().root())
}

const ANSWER: &str = r#"{"role":"assistant","content":[
            {"type":"text","text":"t","textSignature":"ts"},
            {"type":"thinking","thinking":"h","thinkingSignature":"hs","redacted":true},
            {"type":"toolCall","id":"c","name":"read","arguments":{"path":"p"},"thoughtSignature":"x","namespace":"n","argumentsError":"e"},
            {"type":"toolCall","toolCallId":"c2","toolName":"ls","input":{}},
            {"type":"new","a":1}],
          "api":"a","provider":"p","model":"m","responseModel":"rm","responseId":"ri","thinkingLevel":"high",
          "providerThinkingLevel":"max","diagnostics":[{"k":1}],"stopReason":"deferred","rawStopReason":"later",
          "deferred":{"provider":"p","modelId":"m","api":"a","id":"tok","expiresAt":5,"pollAfterMs":6,"data":[1]},
          "usage":{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"cacheWrite1h":5,"reasoning":6,"totalTokens":7,
                   "cost":{"total":0.5,"totalFromProvider":true}},
          "endTurn":true,"durationMs":9,"timestamp":8,"mystery":{"x":[null]},"errorMessage":7}"#;

#[test]
fn an_answer_keeps_every_field() {
    let message = read(ANSWER);
    let Message::Assistant(answer) = message else { panic!("{message:?}") };
    assert_eq!(answer.stop_reason, Some(StopReason::Deferred));
    assert_eq!(answer.raw_stop_reason.as_deref(), Some("later"));
    let handle = answer.deferred.unwrap();
    assert_eq!(
        (handle.id.as_deref(), handle.poll_after_ms, handle.data.as_deref()),
        (Some("tok"), Some(6.0), Some("[1]"))
    );
    let usage = answer.usage.unwrap();
    assert_eq!((usage.cache_write_1h, usage.reasoning), (Some(5.0), Some(6.0)));
    assert_eq!(usage.cost.unwrap().total_from_provider, Some(true));
    assert_eq!((answer.response_id.as_deref(), answer.response_model.as_deref()), (Some("ri"), Some("rm")));
    assert_eq!(
        (answer.thinking_level.as_deref(), answer.provider_thinking_level.as_deref()),
        (Some("high"), Some("max"))
    );
    assert_eq!(answer.diagnostics, [r#"{"k":1}"#]);
    let other: Vec<(&str, &str)> =
        answer.other.iter().map(|field| (field.name.as_str(), field.json.as_str())).collect();
    assert_eq!(
        other,
        [("mystery", r#"{"x":[null]}"#), ("errorMessage", "7")],
        "an odd type is kept as it is"
    );
    let Some(Content::Blocks(blocks)) = answer.content else { panic!("no blocks") };
    let call = |at: usize| match &blocks[at] {
        ContentBlock::ToolCall(call) => call.clone(),
        block => panic!("{block:?}"),
    };
    assert_eq!((call(2).namespace.as_deref(), call(2).thought_signature.as_deref()), (Some("n"), Some("x")));
    assert_eq!((call(3).id.as_str(), call(3).name.as_str(), call(3).arguments.as_str()), ("c2", "ls", "{}"));
    assert!(matches!(&blocks[1], ContentBlock::Thinking { redacted: Some(true), .. }));
    assert_eq!(blocks[4], ContentBlock::Odd(r#"{"type":"new","a":1}"#.into()));
}

#[test]
fn every_stop_reason_has_a_name() {
    for (word, reason) in [
        ("pending", StopReason::Pending),
        ("stop", StopReason::Stop),
        ("length", StopReason::Length),
        ("toolUse", StopReason::ToolUse),
        ("error", StopReason::Error),
        ("aborted", StopReason::Aborted),
        ("deferred", StopReason::Deferred),
        ("else", StopReason::Other("else".into())),
    ] {
        let Message::Assistant(answer) = read(&format!(r#"{{"role":"assistant","stopReason":"{word}"}}"#))
        else {
            panic!("no answer")
        };
        assert_eq!(answer.stop_reason, Some(reason));
    }
}

#[test]
fn the_other_roles_keep_theirs() {
    let Message::ToolResult(result) = read(
        r#"{"role":"toolResult","toolCallId":"c","toolName":"t","content":"x","details":{"d":1},"isError":false,
            "nestedCalls":{"calls":[{"id":"n"}],"complete":true},"addedToolNames":["a","b"],"durationMs":3}"#,
    ) else {
        panic!("no result")
    };
    assert_eq!(result.details.as_deref(), Some(r#"{"d":1}"#));
    assert_eq!(result.nested_calls.unwrap().calls, [r#"{"id":"n"}"#]);
    assert_eq!(result.added_tool_names, ["a", "b"]);
    let Message::System(system) = read(
        r#"{"role":"system","content":"x","sections":{"a":"A","b":null},"toolsAdded":[{"name":"t"}],"toolsRemoved":[]}"#,
    ) else {
        panic!("no instructions")
    };
    assert_eq!(system.sections, [("a".to_owned(), Some("A".to_owned())), ("b".to_owned(), None)]);
    assert_eq!(system.tools_added, [r#"{"name":"t"}"#]);
    let Message::BashExecution(bash) =
        read(r#"{"role":"bashExecution","command":"ls","excludeFromContext":true}"#)
    else {
        panic!("no command")
    };
    assert_eq!((bash.command.as_deref(), bash.exclude_from_context), (Some("ls"), Some(true)));
    assert_eq!(read(r#"{"content":"x"}"#).role(), "");
    for role in ["compactionSummary", "branchSummary"] {
        let (Message::CompactionSummary { other, .. } | Message::BranchSummary { other, .. }) =
            read(&format!(r#"{{"role":"{role}","summary":"s","mood":[1]}}"#))
        else {
            panic!("no summary")
        };
        assert_eq!((other[0].name.as_str(), other[0].json.as_str()), ("mood", "[1]"), "{role}");
    }
}

#[test]
fn a_message_is_written_with_all_its_fields() {
    let same = |json: &str| {
        let written = read(json).to_json();
        let as_value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(as_value(&written), as_value(json), "{written}");
        assert_eq!(read(&written).to_json(), written);
    };
    // The other shape of tool calls is written in pi's own.
    same(
        &ANSWER
            .replace("toolCallId", "id")
            .replace("toolName", "name")
            .replace("input\":{}", "arguments\":{}"),
    );
    for json in [
        r#"{"role":"user","content":"x\ny","timestamp":5,"odd":{"a":[1000]}}"#,
        r#"{"role":"user","content":[{"type":"image","data":"AA","mimeType":"image/png"},7]}"#,
        r#"{"role":"toolResult","toolCallId":"c","toolName":"t","content":[],"details":{"d":1},"usage":{"input":1},
            "isError":true,"nestedCalls":{"calls":[{"id":"n"}],"complete":true},"addedToolNames":["a"],"durationMs":3}"#,
        r#"{"role":"bashExecution","command":"ls","output":"o","exitCode":1,"cancelled":false,"truncated":true,
            "fullOutputPath":"/o","excludeFromContext":true,"timestamp":1}"#,
        r#"{"role":"system","content":"x","sections":{"a":"A","b":null},"toolsAdded":[{"name":"t"}],
            "toolsRemoved":[{"name":"u"}],"timestamp":1}"#,
        r#"{"role":"custom","customType":"c","content":"x","display":true,"details":[1],"timestamp":2}"#,
        r#"{"role":"compactionSummary","summary":"s","tokensBefore":5,"timestamp":6}"#,
        r#"{"role":"branchSummary","summary":"s","fromId":"f","timestamp":6}"#,
        r#"{"role":"new","a":1}"#,
        r#"{"a":1}"#,
    ] {
        same(json);
    }
}
