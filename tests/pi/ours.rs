//! Where we answer otherwise than pi, on purpose.

use serde_json::Value;

/// The file, what of pi's answers about it is not compared, and why.
/// What we answer instead is in `golden.rs`.
const OURS: &[(&str, &[&str], &str)] = &[
    (
        "cases/017-scalar-and-array-lines.jsonl",
        &["entryLines", "entryTypes", "tree", "branches", "rows"],
        "lines that hold no object are dropped and reported, they are no entries",
    ),
    (
        "cases/028-cycle-two-entries.jsonl",
        &["tree", "branches", "totals"],
        "a circle of parents is cut where a walk would come round, and shown",
    ),
    (
        "cases/029-self-parent.jsonl",
        &["branches", "totals"],
        "it is a root with a branch, which pi cannot walk",
    ),
    ("samples/self-parent.jsonl", &["branches", "totals"], "as above"),
    (
        "cases/031-duplicate-id-siblings.jsonl",
        &["tree", "rows"],
        "of several lines with one id each is shown once, the last has the children",
    ),
    ("samples/duplicate-ids.jsonl", &["tree", "rows", "selected"], "as above"),
    ("cases/032-duplicate-id-makes-cycle.jsonl", &["tree", "branches", "totals"], "both of the above"),
    (
        "cases/049-text-block-without-text.jsonl",
        &["rows"],
        "a text that is missing is empty, not `undefined`",
    ),
    (
        "cases/095-cwd-windows.jsonl",
        &["cwd", "text"],
        "a Windows path is never relative to a folder of this system",
    ),
    (
        "cases/109-version-missing-but-tree-present.jsonl",
        &["leafId", "tree", "branches", "context", "labels", "rows", "selected", "text", "totals"],
        "ids and tree of a file without a version are kept as they stand",
    ),
];

/// Takes out of pi's answer about a fixture what we answer otherwise.
pub(crate) fn leave_out(file: &str, theirs: &mut Value) {
    let Some(fields) = theirs.as_object_mut() else { return };
    for (_, left_out, _) in OURS.iter().filter(|(name, ..)| *name == file) {
        for field in *left_out {
            fields.remove(*field);
        }
    }
}

/// Takes out of our rows those that pi's list lacks: sessions that it drops for one odd line, and in its threaded list those
/// that are in a circle of parents.
pub(crate) fn leave_out_rows_lost_by_pi(theirs: &Value, ours: &mut Value) {
    let has = |path: &Value| theirs.as_array().into_iter().flatten().any(|row| row["path"] == *path);
    let Some(rows) = ours.as_array_mut() else { return };
    rows.retain(|row| has(&row["path"]) || !(has_odd_field(row) || is_in_circle(row)));
}

fn has_odd_field(row: &Value) -> bool {
    row["diagnostics"].as_array().into_iter().flatten().any(|diagnostic| diagnostic["kind"] == "odd-field")
}

fn is_in_circle(row: &Value) -> bool {
    const CIRCLES: [&str; 3] =
        ["102-thread-self-parent.jsonl", "103-thread-cycle-x.jsonl", "104-thread-cycle-y.jsonl"];
    let path = row["path"].as_str().unwrap_or_default();
    row["depth"] == 0 && CIRCLES.iter().any(|name| path.ends_with(name))
}
