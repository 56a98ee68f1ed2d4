//! Invented sessions for measurements.

use std::fs;
use std::path::Path;
use std::time::Duration;

use criterion::Criterion;

/// All measurements together take minutes, and what is slow is done ten times.
pub(crate) fn patience() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

/// A session of `entries` entries in one chain, with a branch of two entries at every hundredth: prompts, answers that
/// call a tool, and results of some `result` bytes with the line ends and quotes of code.
pub(crate) fn session(id: &str, entries: usize, result: usize) -> String {
    let mut text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2026-01-05T08:00:00.000Z\",\
         \"cwd\":\"/work/{}\"}}\n",
        id.len() % 7
    );
    let code = r#"    let value = \"session → tree\"; // and so on\n"#.repeat(result / 47 + 1);
    let mut parent = None;
    for at in 0..entries {
        let message = match at % 3 {
            0 => format!(
                r#"{{"role":"user","content":"step {at}, please","timestamp":{}}}"#,
                1_767_600_000_000_u64 + at as u64
            ),
            1 => format!(
                r#"{{"role":"assistant","content":[{{"type":"text","text":"Looking at step {at}."}},{{"type":"toolCall","id":"c{at}","name":"read","arguments":{{"path":"src/{at}.rs"}}}}],"provider":"lab","model":"tiny-1","usage":{{"input":9,"output":9,"cacheRead":9,"cacheWrite":9,"totalTokens":36,"cost":{{"total":0.01}}}},"stopReason":"toolUse","timestamp":1767600000000}}"#
            ),
            _ => format!(
                r#"{{"role":"toolResult","toolCallId":"c{}","toolName":"read","content":[{{"type":"text","text":"{code}"}}],"isError":false,"timestamp":1767600000000}}"#,
                at - 1
            ),
        };
        let parent_id = parent.map_or_else(|| "null".to_owned(), |parent: usize| format!("\"{parent:08x}\""));
        text.push_str(&format!(
            "{{\"type\":\"message\",\"id\":\"{at:08x}\",\"parentId\":{parent_id},\"timestamp\":\"2026-01-05T08:00:00.000Z\",\
             \"message\":{message}}}\n"
        ));
        parent = Some(if at % 100 == 99 { at - 2 } else { at });
    }
    text
}

/// Writes a store of `files` sessions of `entries` entries each; returns its size in bytes.
pub(crate) fn store(folder: &Path, files: usize, entries: usize, result: usize) -> u64 {
    let mut bytes = 0;
    for at in 0..files {
        let project = folder.join(format!("--work-{}--", at % 40));
        fs::create_dir_all(&project).expect("a folder");
        let id = format!("0198a000-0000-7000-8000-{at:012x}");
        let text = session(&id, entries, result);
        bytes += text.len() as u64;
        fs::write(project.join(format!("2026-01-05T08-00-00-000Z_{id}.jsonl")), text).expect("a file");
    }
    bytes
}
