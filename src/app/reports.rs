use std::sync::Arc;

use super::tree::has_grown;
use super::{App, Effect, Job, Notice, Pane, Remembered, Report, Setup, Ticket, TreeContent};
use crate::error::{Cause, Error};
use crate::store::Store;

impl App {
    pub(super) fn report(&mut self, ticket: Ticket, report: Report, effects: &mut Vec<Effect>) {
        match report {
            Report::Scan(event) if ticket == self.tickets.scan => {
                self.sessions.take(event);
                self.want_stats(effects);
                self.go_back();
                if !self.sessions.find.text().is_empty() {
                    self.select_sessions(effects);
                }
            }
            Report::ScanEnded if ticket == self.tickets.scan => {
                self.sessions.end_scan();
                self.go_back();
                self.goes_back_to = None;
                self.scan_ended();
                self.want_stats(effects);
                if !self.sessions.find.text().is_empty() {
                    self.select_sessions(effects);
                }
                self.run(Job::LookForWriters, effects);
                self.look(effects);
                // Forks of the session that is shown may have been found only now.
                if let (TreeContent::Ready, Some(session)) =
                    (&self.tree.content, self.tree.session().cloned())
                {
                    self.want_forks(&session, effects);
                    self.select_asked_for();
                }
            }
            Report::Search(event) if ticket == self.tickets.search => self.take_found(event),
            Report::SearchEnded if ticket == self.tickets.search => self.end_search(),
            // A search that was ended by going elsewhere needs no answer.
            Report::Selected { paths, read, is_all }
                if ticket == self.tickets.select && !self.sessions.find.text().is_empty() =>
            {
                self.sessions.take_texts(read, is_all);
                self.sessions.take_selected(Some(paths));
            }
            Report::Opened(opened) if ticket == self.tickets.open => {
                let session = Arc::clone(&opened.session);
                if self.messages.session().is_some_and(|shown| has_grown(shown, &session)) {
                    self.messages.adopt(&session);
                }
                let follows = !self.live.takes_own_change();
                self.tree.show(*opened, follows);
                self.want_forks(&session, effects);
                self.follow_tree(effects);
                self.select_asked_for();
                self.finish_landing(effects);
                self.details_are_old(session.path(), effects);
                self.opened_again(effects);
            }
            Report::NotOpened { path, error } if ticket == self.tickets.open => {
                self.tree.fail(path, error);
                self.messages.clear();
                self.opened_again(effects);
            }
            Report::Outlined { session, outline } => {
                self.tree.take_outline(&session, *outline);
                self.follow_tree(effects);
            }
            Report::Forks { parent, forks } => {
                for doc in self.tree.take_forks(&parent, forks) {
                    self.want_outline(doc, effects);
                }
                self.land_in_tree(effects);
            }
            Report::Context { session, context, share } if ticket == self.tickets.context => {
                self.messages.take_context(&session, *context, share);
            }
            Report::Blocks { session, blocks } => self.messages.take_blocks(&session, blocks),
            Report::Found { matches, progress } if ticket == self.tickets.find => {
                let height = self.body_height(Pane::Messages);
                if self.messages.take_matches(&matches, progress, height) {
                    self.follow_messages();
                }
            }
            Report::Looked(looks) if ticket == self.tickets.look => self.looked(looks, effects),
            Report::Writers(writers) => self.live.writers = writers,
            Report::Edited(edited) => self.edited(edited, effects),
            Report::Exported(exported) => self.exported(exported),
            Report::Taken(clip) => effects.push(Effect::Copy(clip)),
            Report::Offered(offer) if ticket == self.tickets.offer => self.take_offer(*offer, effects),
            Report::Split(path) => self.take_split(path, effects),
            Report::Collected { rows, is_all } if ticket == self.tickets.collect => {
                self.take_collected(rows, is_all, effects);
            }
            report @ (Report::Turns { .. } | Report::Details(_) | Report::Stats(_)) => {
                self.report_above(ticket, report);
            }
            Report::Narrowed(shown) if ticket == self.tickets.narrow => self.take_narrowed(shown),
            Report::ReadText(text) => effects.push(Effect::OpenOutside(text)),
            Report::Demo { store, home } => self.browse_demo(store, &home, effects),
            Report::Notice(notice) => self.notice = Some(notice),
            Report::Dropped(job) => {
                if let Job::Blocks { wanted, .. } = *job {
                    self.messages.forget_wanted(&wanted);
                }
            }
            Report::Crashed(words) => self.crashed(ticket, words, effects),
            // The answer to a request that has been overtaken by a newer one.
            _ => {}
        }
    }

    /// Takes what is shown above the panes.
    fn report_above(&mut self, ticket: Ticket, report: Report) {
        match report {
            Report::Turns { attempt, columns, turns, is_all } if ticket == self.tickets.turns => {
                self.take_turns(attempt, columns, turns, is_all);
            }
            Report::Stats(counted) if ticket == self.tickets.stats => self.take_stats(*counted),
            Report::Details(list) if ticket == self.tickets.details => self.take_details(list),
            _ => {}
        }
    }

    /// Nobody waits any longer for what a job was to tell; where that would have been, stands what happened.
    fn crashed(&mut self, ticket: Ticket, words: String, effects: &mut Vec<Effect>) {
        if ticket == self.tickets.open
            && let Some(path) = self.tree.path().map(ToOwned::to_owned)
        {
            let error = Error::new("cannot show", &path, Cause::Other(words.clone()));
            self.tree.fail(path, error);
            self.messages.clear();
        } else if ticket == self.tickets.scan {
            self.sessions.end_scan();
        } else if ticket == self.tickets.look {
            self.forget_changes();
        } else if ticket == self.tickets.search {
            self.end_search();
        }
        self.notice = Some(Notice::failed(words));
        self.look(effects);
    }

    /// Puts the cursor on the session the program was started with, once both it and the list are there.
    fn select_asked_for(&mut self) {
        if let Some(path) = self.setup.session.clone()
            && !self.sessions.has_moved()
            && self.tree.path() == Some(path.as_path())
        {
            self.sessions.select_session(&path);
        }
    }

    pub(super) fn browse_demo(&mut self, store: Store, home: &str, effects: &mut Vec<Effect>) {
        let setup = Setup {
            store,
            home: Some(home.into()),
            session: None,
            remembered: Remembered::default(),
            ..self.setup.clone()
        };
        let tickets = self.tickets;
        *self = Self::new(setup, self.size, self.now);
        self.tickets.last = tickets.last;
        self.start(effects);
    }
}
