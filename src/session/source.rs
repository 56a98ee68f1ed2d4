use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;

/// What distinguishes a file from another one at the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(metadata.dev(), metadata.ino())
    }

    /// Elsewhere the time of creation has to do.
    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let created =
            metadata.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Self(created.map_or(0, |since| since.as_nanos() as u64), 0)
    }
}

/// The bytes of a session: an open file read at positions, or memory.
#[derive(Debug)]
pub(super) enum Source {
    File(File),
    Memory(Vec<u8>),
}

impl Source {
    /// Reads exactly `length` bytes from `offset`.
    pub(super) fn read_at(&self, offset: u64, length: u32) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length as usize];
        self.fill_from(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Fills a buffer from `offset` on.
    pub(super) fn fill_from(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            match self.read_some(offset + done as u64, &mut bytes[done..]) {
                Ok(0) => {
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file has become shorter"));
                }
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn read_some(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => read_file_at(file, buffer, offset),
            Self::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
        }
    }

    /// How many bytes there are now.
    pub(super) fn size(&self) -> io::Result<u64> {
        match self {
            Self::File(file) => Ok(file.metadata()?.len()),
            Self::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// The bytes from `offset` on, as a stream that leaves positioned reads alone.
    pub(super) fn stream_at(&self, offset: u64) -> SourceStream<'_> {
        SourceStream { source: self, offset }
    }

    /// Where the first line begins that begins within a range, which is not searched beyond its end.
    pub(super) fn line_start(&self, range: Range<u64>) -> io::Result<Option<u64>> {
        let mut block = vec![0; 64 * 1024];
        // A line begins at the start of the range where a line end stands before it.
        let mut at = range.start.saturating_sub(1);
        while at + 1 < range.end {
            let count = match self.read_some(at, &mut block) {
                Ok(0) => return Ok(None),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if let Some(found) = memchr::memchr(b'\n', &block[..count]) {
                let start = at + found as u64 + 1;
                return Ok((start < range.end).then_some(start));
            }
            at += count as u64;
        }
        Ok(None)
    }
}

pub(super) struct SourceStream<'s> {
    source: &'s Source,
    offset: u64,
}

impl io::Read for SourceStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read_some(self.offset, buffer)?;
        self.offset += count as u64;
        Ok(count)
    }
}

#[cfg(unix)]
fn read_file_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_file_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
