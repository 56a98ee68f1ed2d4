//! The work that waits for the disk or takes long: a [`Job`] in, [`Report`]s out. It knows no terminal and
//! starts no threads; where it is called is the caller's business, and tests call it inline.

mod blocks;
mod collect;
mod details;
mod edits;
mod export;
mod find;
mod look;
mod offer;
mod select;
mod stats;
mod take;
mod turns;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::app::{Clip, ForkFound, Job, LISTED, Notice, Opened, OutsideText, Report, Take};
use crate::cancel::Cancel;
use crate::edit::Editor;
use crate::error::{Cause, Error};
use crate::session::{Attempts, EntryIx, Outline, OutlineView, Session};
use crate::store::{
    Environment, ScanOptions, Scope, SearchOptions, SessionSummary, Store, Writers, scan, search, write_demo,
};

/// Runs a job to its end, or until it is cancelled.
pub fn run(job: Job, environment: &Environment, now: i64, cancel: &Cancel, report: &mut dyn FnMut(Report)) {
    match job {
        Job::Scan { store, kept } => {
            let options = ScanOptions { kept, glimpses: true, ..ScanOptions::default() };
            scan(&store, environment, &options, cancel, &mut |event| report(Report::Scan(event)));
            if !cancel.is_cancelled() {
                report(Report::ScanEnded);
            }
        }
        Job::Select { rows, query, known } => select::select(&rows, &query, &known, cancel, report),
        Job::Search { store, query } => {
            let options = SearchOptions { scope: Scope::All, query: &query, limit: LISTED };
            search(&store, environment, &options, cancel, &mut |event| report(Report::Search(event)));
            if !cancel.is_cancelled() {
                report(Report::SearchEnded);
            }
        }
        Job::Open { path, view, known } => match open(&path, view, known, cancel, report) {
            // Another session is wanted by now.
            Ok(()) | Err(Error { cause: Cause::Cancelled, .. }) => {}
            Err(error) => report(Report::NotOpened { path, error }),
        },
        Job::Outline { session, view } => match Outline::build(&session, view) {
            Ok(outline) => report(Report::Outlined { session, outline: Box::new(outline) }),
            Err(error) => report(Report::Notice(Notice::failed(error.to_string()))),
        },
        Job::Forks { parent, forks } => {
            let mut found = Vec::new();
            for (fork, known) in forks {
                match find_fork(&parent, fork, known, cancel) {
                    Ok(fork) => found.push(fork),
                    Err(error) => report(Report::Notice(Notice::failed(error.to_string()))),
                }
            }
            if !cancel.is_cancelled() {
                report(Report::Forks { parent, forks: found });
            }
        }
        Job::Context { session, leaf, window } => {
            let context = Box::new(session.context_at(leaf));
            let share =
                window.map(|window| session.context_tokens(&context).map(|tokens| tokens.share(window)));
            match share.transpose() {
                Ok(share) => report(Report::Context { session, context, share }),
                Err(error) => report(Report::Notice(Notice::failed(error.to_string()))),
            }
        }
        Job::Blocks { session, listing, wanted, style } => {
            blocks::render(&session, &listing, &wanted, &style, cancel, &mut |blocks| {
                report(Report::Blocks { session: Arc::clone(&session), blocks });
            });
        }
        Job::FindText { session, listing, from, width, raw, needle, style } => {
            let sought = find::Sought { from, width, raw: &raw, needle: &needle };
            find::find(&session, &listing, &sought, &style, cancel, &mut |matches, progress| {
                report(Report::Found { matches, progress });
            });
        }
        Job::ReadText { session, entry } => match read_text(&session, entry) {
            Ok(text) => report(Report::ReadText(text)),
            Err(error) => report(Report::Notice(Notice::failed(error.to_string()))),
        },
        Job::TakeEntries { take, from } => report(taken(take, take::of_entries(take, &from, environment))),
        Job::TakeFound { path, entry } => {
            report(taken(Take::Text, take::of_found(&path, &entry, environment)));
        }
        Job::TakeSessions { take, paths, store } => {
            report(taken(take, take::of_sessions(take, &paths, &store, environment)));
        }
        Job::Offer { path, at, known, store } => {
            match offer::offer(&path, at, &known, store, environment, now) {
                Ok(offer) => report(Report::Offered(Box::new(offer))),
                Err(error) => report(Report::Notice(Notice::failed(error.to_string()))),
            }
        }
        Job::Split { session, entry, how } => match offer::split(&session, entry, how, environment) {
            Ok(path) => report(Report::Split(path)),
            Err(error) => report(Report::Notice(Notice::failed(error.to_string()))),
        },
        Job::Collect { what, sessions } => collect::collect(what, &sessions, cancel, report),
        Job::Stats(wanted) => report(Report::Stats(Box::new(stats::count(*wanted)))),
        Job::Turns { session, wanted, columns, style } => {
            turns::render(&session, &wanted, columns, &style, cancel, report);
        }
        Job::Details { of, known } => details::tell(&of, known, environment, now, cancel, report),
        Job::Narrow { rows, text } => report(Report::Narrowed(collect::narrow(&rows, &text, cancel))),
        Job::Look { places } => report(Report::Looked(look::look(&places, environment, cancel))),
        Job::LookForWriters => report(Report::Writers(Writers::look())),
        Job::Edit(edit) => report(Report::Edited(edits::run(*edit, &Editor::new(environment).at(now)))),
        Job::Export(wanted) => report(Report::Exported(export::run(*wanted, environment, now, cancel))),
        Job::Demo => match write_demo(&environment.cache_dir().join("demo"), now) {
            Ok(demo) => report(Report::Demo {
                store: Store::at(demo.sessions),
                home: demo.home.to_string_lossy().into_owned(),
            }),
            Err(error) => report(Report::Notice(Notice::failed(error.to_string()))),
        },
    }
}

