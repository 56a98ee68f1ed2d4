//! How fast sessions are read, listed, searched and made into trees and contexts.

#![expect(clippy::expect_used, reason = "a measurement that cannot set up its files has failed")]

mod common;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use jiff::tz::TimeZone;
use piscope::cancel::Cancel;
use piscope::export::{Document, DocumentKind, Format, Redactor, Stamp};
use piscope::session::{Attempts, LeafArg, Outline, OutlineView, Session};
use piscope::store::{
    Environment, Family, Kept, Query, ScanEvent, ScanOptions, Scope, SearchEvent, SearchOptions, SearchQuery,
    SessionSummary, Sort, Stats, StatsBy, StatsFilter, StatsSort, Store, TextHits, scan, search,
};

/// Growth by fours: nothing may cost more than four times as much.
const SIZES: [usize; 3] = [2_000, 8_000, 32_000];

fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("open");
    group.sampling_mode(SamplingMode::Flat);
    let folder = tempfile::tempdir().expect("a folder");
    for entries in SIZES {
        let text = common::session("bench", entries, 6_000);
        let path = folder.path().join(format!("{entries}.jsonl"));
        std::fs::write(&path, &text).expect("a file");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("newlines only", entries), &text, |b, text| {
            b.iter(|| memchr::memchr_iter(b'\n', black_box(text.as_bytes())).count());
        });
        group.bench_with_input(BenchmarkId::new("index", entries), &path, |b, path| {
            b.iter(|| Session::open(path).expect("a session").len());
        });
        let quickly = |path: &Path| Session::open_quickly(path, &Cancel::new()).expect("a session");
        group.bench_with_input(
            BenchmarkId::new("index, long results on trust", entries),
            &path,
            |b, path| {
                b.iter(|| quickly(path).len());
            },
        );
        group.bench_with_input(BenchmarkId::new("the same and proved", entries), &path, |b, path| {
            b.iter(|| quickly(path).prove(&Cancel::new()));
        });
    }
}

fn tree_and_context(c: &mut Criterion) {
    let mut group = c.benchmark_group("of an open session");
    for entries in [1_000, 4_000, 16_000, 100_000] {
        let text = common::session("bench", entries, 10);
        let session = Session::from_bytes("bench.jsonl", text.into_bytes()).expect("a session");
        let view = OutlineView { leaf: session.current_leaf(), ..OutlineView::default() };
        group.throughput(Throughput::Elements(entries as u64));
        group.bench_function(BenchmarkId::new("tree", entries), |b| {
            b.iter(|| Outline::build(&session, view.clone()).expect("a tree").rows.len());
        });
        group.bench_function(BenchmarkId::new("what came of its branches", entries), |b| {
            b.iter(|| Attempts::of(black_box(&session)));
        });
        group.bench_function(BenchmarkId::new("context", entries), |b| {
            b.iter(|| session.context(&LeafArg::Current).items.len());
        });
    }
}

/// A branch of 16 MB as a document, and, to compare with, everything in it read and parsed.
fn export(c: &mut Criterion) {
    let mut group = c.benchmark_group("export");
    group.sample_size(10);
    let folder = tempfile::tempdir().expect("a folder");
    let text = common::session("bench", 8_000, 6_000);
    let path = folder.path().join("s.jsonl");
    std::fs::write(&path, &text).expect("a file");
    let session = Session::open(&path).expect("a session");
    let entries = session.path_to(session.current_leaf());
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("bodies only", |b| {
        b.iter(|| entries.iter().filter(|&&entry| session.body(entry).is_ok()).count());
    });
    let stamp = Stamp { now: 0, cwd: "/work".into() };
    let redactor = Redactor::default();
    for format in Format::ALL {
        for (words, redact) in [("", None), (", redacted", Some(&redactor))] {
            let of = Document {
                session: &session,
                entries: &entries,
                kind: DocumentKind::Branch,
                redact,
                zone: &TimeZone::UTC,
                cancel: &Cancel::new(),
                progress: &|_| {},
            };
            group.bench_function(format!("{}{words}", format.word()), |b| {
                b.iter(|| format.write(&of, &stamp, &mut std::io::sink()).expect("a document"));
            });
        }
    }
}

fn listed(store: &Store, environment: &Environment, kept: Kept) -> usize {
    let options = ScanOptions { kept, ..ScanOptions::default() };
    let mut rows = 0;
    scan(store, environment, &options, &Cancel::new(), &mut |event| {
        if let ScanEvent::Batch { rows: more, .. } = event {
            rows += more.len();
        }
    });
    rows
}

