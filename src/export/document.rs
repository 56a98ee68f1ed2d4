use std::borrow::Cow;
use std::io;

use jiff::tz::TimeZone;

use super::Redactor;
use crate::cancel::Cancel;
use crate::error::{Cause, Error};
use crate::format::{Usage, charge};
use crate::present::{age, sanitize};
use crate::session::{Context, EntryBody, EntryIx, Session};

/// What is exported, and what all formats need to know about how.
#[derive(Clone, Copy)]
pub struct Document<'s> {
    /// The session it is about.
    pub session: &'s Session,
    /// Its entries in order: those of a path, or [`Context::entries`].
    pub entries: &'s [EntryIx],
    /// Whether it is what was said, or what is sent.
    pub kind: DocumentKind<'s>,
    /// What masks secrets, where that is wanted.
    pub redact: Option<&'s Redactor>,
    /// The time zone that times are shown in.
    pub zone: &'s TimeZone,
    /// The wish to stop.
    pub cancel: &'s Cancel,
    /// Is told how many entries are done.
    pub progress: &'s dyn Fn(usize),
}

/// What the entries of a document are.
#[derive(Clone, Copy, Debug)]
pub enum DocumentKind<'s> {
    /// A path from a root to a leaf: everything as it was said.
    Branch,
    /// What the model is sent at the leaf: compacted, with edits applied.
    Context(&'s Context),
}

/// One thing that a document tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The entry it comes from. A compaction makes two messages of a context.
    pub entry: EntryIx,
    /// What it is. In a context it is always a message: the entry's own with its edit applied, or one made of it.
    pub body: EntryBody,
    /// What the entry adds to the costs; nothing in a context, which is read and not paid for.
    pub usage: Option<Usage>,
}

/// What a branch cost, added up while it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The sum. Numbers that are missing or absurd count as zero.
    pub usage: Usage,
    /// How many entries have such numbers.
    pub doubtful: usize,
}

impl<'s> Document<'s> {
    /// What the document tells, in order, read one by one. Says how far it is, and ends with an error when somebody asks
    /// to stop.
    ///
    /// # Errors
    /// When the file can no longer be read, and [`Cause::Cancelled`].
    pub fn passages(&self) -> impl Iterator<Item = Result<Passage, Error>> + use<'s> {
        let of = *self;
        let count = match of.kind {
            DocumentKind::Branch => of.entries.len(),
            DocumentKind::Context(context) => context.items.len(),
        };
        (0..count).filter_map(move |at| {
            let passage = of.check().and_then(|()| of.passage(at)).transpose();
            (of.progress)(at + 1);
            passage
        })
    }

    fn passage(&self, at: usize) -> Result<Option<Passage>, Error> {
        let session = self.session;
        match self.kind {
            DocumentKind::Branch => {
                let entry = self.entries[at];
                let line = session.body(entry)?;
                let usage = charge(line.root()).map(|charge| charge.usage);
                Ok(Some(Passage { entry, body: session.typed(entry, line.root()).body, usage }))
            }
            DocumentKind::Context(context) => {
                let item = &context.items[at];
                let message = session.context_message(item)?;
                Ok(message.map(|message| Passage {
                    entry: item.source,
                    body: EntryBody::Message(Some(message)),
                    usage: None,
                }))
            }
        }
    }

    /// What the document is called: the session's name, else its first prompt, else its id.
    pub fn title(&self) -> String {
        let session = self.session;
        let prompt = || session.indexes().find(|&entry| session.is_prompt(entry));
        let gist = || prompt().map(|entry| session.entry(entry).gist.to_string());
        let named = session.name().map(str::to_owned).or_else(gist).filter(|title| !title.trim().is_empty());
        named.unwrap_or_else(|| format!("Session {}", session.id()))
    }

    /// What people want to know about it before they read, a few words each.
    pub(super) fn about(&self) -> Vec<String> {
        let header = self.session.header();
        let mut words = Vec::new();
        words.extend(header.cwd.as_deref().map(str::to_owned));
        words.push(format!("session {}", self.session.id()));
        let time = header.created();
        words.extend(time.and_then(|time| age::date(time, self.zone)));
        words.push(match self.kind {
            DocumentKind::Branch => {
                format!("a branch of {}", age::counted_as(self.entries.len(), "entry", "entries"))
            }
            DocumentKind::Context(context) => format!(
                "what the model is sent: {}, {} left out",
                age::counted(context.items.len(), "message"),
                age::counted_as(context.omitted.len(), "entry", "entries"),
            ),
        });
        words
    }

    /// A text of the file as it may stand in a document: no control characters but line feeds and tabs, nothing that
    /// turns the writing direction, and secrets masked where that is wanted.
    pub fn text<'t>(&self, raw: &'t str) -> Cow<'t, str> {
        self.mask(sanitize::document(raw))
    }

    /// As [`Document::text`] on one line.
    pub fn line<'t>(&self, raw: &'t str) -> Cow<'t, str> {
        self.mask(sanitize::line(raw))
    }

    fn mask<'t>(&self, clean: Cow<'t, str>) -> Cow<'t, str> {
        match (self.redact, clean) {
            (None, clean) => clean,
            (Some(redactor), Cow::Borrowed(text)) => redactor.mask(text),
            (Some(redactor), Cow::Owned(text)) => Cow::Owned(redactor.mask(&text).into_owned()),
        }
    }

    /// Fails when somebody asks to stop.
    ///
    /// # Errors
    /// [`Cause::Cancelled`].
    pub fn check(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::new("cannot export", self.session.path(), Cause::Cancelled));
        }
        Ok(())
    }

    /// What a failed write of the document means.
    pub fn unwritten(&self, error: io::Error) -> Error {
        Error::new("cannot write the export of", self.session.path(), error)
    }
}

impl Tally {
    /// Adds what an entry cost, if it did.
    pub fn add_some(&mut self, usage: Option<&Usage>) {
        if let Some(usage) = usage {
            self.usage.add(usage);
            self.doubtful += usize::from(usage.is_doubtful);
        }
    }

    /// The sums in words, and once, whether something is missing in them.
    pub fn words(&self) -> Vec<String> {
        let Usage { output, cost, .. } = self.usage;
        let (read, output) = (age::tokens(self.usage.read()), age::tokens(output));
        let mut words = vec![format!("{read} tokens read, {output} written, {}", age::cost(cost))];
        if self.doubtful > 0 {
            let entries = age::counted_as(self.doubtful, "entry lacks", "entries lack");
            words.push(format!("{entries} numbers that can be believed; they count as zero"));
        }
        words
    }
}
