//! Who may ask. [`guard`] stands before every request: its host must be known, what changes something must come from a
//! page of this console, and it needs the cookie of a session, which one gets for a token, or the header of a proxy that is
//! trusted.

mod guard;
mod headers;
mod hosts;
mod sessions;
mod trusted_header;

pub(crate) use guard::{demand_write, guard};
pub(crate) use headers::add_headers;
pub use hosts::{AllowedHost, InvalidHost};
pub(crate) use sessions::Sessions;
pub(crate) use trusted_header::User;
pub use trusted_header::{InvalidTrustedHeader, TrustedHeader};
