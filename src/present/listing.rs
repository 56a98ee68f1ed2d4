//! What search tools print, as lists: matches below their file, paths with their names in front.

use super::row::{Row, Tone};

/// The lines of a search through files, `path:12: text` for a match and `path-12- text` for what stands around it: each
/// file once, its lines below it. Lines of another form stand as they are. The text is sanitised.
pub(crate) fn matches(text: &str, wanted: &str) -> Vec<Row> {
    let hits: Vec<Option<Hit<'_>>> = text.split('\n').map(Hit::read).collect();
    let digits = hits.iter().flatten().map(|hit| hit.number.len()).max().unwrap_or(0);
    let mut rows = Vec::new();
    let mut file = "";
    for (line, hit) in text.split('\n').zip(hits) {
        let Some(hit) = hit else {
            rows.push(Row::new().text(line, Tone::Dim));
            continue;
        };
        if hit.path != file {
            file = hit.path;
            rows.push(path(file));
        }
        let number = format!("  {:>digits$}  ", hit.number);
        rows.push(if hit.is_match {
            let text = Row::new().text(hit.text, Tone::Text).highlight(wanted, Tone::Match);
            Row::new().text(number, Tone::Dim).then(text)
        } else {
            Row::new().text(number, Tone::Faint).text(hit.text, Tone::Dim)
        });
    }
    rows
}

/// The lines of a list of paths.
pub(crate) fn paths(text: &str) -> Vec<Row> {
    text.split('\n').map(path).collect()
}

fn path(line: &str) -> Row {
    if line.starts_with('[') && line.ends_with(']') {
        return Row::new().text(line, Tone::Dim);
    }
    let end = line.len() - usize::from(line.ends_with('/'));
    let name = line[..end].rfind('/').map_or(0, |at| at + 1);
    let tone = if end < line.len() { Tone::Name } else { Tone::Text };
    Row::new().text(&line[..name], Tone::Dim).text(&line[name..], tone)
}

/// A line of a search.
struct Hit<'t> {
    path: &'t str,
    number: &'t str,
    is_match: bool,
    text: &'t str,
}

impl<'t> Hit<'t> {
    /// Finds the first number between two colons or two dashes.
    fn read(line: &'t str) -> Option<Self> {
        line.match_indices([':', '-']).filter(|(at, _)| *at > 0).find_map(|(at, mark)| {
            let rest = &line[at + 1..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let text = rest[digits..].strip_prefix(mark).filter(|_| digits > 0)?;
            Some(Self {
                path: &line[..at],
                number: &rest[..digits],
                is_match: mark == ":",
                text: text.strip_prefix(' ').unwrap_or(text),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_stand_below_their_file() {
        let rows = matches(
            "src/a.rs:9: let x = 1;\nsrc/a.rs-10- // y\nb-2.rs:100:x\n\n[100 matches limit reached]",
            "X",
        );
        let plain: Vec<String> = rows.iter().map(Row::plain).collect();
        assert_eq!(
            plain,
            [
                "src/a.rs",
                "    9  let x = 1;",
                "   10  // y",
                "b-2.rs",
                "  100  x",
                "",
                "[100 matches limit reached]",
            ]
        );
        assert_eq!(rows[1].spans[2].tone, Tone::Match);
    }

    #[test]
    fn names_stand_out_of_paths() {
        assert_eq!(
            paths("src/db/mod.rs\ntarget/\n[5 more]"),
            [
                Row::new().text("src/db/", Tone::Dim).text("mod.rs", Tone::Text),
                Row::new().text("target/", Tone::Name),
                Row::new().text("[5 more]", Tone::Dim),
            ]
        );
    }
}
