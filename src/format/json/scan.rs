//! Finding the few bytes inside a JSON string that need attention. Most bytes of a session file pass through here.

/// True for what ends a run of plain text inside a string.
pub(super) fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// True for what a backslash makes one character with.
pub(super) fn is_short_escape(letter: u8) -> bool {
    matches!(letter, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// Length of the run of bytes that need no attention: eight at a time, since most strings are short, and 32 in a form
/// the compiler turns into vector
/// instructions once a run has proved to be long.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    const LONG: usize = 64;
    let mut at = 0;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += word.len();
        if at == LONG {
            let is_plain = |chunk: &&[u8]| !chunk.iter().fold(false, |any, &byte| any | is_special(byte));
            at += 32 * bytes[at..].chunks_exact(32).take_while(is_plain).count();
        }
    }
    at + bytes[at..].iter().position(|&byte| is_special(byte)).unwrap_or(bytes.len() - at)
}

/// Marks the highest bit of each of eight bytes that is special. Exact up to the first mark; a borrow may set marks
/// behind it.
fn special_bytes(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let below = |limit: u64, word: u64| word.wrapping_sub(limit * EACH);
    let is_zero_with = |byte: u8| below(1, word ^ (u64::from(byte) * EACH));
    (below(0x20, word) | is_zero_with(b'"') | is_zero_with(b'\\')) & !word & (0x80 * EACH)
}

/// How many bytes [`is_common_text`] looks at behind the first.
pub(super) const STRETCH: usize = 128;

/// Whether every byte behind the first is text of a string or one of the commonest escapes, each looked at together with
/// the byte before it. The first is plain text or begins an escape, and so, then, is the last. True only for what is
/// right; a backslash that is itself escaped makes it false, as rarer escapes do. The comparisons are in a form the
/// compiler turns into vector instructions without a branch.
#[expect(clippy::needless_bitwise_bool, reason = "a branch would keep it from being vector instructions")]
pub(super) fn is_common_text(window: &[u8; STRETCH + 1]) -> bool {
    let mut wrong = false;
    for at in 0..STRETCH {
        let (before, byte) = (window[at], window[at + 1]);
        let (quote, escaped) = (byte == b'"', before == b'\\');
        let letter = (byte == b'n') | (byte == b't') | quote;
        wrong |= (byte < 0x20) | (quote & !escaped) | (escaped & !letter);
    }
    !wrong
}

/// How many bytes [`special_marks`] looks at.
pub(super) const BLOCK: usize = 64;

/// A bit for each byte that is special. The comparisons are in a form the compiler turns into vector instructions.
pub(super) fn special_marks(block: &[u8; BLOCK]) -> u64 {
    // Gathers the lowest bits of eight bytes in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut flags = [0; BLOCK];
    for (flag, &byte) in flags.iter_mut().zip(block) {
        *flag = u8::from(is_special(byte));
    }
    let (words, _) = flags.as_chunks::<8>();
    words.iter().enumerate().fold(0, |marks, (at, word)| {
        marks | (u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56) << (8 * at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_plain_run_ends_at_the_first_byte_that_needs_attention(
            length in 0_usize..200,
            marks in prop::collection::vec((0_usize..200, any::<u8>()), 0..6),
            filler in prop::sample::select(vec![b' ', b'a', 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']']),
        ) {
            let mut bytes = vec![filler; length];
            for (at, byte) in marks {
                if let Some(place) = bytes.get_mut(at) {
                    *place = byte;
                }
            }
            let naive = bytes.iter().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\')).unwrap_or(length);
            prop_assert_eq!(plain_run(&bytes), naive);
        }

        #[test]
        fn common_text_holds_nothing_wrong(
            pieces in prop::collection::vec(
                prop::sample::select(vec!["a", "text", "\\n", "\\t", "\\\"", "\\\\", "\\r", "\"", "\u{1}", "é", "\\x", "n", "\\u00e9"]),
                90..400,
            ),
            plain in 0_usize..90,
        ) {
            // Mostly of what is common, so that there are stretches of it.
            let is_common = |piece: &str| matches!(piece, "a" | "text" | "\\n" | "\\t" | "\\\"" | "é" | "n");
            let text: String =
                pieces.iter().enumerate().filter(|(at, piece)| at % 90 > plain || is_common(piece)).map(|(_, piece)| *piece).collect();
            let mut bytes = text.into_bytes();
            bytes.insert(0, b'.');
            let Some(window) = bytes.first_chunk::<{ STRETCH + 1 }>() else { return Ok(()) };
            let mut at = 1;
            let mut is_right = true;
            while at <= STRETCH && is_right {
                let is_escape = window[at] == b'\\' && at < STRETCH;
                is_right = match window[at] {
                    b'\\' if is_escape => matches!(window[at + 1], b'"' | b'n' | b't'),
                    b'"' | 0..0x20 => false,
                    _ => true,
                };
                at += 1 + usize::from(is_escape);
            }
            prop_assert_eq!(is_common_text(window), is_right);
        }

        #[test]
        fn the_special_bytes_are_marked(bytes in prop::array::uniform32(any::<u8>()), plain in any::<u8>()) {
            let mut block = [plain.max(b'#'); BLOCK];
            block[16..48].copy_from_slice(&bytes);
            let marks = special_marks(&block);
            for (at, &byte) in block.iter().enumerate() {
                prop_assert_eq!(is_special(byte), marks >> at & 1 == 1, "{} at {}", byte, at);
            }
        }
    }
}