/// Reads a session, or what has come to it since it was read before.
fn read(path: &Path, known: Option<Arc<Session>>, cancel: &Cancel) -> Result<Arc<Session>, Error> {
    match known {
        Some(known) => Ok(known.read_again(cancel)?.map_or(known, Arc::new)),
        None => Session::open_with(path, cancel).map(Arc::new),
    }
}

/// Reads a session so that it is on the screen soon, and only then looks at every byte. Where that makes it another, it is
/// read once more.
fn open(
    path: &Path,
    view: OutlineView,
    known: Option<Arc<Session>>,
    cancel: &Cancel,
    report: &mut dyn FnMut(Report),
) -> Result<(), Error> {
    let session = match known {
        Some(_) => read(path, known, cancel)?,
        None => Arc::new(Session::open_quickly(path, cancel)?),
    };
    let unfolded = OutlineView { folded: HashSet::new(), ..view.clone() };
    report(opened(Arc::clone(&session), view)?);
    if !session.prove(cancel) && !cancel.is_cancelled() {
        report(opened(Arc::new(Session::open_with(path, cancel)?), unfolded)?);
    }
    Ok(())
}

fn opened(session: Arc<Session>, view: OutlineView) -> Result<Report, Error> {
    let view = OutlineView { leaf: session.current_leaf(), ..view };
    let outline = Outline::build(&session, view)?;
    let leaves = session.indexes().filter(|&ix| session.links().children(ix).is_empty()).collect();
    let (totals, attempts) = (session.totals(), Attempts::of(&session));
    Ok(Report::Opened(Box::new(Opened { session, outline, totals, leaves, attempts })))
}

/// Reads a fork and finds the last entry it shares with its parent.
fn find_fork(
    parent: &Session,
    summary: Arc<SessionSummary>,
    known: Option<Arc<Session>>,
    cancel: &Cancel,
) -> Result<ForkFound, Error> {
    let session = read(&summary.path, known, cancel)?;
    let mut shared = HashSet::new();
    let mut point = None;
    for ix in session.indexes() {
        let id = session.entry_id(ix);
        if let Some(known) = parent.find(id).filter(|_| !id.is_numbered()) {
            shared.insert(ix);
            point = Some(known);
        }
    }
    let attempts = Attempts::of(&session);
    Ok(ForkFound { summary, session, point, shared, attempts })
}

fn taken(take: Take, taken: Result<Option<Clip>, Error>) -> Report {
    match taken {
        Ok(Some(clip)) => Report::Taken(clip),
        Ok(None) => Report::Notice(Notice::failed(format!("no {} here", take.noun()))),
        Err(error) => Report::Notice(Notice::failed(error.to_string())),
    }
}

/// An entry for another program: its text, or its JSON where it has none.
fn read_text(session: &Session, entry: EntryIx) -> Result<OutsideText, Error> {
    if let Some(text) = session.copy_text(entry)? {
        return Ok(OutsideText { text, extension: "md" });
    }
    Ok(OutsideText { text: session.body(entry)?.root().to_json(), extension: "json" })
}
