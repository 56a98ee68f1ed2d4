//! The meaning of one file.
