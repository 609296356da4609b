//! Scans that are each in order, merged into one while they are read.

use std::fmt;

use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use keystride::KeyCodec;
use keystride::codec::DecodedKey;
use keystride::key::common_len;
use keystride_store::{Order, Row, RowBatch, RowStream, StoreError};

use super::lanes::{Lane, Skip, fixed_prefix};
use super::loser_tree::LoserTree;

/// How many scans are opened at the same time.
const OPENED_AT_ONCE: usize = 32;

/// Rows of several scans in one order, of which a scan's rows have theirs: as the store has them, not decoded.
pub struct Merge {
    cursors: Vec<Cursor>,
    tree: Option<LoserTree>,
    order: Order,
}

/// A scan and the batch of it that is being given out.
struct Cursor {
    at: usize,
    /// Where in its keys the bytes begin that decide their order.
    from: usize,
    batch: RowBatch,
    /// What rows are compared by, of a few that follow each other: of row `at` it is in place `at % AHEAD`.
    heads: [u128; AHEAD],
    scan: RowStream,
}

/// The keys of so many rows are looked at together: fetching them from memory is what costs most, and many fetches
/// take hardly longer than one.
const AHEAD: usize = 16;

/// The head of a scan that is over, and of few rows.
const OVER: u128 = u128::MAX;

impl Merge {
    /// Reads the first batch of every scan. Rows are compared by their keys from byte `from` on, in `order`, which each
    /// scan's rows have; before that byte all keys of a scan are alike.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when a scan can't be read.
    pub async fn of_scans(scans: Vec<RowStream>, from: usize, order: Order) -> Result<Self, StoreError> {
        let mut cursors = open_all(scans).await?;
        for cursor in &mut cursors {
            cursor.from = from;
        }
        Ok(Self::of_cursors(cursors, order))
    }

    /// Reads the first batch of every lane's scan.
    pub(super) async fn open(
        lanes: &[Lane],
        scans: Vec<RowStream>,
        order: Order,
        codec: &KeyCodec,
    ) -> Result<Self, StoreError> {
        let mut cursors = open_all(scans).await?;
        let skipped = |(cursor, lane): (&Cursor, &Lane)| {
            cursor.row().map(|row| match lane.skip {
                Skip::Bytes(count) => count,
                Skip::BeforePart(part) => part_start(codec, row, part),
            })
        };
        let skipped: Vec<Option<usize>> = cursors.iter().zip(lanes).map(skipped).collect();
        let shared = shared_len(lanes, &skipped);
        for (cursor, skipped) in cursors.iter_mut().zip(skipped) {
            cursor.from = skipped.unwrap_or_default() + shared;
        }
        Ok(Self::of_cursors(cursors, order))
    }

    fn of_cursors(mut cursors: Vec<Cursor>, order: Order) -> Self {
        let heads: Vec<u128> = cursors.iter_mut().map(|cursor| cursor.begun_batch(order)).collect();
        let tree = (!heads.is_empty())
            .then(|| LoserTree::new(&heads, |left, right| comes_first(&cursors, order, left, right)));
        Self { cursors, tree, order }
    }

    /// The next row; [`Merge::advance`] goes past it.
    #[inline]
    pub fn row(&self) -> Option<Row<'_>> {
        self.cursors[self.tree.as_ref()?.winner()].row()
    }

    /// Goes past the row that comes next, reading on where its scan's batch is at its end.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when that scan can't be read.
    pub async fn advance(&mut self) -> Result<(), StoreError> {
        let Self { cursors, tree: Some(tree), order } = self else { return Ok(()) };
        let cursor = &mut cursors[tree.winner()];
        let head = match cursor.next_of_batch(*order) {
            Some(head) => head,
            None => {
                cursor.read_on().await?;
                cursor.begun_batch(*order)
            }
        };
        tree.replay(head, |left, right| comes_first(cursors, *order, left, right));
        Ok(())
    }
}

impl fmt::Debug for Merge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Merge").field("ways", &self.cursors.len()).finish_non_exhaustive()
    }
}

