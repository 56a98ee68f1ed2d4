//! What the tests share.
#![expect(unreachable_pub, reason = "each test file uses a part of it")]

pub mod harness;
