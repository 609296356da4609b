//! `docs/design-file.md` says what the code says: every message it shows, and every word there is.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod messages;
mod page;
mod words;
mod written;
