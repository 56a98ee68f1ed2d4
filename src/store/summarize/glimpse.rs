use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use jiff::tz::TimeZone;

use super::{Row, Summarizer, Tally, Wanted};
use crate::format::{LineReader, RawLine};
use crate::store::files::FoundFile;
use crate::store::summary::FirstMessage;

/// How far the header and the first prompt are looked for.
const HEAD: u64 = 64 * 1024;
/// What is read of that at a time.
const BLOCK: usize = 16 * 1024;
/// How far from the end the name and the last message are looked for.
const TAIL: u64 = 64 * 1024;

/// How pi begins the line that names a session.
const NAMING: &[u8] = br#"{"type":"session_info""#;

impl Summarizer {
    /// What the start and the end of a file say of it: enough for a row until all of it is read. `None` where it does
    /// not begin as a session does.
    pub(in crate::store) fn glimpse(&mut self, file: &FoundFile, zone: &TimeZone) -> Option<Tally> {
        let mut source = File::open(&file.path).ok()?;
        let wanted = Wanted { first_message: FirstMessage::Start, texts: None, zone };
        let mut row = Row::new(wanted, Tally::default());
        let mut lines = LineReader::with_block(Read::take(&source, HEAD), BLOCK);
        while row.tally.prompt.is_none()
            && let Some(line) = lines.next_line().ok()?.filter(|line| line.terminated)
        {
            if row.read_line(&line, &mut self.tape, &mut self.text).is_some() {
                return None;
            }
        }
        row.tally.header.as_ref()?;
        let head = lines.offset();
        self.glimpse_end(&mut row, &mut source, head, file.size).ok()?;
        let Tally { header, name, activity, first_message, prompt, .. } = row.tally;
        Some(Tally { header, name, activity, first_message, prompt, ..Tally::default() })
    }

    /// Reads from the last line upwards until it is known when something was said last, and of the lines above only
    /// the last one that names the session.
    fn glimpse_end(&mut self, row: &mut Row<'_>, source: &mut File, head: u64, size: u64) -> io::Result<()> {
        let start = size.saturating_sub(TAIL).max(head);
        source.seek(SeekFrom::Start(start))?;
        let mut tail = Vec::new();
        source.take(TAIL).read_to_end(&mut tail)?;
        // In the middle of a file it is not known where the first line begins.
        let first = if start == head { Some(0) } else { memchr::memchr(b'\n', &tail).map(|at| at + 1) };
        let lines = first.map_or(&[][..], |first| &tail[first..]).rsplit(|&byte| byte == b'\n');
        let until = row.tally.activity.take();
        let mut has_name = false;
        for bytes in lines.filter(|line| !line.is_empty()) {
            let is_naming = bytes.starts_with(NAMING) && !has_name;
            if row.tally.activity.is_none() || is_naming {
                let line = RawLine { number: 0, offset: 0, bytes, terminated: true };
                row.read_line(&line, &mut self.tape, &mut self.text);
                has_name |= is_naming;
            }
        }
        row.tally.activity = row.tally.activity.or(until);
        Ok(())
    }
}
