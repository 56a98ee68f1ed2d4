//! Any tail, and a kill at any byte.

use proptest::prelude::*;

use super::*;

/// A piece of a session file, with its line end where it has one.
fn piece() -> impl Strategy<Value = String> {
    let id = (0..12u8).prop_map(|id| format!("e{id}"));
    let parent = prop_oneof![Just("null".to_owned()), (0..12u8).prop_map(|id| format!("\"e{id}\""))];
    prop_oneof![
        6 => (id, parent).prop_map(|(id, parent)| entry(&id, &parent) + "\n"),
        1 => (0..60usize).prop_map(|cut| entry("torn", "null")[..cut].to_owned()),
        1 => (0..60usize).prop_map(|cut| entry("torn", "null")[..cut].to_owned() + "\n"),
        1 => Just(entry("glued", "null")),
        1 => prop_oneof![Just("\n"), Just("7\n"), Just("\r\n"), Just("[]\n"), Just("{}\n"), Just("\u{fffd}\n")]
            .prop_map(str::to_owned),
        1 => Just(HEADER.to_owned() + "\n"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any file, read at some point and grown since: what was there stays byte for byte, the new line is the last
    /// entry, below the one that was last.
    #[test]
    fn any_tail_keeps_its_bytes_and_its_position(
        seen in prop::collection::vec(piece(), 0..8),
        grown in prop::collection::vec(piece(), 0..8),
    ) {
        let bench = Bench::with(format!("{HEADER}\n{}", seen.concat()).as_bytes());
        let session = bench.session();
        bench.foreign(&grown.concat());
        let before = bench.bytes();
        let was = bench.session();
        let appended = bench.name(&RealDisk, &session).unwrap();
        let after = bench.bytes();
        let newline = if before.ends_with(b"\n") { "" } else { "\n" };
        let expected = [&before[..], newline.as_bytes(), appended.line.as_bytes(), b"\n"].concat();
        prop_assert_eq!(after, expected);
        let now = bench.session();
        prop_assert_eq!(now.len(), was.len() + 1);
        let leaf = now.current_leaf().unwrap();
        prop_assert_eq!(now.entry_id(leaf).as_str(), &appended.id);
        prop_assert_eq!(now.name(), Some("new"));
        let above = now.links().named_parent(leaf).map(|ix| now.entry_id(ix).clone());
        let last = was.current_leaf().map(|ix| was.entry_id(ix).clone());
        prop_assert_eq!(above, last);
    }

    /// A process killed after any byte of the write: the file reads as before, and the next line repairs it.
    #[test]
    fn a_kill_at_any_byte_is_repaired_by_the_next_line(
        seen in prop::collection::vec(piece(), 0..5),
        share in 0.0..1.0f64,
    ) {
        let bench = Bench::with(format!("{HEADER}\n{}", seen.concat()).as_bytes());
        let (before, was) = (bench.bytes(), bench.session());
        bench.name(&RealDisk, &was).unwrap();
        let written = bench.bytes();
        let kept = before.len() + ((written.len() - before.len()) as f64 * share) as usize;
        File::options().write(true).open(&bench.path).unwrap().set_len(kept as u64).unwrap();
        let killed = bench.session();
        prop_assert!(killed.len() - was.len() <= 1);
        bench.name(&RealDisk, &killed).unwrap();
        let now = bench.session();
        prop_assert_eq!(now.len(), killed.len() + 1);
        prop_assert_eq!(now.name(), Some("new"));
        prop_assert_eq!(&bench.bytes()[..before.len()], &before[..]);
    }
}
