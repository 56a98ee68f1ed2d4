use super::append::{Below, id_of};
use super::disk::RealDisk;
use super::entries::{self, Parent};
use super::{Appended, Editor};
use crate::error::Error;
use crate::error::Refusal;
use crate::session::{EntryIx, Session};

impl Editor {
    /// Makes pi continue below another entry of the same file: appends an entry of our own type below it, which
    /// is then the last line and so the current leaf. Every other branch stays as it is.
    ///
    /// pi has no such entry: it keeps a move in memory until the next message fixes it. To pi this one is data of
    /// an extension, neither shown nor sent.
    ///
    /// # Errors
    /// Any [`Refusal`], and what the disk reports.
    pub fn branch_point(&self, session: &Session, below: Option<EntryIx>) -> Result<Appended, Error> {
        let failed = |cause| Error::new("cannot continue elsewhere in", session.path(), cause);
        if session.header().version.is_v1() {
            return Err(failed(Refusal::NeedsMigration.into()));
        }
        let parent = match below {
            None => Parent::None,
            Some(ix) => Parent::Id(id_of(session, ix).map_err(failed)?),
        };
        self.append(&RealDisk, session, &Below::Entry(parent), &entries::branch_point).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Environment;

    #[test]
    fn pi_continues_below_the_entry_that_was_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let line = |id: &str, parent: &str, role: &str| {
            format!(
                r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"","message":{{"role":"{role}","content":"x"}}}}"#
            )
        };
        let lines = [
            r#"{"type":"session","version":3,"id":"s","timestamp":"","cwd":"/w"}"#.to_owned(),
            line("a", "null", "user"),
            line("b", "\"a\"", "user"),
            line("c", "\"b\"", "user"),
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let editor = Editor::new(&Environment::new(folder.path(), folder.path())).at(0);
        let before = Session::open(&path).unwrap();
        let appended = editor.branch_point(&before, before.find_text("a")).unwrap();
        assert_eq!(
            appended.line,
            format!(
                r#"{{"type":"custom","customType":"piscope:branch-point","id":"{}","parentId":"a","timestamp":"1970-01-01T00:00:00.000Z"}}"#,
                appended.id
            )
        );
        let after = Session::open(&path).unwrap();
        let branch: Vec<String> = after
            .path_to(after.current_leaf())
            .into_iter()
            .map(|ix| after.entry_id(ix).to_string())
            .collect();
        assert_eq!(branch, ["a", &appended.id]);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&lines.join("\n")), "what stood there before is untouched");
        editor.branch_point(&after, None).unwrap();
        let empty = Session::open(&path).unwrap();
        assert_eq!(empty.path_to(empty.current_leaf()).len(), 1, "before everything");
    }
}
