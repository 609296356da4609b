//! Lookup of a row by its key fields.

use keystride::design::Part;
use keystride::{Design, Row};
use keystride_store::Selection;

use super::collect::Collect;
use super::gather::Gatherer;
use super::{Query, ReadError, Rows};
use crate::Table;
use crate::cells::RowWriter;

/// Number of keys looked up at a time.
const KEYS_AT_ONCE: usize = 1_024;

impl Table {
    /// Returns the row whose key is made of the fields of `key`; other fields are ignored. If a bucket does not
    /// depend on the row, all buckets are searched, and there may be several rows.
    ///
    /// # Errors
    ///
    /// [`ReadError::Key`] when a key field is missing or has an unsuitable value.
    pub async fn get(&self, key: &Row) -> Result<Rows, ReadError> {
        let mut writer = RowWriter::new(self.codec());
        let mut gatherer = Gatherer::new(&self.prepare(&Query::default())?);
        let mut keys: Vec<Vec<u8>> = Vec::new();
        let supplies = supplies(self.design());
        for supply in 0..supplies {
            writer.supply(supply);
            keys.push(writer.key(key)?.to_vec());
            if keys.len() == KEYS_AT_ONCE || supply + 1 == supplies {
                let asked: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
                let found = self.store().get(self.name(), &asked, &Selection::default()).await?;
                found.rows().filter(|row| !row.is_empty()).try_for_each(|row| gatherer.add(row))?;
                keys.clear();
            }
        }
        Ok(gatherer.take().unwrap_or_else(|| Rows::new(self.design().fields().len())))
    }
}

/// Returns how many supplied numbers cover all keys that one row can have: 1, unless a bucket is derived from the
/// supplied number.
fn supplies(design: &Design) -> u64 {
    let free = design.parts().iter().filter_map(|part| match part {
        Part::Bucket(bucket) if !bucket.is_computed() => Some(u64::from(bucket.count.get())),
        _ => None,
    });
    free.fold(1, least_common_multiple)
}

fn least_common_multiple(left: u64, right: u64) -> u64 {
    let (mut a, mut b) = (left, right);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    left / a * right
}