async fn open_all(scans: Vec<RowStream>) -> Result<Vec<Cursor>, StoreError> {
    let opening: Vec<_> = scans.into_iter().map(|scan| Cursor::open(scan).boxed()).collect();
    stream::iter(opening).buffered(OPENED_AT_ONCE).try_collect().await
}

/// Whether the next row of cursor `left` comes before that of `right`, where their heads are alike; whole keys alike
/// come in the order of their cursors.
#[inline(never)]
fn comes_first(cursors: &[Cursor], order: Order, left: usize, right: usize) -> bool {
    let [one, other] = [left, right].map(|cursor| &cursors[cursor]);
    let by_key = || match order {
        Order::Ascending => one.deciding().cmp(other.deciding()),
        Order::Descending => other.deciding().cmp(one.deciding()),
    };
    one.row().is_none().cmp(&other.row().is_none()).then_with(by_key).then(left.cmp(&right)).is_lt()
}

impl Cursor {
    async fn open(scan: RowStream) -> Result<Self, StoreError> {
        let mut cursor = Self { at: 0, from: 0, batch: RowBatch::default(), heads: [OVER; AHEAD], scan };
        cursor.read_on().await?;
        Ok(cursor)
    }

    async fn read_on(&mut self) -> Result<(), StoreError> {
        self.batch = self.scan.try_next().await?.unwrap_or_default();
        self.at = 0;
        Ok(())
    }

    /// The head of a batch's first row.
    fn begun_batch(&mut self, order: Order) -> u128 {
        self.look_ahead(order);
        self.heads[0]
    }

    /// Goes to the next row, whose head it tells; `None`, and nothing is changed, where the batch has no other.
    #[inline]
    fn next_of_batch(&mut self, order: Order) -> Option<u128> {
        let next = self.at + 1;
        if next >= self.batch.len() {
            return None;
        }
        self.at = next;
        if next.is_multiple_of(AHEAD) {
            self.look_ahead(order);
        }
        Some(self.heads[next % AHEAD])
    }

    /// Makes the heads of the row it is at and those after it.
    fn look_ahead(&mut self, order: Order) {
        let Self { at, from, batch, heads, .. } = self;
        for (index, head) in (*at..).zip(heads) {
            *head = if index < batch.len() { head_of(batch.row(index), *from, order) } else { OVER };
        }
    }

    #[inline]
    fn row(&self) -> Option<Row<'_>> {
        (self.at < self.batch.len()).then(|| self.batch.row(self.at))
    }

    /// The bytes of the next key that decide its order.
    fn deciding(&self) -> &[u8] {
        self.row().map(|row| deciding(row, self.from)).unwrap_or_default()
    }
}

/// The first bytes that decide the order of a row, as a number that grows in that order.
fn head_of(row: Row<'_>, from: usize, order: Order) -> u128 {
    let deciding = deciding(row, from);
    let first = deciding.first_chunk().copied().unwrap_or_else(|| {
        let mut first = [0; 16];
        first[..deciding.len()].copy_from_slice(deciding);
        first
    });
    let number = u128::from_be_bytes(first);
    if order == Order::Ascending { number } else { !number }
}

fn deciding(row: Row<'_>, from: usize) -> &[u8] {
    row.key().get(from..).unwrap_or_default()
}

/// How many bytes after those skipped all keys of all lanes with rows have in common.
fn shared_len(lanes: &[Lane], skipped: &[Option<usize>]) -> usize {
    let with_rows = lanes.iter().zip(skipped).filter_map(|(lane, skipped)| Some((lane, (*skipped)?)));
    let fixed = with_rows.map(|(lane, skipped)| fixed_prefix(lane).get(skipped..).unwrap_or_default());
    fixed.reduce(|shared, fixed| &shared[..common_len(shared, fixed)]).map_or(0, <[u8]>::len)
}

