mod pi;
#[test]
fn dump_seed() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    std::fs::write(format!("/tmp/e-seed-{seed}.jsonl"), pi::generate::session(seed)).unwrap();
}
