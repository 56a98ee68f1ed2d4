//! What the tests share.
#![expect(
    unreachable_pub,
    clippy::unwrap_used,
    reason = "a harness shared by test files, which fails by panicking"
)]

pub mod harness;
