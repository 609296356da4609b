//! Lints: what is wrong, or will be, with a design, told before the first row is written.
//!
//! [`lint`](lint()) judges a [`Subject`]; every [`Finding`] has an id, a place, the numbers it rests on and, where one
//! is known, a [`Fix`]. [`LintId::explain`] is the page behind an id. Whether a region can be reached is proved from the
//! language of the keys, how buckets fall is proved by laying them over the regions, and a hash is judged by hashing
//! its whole domain where that is small: no sample is needed for any of it. All of it is said in one [`Language`].
//!
//! ```
//! # use keystride::{Design, KeyCodec};
//! # use keystride::lint::{Severity, Subject, lint};
//! let design = Design::from_toml(
//!     r#"
//!     format = 1
//!     [table]
//!     name = "log"
//!     families.f = { encoding = "fast-diff" }
//!     [fields]
//!     ts = { type = "time", unit = "ms" }
//!     id = { type = "digits", len = 8 }
//!     [key]
//!     parts = [ { field = "ts" }, { field = "id" } ]
//!     "#,
//! )?;
//! let codec = KeyCodec::new(design);
//! let findings = lint(&Subject::new(&codec));
//! assert_eq!(findings[0].id.name(), "HOT01");
//! assert_eq!(findings[0].severity, Severity::Warning);
//! # Ok::<(), keystride::design::DesignError>(())
//! ```

mod audit;
mod clock;
mod context;
mod enc;
mod evidence;
mod finding;
mod fix;
mod found;
mod hot;
mod id;
mod language;
mod needs;
mod pages;
mod rd;
mod reads;
mod regions;
mod said;
mod siz;
mod slt;
mod spl;
mod subject;
mod typical;
mod unq;
mod upd;

pub use finding::{Facts, Finding, Severity};
pub use fix::{Change, Edit, Fix, PathStep};
pub use id::{LintId, UnknownLint};
pub use language::{Language, UnknownLanguage};
pub use needs::{Need, Seen};
pub use subject::{SplitOrigin, Splits, Subject};

use context::Context;
use fix::Patch;
use found::Found;

/// One lint: looks at a design, and says what it found.
type Lint = fn(&Context<'_>) -> Vec<Found>;

const FAMILIES: [&[Lint]; 8] =
    [enc::LINTS, spl::LINTS, slt::LINTS, hot::LINTS, rd::LINTS, unq::LINTS, siz::LINTS, upd::LINTS];

/// Everything that can be said of a subject, errors first, then in the file's order.
///
/// The same subject gives the same findings, to the byte.
pub fn lint(subject: &Subject<'_>) -> Vec<Finding> {
    let context = Context::new(subject);
    let found = FAMILIES.iter().flat_map(|family| family.iter()).flat_map(|lint| lint(&context));
    let mut findings: Vec<Finding> = found.map(|found| found.into_finding(subject.language)).collect();
    findings.sort_by(Finding::order);
    findings
}
