use jiff::tz::TimeZone;

use super::*;
use crate::cancel::Cancel;
use crate::export::DocumentKind;
use crate::session::Session;

fn written(session: &Session) -> String {
    let mut out = Vec::new();
    let of = Document {
        session,
        entries: &session.path_to(session.current_leaf()),
        kind: DocumentKind::Branch,
        redact: None,
        zone: &TimeZone::UTC,
        cancel: &Cancel::new(),
        progress: &|_| {},
    };
    markdown(&of, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_branch_reads_as_a_document() {
    let lines = r##"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}
{"type":"session_info","id":"n","parentId":null,"timestamp":"","name":"Parser *x*"}
{"type":"message","id":"a","parentId":"n","timestamp":"","message":{"role":"user","content":"# Fix **it**"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T10:02:00.000Z","message":{"role":"assistant","model":"m_1","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Looking."},{"type":"toolCall","id":"1","name":"bash","arguments":{"command":"ls","timeout":5}}]}}
{"type":"message","id":"c","parentId":"b","timestamp":"","message":{"role":"toolResult","toolCallId":"1","toolName":"bash","isError":true,"content":[{"type":"text","text":"a```b\n"}]}}
"##;
    let session = Session::from_bytes("/s.jsonl", lines.as_bytes().to_vec()).unwrap();
    assert_eq!(
        written(&session),
        "# Parser \\*x\\*\n\n/w · session s · 2026-01-01 · a branch of 4 entries\n\n*Name: Parser \\*x\\**\n\n\
         ## User\n\n#### Fix **it**\n\n## Assistant · m\\_1 · 2026-01-01 10:02\n\n\
         <details>\n<summary>Thought</summary>\n\nhm\n\n</details>\n\nLooking.\n\n**bash**\n\n```sh\nls\n```\n\n\
         ```yaml\ntimeout: 5\n```\n\nOutput of bash, failed:\n\n````\na```b\n````\n\n---\n\n\
         0 tokens read, 0 written, $0.00  \n1 entry lacks numbers that can be believed; they count as zero\n"
    );
}

#[test]
fn a_language_is_a_word() {
    assert_eq!(fenced("a\n", "rs"), "```rs\na\n```");
    assert_eq!(fenced("a", "x`\ny"), "```\na\n```");
}
