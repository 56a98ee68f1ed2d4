use std::borrow::Cow;
use std::io::{self, Read};

/// One line of a file without its line end.
#[derive(Clone, Copy, Debug)]
pub struct RawLine<'a> {
    /// Number from 1.
    pub number: u32,
    /// Byte offset of its first byte.
    pub offset: u64,
    /// Its bytes, `\n` excluded.
    pub bytes: &'a [u8],
    /// Whether a `\n` follows.
    pub terminated: bool,
}

/// The text of a line, or of a part of one, as pi reads it: what is not UTF-8 becomes U+FFFD. Borrowed where all of it is.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    // The lossy reader alone would look at every byte on its own.
    simdutf8::basic::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// What is read at a time: no more than stays in the caches of a core until it has been looked at.
const BLOCK: usize = 64 * 1024;
/// The largest buffer that is kept for the next source.
const KEPT: usize = 4 * 1024 * 1024;

/// Cuts a stream into lines at `\n`, in one buffer that is reused and grows only for a long line.
pub struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// Unread bytes are `buffer[start..end]`.
    start: usize,
    end: usize,
    offset: u64,
    number: u32,
    ended: bool,
    /// How much is read at a time.
    block: usize,
}

impl<R: Read> LineReader<R> {
    /// Reads `source` from its start.
    pub fn new(source: R) -> Self {
        Self::at(source, 0, 0)
    }

    /// Reads `source` from its start in blocks of `block` bytes, for those who need only its first lines.
    pub fn with_block(source: R, block: usize) -> Self {
        Self { block, ..Self::new(source) }
    }

    /// Reads a source that stands at byte `offset` of its file, after `lines` lines.
    pub fn at(source: R, offset: u64, lines: u32) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset,
            number: lines,
            ended: false,
            block: BLOCK,
        }
    }

    /// Starts afresh on another source, which stands at byte `offset` of its file, after `lines` lines. Keeps the buffer,
    /// unless a very long line made it huge.
    pub fn restart_at(&mut self, source: R, offset: u64, lines: u32) {
        let mut buffer = std::mem::take(&mut self.buffer);
        if buffer.len() > KEPT {
            buffer = Vec::new();
        }
        *self = Self { buffer, ..Self::at(source, offset, lines) };
    }

    /// Bytes of the file handed out so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of the last line handed out, 0 before the first.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The next line, or `None` at the end. A last line without `\n` is a line; an empty rest is not.
    ///
    /// # Errors
    /// Whatever the source reports.
    pub fn next_line(&mut self) -> io::Result<Option<RawLine<'_>>> {
        let mut searched = self.start;
        let (stop, terminated) = loop {
            if let Some(found) = memchr::memchr(b'\n', &self.buffer[searched..self.end]) {
                break (searched + found, true);
            }
            searched = self.end;
            if self.ended {
                if self.start == self.end {
                    return Ok(None);
                }
                break (self.end, false);
            }
            let moved = self.fill()?;
            searched -= moved;
        };
        let line = self.start..stop;
        let whole = line.len() + usize::from(terminated);
        let offset = self.offset;
        self.start += whole;
        self.offset += whole as u64;
        self.number = self.number.saturating_add(1);
        Ok(Some(RawLine { number: self.number, offset, bytes: &self.buffer[line], terminated }))
    }

    /// Reads another block behind the unread bytes; returns how far those were moved to the front.
    fn fill(&mut self) -> io::Result<usize> {
        let moved = self.start;
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= moved;
        self.start = 0;
        // Growing by half keeps a line of any length linear.
        let wanted = self.end + self.block.max(self.end / 2);
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..self.end + self.block]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(moved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(bytes: &[u8]) -> Vec<(u64, Vec<u8>, bool)> {
        let mut reader = LineReader::new(bytes);
        let mut out = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            out.push((line.offset, line.bytes.to_vec(), line.terminated));
        }
        out
    }

    #[test]
    fn a_rest_without_a_line_end_is_a_line() {
        assert_eq!(
            lines(b"a\n\nbc"),
            [(0, b"a".into(), true), (2, b"".into(), true), (3, b"bc".into(), false)]
        );
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_whole() {
        let long = vec![b'x'; 3 * BLOCK + 7];
        let mut file = long.clone();
        file.extend(b"\nend\n");
        let got = lines(&file);
        assert_eq!(got[0].1, long);
        assert_eq!(got[1], (long.len() as u64 + 1, b"end".into(), true));
    }

    proptest! {
        #[test]
        fn equals_a_naive_split(parts in prop::collection::vec("[a\r ]{0,3}", 0..20), tail in any::<bool>()) {
            let mut text = parts.join("\n");
            if tail { text.push('\n'); }
            let mut naive: Vec<&str> = text.split('\n').collect();
            if naive.last() == Some(&"") { naive.pop(); }
            let got: Vec<String> = lines(text.as_bytes()).into_iter().map(|line| String::from_utf8(line.1).unwrap()).collect();
            prop_assert_eq!(got, naive);
        }
    }
}
