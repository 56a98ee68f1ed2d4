use std::ffi::OsStr;

/// A word as a POSIX shell takes it for exactly this word.
pub fn quote(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let is_plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | ':' | ',' | '+' | '@' | '%')
    };
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The words of a line as a POSIX shell would part it: blanks part, quotes and backslashes keep together. Nothing is
/// expanded. A quote that is never closed ends with the line.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_parted_as_a_shell_parts_them() {
        for (line, expected) in [
            ("npx  pi", &["npx", "pi"][..]),
            (r#"ssh -t host "cd it's && pi""#, &["ssh", "-t", "host", "cd it's && pi"]),
            (r"a\ b '' 'c\d'", &["a b", "", r"c\d"]),
            (r#""a\"b"c"#, &["a\"bc"]),
            ("  ", &[]),
            ("'never closed", &["never closed"]),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn a_quoted_word_is_one_word_again(text in "[^\0]*") {
            prop_assert_eq!(words(&quote(OsStr::new(&text))), [text]);
        }
    }
}
