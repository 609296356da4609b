//! The merge one would write first, to measure ours beside it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use futures_util::TryStreamExt;
use keystride_store::{RowBatch, RowStream};

/// Goes through the rows of all scans in the order of their keys behind the first `skip` bytes, with a heap of keys that
/// are cloned; how many there were.
///
/// # Panics
///
/// When a scan can't be read.
pub async fn heap_merged(scans: Vec<RowStream>, skip: usize) -> u64 {
    let mut scans: Vec<(RowStream, RowBatch, usize)> =
        scans.into_iter().map(|scan| (scan, RowBatch::default(), 0)).collect();
    let mut heap = BinaryHeap::new();
    for (index, scan) in scans.iter_mut().enumerate() {
        heap.extend(next_key(scan, skip).await.map(|key| Reverse((key, index))));
    }
    let mut count = 0;
    while let Some(Reverse((_, index))) = heap.pop() {
        count += 1;
        heap.extend(next_key(&mut scans[index], skip).await.map(|key| Reverse((key, index))));
    }
    count
}

async fn next_key((scan, batch, at): &mut (RowStream, RowBatch, usize), skip: usize) -> Option<Vec<u8>> {
    if *at == batch.len() {
        (*batch, *at) = (scan.try_next().await.expect("a scan that can be read")?, 0);
    }
    *at += 1;
    Some(batch.row(*at - 1).key()[skip..].to_vec())
}
