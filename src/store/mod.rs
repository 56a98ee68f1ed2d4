//! The folder of sessions: where it is, which files count, and what a list of them says.
//!
//! [`Store::locate`] finds the folder, [`scan()`] reads its files in parallel into [`SessionSummary`] rows,
//! [`Family`] hangs forks below the sessions they left, and [`Query`] is the language in which people search
//! the rows. All of it follows pi's own session picker, except that one odd line costs that line and not the
//! whole session, and that nothing in a circle disappears. Nothing here ever changes a session file.

mod branches;
mod cache;
mod collate;
mod demo;
mod family;
mod files;
mod fuzzy;
mod hash;
mod live;
mod locate;
mod message;
mod parallel;
mod paths;
mod pattern;
mod prompt;
mod query;
mod resolve;
mod scan;
mod scope;
mod search;
mod settings;
mod sort;
mod spending;
mod summarize;
mod summary;
mod text_rescan;
mod text_scan;
#[cfg(feature = "tui")]
mod watch;

use crate::format::coerce;

pub use cache::clear_cache;
pub use demo::{DemoStore, write_demo};
pub use family::{Family, FamilyRow};
pub use files::{Discovery, Finding, FoundFile, discover, is_session_name};
pub use fuzzy::fuzzy_score;
pub use live::{Liveness, Subject, Writers};
pub use locate::{Environment, Layout, Origin, Store};
pub use paths::{canonical, encode_cwd, shorten_home};
pub use query::{Query, QueryError, Token};
pub use resolve::{Hit, Unresolved, read_header, resolve};
pub use scan::{Kept, ScanEvent, ScanOptions, ScannedRow, scan, summarize};
pub use scope::Scope;
pub(crate) use scope::is_session_of;
pub use search::{SearchEvent, SearchHit, SearchOptions, SearchQuery, moment, search};
pub use settings::PiSettings;
pub use sort::{Sort, keep_distinct_files, sort_recent};
pub use spending::{
    Day, Period, Spending, Spent, Stats, StatsBy, StatsFilter, StatsKey, StatsRow, StatsSort,
};
pub use summary::{FirstMessage, SessionSummary};
pub use text_rescan::rescan_text;
pub use text_scan::{TextHits, TextScan};
#[cfg(feature = "tui")]
pub use watch::Watch;
