//! What `--pick` prints.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Failure;
use crate::session::{EntryIx, Session};

/// What `--pick` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Pick {
    /// The path of the session's file.
    Path,
    /// The id of the session.
    Id,
    /// The path and the id of the entry under the cursor, with a tab between.
    Entry,
    /// The text of the prompt under the cursor, or of the one that led there.
    Prompt,
    /// All of that as JSON, and whether a session or an entry of one was picked.
    Json,
}

/// What was picked on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The session's file.
    pub path: PathBuf,
    /// The session's id, as far as it is text.
    pub id: String,
    /// The entry under the cursor; for a session, where its shown branch ends.
    pub entry: Option<String>,
    /// Whether the cursor was on a session or on an entry of one.
    pub kind: PickedKind,
}

/// What the cursor was on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PickedKind {
    /// A session.
    Session,
    /// An entry of one.
    Entry,
}

#[derive(Serialize)]
struct Document<'p> {
    kind: PickedKind,
    path: &'p Path,
    id: &'p str,
    entry: Option<&'p str>,
    /// The text of the entry, where that is a prompt.
    prompt: Option<String>,
}

impl Picked {
    /// The text to print, without a line end.
    ///
    /// # Errors
    /// The session can no longer be read, or there is no prompt.
    pub fn print(&self, pick: Pick) -> Result<String, Failure> {
        let entry = self.entry.as_deref().unwrap_or_default();
        match pick {
            Pick::Path => Ok(self.path.to_string_lossy().into_owned()),
            Pick::Id => Ok(self.id.clone()),
            Pick::Entry => Ok(format!("{}\t{entry}", self.path.display())),
            Pick::Prompt => {
                let session = Session::open(&self.path)?;
                let path = session.path_to(session.find_text(entry));
                let prompt = path.into_iter().rev().find(|&entry| session.is_prompt(entry));
                prompt
                    .map_or(Ok(None), |prompt| session.copy_text(prompt))?
                    .ok_or_else(|| Failure::NothingFound("there is no prompt before what was picked".into()))
            }
            Pick::Json => {
                let session = Session::open(&self.path)?;
                let prompt = |entry: EntryIx| session.is_prompt(entry).then(|| session.copy_text(entry));
                let prompt = session.find_text(entry).and_then(prompt).transpose()?.flatten();
                let document = Document {
                    kind: self.kind,
                    path: &self.path,
                    id: &self.id,
                    entry: self.entry.as_deref(),
                    prompt,
                };
                serde_json::to_string(&document).map_err(|error| Failure::Usage(error.to_string()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_about_what_was_picked_can_be_printed() {
        let path = "tests/fixtures/samples/v3-branches.jsonl";
        let session = Session::open(path).unwrap();
        let leaf = session.current_leaf().unwrap();
        let way = session.path_to(Some(leaf));
        let prompt = way.into_iter().rev().find(|&entry| session.is_prompt(entry)).unwrap();
        let picked = |entry| Picked {
            path: path.into(),
            id: "some-id".into(),
            entry: Some(session.entry_id(entry).as_str().to_owned()),
            kind: PickedKind::Entry,
        };
        let text = session.copy_text(prompt).unwrap().unwrap();
        let printed = |pick| picked(leaf).print(pick).unwrap();
        assert_eq!(printed(Pick::Path), path);
        assert_eq!(printed(Pick::Id), "some-id");
        assert_eq!(printed(Pick::Entry), format!("{path}\t{}", session.entry_id(leaf)));
        assert_eq!(printed(Pick::Prompt), text);
        let json =
            |entry| serde_json::from_str::<serde_json::Value>(&picked(entry).print(Pick::Json).unwrap());
        assert_eq!(json(prompt).unwrap()["prompt"], text);
        assert_eq!(json(prompt).unwrap()["kind"], "entry");
        let nowhere = Picked { path: "nowhere.jsonl".into(), ..picked(leaf) };
        assert!(nowhere.print(Pick::Path).is_ok() && nowhere.print(Pick::Json).is_err());
    }
}
