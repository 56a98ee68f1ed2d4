use super::flaw::{Flaw, Invalid};
use super::scan::{BLOCK, STRETCH, is_common_text, is_short_escape, is_special, plain_run, special_marks};
use super::tape::{Node, Tag};

/// What carriage returns are between values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Returns {
    AreSpace,
    AreWrong,
}

pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) returns: Returns,
    pub(super) nodes: &'a mut Vec<Node>,
    /// Nodes of the containers that are open, outermost first.
    pub(super) open: &'a mut Vec<u32>,
}

impl Reader<'_> {
    pub(super) fn document(&mut self) -> Result<(), Invalid> {
        self.space();
        self.value()?;
        while let Some(&container) = self.open.last() {
            self.member(container)?;
        }
        self.space();
        match self.peek() {
            None => Ok(()),
            Some(b'{' | b'[' | b'"') => Err(self.flaw(Flaw::Fused)),
            Some(_) => Err(self.flaw(Flaw::Syntax)),
        }
    }

    /// Reads one step inside the innermost container: a separator and the next value, or its end.
    fn member(&mut self, container: u32) -> Result<(), Invalid> {
        let first = self.nodes.len() == container as usize + 1;
        let is_object = self.nodes[container as usize].tag == Tag::Object;
        let close = if is_object { b'}' } else { b']' };
        self.space();
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                self.open.pop();
                let next = self.nodes.len() as u32;
                let node = &mut self.nodes[container as usize];
                node.end = self.at as u32;
                node.next = next;
                return Ok(());
            }
            Some(b',') if !first => {
                self.at += 1;
                self.space();
            }
            Some(_) if first => {}
            _ => return Err(self.unexpected()),
        }
        if is_object {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected());
            }
            self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected());
            }
            self.at += 1;
            self.space();
        }
        self.value()
    }

    /// Reads a scalar, or opens a container.
    fn value(&mut self) -> Result<(), Invalid> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => {
                self.container(Tag::Object);
                Ok(())
            }
            Some(b'[') => {
                self.container(Tag::Array);
                Ok(())
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", Tag::True),
            Some(b'f') => self.word(b"false", Tag::False),
            Some(b'n') => self.word(b"null", Tag::Null),
            _ => Err(self.unexpected()),
        }
    }

    fn container(&mut self, tag: Tag) {
        self.open.push(self.nodes.len() as u32);
        self.leaf(tag, self.at, self.at);
        self.at += 1;
    }

    fn word(&mut self, word: &[u8], tag: Tag) -> Result<(), Invalid> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word) {
            let start = self.at;
            self.at += word.len();
            self.leaf(tag, start, self.at);
            Ok(())
        } else {
            let torn = word.starts_with(rest);
            Err(self.flaw(if torn { Flaw::Torn } else { Flaw::Syntax }))
        }
    }

    fn number(&mut self) -> Result<(), Invalid> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.leaf(Tag::Number, start, self.at);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Invalid> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected());
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Invalid> {
        let start = self.at + 1;
        let mut tag = Tag::Plain;
        self.at = start;
        loop {
            self.at += plain_run(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    self.leaf(tag, start, self.at);
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    tag = Tag::Escaped;
                    self.escapes()?;
                }
                Some(_) => return Err(self.flaw(Flaw::RawControl)),
                None => return Err(self.flaw(Flaw::Torn)),
            }
        }
    }

    /// Reads from a backslash on until something else than plain text and short escapes comes, or the rest is short.
    /// Where one escape is, more are near: so many bytes are looked at together, and where something rare is among them,
    /// 64 at a time and then only the marked ones.
    fn escapes(&mut self) -> Result<(), Invalid> {
        while let Some(block) = self.bytes[self.at..].first_chunk::<BLOCK>() {
            if !is_special(block[0]) || block[0] == b'\\' {
                self.common_text();
            }
            let Some(block) = self.bytes[self.at..].first_chunk::<BLOCK>() else { break };
            let mut marks = special_marks(block);
            let mut next = BLOCK;
            while marks != 0 {
                let at = marks.trailing_zeros() as usize;
                marks &= marks - 1;
                match block[at] {
                    b'\\' if block.get(at + 1).is_some_and(|&letter| is_short_escape(letter)) => {
                        marks &= !(2 << at);
                    }
                    b'\\' => {
                        // It is a long escape, or ends beyond the block.
                        next = at;
                        break;
                    }
                    _ => {
                        self.at += at;
                        return Ok(());
                    }
                }
            }
            self.at += next;
            if next < BLOCK {
                self.escape()?;
            }
        }
        if self.peek() == Some(b'\\') { self.escape() } else { Ok(()) }
    }

    /// Skips long stretches of common text from a byte on that is plain or begins an escape.
    fn common_text(&mut self) {
        let start = self.at;
        while let Some(window) = self.bytes[self.at..].first_chunk()
            && is_common_text(window)
        {
            self.at += STRETCH;
        }
        // The last byte was looked at; only what it escapes was not.
        if self.at > start && self.bytes[self.at] != b'\\' {
            self.at += 1;
        }
    }

    fn escape(&mut self) -> Result<(), Invalid> {
        self.at += 1;
        match self.peek() {
            Some(letter) if is_short_escape(letter) => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.unexpected());
                    }
                    self.at += 1;
                }
                Ok(())
            }
            _ => Err(self.unexpected()),
        }
    }

    fn leaf(&mut self, tag: Tag, start: usize, end: usize) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { tag, start: start as u32, end: end as u32, next });
    }

    fn space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n') => self.at += 1,
                Some(b'\r') if self.returns == Returns::AreSpace => self.at += 1,
                _ => return,
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn flaw(&self, flaw: Flaw) -> Invalid {
        Invalid { offset: self.at, flaw }
    }

    fn unexpected(&self) -> Invalid {
        self.flaw(if self.at >= self.bytes.len() { Flaw::Torn } else { Flaw::Syntax })
    }
}
