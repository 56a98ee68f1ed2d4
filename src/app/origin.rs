use std::path::PathBuf;
use std::sync::Arc;

use super::{App, Clip, Effect, Job, Notice, Overlay, Split, Take};
use crate::session::{EntryIx, Session};

/// An entry from which to go on.
#[derive(Clone, Debug)]
pub struct At {
    /// Its session.
    pub session: Arc<Session>,
    /// The entry.
    pub entry: EntryIx,
    /// Its text, if it is a prompt: then the conversation goes on above it.
    pub prompt: Option<String>,
}

/// From where a conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From where it ends.
    End,
    /// From the entry, in a new session.
    Fork(Draft),
    /// From the entry, in the same file.
    SameFile(Draft),
}

/// What becomes of the text of a prompt above which the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draft {
    /// There is none.
    None,
    /// It is edited first, and sent.
    Edited,
    /// It is put on the clipboard, and nothing is sent.
    Copied,
}

impl Origin {
    /// From where there is to go on: where an entry was chosen, that comes first.
    pub(super) fn all(at: Option<&At>) -> Vec<Self> {
        let drafts: &[Draft] = match at {
            None => return vec![Self::End],
            Some(At { prompt: Some(_), .. }) => &[Draft::Edited, Draft::Copied],
            Some(At { prompt: None, .. }) => &[Draft::None],
        };
        let forks = drafts.iter().map(|&draft| Self::Fork(draft));
        forks.chain([Self::SameFile(drafts[0]), Self::End]).collect()
    }

    /// What it means, and what it leads to.
    pub fn words(self) -> &'static str {
        match self {
            Self::End => "where the session ends",
            Self::Fork(Draft::None) => "this entry, in a new session; this one stays as it is",
            Self::Fork(Draft::Edited) => "above this prompt, in a new session, the text edited and sent",
            Self::Fork(Draft::Copied) => "above this prompt, in a new session, the text on the clipboard",
            Self::SameFile(Draft::None) => {
                "this entry, in the same file: pi opens it here from now on, not where it was"
            }
            Self::SameFile(_) => {
                "above this prompt, in the same file, the text edited and sent: pi opens it here from now on"
            }
        }
    }

    fn draft(self) -> Draft {
        match self {
            Self::End => Draft::None,
            Self::Fork(draft) | Self::SameFile(draft) => draft,
        }
    }
}

impl App {
    /// Chooses from where to go on.
    pub(super) fn turn_origin(&mut self) {
        if let Some(Overlay::Resume(dialog)) = &mut self.overlay {
            dialog.turn_origin();
        }
    }

    /// Hands over to pi as the question stands. Where pi is not found, the command is copied instead.
    pub(super) fn resume(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Resume(dialog)) = &self.overlay else { return };
        let Ok(program) = dialog.offer.program.clone() else { return self.copy_resume_command(effects) };
        let (origin, prompt) = (dialog.origin(), dialog.offer.at.as_ref().and_then(|at| at.prompt.clone()));
        if origin == Origin::End {
            effects.push(Effect::Resume(dialog.plan(), program));
            self.overlay = None;
            return;
        }
        match (origin.draft(), prompt) {
            (Draft::Edited, Some(prompt)) => effects.push(Effect::Edit(prompt)),
            (Draft::Copied, Some(prompt)) => {
                effects.push(Effect::Copy(Clip::of(Take::Prompt, 1, prompt)));
                self.split(effects);
            }
            _ => self.split(effects),
        }
    }

    /// Goes on with the prompt as it was edited. An empty one means that the person thought better of it.
    pub(super) fn take_edited(&mut self, edited: Result<String, String>, effects: &mut Vec<Effect>) {
        let Some(Overlay::Resume(dialog)) = &mut self.overlay else { return };
        match edited {
            Ok(text) if text.trim().is_empty() => {
                self.notice = Some(Notice::failed("nothing is sent: the text is empty or was not saved"));
            }
            Ok(text) => {
                dialog.offer.launch.prompt = Some(text.trim_end().to_owned());
                self.split(effects);
            }
            Err(reason) => self.notice = Some(Notice::failed(format!("cannot edit the prompt: {reason}"))),
        }
    }

    /// Has written what makes pi go on from the entry: a new session, or a branch point in the same one.
    fn split(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Resume(dialog)) = &self.overlay else { return };
        let Some(At { session, entry, .. }) = dialog.offer.at.clone() else { return };
        let how = match dialog.origin() {
            Origin::Fork(_) => Split::NewSession,
            Origin::SameFile(_) | Origin::End => Split::SameFile,
        };
        self.run(Job::Split { session, entry, how }, effects);
    }

    /// Hands over to pi once that is written. A prompt that no argument can carry goes to the clipboard.
    pub(super) fn take_split(&mut self, path: PathBuf, effects: &mut Vec<Effect>) {
        let Some(Overlay::Resume(dialog)) = &mut self.overlay else { return };
        dialog.offer.launch.session = path;
        let plan = dialog.plan();
        let Ok(program) = dialog.offer.program.clone() else { return };
        if let Some(unsent) = &plan.unsent {
            effects.push(Effect::Copy(Clip::of(Take::Prompt, 1, unsent.prompt.clone())));
        }
        effects.push(Effect::Resume(plan, program));
        self.overlay = None;
    }
}
