//! Merging of ordered scans while they are being read.

use std::fmt;

use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use keystride::KeyCodec;
use keystride::codec::DecodedKey;
use keystride::key::common_len;
use keystride_store::{Order, Row, RowBatch, RowStream, StoreError};

use super::error::ReadError;
use super::lanes::{Lane, Skip, fixed_prefix};
use super::loser_tree::LoserTree;
use crate::cells::StoredRowError;

/// How many scans are opened at the same time.
const OPENED_AT_ONCE: usize = 32;

/// Merges several scans whose rows are each in a certain order. Rows are returned as stored, not decoded.
pub struct Merge {
    cursors: Vec<Cursor>,
    tree: Option<LoserTree>,
    order: Order,
}

/// A scan and its current batch.
struct Cursor {
    at: usize,
    /// Offset in the keys of the bytes that determine their order.
    from: usize,
    batch: RowBatch,
    /// The heads of a few consecutive rows, by which rows are compared; that of row `at` is at index `at % AHEAD`.
    heads: [u128; AHEAD],
    scan: RowStream,
}

/// Number of rows whose keys are read together. Fetching keys from memory is the largest cost, and several
/// overlapping fetches take hardly longer than one.
const AHEAD: usize = 16;

/// The head of a scan that has ended. A row can have this head too, but rarely does.
const OVER: u128 = u128::MAX;

impl Merge {
    /// Reads the first batch of every scan. Rows are compared by their keys from byte `from` on, in `order`, which
    /// must be the order of each scan's rows. Before that byte, all keys of a scan must be equal.
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
    ///
    /// # Errors
    ///
    /// [`ReadError`] when a scan can't be read, or a lane begins with a key that can't be decoded: without it, nobody
    /// knows by which bytes the lane's rows are to be compared.
    pub(super) async fn open(
        lanes: &[Lane],
        scans: Vec<RowStream>,
        order: Order,
        codec: &KeyCodec,
    ) -> Result<Self, ReadError> {
        let mut cursors = open_all(scans).await?;
        let skipped = |(cursor, lane): (&Cursor, &Lane)| {
            let Some(row) = cursor.row() else { return Ok(None) };
            match lane.skip {
                Skip::Bytes(count) => Ok(Some(count)),
                Skip::BeforePart(part) => part_start(codec, row, part).map(Some),
            }
        };
        let skipped: Vec<Option<usize>> =
            cursors.iter().zip(lanes).map(skipped).collect::<Result<_, Box<StoredRowError>>>()?;
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

    /// Returns the next row; [`Merge::advance`] moves past it.
    #[inline]
    pub fn row(&self) -> Option<Row<'_>> {
        self.cursors[self.tree.as_ref()?.winner()].row()
    }

    /// Moves past the next row, reading another batch if that of its scan is exhausted.
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

/// Whether the next row of cursor `left` comes before that of `right`, given that their heads are equal. Remaining
/// ties are resolved in the order of the cursors.
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

    /// Returns the head of the first row of a new batch.
    fn begun_batch(&mut self, order: Order) -> u128 {
        self.look_ahead(order);
        self.heads[0]
    }

    /// Moves to the next row of the batch and returns its head; `None`, without moving, if the batch has no further
    /// row.
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

    /// Computes the heads of the current row and those after it.
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

    /// Returns the part of the current key that determines its order.
    fn deciding(&self) -> &[u8] {
        self.row().map(|row| deciding(row, self.from)).unwrap_or_default()
    }
}

/// Returns the first 16 bytes that determine the order of a row, as a number that ascends in that order.
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

/// Returns how many bytes after the skipped ones are the same in all keys of all lanes that have rows.
fn shared_len(lanes: &[Lane], skipped: &[Option<usize>]) -> usize {
    let with_rows = lanes.iter().zip(skipped).filter_map(|(lane, skipped)| Some((lane, (*skipped)?)));
    let fixed = with_rows.map(|(lane, skipped)| fixed_prefix(lane).get(skipped..).unwrap_or_default());
    fixed.reduce(|shared, fixed| &shared[..common_len(shared, fixed)]).map_or(0, <[u8]>::len)
}

/// Returns the offset of a part in a row's key.
fn part_start(codec: &KeyCodec, row: Row<'_>, part: usize) -> Result<usize, Box<StoredRowError>> {
    let fields = keystride::Row::new(codec.design().fields().len());
    let mut decoded = DecodedKey { row: fields, spans: Vec::new(), bucket: None };
    codec
        .decode_known_into(row.key(), &mut decoded)
        .map_err(|source| Box::new(StoredRowError::of_key(row, source)))?;
    Ok(decoded.spans.get(part).map_or(0, |span| span.start))
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BTreeSet;
    use std::num::NonZeroU32;

    use keystride::{KeyRange, SplitPoints};
    use keystride_store::{
        Family, FamilyName, LATEST, MemoryStore, MutationBatch, Pace, Scan, Store, TableDescription,
        TableName, TableReader, Write,
    };
    use proptest::prelude::*;

    use super::*;

    /// Stores `keys`, whose first byte is a bucket, and returns them in the order of the merge of all buckets.
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
            // Keys that are equal after the bucket are ordered by bucket in both directions.
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

    /// Keys over a small alphabet, so that many share long prefixes; both longer and shorter than a head.
    fn key_behind_bucket() -> impl Strategy<Value = Vec<u8>> {
        let byte = || prop::sample::select(vec![0, b'a', b'b', 0xff]);
        prop_oneof![
            prop::collection::vec(byte(), 0..6),
            prop::collection::vec(byte(), 3).prop_map(|end| [&[b'a'; 15][..], &end].concat()),
            prop::collection::vec(byte(), 3).prop_map(|end| [&[0xff; 14][..], &end].concat()),
        ]
    }
}
