//! How long a key takes until its picture is ready, the terminal aside.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a measurement that cannot set up its files has failed"
)]

mod common;
#[expect(dead_code, unreachable_pub, reason = "stories use more of it")]
#[path = "../tests/ui/harness.rs"]
mod harness;

use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use harness::Harness;

fn keys(c: &mut Criterion) {
    let mut group = c.benchmark_group("key to picture");
    group.sampling_mode(SamplingMode::Flat);
    for entries in [1_000, 4_000, 16_000, 100_000] {
        let folder = tempfile::tempdir().expect("a folder");
        common::store(folder.path(), 1, entries, 10);
        let mut ui = Harness::open(folder.path());
        ui.press("<tab>");
        group.bench_function(BenchmarkId::new("tree, up", entries), |b| b.iter(|| ui.press("<up>").buffer()));
        ui.press("<tab>");
        group.bench_function(BenchmarkId::new("messages, page up", entries), |b| {
            b.iter(|| ui.press("<pageUp>").buffer());
        });
    }
    let folder = tempfile::tempdir().expect("a folder");
    common::store(folder.path(), 13_700, 3, 10);
    let mut ui = Harness::open(folder.path());
    ui.press("<tab>");
    group.bench_function("13,700 sessions, a frame", |b| b.iter(|| ui.buffer()));
    ui.press("<tab><tab>");
    group.bench_function("13,700 sessions, down", |b| b.iter(|| ui.press("<down>").buffer()));
    group.bench_function("13,700 sessions, filter", |b| b.iter(|| ui.press("/step<esc>").buffer()));
    // None of them has a name, so the second key lists all of them anew.
    group.bench_function("13,700 sessions, grouped anew", |b| b.iter(|| ui.press("<c-n><c-n>").buffer()));
}

criterion_group! {
    name = benches;
    config = common::patience();
    targets = keys
}
criterion_main!(benches);
