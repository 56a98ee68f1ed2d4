use std::path::Path;

use rayon::prelude::*;

use super::Site;
use crate::error::Error;
use crate::session::Session;
use crate::store::{Scope, discover};

/// What is collected from many sessions.
pub(super) trait Swept: Send {
    /// Its time in milliseconds since 1970.
    fn time(&self) -> Option<i64>;
}

/// Collects something from all sessions of the store, or of one working directory, the newest first. A file that is
/// no session, or that vanishes meanwhile, has nothing.
pub(super) fn sweep<T: Swept>(
    site: &Site<'_>,
    cwd: Option<&Path>,
    read: impl Fn(&Session) -> Result<Vec<T>, Error> + Sync,
) -> Vec<T> {
    let cwd = cwd.map(|cwd| site.environment.absolute(cwd));
    let belongs = |session: &Session| {
        cwd.as_deref()
            .is_none_or(|cwd| session.header().cwd.as_deref().is_some_and(|own| Path::new(own) == cwd))
    };
    let files = discover(&site.store(), &Scope::All).files;
    let mut found: Vec<T> = files
        .par_iter()
        .filter_map(|file| Session::open(&file.path).ok())
        .filter(|session| belongs(session))
        .flat_map_iter(|session| read(&session).unwrap_or_default())
        .collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.time()));
    found
}
