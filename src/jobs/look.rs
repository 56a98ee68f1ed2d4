use std::path::{Path, PathBuf};

use crate::app::{Look, Stamp};
use crate::cancel::Cancel;
use crate::store::{Environment, FirstMessage, FoundFile, is_session_name, summarize};

/// Looks at places that may have changed, and leaves out the files that are as they were known.
pub(super) fn look(
    places: &[(PathBuf, Option<Stamp>)],
    environment: &Environment,
    cancel: &Cancel,
) -> Vec<Look> {
    let mut looks = Vec::new();
    for (place, known) in places {
        if cancel.is_cancelled() {
            break;
        }
        if place.file_name().is_some_and(is_session_name) && !place.is_dir() {
            looks.extend(look_at(place, *known, environment));
        } else {
            // A folder that came may have had its files before anybody watched it.
            let inside = std::fs::read_dir(place).into_iter().flatten().flatten().map(|entry| entry.path());
            let sessions = inside.filter(|path| path.file_name().is_some_and(is_session_name));
            looks.extend(sessions.filter_map(|path| look_at(&path, None, environment)));
        }
    }
    looks
}

fn look_at(path: &Path, known: Option<Stamp>, environment: &Environment) -> Option<Look> {
    let file = match FoundFile::look_at(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Some(Look::Gone(path.to_owned()));
        }
        Err(_) => return None,
    };
    if known == Some((file.size, file.mtime_millis())) {
        return None;
    }
    Some(match summarize(path, environment, FirstMessage::Start) {
        Ok(summary) => Look::Row(Box::new(summary)),
        Err(finding) => Look::Finding(finding),
    })
}
