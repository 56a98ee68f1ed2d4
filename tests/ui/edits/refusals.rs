//! Changes that are refused.

use std::fs;

use super::Bench;

#[test]
fn a_write_that_is_refused_says_why() {
    let mut bench = Bench::new();
    bench.ui.press("<tab>");
    let other = bench.file.with_file_name("other");
    fs::copy(&bench.file, &other).unwrap();
    fs::rename(&other, &bench.file).unwrap();
    bench.ui.press("Lgood<enter>");
    assert!(bench.notice().contains("another file has taken its place"), "{}", bench.notice());
    assert!(bench.notice().starts_with("cannot label"), "{}", bench.notice());
}

/// What somebody else does to a session.
type Change<'c> = &'c dyn Fn(&Bench);

/// A change that meets a session in some state says why it is not done, and what to do.
#[test]
fn every_refusal_says_what_to_do() {
    let replace = |bench: &Bench| {
        let other = bench.file.with_file_name("other");
        fs::copy(&bench.file, &other).unwrap();
        fs::rename(&other, &bench.file).unwrap();
    };
    let rewrite = |bench: &Bench, from: &str, to: &str| {
        let text = fs::read_to_string(&bench.file).unwrap();
        fs::write(&bench.file, text.replace(from, to)).unwrap();
    };
    let cases: [(&str, Change<'_>, &str); 5] = [
        ("vanished", &|bench| fs::remove_file(&bench.file).unwrap(), "look for it in the trash"),
        ("replaced", &replace, "look at it again first"),
        ("rewritten", &|bench| rewrite(bench, "s-1", "s-9"), "look at it again first"),
        ("shrunk", &|bench| rewrite(bench, "answer", "."), "look at it again first"),
        ("no session", &|bench| fs::write(&bench.file, "{}\n").unwrap(), "look at it again first"),
    ];
    for (what, change, advice) in cases {
        let mut bench = Bench::new();
        bench.ui.press("<tab>kkLgood");
        change(&bench);
        let before = bench.files();
        bench.ui.press("<enter>");
        assert!(bench.notice().starts_with("cannot label an entry of "), "{what}: {}", bench.notice());
        assert!(bench.notice().ends_with(advice), "{what}: {}", bench.notice());
        assert_eq!(bench.files(), before, "{what}");
    }
}
