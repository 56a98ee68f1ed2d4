use std::fs::{self, File};
use std::io;
use std::path::Path;

pub(super) use crate::session::Identity;

/// The disk as an append sees it: the seam at which tests make it full, read-only or gone.
pub(super) trait Disk {
    type File: AppendFile;

    /// Opens for reading and appending; never creates.
    fn open(&self, path: &Path) -> io::Result<Self::File>;

    /// What stands at a path now.
    fn identity(&self, path: &Path) -> io::Result<Identity>;
}

/// A file open for reading and appending.
pub(super) trait AppendFile {
    fn identity(&self) -> io::Result<Identity>;
    fn length(&self) -> io::Result<u64>;
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
    /// Puts bytes behind the end in one write, and returns how many the disk took.
    fn append(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Waits until the disk has everything.
    fn sync(&self) -> io::Result<()>;
}

/// The disk itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    type File = File;

    fn open(&self, path: &Path) -> io::Result<File> {
        File::options().read(true).append(true).open(path)
    }

    fn identity(&self, path: &Path) -> io::Result<Identity> {
        Ok(Identity::of(&fs::metadata(path)?))
    }
}

impl AppendFile for File {
    fn identity(&self) -> io::Result<Identity> {
        Ok(Identity::of(&self.metadata()?))
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, offset)
    }

    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self;
        io::Write::write(&mut file, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Reads exactly the bytes of a range.
pub(super) fn read_exact_at(file: &impl AppendFile, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    io::Read::read_exact(&mut Range::new(file, offset, offset + length as u64), &mut bytes)?;
    Ok(bytes)
}

/// A range of a file as a stream.
pub(super) struct Range<'f, F> {
    file: &'f F,
    offset: u64,
    end: u64,
}

impl<'f, F: AppendFile> Range<'f, F> {
    pub(super) fn new(file: &'f F, offset: u64, end: u64) -> Self {
        Self { file, offset, end }
    }
}

impl<F: AppendFile> io::Read for Range<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.offset).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let count = self.file.read_at(&mut buffer[..wanted], self.offset)?;
        self.offset += count as u64;
        Ok(count)
    }
}
