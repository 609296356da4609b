//! Which rows a screen has.

use super::fill::Fill;
use super::lens::Lenses;
use super::merge::kept_bounds;
use super::{BucketRange, Mode, ViewRequest};
use crate::live::Axis;
use crate::number::float_of;

/// Which rows a [`View`](super::View) has.
#[derive(Debug, Clone, Copy)]
pub enum Rows<'a> {
    /// All boundaries of the columns, or if there are too many, the rows that show them best.
    Anew,
    /// Those of an earlier view as long as they still show the columns well, so that the picture stays; else anew.
    Prefer(&'a Axis),
    /// These, whatever the columns have: while somebody looks at a part of the map, and for columns that are added to it.
    Exactly(&'a Axis),
}

/// A map that is folded has at most so many pairs of row and bucket.
const MOST_FOLDED: usize = 1 << 20;

pub(super) fn choose(fill: &Fill<'_>, request: &ViewRequest<'_>) -> Axis {
    if let Rows::Exactly(rows) = request.rows {
        return rows.clone();
    }
    let mut own: Vec<Axis> = fill.columns.iter().filter_map(|column| column.axis().cloned()).collect();
    own.dedup_by(|one, two| one.is_shared_with(two));
    let all = Axis::union_of(&own);
    match request.mode {
        Mode::Folded(buckets) => {
            let most = request.most_rows.clamp(1, (MOST_FOLDED / buckets.len().max(1)).max(1));
            fewer(fill, request, &folded(&all, buckets), &[], most)
        }
        _ => fewer(fill, request, &all, request.borders, request.most_rows.max(1)),
    }
}

/// Returns the boundaries of all buckets, without the bucket.
fn folded(all: &Axis, buckets: &[BucketRange]) -> Axis {
    let of_bucket = |bucket: &BucketRange| {
        let cells = all.cells_of(&bucket.prefix, bucket.stop.as_deref());
        let bounds = cells.filter_map(|cell| bucket.rest(all.start(cell)));
        bounds.filter(|rest| !rest.is_empty()).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let mut bounds: Vec<Vec<u8>> = buckets.iter().flat_map(of_bucket).collect();
    bounds.sort_unstable();
    bounds.dedup();
    Axis::new(&bounds).unwrap_or_else(|_| Axis::whole())
}

/// Returns the rows, `most` of them, of more cells.
fn fewer(fill: &Fill<'_>, request: &ViewRequest<'_>, all: &Axis, borders: &[Vec<u8>], most: usize) -> Axis {
    if all.cell_count() <= most {
        return all.clone();
    }
    let weights = fill.totals(&mut Lenses::new(all, request.mode));
    if let Rows::Prefer(rows) = request.rows
        && rows.cell_count() <= most
        && rows.is_subset(all)
        && shows_hottest(rows, all, &weights)
    {
        return rows.clone();
    }
    let is_border = |bound: &[u8]| borders.binary_search_by(|border| (**border).cmp(bound)).is_ok();
    let mut is_border: Vec<bool> = all.bounds().map(is_border).collect();
    if 4 * is_border.iter().filter(|&&is_border| is_border).count() > most {
        is_border.fill(false);
    }
    let kept = kept_bounds(&weights, &is_border, most);
    all.filtered(|bound| kept[bound])
}

/// Whether the hottest twentieth of rows are single cells. Where cells are even, rows of several are the hottest, and
/// other rows would not show more: only rows that are hotter than twice the mean count.
fn shows_hottest(rows: &Axis, all: &Axis, weights: &[f64]) -> bool {
    let spans = all.spans(rows).into_iter();
    let mut totals: Vec<(f64, usize)> =
        spans.map(|span| (weights[span.clone()].iter().sum(), span.len())).collect();
    let mean = totals.iter().map(|(total, _)| total).sum::<f64>() / float_of(totals.len());
    totals.sort_by(|one, two| two.0.total_cmp(&one.0));
    let hottest = totals[..totals.len().div_ceil(20)].iter().filter(|(total, _)| *total > 2.0 * mean);
    hottest.into_iter().all(|&(_, cells)| cells == 1)
}
