//! Scans that are each in order, merged into one while they are read.

use std::fmt;

use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use keystride::KeyCodec;
use keystride::codec::DecodedKey;
use keystride_store::{Order, Row, RowBatch, RowStream, StoreError};

use super::lanes::{Lane, Skip, common_len, fixed_prefix};
use super::loser_tree::LoserTree;

/// How many scans are opened at the same time.
const OPENED_AT_ONCE: usize = 32;

/// Rows of several scans in one order, of which a scan's rows have theirs: as the store has them, not decoded.
pub struct Merge {
    cursors: Vec<Cursor>,
    /// What each cursor's next row is compared by, in step with the cursors.
    heads: Vec<Head>,
    tree: Option<LoserTree>,
    order: Order,
}

/// A scan and the batch of it that is being given out.
struct Cursor {
    scan: RowStream,
    batch: RowBatch,
    at: usize,
    /// Where in its keys the bytes begin that decide their order.
    from: usize,
}

/// The first bytes that decide the order of a cursor's next row; what is over sorts last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Head {
    Next(u128),
    Over,
}

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

    fn of_cursors(cursors: Vec<Cursor>, order: Order) -> Self {
        let heads: Vec<Head> = cursors.iter().map(|cursor| cursor.head(order)).collect();
        let tree = (!heads.is_empty()).then(|| {
            LoserTree::new(heads.len(), |left, right| comes_first(&heads, &cursors, order, left, right))
        });
        Self { cursors, heads, tree, order }
    }

    /// The next row; [`Merge::advance`] goes past it.
    pub fn row(&self) -> Option<Row<'_>> {
        self.cursors[self.tree.as_ref()?.winner()].row()
    }

    /// Goes past the row that comes next, reading on where its scan's batch is at its end.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when that scan can't be read.
    pub async fn advance(&mut self) -> Result<(), StoreError> {
        let Self { cursors, heads, tree: Some(tree), order } = self else { return Ok(()) };
        let winner = tree.winner();
        cursors[winner].advance().await?;
        heads[winner] = cursors[winner].head(*order);
        tree.replay(|left, right| comes_first(heads, cursors, *order, left, right));
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

/// Whether the next row of cursor `left` comes before that of `right`; rows alike come in the order of their cursors.
fn comes_first(heads: &[Head], cursors: &[Cursor], order: Order, left: usize, right: usize) -> bool {
    let by_head = heads[left].cmp(&heads[right]);
    let by_key = by_head.then_with(|| {
        let [left, right] = [left, right].map(|cursor| cursors[cursor].deciding());
        if order == Order::Ascending { left.cmp(right) } else { right.cmp(left) }
    });
    by_key.then(left.cmp(&right)).is_lt()
}

impl Cursor {
    async fn open(scan: RowStream) -> Result<Self, StoreError> {
        let mut cursor = Self { scan, batch: RowBatch::default(), at: 0, from: 0 };
        cursor.read_on().await?;
        Ok(cursor)
    }

    async fn read_on(&mut self) -> Result<(), StoreError> {
        self.batch = self.scan.try_next().await?.unwrap_or_default();
        self.at = 0;
        Ok(())
    }

    async fn advance(&mut self) -> Result<(), StoreError> {
        self.at += 1;
        if self.at >= self.batch.len() { self.read_on().await } else { Ok(()) }
    }

    fn row(&self) -> Option<Row<'_>> {
        (self.at < self.batch.len()).then(|| self.batch.row(self.at))
    }

    /// The bytes of the next key that decide its order.
    fn deciding(&self) -> &[u8] {
        self.row().and_then(|row| row.key().get(self.from..)).unwrap_or_default()
    }

    fn head(&self, order: Order) -> Head {
        if self.row().is_none() {
            return Head::Over;
        }
        let mut first = [0; 16];
        let deciding = self.deciding();
        let len = deciding.len().min(first.len());
        first[..len].copy_from_slice(&deciding[..len]);
        let number = u128::from_be_bytes(first);
        Head::Next(if order == Order::Ascending { number } else { !number })
    }
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
    use keystride::{KeyRange, SplitPoints};
    use keystride_store::{
        Family, FamilyName, LATEST, MemoryStore, MutationBatch, Scan, Store, TableDescription, TableName,
        Write,
    };

    use super::*;

    #[tokio::test]
    async fn scans_come_out_by_their_keys_behind_what_is_passed_over() {
        let (store, name) = (MemoryStore::default(), TableName::new("t").unwrap());
        let family = Family::new(FamilyName::new("f").unwrap());
        store.create(&TableDescription::new(name.clone(), [family]), &SplitPoints::default()).await.unwrap();
        let mut batch = MutationBatch::new();
        for key in ["0a", "0d", "1b", "1c", "2"] {
            batch.put(key.as_bytes(), b"f", b"q", LATEST, b"").unwrap();
        }
        store.write(&name, Write::of(batch)).await.unwrap();
        let mut scans = Vec::new();
        for bucket in ["0", "1", "2", "3"] {
            scans.push(store.scan(&name, Scan::of(KeyRange::prefix(bucket.as_bytes()))).await.unwrap());
        }
        let mut merge = Merge::of_scans(scans, 1, Order::Ascending).await.unwrap();
        let mut keys = Vec::new();
        while let Some(row) = merge.row() {
            keys.push(String::from_utf8(row.key().to_vec()).unwrap());
            merge.advance().await.unwrap();
        }
        assert_eq!(keys, ["2", "0a", "1b", "1c", "0d"]);
    }
}
