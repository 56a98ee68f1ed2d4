pub(super) enum Piece<'t> {
    Text(&'t str),
    Char(char),
    Lone(u16),
}

/// Cuts an escaped string into runs of plain text, resolved escapes and lone surrogates. An escape that is
/// cut off at the end yields nothing.
pub(super) fn pieces(raw: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(escape) = rest.strip_prefix('\\') else {
            let end = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
            let (text, after) = rest.split_at(end);
            rest = after;
            return Some(Piece::Text(text));
        };
        let Some(&letter) = escape.as_bytes().first() else {
            rest = "";
            return None;
        };
        let simple = match letter {
            b'b' => Some('\u{8}'),
            b'f' => Some('\u{c}'),
            b'n' => Some('\n'),
            b'r' => Some('\r'),
            b't' => Some('\t'),
            b'"' => Some('"'),
            b'\\' => Some('\\'),
            b'/' => Some('/'),
            _ => None,
        };
        if let Some(c) = simple {
            rest = &escape[1..];
            return Some(Piece::Char(c));
        }
        let Some(unit) = hex_unit(escape) else {
            rest = "";
            return None;
        };
        rest = &escape[5..];
        if (0xD800..0xDC00).contains(&unit)
            && let Some(low) = rest.strip_prefix('\\').and_then(hex_unit)
            && (0xDC00..0xE000).contains(&low)
        {
            rest = &rest[6..];
            let code = 0x10000 + ((u32::from(unit) - 0xD800) << 10) + (u32::from(low) - 0xDC00);
            return char::from_u32(code).map(Piece::Char);
        }
        Some(char::from_u32(u32::from(unit)).map_or(Piece::Lone(unit), Piece::Char))
    })
}

pub(super) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for piece in pieces(raw) {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Char(c) => out.push(c),
            Piece::Lone(_) => out.push(char::REPLACEMENT_CHARACTER),
        }
    }
    out
}

/// The value of `uXXXX` at the start of `escape`.
fn hex_unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}
