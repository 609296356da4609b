//! Keys of all regions of a table, by small scans.

use std::collections::BTreeSet;

use futures_util::TryStreamExt;
use keystride::KeyRange;
use keystride_store::{Detail, Order, RowBatch, Scan, Selection, StoreError, TableName, TableReader};

/// How many keys a sample has at most.
const MOST_KEYS: usize = 1_000;
/// How many scans are made for so many keys of one region.
const KEYS_A_SCAN: usize = 16;

/// Returns keys of a table, ascending: all of them if there are few, and else as many of each region as of any other.
pub(super) async fn sample(
    store: &dyn TableReader,
    table: &TableName,
    regions: &[KeyRange],
) -> Result<Vec<Vec<u8>>, StoreError> {
    let reader = Reader { store, table };
    let mut keys = Vec::new();
    for (at, region) in regions.iter().enumerate() {
        // With more regions than keys, some have none.
        let share = |before: usize| before * MOST_KEYS / regions.len();
        let wanted = share(at + 1) - share(at);
        if wanted > 0 {
            keys.extend(reader.of_region(region, wanted).await?);
        }
    }
    Ok(keys)
}

struct Reader<'a> {
    store: &'a dyn TableReader,
    table: &'a TableName,
}

/// A piece of a region in which there may be keys that no scan has seen.
struct Gap {
    /// The key before it.
    after: Vec<u8>,
    stop: Vec<u8>,
}

impl Reader<'_> {
    async fn of_region(&self, region: &KeyRange, wanted: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let first = self.keys(region.clone(), Order::Ascending, wanted).await?;
        if first.len() < wanted || wanted == 1 {
            return Ok(first);
        }
        let scans = wanted.div_ceil(KEYS_A_SCAN);
        let each = wanted / scans;
        let mut found: BTreeSet<Vec<u8>> = first[..each].iter().cloned().collect();
        let last = self.keys(region.clone(), Order::Descending, 1).await?;
        found.extend(last.iter().cloned());
        let between = first[..each].last().zip(last.first());
        let gap = between.map(|(after, stop)| Gap { after: after.clone(), stop: stop.clone() });
        self.look_into(gap.into_iter().collect(), scans - 1, each, &mut found).await?;
        // What the gaps did not give is taken from the beginning.
        let spare = first[each..].iter().take(wanted.saturating_sub(found.len())).cloned();
        found.extend(spare);
        Ok(found.into_iter().take(wanted).collect())
    }

    /// Scans from the middle of the widest gap, again and again, so that `scans` of them find keys.
    async fn look_into(
        &self,
        mut gaps: Vec<Gap>,
        scans: usize,
        each: usize,
        found: &mut BTreeSet<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let (mut hits, mut tries) = (0, 0);
        while hits < scans && tries < 4 * scans {
            tries += 1;
            let widest = gaps.iter().enumerate().max_by_key(|(_, gap)| width(&gap.after, &gap.stop));
            let Some((at, _)) = widest else { break };
            let Gap { after, stop } = gaps.swap_remove(at);
            let middle = middle(&after, &stop);
            if middle <= after || middle >= stop {
                continue;
            }
            let keys =
                self.keys(KeyRange::new(middle.clone(), Some(stop.clone())), Order::Ascending, each).await?;
            if let Some(last) = keys.last() {
                hits += 1;
                gaps.push(Gap { after: last.clone(), stop });
            }
            gaps.push(Gap { after, stop: middle });
            found.extend(keys);
        }
        Ok(())
    }

    async fn keys(&self, range: KeyRange, order: Order, limit: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let selection = Selection { detail: Detail::FirstKey, ..Selection::default() };
        let scan = Scan { order, limit: Some(limit as u64), selection, ..Scan::of(range) };
        let batches: Vec<RowBatch> = self.store.scan(self.table, scan).await?.try_collect().await?;
        Ok(batches.iter().flat_map(RowBatch::rows).map(|row| row.key().to_vec()).collect())
    }
}

/// Bytes that two keys have in common.
fn common(low: &[u8], high: &[u8]) -> usize {
    low.iter().zip(high).take_while(|(low, high)| low == high).count()
}

/// The bytes of a key from `from` on, as a number.
fn number(key: &[u8], from: usize) -> u64 {
    let mut bytes = [0; 8];
    let rest = key.get(from..).unwrap_or_default();
    let len = rest.len().min(bytes.len());
    bytes[..len].copy_from_slice(&rest[..len]);
    u64::from_be_bytes(bytes)
}

/// How much room there is between two keys: the fewer bytes they have in common, the more.
fn width(low: &[u8], high: &[u8]) -> (std::cmp::Reverse<usize>, u64) {
    let from = common(low, high);
    (std::cmp::Reverse(from), number(high, from).saturating_sub(number(low, from)))
}

/// A key half way between two.
fn middle(low: &[u8], high: &[u8]) -> Vec<u8> {
    let from = common(low, high);
    let (a, b) = (number(low, from), number(high, from));
    let mut middle = high[..from].to_vec();
    middle.extend((a + b.saturating_sub(a) / 2).to_be_bytes());
    middle
}

#[cfg(test)]
mod tests {
    use keystride_store::{
        Family, FamilyName, LATEST, MemoryStore, MutationBatch, Store, TableDescription, Write,
    };

    use super::*;

    async fn sampled(rows: &[String], stops: &[&str]) -> Vec<String> {
        let (store, name) = (MemoryStore::default(), TableName::new("t").unwrap());
        let family = Family::new(FamilyName::new("f").unwrap());
        let points = keystride::SplitPoints::new(stops).unwrap();
        store.create(&TableDescription::new(name.clone(), [family]), &points).await.unwrap();
        let mut batch = MutationBatch::new();
        for row in rows {
            batch.put(row.as_bytes(), b"f", b"q", LATEST, b"v").unwrap();
        }
        store.write(&name, Write::of(batch)).await.unwrap();
        let regions: Vec<KeyRange> = points.regions().collect();
        let keys = sample(&store, &name, &regions).await.unwrap();
        keys.into_iter().map(|key| String::from_utf8(key).unwrap()).collect()
    }

    #[tokio::test]
    async fn few_keys_are_all_taken() {
        let rows: Vec<String> = (0..300).map(|n| format!("{n:03}")).collect();
        assert_eq!(sampled(&rows, &[]).await, rows);
        assert_eq!(sampled(&rows, &["1", "2"]).await, rows);
        assert!(sampled(&[], &["1"]).await.is_empty());
    }

    #[tokio::test]
    async fn a_region_of_many_keys_is_sampled_all_over() {
        let rows: Vec<String> = (0..16_000).map(|n| format!("{:02}|{n:05}", n % 16)).collect();
        let keys = sampled(&rows, &[]).await;
        assert!((900..=1_000).contains(&keys.len()), "{}", keys.len());
        let buckets: BTreeSet<&str> = keys.iter().map(|key| &key[..2]).collect();
        assert_eq!(buckets.len(), 16, "{buckets:?}");
    }

    #[tokio::test]
    async fn regions_have_equal_shares() {
        let rows: Vec<String> = (0..4_000).map(|n| format!("{n:05}")).collect();
        let keys = sampled(&rows, &["00010", "02000"]).await;
        let of =
            |from: &str, stop: &str| keys.iter().filter(|key| (from..stop).contains(&key.as_str())).count();
        assert_eq!(of("0", "00010"), 10);
        for count in [of("00010", "02000"), of("02000", "1")] {
            assert!((300..=334).contains(&count), "{count}");
        }
    }
}
