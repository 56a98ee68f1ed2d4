use std::cmp::Ordering;

/// The printable characters of ASCII that are no letters and no digits, in the order of the Unicode root
/// collation.
const MARKS: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Compares two file names as JavaScript's `localeCompare` does, which decides the order of sessions that are
/// equally recent: marks before digits before letters, and case only where nothing else differs, small
/// letters first.
///
/// Exact for ASCII, which is all that pi's own names use. Other characters follow by code point instead of by
/// the collation tables of their languages; what looks equal in all this is ordered by its bytes, to be
/// definite.
pub(super) fn compare_names(a: &str, b: &str) -> Ordering {
    let primary = |text| visible(text).map(|c| weight(c.to_ascii_lowercase()));
    let case = |text| visible(text).map(|c| c.is_ascii_uppercase());
    primary(a).cmp(primary(b)).then_with(|| case(a).cmp(case(b))).then_with(|| a.cmp(b))
}

/// Control characters, white space apart, have no weight at all.
fn visible(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|&c| !c.is_ascii_control() || c.is_ascii_whitespace() || c == '\u{b}')
}

fn weight(c: char) -> (u8, u32) {
    match MARKS.find(c) {
        Some(at) => (1, at as u32),
        None if c.is_ascii_control() => (0, u32::from(c)),
        None => (2, u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_in_javascript() {
        let expected = [
            "_x.jsonl",
            "-.jsonl",
            ".hidden.jsonl",
            "1.jsonl",
            "10.jsonl",
            "2.jsonl",
            "a b.jsonl",
            "a.jsonl",
            "A.jsonl",
            "b.jsonl",
            "B.jsonl",
            "x_1.jsonl",
            "x-1.jsonl",
            "x.1.jsonl",
            "x.jsonl",
            "x1.jsonl",
            "X1.jsonl",
            "z.jsonl",
            "Z.jsonl",
            "zz.jsonl",
            "日.jsonl",
        ];
        let mut names = expected;
        names.sort_unstable();
        assert_ne!(names, expected);
        names.sort_by(|a, b| compare_names(a, b));
        assert_eq!(names, expected);
        assert_eq!(compare_names("aB", "ab"), Ordering::Greater);
        assert_eq!(compare_names("aBc", "abd"), Ordering::Less);
        assert_eq!(compare_names("a\tb", "a b"), Ordering::Less);
    }
}
