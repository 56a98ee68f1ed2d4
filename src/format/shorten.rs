use memchr::memmem;

/// Shorter lines are read as fast whole.
const LONG: usize = 2048;
/// What is kept of the text: more than a head takes of it, however it is escaped.
const KEPT: usize = 1280;
/// How long an id, a name or a time may be.
const WORD: usize = 256;
/// How far before the end it is looked for what a head needs of the middle.
const TAIL: usize = 2048;

/// Writes the long result of a tool without its middle, where the line begins and ends exactly as pi writes one: what is
/// left has the same head. The middle is not looked at: whether the line is a whole one, only reading all of it tells.
pub(crate) fn shorten_result(line: &[u8], out: &mut Vec<u8>) -> bool {
    let (Some(text), true) = (text_start(line), line.len() > LONG) else { return false };
    let (Some(cut), Some(rest)) = (text_cut(line, text), rest_start(line)) else { return false };
    let tail = &line[cut.max(rest.saturating_sub(TAIL)).min(rest)..rest];
    if cut >= rest || memmem::find(tail, b"\"usage\":").is_some() {
        return false;
    }
    out.clear();
    out.extend_from_slice(&line[..cut]);
    out.extend_from_slice(b"\"}],");
    out.extend_from_slice(&line[rest..]);
    true
}

/// Where the first text of a result begins.
fn text_start(line: &[u8]) -> Option<usize> {
    let mut rest = line.strip_prefix(b"{\"type\":\"message\",\"id\":")?;
    rest = behind_word(rest)?.strip_prefix(b",\"parentId\":")?;
    rest = rest.strip_prefix(b"null").or_else(|| behind_word(rest))?;
    rest = behind_word(rest.strip_prefix(b",\"timestamp\":")?)?;
    rest = behind_word(rest.strip_prefix(b",\"message\":{\"role\":\"toolResult\",\"toolCallId\":")?)?;
    rest = behind_word(rest.strip_prefix(b",\"toolName\":")?)?;
    rest = rest.strip_prefix(b",\"content\":[{\"type\":\"text\",\"text\":\"")?;
    Some(line.len() - rest.len())
}

/// What stands behind a short string without escapes.
fn behind_word(bytes: &[u8]) -> Option<&[u8]> {
    let inside = bytes.strip_prefix(b"\"")?;
    let end = memchr::memchr(b'"', &inside[..inside.len().min(WORD)])?;
    let is_plain = inside[..end].iter().all(|&byte| byte >= b' ' && byte != b'\\');
    is_plain.then(|| &inside[end + 1..])
}

/// Where enough of a text has passed, between two characters; `None` where it ends before.
fn text_cut(line: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while at < start + KEPT {
        at = match memchr::memchr2(b'"', b'\\', line.get(at..start + KEPT)?) {
            None => start + KEPT,
            Some(found) if line[at + found] == b'"' => return None,
            Some(found) if line.get(at + found + 1) == Some(&b'u') => at + found + 6,
            Some(found) => at + found + 2,
        };
    }
    // A character may take several bytes.
    (at..at + 4).find(|&at| line.get(at).is_some_and(|&byte| byte & 0xc0 != 0x80))
}

/// Where begins what pi writes behind the content and the details of a result.
fn rest_start(line: &[u8]) -> Option<usize> {
    let rest = line.strip_suffix(b"}}")?;
    let digits = rest.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = rest[..rest.len() - digits].strip_suffix(b",\"timestamp\":")?;
    let rest = rest.strip_suffix(b"true").or_else(|| rest.strip_suffix(b"false"))?;
    let rest = rest.strip_suffix(b",\"isError\":")?;
    (digits > 0).then_some(rest.len() + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::json::Document;
    use crate::format::{EntryHead, entry_head};

    fn head(line: &[u8], length: usize) -> Option<EntryHead> {
        let document = Document::parse(String::from_utf8(line.to_vec()).ok()?).ok()?;
        document.root().is_object().then(|| entry_head(document.root(), 1, 0, length as u32))
    }

    fn result(text: &str, behind: &str, end: &str) -> String {
        format!(
            r#"{{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-05T08:00:00.000Z","message":{{"role":"toolResult","toolCallId":"c","toolName":"read","content":[{{"type":"text","text":"{text}"}}{behind}],{end}"isError":true,"timestamp":17}}}}"#
        )
    }

    #[test]
    fn only_long_results_as_pi_writes_them_are_shortened() {
        let long = "x".repeat(3000);
        let is_shortened = |line: &str| shorten_result(line.as_bytes(), &mut Vec::new());
        let line = result(&long, "", "");
        assert!(is_shortened(&line));
        assert!(is_shortened(&result(&long, r#",{"type":"image","data":"AAAA"}"#, r#""details":{"n":1},"#)));
        for other in [
            result("short", &format!(r#",{{"type":"text","text":"{long}"}}"#), ""),
            result(&long, "", r#""usage":{"input":1},"#),
            result("short", "", ""),
            line.replace("toolResult", "user"),
            line.replace("\"id\"", "\"i\\u0064\""),
            line.replace("\"isError\":true,", ""),
            line.replace("\"a1\"", "7"),
            line.replace("\"a1\"", "\"a\\u0031\""),
            line[..line.len() - 1].to_owned(),
            line.clone() + "\r",
            format!(" {line}"),
        ] {
            assert!(!is_shortened(&other), "{}", &other[..other.len().min(200)]);
        }
    }

    proptest! {
        #[test]
        fn what_is_left_has_the_same_head(
            pieces in prop::collection::vec(
                prop::sample::select(vec!["a", "plain text ", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "é", "😀", "\\t"]),
                300..2500,
            ),
            behind in prop::sample::select(vec!["", r#",{"type":"text","text":"more"}"#, r#",{"type":"image","data":"AAAA"}"#]),
            details in prop::sample::select(vec!["", r#""details":{"diff":"x\"y"},"#]),
        ) {
            let line = result(&pieces.concat(), behind, details);
            let mut short = Vec::new();
            if shorten_result(line.as_bytes(), &mut short) {
                prop_assert!(short.len() < 2 * KEPT);
                prop_assert_eq!(head(&short, line.len()), head(line.as_bytes(), line.len()));
            } else {
                prop_assert!(line.len() <= LONG || pieces.concat().len() < KEPT + 10);
            }
        }
    }
}
