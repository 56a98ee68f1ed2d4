//! The folder of sessions: where it is, what is in it, how it is searched.
