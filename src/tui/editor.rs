use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use crate::resume::words;
use crate::store::Environment;

/// Has the person edit a text in `$VISUAL`, else `$EDITOR`, else `vi`, and returns what they made of it. The terminal
/// must be lent.
pub(super) fn edit(text: &str, environment: &Environment) -> io::Result<String> {
    let chosen = ["VISUAL", "EDITOR"].into_iter().find_map(|name| environment.variable(name));
    let line = chosen.map_or_else(|| "vi".into(), |line| line.to_string_lossy().into_owned());
    let line = words(&line);
    let [program, arguments @ ..] = line.as_slice() else {
        return Err(io::Error::other("the editor in $VISUAL or $EDITOR has no name"));
    };
    let folder = environment.cache_dir();
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("prompt-{}.md", std::process::id()));
    let edited = create(&file, text).and_then(|()| {
        let status = Command::new(program).args(arguments).arg(&file).status();
        let status = status.map_err(|error| io::Error::new(error.kind(), format!("{program}: {error}")))?;
        if status.success() {
            fs::read_to_string(&file)
        } else {
            Err(io::Error::other(format!("{program}: {status}")))
        }
    });
    // A prompt may be private, so it does not stay behind, whatever happened.
    let _ = fs::remove_file(&file);
    edited
}

/// Writes a new file that only its owner can read.
fn create(path: &Path, text: &str) -> io::Result<()> {
    // What a process of the same number left behind.
    let _ = fs::remove_file(path);
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