/// Where a part begins in a row's key. A key that can't be read is told when its row is.
fn part_start(codec: &KeyCodec, row: Row<'_>, part: usize) -> usize {
    let fields = keystride::Row::new(codec.design().fields.len());
    let mut decoded = DecodedKey { row: fields, spans: Vec::new(), bucket: None };
    let read = codec.decode_known_into(row.key(), &mut decoded);
    read.ok().and_then(|()| decoded.spans.get(part)).map_or(0, |span| span.start)
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BTreeSet;
    use std::num::NonZeroU32;

    use keystride::{KeyRange, SplitPoints};
    use keystride_store::{
        Family, FamilyName, LATEST, MemoryStore, MutationBatch, Pace, Scan, Store, TableDescription,
        TableName, Write,
    };
    use proptest::prelude::*;

    use super::*;

    /// The keys of a table with these, whose first byte is a bucket, as the merge of all buckets gives them.
    async fn merged<'a>(
        keys: impl IntoIterator<Item = &'a [u8]>,
        buckets: &[u8],
        order: Order,
    ) -> Vec<Vec<u8>> {
        let (store, name) = (MemoryStore::default(), TableName::new("t").unwrap());
        let family = Family::new(FamilyName::new("f").unwrap());
        store.create(&TableDescription::new(name.clone(), [family]), &SplitPoints::default()).await.unwrap();
        let mut batch = MutationBatch::new();
        for key in keys {
            batch.put(key, b"f", b"q", LATEST, b"").unwrap();
        }
        store.write(&name, Write::of(batch)).await.unwrap();
        let most = NonZeroU32::new(37).unwrap();
        let pace = Pace { max_rows: most, ..Pace::default() };
        let mut scans = Vec::new();
        for bucket in buckets {
            let scan = Scan { order, pace, ..Scan::of(KeyRange::prefix(&[*bucket])) };
            scans.push(store.scan(&name, scan).await.unwrap());
        }
        let mut merge = Merge::of_scans(scans, 1, order).await.unwrap();
        let mut keys = Vec::new();
        while let Some(row) = merge.row() {
            keys.push(row.key().to_vec());
            merge.advance().await.unwrap();
        }
        keys
    }

    #[tokio::test]
    async fn scans_come_out_by_their_keys_behind_what_is_passed_over() {
        let keys = ["0a", "0d", "1b", "1c", "2"].map(str::as_bytes);
        let merged = merged(keys, b"0123", Order::Ascending).await;
        assert_eq!(merged, ["2", "0a", "1b", "1c", "0d"].map(str::as_bytes));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn scans_that_are_merged_come_out_sorted(
            keys in prop::collection::btree_set((b'0'..b'8', key_behind_bucket()), 0..400),
            is_ascending in any::<bool>(),
        ) {
            let mut expected: Vec<_> = keys.iter().collect();
            // What is alike behind the bucket comes bucket by bucket, either way.
            if is_ascending {
                expected.sort_by_key(|(bucket, rest)| (rest, *bucket));
            } else {
                expected.sort_by_key(|(bucket, rest)| (Reverse(rest), *bucket));
            }
            let whole = |(bucket, rest): &(u8, Vec<u8>)| [&[*bucket][..], rest].concat();
            let expected: Vec<_> = expected.into_iter().map(whole).collect();
            let stored: BTreeSet<_> = keys.iter().map(whole).collect();
            let order = if is_ascending { Order::Ascending } else { Order::Descending };
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let merged = runtime.block_on(merged(stored.iter().map(Vec::as_slice), b"01234567", order));
            prop_assert_eq!(merged, expected);
        }
    }

    /// Few bytes, so that many keys are alike for long; more of them than a head has, and fewer.
    fn key_behind_bucket() -> impl Strategy<Value = Vec<u8>> {
        let byte = || prop::sample::select(vec![0, b'a', b'b', 0xff]);
        prop_oneof![
            prop::collection::vec(byte(), 0..6),
            prop::collection::vec(byte(), 3).prop_map(|end| [&[b'a'; 15][..], &end].concat()),
            prop::collection::vec(byte(), 3).prop_map(|end| [&[0xff; 14][..], &end].concat()),
        ]
    }
}
