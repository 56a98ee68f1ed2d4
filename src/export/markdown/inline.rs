use std::fmt::Write;

/// Text on one line in which nothing is Markdown.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '|' | '&' | '$' | '#' | '!' => {
                out.push('\\');
                out.push(c);
            }
            '\n' | '\t' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// Text on one line in which nothing is HTML. What marks Markdown goes as numbers: some renderers look for it here, too.
pub(super) fn escaped_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '<' | '>' | '"' | '\'' | '*' | '_' | '`' | '[' | ']' | '~' | '\\' | '$' => {
                _ = write!(out, "&#{};", u32::from(c));
            }
            '\n' | '\t' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}
