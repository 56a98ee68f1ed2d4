//! What scans keep in the cache folder: it saves time and never changes what is listed.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot set up its files has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use piscope::cancel::Cancel;
use piscope::store::{
    Environment, Kept, Layout, Origin, ScanEvent, ScanOptions, SessionSummary, Stats, StatsBy, StatsFilter,
    StatsSort, Store, clear_cache, scan,
};

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T12:00:00.000Z","cwd":"/p"}"#;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap()
    }

    fn cache(&self) -> PathBuf {
        self.root().join("cache")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.root().join("sessions/--p--").join(name)
    }

    /// Writes a file long enough ago for its time to be trusted.
    fn write(&self, name: &str, text: &str) {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.age(name);
    }

    fn append(&self, name: &str, text: &str) {
        let mut whole = fs::read_to_string(self.file(name)).unwrap();
        whole.push_str(text);
        fs::write(self.file(name), whole).unwrap();
        self.age(name);
    }

    fn age(&self, name: &str) {
        let file = fs::File::options().append(true).open(self.file(name)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_767_700_000)).unwrap();
    }

    fn list(&self, kept: Kept) -> Vec<SessionSummary> {
        self.list_in(&self.environment(), kept)
    }

    fn list_in(&self, environment: &Environment, kept: Kept) -> Vec<SessionSummary> {
        let store =
            Store { root: self.root().join("sessions"), layout: Layout::PerProject, origin: Origin::Default };
        let options = ScanOptions { kept, ..ScanOptions::default() };
        let mut found = Vec::new();
        scan(&store, environment, &options, &Cancel::new(), &mut |event| {
            if let ScanEvent::Batch { rows, .. } = event {
                found.extend(rows.into_iter().map(|row| row.summary));
            }
        });
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    fn environment(&self) -> Environment {
        Environment::new("/home/u", self.root()).with("XDG_CACHE_HOME", self.cache())
    }

    fn kept_file(&self) -> PathBuf {
        let mut open = vec![self.cache()];
        while let Some(path) = open.pop() {
            if path.is_file() {
                return path;
            }
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
        panic!("nothing is kept");
    }
}

fn said(text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{text}","message":{{"role":"user","content":"{text}","timestamp":1}}}}"#
    )
}

/// What comes to a file: in words, entries with their parents, and what it cost then, on the current branch and beside.
type Growth<'c> = (&'c str, &'c [(&'c str, &'c str)], (f64, f64));

/// An answer that cost something.
fn paid(id: &str, parent: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{{"role":"assistant","content":[],"timestamp":1,"usage":{{"input":1,"cost":{{"total":0.5}}}}}}}}"#
    )
}

