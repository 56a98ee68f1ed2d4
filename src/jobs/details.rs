use std::sync::Arc;

use super::read;
use crate::app::{Detailed, Report};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::format::Usage;
use crate::present::details::{Detail, DetailsOf, Surroundings, details};
use crate::session::Session;
use crate::store::Environment;

/// Reads a session and tells everything there is to say of it.
pub(super) fn tell(
    detailed: &Detailed,
    known: Option<Arc<Session>>,
    environment: &Environment,
    now: i64,
    cancel: &Cancel,
    report: &mut dyn FnMut(Report),
) {
    let list = of(detailed, known, environment, now, cancel);
    if !cancel.is_cancelled() {
        report(Report::Details(list));
    }
}

fn of(
    detailed: &Detailed,
    known: Option<Arc<Session>>,
    environment: &Environment,
    now: i64,
    cancel: &Cancel,
) -> Result<Vec<Detail>, Error> {
    let session = read(&detailed.path, known, cancel)?;
    let leaf = detailed.leaf.filter(|leaf| leaf.index() < session.len());
    let context = session.context_at(leaf.or(session.current_leaf()));
    let summary = detailed.summary.as_deref();
    let copied = summary.zip(detailed.parent.as_deref());
    let surroundings = Surroundings {
        modified: summary.and_then(|summary| summary.modified),
        is_cwd_gone: summary.and_then(|summary| summary.cwd_gone) == Some(true),
        parent: detailed.parent.as_deref().map(|parent| parent.title().to_owned()),
        copied: copied
            .map_or_else(Usage::default, |(fork, parent)| fork.spending.shared_with(&parent.spending)),
        forks: detailed.forks.iter().map(|fork| (fork.title().to_owned(), fork.modified)).collect(),
    };
    let zone = environment.zone();
    let window = detailed.window;
    details(&DetailsOf {
        session: &session,
        context: &context,
        window,
        surroundings: &surroundings,
        now,
        zone,
    })
}
