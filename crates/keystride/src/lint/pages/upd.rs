//! Updates.

use super::zh::upd as zh;
use super::{Page, Text};
use crate::lint::needs::Need::Design;
use crate::lint::needs::Seen;

pub(crate) const UPD01: Page = Page {
    seen: Seen::Wholly,
    needs: &[Design],
    english: Text { title: "a field that changes is in the key",
 checks: "A field with `updated = true` stands in the key, or its bucket is computed from one.",
    why:
        "A key can't be changed. When a row's status goes from open to done and the status is in the key, the
change is a delete of one row and an insert of another: two operations on perhaps two servers, both rows
there in between, and after a crash an orphan that no one will look for.",
    remedy:
        "Keep it out of the key. Where it must be found by it, keep a second table as an index, and treat its
entries as hints that are checked against the row.",
 },
    chinese: zh::UPD01,
};
