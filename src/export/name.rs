use super::Format;

/// Characters of a title that a name holds.
const LONGEST: usize = 60;
/// Characters of an id that a name holds: of pi's own the end differs most.
const ID: usize = 8;
/// Names that Windows keeps for devices, whatever stands behind a dot.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The name of a file for an export, which every system takes: words of the title in small letters, digits and other
/// scripts' letters, parted by `-`, the end of the session's id, and the extension.
pub fn file_name(title: &str, id: &str, format: Format) -> String {
    let mut words = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        if words.chars().count() >= LONGEST || words.len() >= 3 * LONGEST {
            break;
        }
        if c.is_alphanumeric() {
            words.push(c);
        } else if !words.is_empty() && !words.ends_with('-') {
            words.push('-');
        }
    }
    let words = words.trim_matches('-');
    let plain: Vec<char> = id.chars().filter(char::is_ascii_alphanumeric).collect();
    let id: String = plain[plain.len().saturating_sub(ID)..].iter().collect::<String>().to_ascii_lowercase();
    let parts: Vec<&str> = [words, &id].into_iter().filter(|part| !part.is_empty()).collect();
    let name = parts.join("-");
    let is_reserved = RESERVED.contains(&&*name)
        || (name.len() == 4 && (name.starts_with("com") || name.starts_with("lpt")));
    let name = if name.is_empty() || is_reserved { format!("session{name}") } else { name };
    format!("{name}.{}", format.extension())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_made_of_words() {
        for (title, id, name) in [
            (
                "Refactor auth module",
                "0199aaaa-0000-7000-8000-00000000abcd",
                "refactor-auth-module-0000abcd.md",
            ),
            ("../../etc/passwd\u{0}", "x", "etc-passwd-x.md"),
            ("C:\\con", "", "c-con.md"),
            ("con", "", "sessioncon.md"),
            ("LPT1", "", "sessionlpt1.md"),
            ("...", "", "session.md"),
            ("設計 メモ", "1", "設計-メモ-1.md"),
            ("user\u{202e}txt.exe", "", "user-txt-exe.md"),
        ] {
            assert_eq!(file_name(title, id, Format::Markdown), name);
        }
    }

    proptest! {
        #[test]
        fn every_system_takes_a_name(title in "\\PC{0,200}", id in ".{0,60}") {
            let name = file_name(&title, &id, Format::Text);
            prop_assert!(name.len() <= 220, "{name}");
            prop_assert!(!name.starts_with(['.', '-']) && name.ends_with("txt"), "{name}");
            prop_assert!(
                !name.contains(|c: char| c.is_control() || c.is_whitespace() || "/\\:*?\"<>|".contains(c)),
                "{name}"
            );
        }
    }
}
