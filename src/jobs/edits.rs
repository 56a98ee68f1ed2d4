use std::sync::Arc;

use crate::app::{Edit, Edited, Migration};
use crate::edit::{Editor, Removal};
use crate::error::Error;
use crate::session::{EntryIx, Session};

/// Carries out an edit.
pub(super) fn run(edit: Edit, editor: &Editor) -> Edited {
    carry_out(edit, editor).unwrap_or_else(Edited::Failed)
}

fn carry_out(edit: Edit, editor: &Editor) -> Result<Edited, Error> {
    match edit {
        Edit::Label { session, entry, text, migration } => label(editor, &session, entry, &text, migration),
        Edit::Rename { path, name } => {
            editor.rename(&Session::open(&path)?, &name)?;
            let words = if name.trim().is_empty() { "name cleared" } else { "renamed" };
            Ok(Edited::Changed { path, words: words.into() })
        }
        Edit::Fork { session, entry } => {
            let made = editor.fork(&session, entry)?;
            Ok(Edited::Branched { made, words: "forked".into() })
        }
        Edit::Clone { session, leaf } => {
            let made = editor.clone_branch(&session, Some(leaf))?;
            Ok(Edited::Branched { made, words: "cloned this branch".into() })
        }
        Edit::Delete { store, paths } => {
            let deletion = editor.delete(&store, &paths, Removal::Trash);
            Ok(Edited::Deleted(Arc::new(deletion)))
        }
        Edit::Undelete(deletion) => {
            editor.undelete(&deletion)?;
            Ok(Edited::Undeleted(deletion))
        }
    }
}

fn label(
    editor: &Editor,
    session: &Session,
    entry: EntryIx,
    text: &str,
    migration: Migration,
) -> Result<Edited, Error> {
    let path = session.path().to_owned();
    let mut words = if text.trim().is_empty() { "label cleared".to_owned() } else { "labelled".to_owned() };
    if migration == Migration::Allowed && session.header().version.is_v1() {
        let backup = editor.migrate(session)?;
        // Entries keep their places.
        editor.label(&Session::open(&path)?, entry, text)?;
        words.push_str(&format!("; the file of version 1 is kept as {}", backup.display()));
    } else {
        editor.label(session, entry, text)?;
    }
    Ok(Edited::Changed { path, words })
}
