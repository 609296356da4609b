//! The pages of `docs/` say what the code says. `docs/design-file.md`: every message it shows, and every word there is;
//! `docs/key-format.md`: every key and every split point.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod key_format;
mod messages;
mod page;
mod words;
mod written;
