use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::cancel::Cancel;
use crate::session::Session;
use crate::store::files::FoundFile;
use crate::store::summarize::{Summarizer, Tally, Wanted};
use crate::store::{Environment, FirstMessage, SessionSummary, summarize};

const HEADER: &str = r#"{"type":"session","version":3,"id":"s","cwd":"/p"}"#;

/// An answer that has read 10 tokens and cost what is said.
fn answer(id: &str, parent: &str, cost: f64) -> String {
    let parent = if parent.is_empty() { "null".into() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-01-05T12:00:00.000Z","message":{{"role":"assistant","content":[],"provider":"lab","model":"tiny","usage":{{"input":10,"output":0,"cacheRead":0,"cacheWrite":0,"cost":{{"total":{cost}}}}}}}}}"#
    )
}

/// Writes a session, a fork of the named one where there is a name, and reads its row.
fn row(folder: &Path, name: &str, parent: &str, entries: &[String]) -> SessionSummary {
    let header = match parent {
        "" => HEADER.to_owned(),
        parent => {
            let parent = folder.join(parent);
            HEADER.replace('}', &format!(r#","parentSession":"{}"}}"#, parent.display()))
        }
    };
    let path = folder.join(name);
    fs::write(&path, format!("{header}\n{}\n", entries.join("\n"))).unwrap();
    summarize(&path, &Environment::new("/home/u", folder), FirstMessage::Start).unwrap()
}

fn stats(rows: &[SessionSummary], by: StatsBy, filter: &StatsFilter) -> Stats {
    Stats::of(&rows.iter().collect::<Vec<_>>(), &|_| true, by, filter, StatsSort::Cost)
}

fn costs(stats: &Stats) -> (f64, f64, f64) {
    (stats.total.current.cost, stats.total.abandoned.cost, stats.copied.cost)
}

#[test]
fn what_led_elsewhere_is_abandoned() {
    let one = |id: &str, parent: &str| answer(id, parent, 1.0);
    for (entries, current, abandoned) in [
        (vec![], 0.0, 0.0),
        (vec![one("a", ""), one("b", "a")], 2.0, 0.0),
        (vec![one("a", ""), one("b", "a"), one("c", "a")], 2.0, 1.0),
        (vec![one("a", ""), one("b", "a"), one("c", "")], 1.0, 2.0),
        // An orphan is a root.
        (vec![one("a", ""), one("b", "gone")], 1.0, 1.0),
        // Of several lines with one id the last has the children.
        (vec![one("a", ""), one("a", ""), one("b", "a")], 2.0, 1.0),
        // A parent that stands below its child.
        (vec![one("b", "a"), one("a", "")], 1.0, 1.0),
        (vec![one("a", ""), r#"{"type":"label","id":"l","parentId":null}"#.into()], 0.0, 1.0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let rows = [row(folder.path(), "s.jsonl", "", &entries)];
        assert_eq!(
            costs(&stats(&rows, StatsBy::Day, &StatsFilter::default())),
            (current, abandoned, 0.0),
            "{entries:?}"
        );
    }
}

#[test]
fn what_forks_have_copied_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let shared = [answer("a", "", 1.0), answer("b", "a", 2.0)];
    let with = |more: &[String]| [&shared[..], more].concat();
    let parent = row(folder, "parent.jsonl", "", &with(&[answer("c", "b", 4.0)]));
    let fork = row(folder, "fork.jsonl", "parent.jsonl", &with(&[answer("d", "b", 8.0)]));
    let of_fork =
        row(folder, "again.jsonl", "fork.jsonl", &with(&[answer("d", "b", 8.0), answer("e", "d", 16.0)]));
    let beside = row(folder, "beside.jsonl", "", &shared);
    let orphan = row(folder, "orphan.jsonl", "gone.jsonl", &with(&[answer("f", "b", 32.0)]));
    let sibling = row(folder, "sibling.jsonl", "gone.jsonl", &with(&[answer("g", "b", 64.0)]));
    let circle = row(folder, "circle.jsonl", "circle.jsonl", &shared);
    for (rows, counted, copied) in [
        (vec![&parent], 7.0, 0.0),
        (vec![&parent, &fork], 15.0, 3.0),
        (vec![&fork, &parent], 15.0, 3.0),
        (vec![&of_fork, &fork, &parent], 31.0, 14.0),
        // What is no fork has copied nothing, whatever its ids.
        (vec![&parent, &beside], 10.0, 0.0),
        (vec![&orphan], 35.0, 0.0),
        // What has the ids of a session but does not name it is no copy of it.
        (vec![&orphan, &parent], 42.0, 0.0),
        (vec![&orphan, &sibling], 99.0, 3.0),
        (vec![&circle], 3.0, 0.0),
    ] {
        let rows: Vec<SessionSummary> = rows.into_iter().cloned().collect();
        for by in [StatsBy::Session, StatsBy::Project, StatsBy::Model, StatsBy::Day] {
            let stats = stats(&rows, by, &StatsFilter::default());
            assert_eq!(costs(&stats), (counted, 0.0, copied), "{by:?}");
            let rows: f64 = stats.rows.iter().map(|row| row.spent.total().cost).sum();
            assert_eq!(rows.to_bits(), counted.to_bits());
        }
    }
}

#[test]
fn a_store_that_was_moved_counts_copies_once_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let shared = [answer("a", "", 1.0)];
    let parent = row(folder, "parent.jsonl", "", &shared);
    let fork = row(
        folder,
        "fork.jsonl",
        "elsewhere/parent.jsonl",
        &[&shared[..], &[answer("b", "a", 2.0)]].concat(),
    );
    for (parents_time, forks_time, counted, copied) in
        [(Some(1), Some(2), 3.0, 1.0), (Some(2), Some(2), 4.0, 0.0), (None, Some(2), 4.0, 0.0)]
    {
        let rows = [
            SessionSummary { created: parents_time, ..parent.clone() },
            SessionSummary { created: forks_time, ..fork.clone() },
        ];
        let stats = stats(&rows, StatsBy::Session, &StatsFilter::default());
        assert_eq!(costs(&stats), (counted, 0.0, copied), "{parents_time:?}");
    }
}

#[test]
fn sessions_that_are_forks_of_each_other_hide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let shared = [answer("a", "", 1.0)];
    let write = |name, parent| row(folder.path(), name, parent, &shared);
    let rows = [write("x.jsonl", "y.jsonl"), write("y.jsonl", "x.jsonl")];
    assert_eq!(costs(&stats(&rows, StatsBy::Session, &StatsFilter::default())), (2.0, 0.0, 0.0));
}

#[test]
fn numbers_that_cannot_be_believed_are_zero_and_mentioned() {
    let folder = tempfile::tempdir().unwrap();
    let whole = answer("a", "", 1.0);
    let rows = [
        row(
            folder.path(),
            "a.jsonl",
            "",
            &[whole.replace(":10,", ":-10,"), whole.replace(":10,", ":\"ten\",").replace("\"a\"", "\"b\"")],
        ),
        row(
            folder.path(),
            "b.jsonl",
            "",
            &[whole.replace("1}", "1e300}"), whole.replace("usage", "used").replace("\"a\"", "\"b\"")],
        ),
        row(folder.path(), "c.jsonl", "", &[whole]),
    ];
    let stats = stats(&rows, StatsBy::Session, &StatsFilter::default());
    assert_eq!((stats.doubtful, stats.doubtful_sessions), (4, 2));
    assert_eq!((stats.total.total().tokens(), stats.total.total().cost), (20.0, 3.0));
}

#[test]
fn rows_are_of_what_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let on = |day: &str, line: String| line.replace("2026-01-05", day);
    let big = |line: String| line.replace("tiny", "big");
    let timeless = answer("e", "d", 16.0).replace(r#""timestamp":"2026-01-05T12:00:00.000Z","#, "");
    let rows = [
        row(
            folder.path(),
            "a.jsonl",
            "",
            &[
                answer("a", "", 1.0),
                on("2026-01-06", answer("b", "a", 2.0)),
                big(on("2026-01-06", answer("c", "b", 4.0))),
            ],
        ),
        row(folder.path(), "b.jsonl", "", &[on("2026-01-07", answer("d", "", 8.0)), timeless]),
    ];
    let day = |text: &str| {
        let millis = crate::format::js::date(text).unwrap();
        Day::of(millis, &jiff::tz::TimeZone::UTC)
    };
    let all = StatsFilter::default();
    let since = StatsFilter { period: Period { since: day("2026-01-06"), until: None }, ..all.clone() };
    let until = StatsFilter { period: Period { since: None, until: day("2026-01-06") }, ..all.clone() };
    let model = StatsFilter { only: vec![StatsKey::Model("lab/big".into())], ..all.clone() };
    let on_day = StatsFilter { only: vec![StatsKey::Day(day("2026-01-06"))], ..all.clone() };
    let no_day = StatsFilter { only: vec![StatsKey::Day(None)], ..all.clone() };
    let elsewhere = StatsFilter { only: vec![StatsKey::Project("/q".into())], ..all.clone() };
    for (by, filter, expected) in [
        (StatsBy::Session, &all, &[24.0, 7.0][..]),
        (StatsBy::Project, &all, &[31.0]),
        (StatsBy::Model, &all, &[27.0, 4.0]),
        (StatsBy::Day, &all, &[16.0, 8.0, 6.0, 1.0]),
        (StatsBy::Day, &since, &[8.0, 6.0]),
        (StatsBy::Day, &until, &[6.0, 1.0]),
        (StatsBy::Session, &model, &[4.0]),
        (StatsBy::Model, &on_day, &[4.0, 2.0]),
        (StatsBy::Session, &no_day, &[16.0]),
        (StatsBy::Session, &elsewhere, &[]),
    ] {
        let stats = stats(&rows, by, filter);
        let costs: Vec<f64> = stats.rows.iter().map(|row| row.spent.total().cost).collect();
        assert_eq!(costs, expected, "{by:?} {filter:?}");
    }
    let by_day = Stats::of(&rows.iter().collect::<Vec<_>>(), &|_| true, StatsBy::Day, &all, StatsSort::Name);
    let days: Vec<String> =
        by_day.rows.iter().map(|row| format!("{:?}", row.latest.map(|day| day.to_string()))).collect();
    assert_eq!(days, ["None", "Some(\"2026-01-05\")", "Some(\"2026-01-06\")", "Some(\"2026-01-07\")"]);
    assert_eq!(by_day.sessions, 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn reading_on_the_way_and_opening_agree(
        shape in prop::collection::vec((0_usize..12, 0_usize..14), 0..12),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let name = |at: usize| format!("e{at}");
        let lines: Vec<String> = shape.iter().enumerate().map(|(at, &(parent, twist))| {
            let parent = match twist {
                0 => String::new(),
                1 => "gone".into(),
                2 => name(parent),
                3..6 => name(parent.min(at.saturating_sub(1))),
                _ => at.checked_sub(1).map(name).unwrap_or_default(),
            };
            let id = if twist == 6 { name(parent.len()) } else { name(at) };
            answer(&id, &parent, f64::from(1 << at))
        }).collect();
        let read = row(folder.path(), "s.jsonl", "", &lines);
        let session = Session::open(&read.path).unwrap();
        prop_assert_eq!(&*read.spending, &Spending::of(&session, &jiff::tz::TimeZone::UTC));
        let written = serde_json::to_string(&*read.spending).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Spending>(&written).unwrap(), &*read.spending);
        let totals = session.totals();
        prop_assert_eq!(read.spending.total().tokens().to_bits(), totals.usage.tokens().to_bits());
        prop_assert_eq!(read.spending.total().cost.to_bits(), totals.usage.cost.to_bits());
    }

    #[test]
    fn reading_on_comes_to_the_same_as_reading_anew(
        shape in prop::collection::vec((0_usize..12, 0_usize..10), 1..12),
        cut in 1_usize..12,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let lines: Vec<String> = shape.iter().enumerate().map(|(at, &(parent, twist))| {
            let parent = match twist {
                0 => None,
                1..4 => Some(parent.min(at.saturating_sub(1))).filter(|_| at > 0),
                _ => at.checked_sub(1),
            };
            let parent = parent.map(|parent| format!("e{parent}")).unwrap_or_default();
            answer(&format!("e{at}"), &parent, f64::from(1 << at))
        }).collect();
        let cut = cut.min(lines.len());
        row(folder.path(), "s.jsonl", "", &lines[..cut]);
        let read = |tally: Tally| {
            let file = FoundFile::look_at(folder.path().join("s.jsonl")).unwrap();
            let zone = jiff::tz::TimeZone::UTC;
            let wanted = Wanted { first_message: FirstMessage::Start, texts: None, zone: &zone };
            let tally = Summarizer::default().read(&file, tally, wanted, &Cancel::new()).ok().unwrap();
            (tally.summary(&file, folder.path()).spending, tally)
        };
        let (_, known) = read(Tally::default());
        row(folder.path(), "s.jsonl", "", &lines);
        prop_assert_eq!(read(known).0, read(Tally::default()).0);
    }
}