/// What all sessions have cost, by model and by day.
fn spent(store: &Store, environment: &Environment, kept: Kept) -> usize {
    let options = ScanOptions { kept, ..ScanOptions::default() };
    let mut rows = Vec::new();
    scan(store, environment, &options, &Cancel::new(), &mut |event| {
        if let ScanEvent::Batch { rows: more, .. } = event {
            rows.extend(more.into_iter().map(|row| row.summary));
        }
    });
    let rows: Vec<&SessionSummary> = rows.iter().collect();
    let by = |by| Stats::of(&rows, &|_| true, by, &StatsFilter::default(), StatsSort::Cost).rows.len();
    by(StatsBy::Model) + by(StatsBy::Day)
}

fn hits(store: &Store, environment: &Environment, words: &str) -> usize {
    let query = SearchQuery::parse(words, &|_| None).expect("a query");
    let mut count = 0;
    let options = SearchOptions { scope: Scope::All, query: &query, limit: usize::MAX };
    search(store, environment, &options, &Cancel::new(), &mut |event| {
        if let SearchEvent::Hits { hits, .. } = event {
            count += hits.len();
        }
    });
    count
}

/// How often ripgrep finds words in a folder; `None` where it is not installed.
fn ripgrep(folder: &Path, words: &str) -> Option<usize> {
    let arguments = ["--no-config", "--ignore-case", "--fixed-strings", "--count", words];
    let output = Command::new("rg").args(arguments).arg(folder).output().ok()?;
    Some(memchr::memchr_iter(b'\n', &output.stdout).count())
}

fn of_a_store(c: &mut Criterion) {
    let mut group = c.benchmark_group("of a store");
    group.sampling_mode(SamplingMode::Flat);
    for sessions in [100, 400, 1_600] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("sessions");
        let bytes = common::store(&root, sessions, 40, 6_000);
        let environment = Environment::new(folder.path(), Path::new("/"));
        let store = Store::at(root.clone());
        group.throughput(Throughput::Bytes(bytes));
        group.bench_function(BenchmarkId::new("list, all read", sessions), |b| {
            b.iter(|| listed(&store, &environment, Kept::Unused));
        });
        listed(&store, &environment, Kept::Trusted);
        group.bench_function(BenchmarkId::new("list, unchanged", sessions), |b| {
            b.iter(|| listed(&store, &environment, Kept::Trusted));
        });
        group.bench_function(BenchmarkId::new("stats, all read", sessions), |b| {
            b.iter(|| spent(&store, &environment, Kept::Unused));
        });
        group.bench_function(BenchmarkId::new("stats, unchanged", sessions), |b| {
            b.iter(|| spent(&store, &environment, Kept::Trusted));
        });
        group.bench_function(BenchmarkId::new("search, nothing found", sessions), |b| {
            b.iter(|| hits(&store, &environment, "nowhere"));
        });
        group.bench_function(BenchmarkId::new("search, a hit a session", sessions), |b| {
            b.iter(|| hits(&store, &environment, "\"step 30, please\""));
        });
        if ripgrep(&root, "nowhere").is_some() {
            group.bench_function(BenchmarkId::new("ripgrep, nothing found", sessions), |b| {
                b.iter(|| ripgrep(&root, "nowhere"));
            });
        }
    }
}

/// What the rows of the list say of 13,700 sessions.
fn of_many_rows(c: &mut Criterion) {
    let mut group = c.benchmark_group("13,700 rows");
    group.sampling_mode(SamplingMode::Flat);
    let folder = tempfile::tempdir().expect("a folder");
    common::store(folder.path(), 13_700, 3, 10);
    let (store, environment) =
        (Store::at(folder.path().into()), Environment::new(folder.path(), Path::new("/")));
    let mut rows = Vec::new();
    scan(&store, &environment, &ScanOptions::default(), &Cancel::new(), &mut |event| {
        if let ScanEvent::Batch { rows: more, .. } = event {
            rows.extend(more.into_iter().map(|row| row.summary));
        }
    });
    let no_text = TextHits::default();
    let found: Vec<(&SessionSummary, &TextHits)> = rows.iter().map(|row| (row, &no_text)).collect();
    for words in ["work", "wrk", "\"/work\" 3"] {
        let query = Query::parse(words).expect("a query");
        group.bench_function(BenchmarkId::new("filter", words), |b| {
            b.iter(|| query.select(&found, Sort::Relevance).len());
        });
    }
    group.bench_function("fork families", |b| b.iter(|| Family::of(&rows).rows.len()));
    let rows: Vec<&SessionSummary> = rows.iter().collect();
    group.bench_function("stats by session", |b| {
        let filter = StatsFilter::default();
        b.iter(|| Stats::of(&rows, &|_| true, StatsBy::Session, &filter, StatsSort::Cost).rows.len());
    });
}

criterion_group! {
    name = benches;
    config = common::patience();
    targets = open, tree_and_context, export, of_a_store, of_many_rows
}
criterion_main!(benches);