fn named(name: &str) -> String {
    format!(r#"{{"type":"session_info","name":"{name}"}}"#)
}

#[test]
fn whatever_happens_to_a_file_the_list_is_as_if_nothing_was_kept() {
    let place = Place::new();
    let one = format!("{HEADER}\n{}\n", said("first"));
    place.write("a.jsonl", &one);
    place.write("b.jsonl", &one);
    let long = "x".repeat(10_000);
    let label = r#"{"type":"label","targetId":"first","label":"x"}"#;
    let changes: [(&str, &dyn Fn()); 14] = [
        ("nothing", &|| {}),
        ("it grew", &|| place.append("a.jsonl", &format!("{}\n{label}\n", said("second")))),
        ("it grew past a block", &|| place.append("a.jsonl", &format!("{}\n", said(&long)))),
        ("it got a name", &|| place.append("a.jsonl", &format!("{}\n", named("alpha")))),
        ("a line was cut short", &|| place.append("a.jsonl", &said("third")[..20])),
        ("the line was completed", &|| place.append("a.jsonl", &format!("{}\n", &said("third")[20..]))),
        ("a line has no end yet", &|| place.append("a.jsonl", &said("fourth"))),
        ("the end came", &|| place.append("a.jsonl", "\n")),
        ("a line was damaged", &|| place.append("a.jsonl", "{\"a\":1}{\"b\":2}\nnull\n[]\n")),
        ("a name of the same length", &|| {
            let text = fs::read_to_string(place.file("a.jsonl")).unwrap().replace("alpha", "omega");
            place.write("a.jsonl", &text);
        }),
        ("it was cut", &|| place.write("a.jsonl", &one)),
        ("it was replaced by a longer one", &|| {
            fs::remove_file(place.file("a.jsonl")).unwrap();
            place.write("a.jsonl", &format!("{HEADER}\n{}\n{}\n", said("new"), said("newer")));
        }),
        ("it is no session any more", &|| place.write("a.jsonl", "hello\n")),
        ("it is gone, and another came", &|| {
            fs::remove_file(place.file("a.jsonl")).unwrap();
            place.write("c.jsonl", &one);
        }),
    ];
    place.list(Kept::Trusted);
    for (what, change) in changes {
        change();
        let plain = place.list(Kept::Unused);
        assert_eq!(place.list(Kept::Trusted), plain, "{what}");
        assert_eq!(place.list(Kept::Trusted), plain, "{what}, again");
    }
}

/// A place with a session called alpha that is kept as omega.
fn kept_as_omega() -> Place {
    let place = Place::new();
    place.write("a.jsonl", &format!("{HEADER}\n{}\n{}\n", said("hi"), named("alpha")));
    place.list(Kept::Trusted);
    let kept = fs::read_to_string(place.kept_file()).unwrap();
    fs::write(place.kept_file(), kept.replace("alpha", "omega")).unwrap();
    place
}

fn name_of(rows: &[SessionSummary]) -> &str {
    rows[0].name.as_deref().unwrap()
}

#[test]
fn what_a_growing_file_has_cost_is_as_if_nothing_was_kept() {
    let place = Place::new();
    place.write("a.jsonl", &format!("{HEADER}\n{}\n{}\n", paid("a", "null"), paid("b", "\"a\"")));
    let changes: [Growth<'_>; 5] = [
        ("nothing", &[], (1.0, 0.0)),
        ("it went on", &[("c", "\"b\"")], (1.5, 0.0)),
        ("it went on and branched", &[("d", "\"c\""), ("e", "\"d\""), ("f", "\"d\"")], (2.5, 0.5)),
        ("it branched from what was there before", &[("g", "\"b\"")], (1.5, 2.0)),
        ("it began anew", &[("h", "null"), ("i", "\"h\"")], (1.0, 3.5)),
    ];
    place.list(Kept::Trusted);
    for (what, lines, spent) in changes {
        let lines: Vec<String> = lines.iter().map(|(id, parent)| paid(id, parent) + "\n").collect();
        place.append("a.jsonl", &lines.concat());
        let plain = place.list(Kept::Unused);
        assert_eq!(place.list(Kept::Trusted), plain, "{what}");
        assert_eq!(place.list(Kept::Trusted), plain, "{what}, again");
        let rows: Vec<&SessionSummary> = plain.iter().collect();
        let total =
            Stats::of(&rows, &|_| true, StatsBy::Session, &StatsFilter::default(), StatsSort::Cost).total;
        assert_eq!((total.current.cost, total.abandoned.cost), spent, "{what}");
    }
}

#[test]
fn days_are_those_of_the_time_zone_it_is_read_in() {
    let place = Place::new();
    let late =
        paid("a", "null").replace("\"message\",", "\"message\",\"timestamp\":\"2026-01-05T20:00:00.000Z\",");
    place.write("a.jsonl", &format!("{HEADER}\n{late}\n"));
    for (zone, day) in [("UTC", "2026-01-05"), ("Asia/Tokyo", "2026-01-06"), ("UTC", "2026-01-05")] {
        let environment = place.environment().in_zone(jiff::tz::TimeZone::get(zone).unwrap());
        let rows = place.list_in(&environment, Kept::Trusted);
        let rows: Vec<&SessionSummary> = rows.iter().collect();
        let stats = Stats::of(&rows, &|_| true, StatsBy::Day, &StatsFilter::default(), StatsSort::Cost);
        assert_eq!(stats.rows[0].latest.unwrap().to_string(), day, "{zone}");
    }
}

#[test]
fn what_has_not_changed_is_not_read() {
    let place = kept_as_omega();
    assert_eq!(name_of(&place.list(Kept::Trusted)), "omega");
    assert_eq!(name_of(&place.list(Kept::Unused)), "alpha");
    assert_eq!(name_of(&place.list(Kept::Renewed)), "alpha");
    assert_eq!(name_of(&place.list(Kept::Trusted)), "alpha", "it was replaced");
}

#[test]
fn what_was_there_before_is_not_read_again() {
    let place = kept_as_omega();
    place.append("a.jsonl", &format!("{}\n", said("more")));
    let rows = place.list(Kept::Trusted);
    assert_eq!((name_of(&rows), rows[0].message_count), ("omega", 2));
}

#[test]
fn a_file_written_just_now_is_read_again() {
    let place = Place::new();
    place.write("a.jsonl", &format!("{HEADER}\n{}\n", named("alpha")));
    fs::write(place.file("a.jsonl"), format!("{HEADER}\n{}\n", named("alpha"))).unwrap();
    place.list(Kept::Trusted);
    let kept = fs::read_to_string(place.kept_file()).unwrap();
    fs::write(place.kept_file(), kept.replace("alpha", "omega")).unwrap();
    assert_eq!(name_of(&place.list(Kept::Trusted)), "alpha");
}

#[test]
fn damage_to_what_is_kept_costs_only_time() {
    for damage in ["", "piscope 0.0.0 summaries 1\n{}\n", "\u{0}\u{1}garbage\n", "half"] {
        let place = kept_as_omega();
        let kept = fs::read_to_string(place.kept_file()).unwrap();
        let damaged = if damage == "half" { &kept[..kept.len() / 2] } else { damage };
        fs::write(place.kept_file(), damaged).unwrap();
        assert_eq!(name_of(&place.list(Kept::Trusted)), "alpha", "{damage:?}");
        assert_eq!(fs::read_to_string(place.kept_file()).unwrap().lines().count(), 2, "it is whole again");
    }
    let place = kept_as_omega();
    fs::remove_dir_all(place.cache()).unwrap();
    fs::write(place.cache(), "a file where the folder would be").unwrap();
    assert_eq!(name_of(&place.list(Kept::Trusted)), "alpha");
}

#[test]
fn clearing_forgets_everything_and_does_so_twice() {
    let place = kept_as_omega();
    clear_cache(&place.environment()).unwrap();
    assert_eq!(name_of(&place.list(Kept::Trusted)), "alpha");
    clear_cache(&place.environment()).unwrap();
    clear_cache(&place.environment()).unwrap();
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&kept_as_omega().kept_file()), 0o600);
}
