//! Lints: what is wrong with a design, or will be, reported before the first row is written.
//!
//! [`lint`](lint()) checks a [`Subject`]. Every [`Finding`] has an id, a place, the facts that it is based on and, if
//! one is known, a [`Fix`]; [`LintId::explain`] returns the page about an id. No sample is needed: whether a region can
//! be reached is proved from the language of the keys, how buckets are distributed over the regions is computed
//! exactly, and a hash is judged by hashing its whole domain if that is small. All texts are in one [`Language`].
//!
//! ```
//! # use keystride::{Design, KeyCodec};
//! # use keystride_advisor::lint::{Severity, Subject, lint};
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
mod follows;
mod found;
mod hot;
mod id;
mod language;
mod names;
mod needs;
mod pages;
mod planned_access;
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
pub use fix::{Change, Edit, Effect, Fix, PathStep};
pub use id::{LintId, UnknownLint, check_silences};
pub use language::{Language, UnknownLanguage};
pub use needs::{Need, Seen};
pub use pages::PageDocument;
pub use planned_access::{PlannedAccess, planned_accesses};
pub use subject::{SplitOrigin, Splits, Subject};

use context::Context;
use fix::Patch;
use found::Found;

/// A lint: looks at a design, and returns what it found.
type Lint = fn(&Context<'_>) -> Vec<Found>;

const FAMILIES: [&[Lint]; 8] =
    [enc::LINTS, spl::LINTS, slt::LINTS, hot::LINTS, rd::LINTS, unq::LINTS, siz::LINTS, upd::LINTS];

/// Returns all findings on a subject, errors first, then in the file's order.
///
/// The same subject always gives exactly the same findings.
pub fn lint(subject: &Subject<'_>) -> Vec<Finding> {
    let context = Context::new(subject);
    let found = FAMILIES.iter().flat_map(|family| family.iter()).flat_map(|lint| lint(&context));
    let points = context.points();
    let found = found.map(|found| found.with_points_kept(points));
    let mut findings: Vec<Finding> = found.map(|found| found.into_finding(subject)).collect();
    findings.sort_by(Finding::order);
    findings
}
