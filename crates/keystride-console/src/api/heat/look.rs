use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::response::sse::Event;
use data_encoding::BASE64;
use keystride::{KeyCodec, KeyRange};
use keystride_app::error_text::with_causes;
use keystride_app::heat::{HeatFeed, HeatUpdate, HeatWatch, HeatWatches};
use keystride_heat::live::findings::Finding;
use keystride_heat::live::view::{BucketRange, Mode, Rows, View, ViewDocument, ViewRequest};
use keystride_heat::live::{Axis, Column, Metric};
use keystride_store::TableName;
use keystride_table::Table;
use serde::Serialize;

use super::labels::labels;
use super::{HeatRequest, MOST_ROWS, ModeName};

/// Somebody who looks at a map. Nothing is kept for one who is slow: the feed tells that columns were missed, and the whole map
/// is sent again.
pub(super) struct Look {
    /// Of the regions.
    watch: HeatWatch,
    /// Of what is shown: the regions, or what passes through this program.
    shown: HeatWatch,
    feed: HeatFeed,
    codec: Option<KeyCodec>,
    buckets: Vec<BucketRange>,
    metric: Metric,
    mode: ModeName,
    seconds: u32,
    most_rows: usize,
    /// The rows of the map that was sent, and the boundaries of the last column.
    sent: Option<(Axis, Option<Axis>)>,
    /// Events that are to be sent.
    waiting: VecDeque<Event>,
    columns: u64,
}

/// Findings are renewed with each so manieth column.
const FINDINGS_EVERY: u64 = 5;

/// The whole map.
#[derive(Serialize)]
struct ViewEvent {
    view: ViewDocument,
    /// What the first key of each row begins with, part by part.
    labels: Vec<Vec<String>>,
    /// How many buckets there are to fold.
    bucket_count: usize,
    block: String,
    by_server: Option<Vec<f64>>,
    /// Why the last reading failed.
    failure: Option<String>,
}

/// A later column of the same rows.
#[derive(Serialize)]
struct ColumnEvent {
    view: ViewDocument,
    block: String,
    /// With mode `server`, the rates of the servers in the column, by their index; 0 for those of other columns.
    by_server: Option<Vec<f64>>,
    failure: Option<String>,
}

#[derive(Serialize)]
struct FindingsEvent {
    findings: Vec<Finding>,
}

impl Look {
    pub(super) fn new(
        watches: &HeatWatches,
        name: &TableName,
        table: Option<&Table>,
        request: &HeatRequest,
    ) -> Self {
        let codec = table.map(|table| table.codec().clone());
        let buckets = codec.as_ref().map(bucket_ranges).unwrap_or_default();
        // Without buckets there is nothing to fold.
        let mode = if buckets.is_empty() && request.mode == ModeName::Folded {
            ModeName::Region
        } else {
            request.mode
        };
        let watch = watches.watch(name);
        if let Ok(borders) = Axis::new(buckets.iter().map(|bucket| &bucket.prefix)) {
            watches.keep_borders(name, &borders);
        }
        // All that is written to a store that nobody else has passes through here.
        let is_whole = request.mode == ModeName::Folded && watches.sees_all();
        let is_traffic = is_whole || request.mode == ModeName::Keys;
        let shown = if is_traffic { watches.traffic(name) } else { None }.unwrap_or_else(|| watch.clone());
        Self {
            feed: shown.subscribe(),
            shown,
            watch,
            codec,
            buckets,
            metric: request.metric.into(),
            mode,
            seconds: request.seconds,
            most_rows: request.rows.clamp(1, MOST_ROWS),
            sent: None,
            waiting: VecDeque::new(),
            columns: 0,
        }
    }

    /// Returns the next event; `None` when the table is gone or the store is closed.
    pub(super) async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if self.sent.is_none() {
                self.send_view().await;
                continue;
            }
            // A table may be gone though what passed through here is still known.
            if self.watch.has_ended() {
                return None;
            }
            match self.feed.next().await? {
                HeatUpdate::Missed(_) => self.sent = None,
                HeatUpdate::Column(column) if self.has_same_bounds(&column) => {
                    self.send_column(&column).await;
                }
                HeatUpdate::Column(_) => self.sent = None,
            }
        }
    }

    /// Whether a column has the boundaries of the one before: a split or a merge may need other rows.
    fn has_same_bounds(&self, column: &Column) -> bool {
        let before = self.sent.as_ref().and_then(|(_, before)| before.as_ref());
        match (before, column.axis()) {
            (Some(before), Some(axis)) => before.is_shared_with(axis) || before == axis,
            (_, None) => true,
            (None, Some(_)) => false,
        }
    }

    async fn send_view(&mut self) {
        let columns = self.shown.columns(self.times());
        let view = self.view(columns.clone(), None).await;
        let last = columns.iter().rev().find_map(|column| column.axis().cloned());
        let labels = labels(self.codec.as_ref(), view.rows(), self.mode == ModeName::Folded);
        self.send(
            "view",
            &ViewEvent {
                view: view.document(&self.watch.servers()),
                labels,
                bucket_count: self.buckets.len(),
                block: BASE64.encode(&view.block()),
                by_server: columns.last().and_then(|last| self.by_server(last)),
                failure: self.failure(),
            },
        );
        self.sent = Some((view.rows().clone(), last));
        self.send_findings().await;
    }

    async fn send_column(&mut self, column: &Arc<Column>) {
        let rows = self.sent.as_ref().map(|(rows, _)| rows.clone());
        let view = self.view(vec![Arc::clone(column)], rows).await;
        self.send(
            "column",
            &ColumnEvent {
                view: view.document(&self.watch.servers()),
                block: BASE64.encode(&view.block()),
                by_server: self.by_server(column),
                failure: self.failure(),
            },
        );
        if let (Some((_, last)), Some(axis)) = (&mut self.sent, column.axis()) {
            *last = Some(axis.clone());
        }
        self.columns += 1;
        if self.columns.is_multiple_of(FINDINGS_EVERY) {
            self.send_findings().await;
        }
    }

    /// Sends what the map of the regions means.
    async fn send_findings(&mut self) {
        let (watch, times) = (self.watch.clone(), self.times());
        let (metric, buckets) = (self.metric, self.buckets.clone());
        let find = move || watch.findings(times, metric, &buckets);
        // A mistake of the program is told by its panic.
        let findings = tokio::task::spawn_blocking(find).await.unwrap_or_default();
        self.send("findings", &FindingsEvent { findings });
    }

    /// Makes the map of columns, of the rows given or those that suit them. It may take tens of milliseconds.
    async fn view(&self, columns: Vec<Arc<Column>>, rows: Option<Axis>) -> View {
        let (metric, mode, most_rows) = (self.metric, self.mode, self.most_rows);
        let (buckets, sizes) = (self.buckets.clone(), self.watch.sizes());
        let make = move || {
            let borders: Vec<Vec<u8>> = buckets.iter().map(|bucket| bucket.prefix.clone()).collect();
            let mode = match (mode, &sizes) {
                (ModeName::Density, Some(sizes)) => Mode::Density(sizes),
                (ModeName::Region | ModeName::Keys | ModeName::Density, _) => Mode::Region,
                (ModeName::Folded, _) => Mode::Folded(&buckets),
                (ModeName::Server, _) => Mode::Server,
            };
            let rows = rows.as_ref().map_or(Rows::Anew, Rows::Exactly);
            View::of(&columns, &ViewRequest { metric, mode, rows, most_rows, borders: &borders })
        };
        let view = tokio::task::spawn_blocking(make).await;
        view.unwrap_or_else(|_| View::of(&[], &ViewRequest::new(metric)))
    }

    fn by_server(&self, column: &Column) -> Option<Vec<f64>> {
        let cells = column.cells.as_ref().filter(|_| self.mode == ModeName::Server)?;
        Some(cells.by_server(self.metric))
    }

    /// Returns the time that is shown.
    fn times(&self) -> Range<i64> {
        last_times(self.seconds)
    }

    fn failure(&self) -> Option<String> {
        self.watch.failure().map(|error| with_causes(&*error))
    }

    fn send(&mut self, name: &str, document: &impl Serialize) {
        // Documents of texts and numbers are JSON.
        if let Ok(event) = Event::default().event(name).json_data(document) {
            self.waiting.push_back(event);
        }
    }
}

/// Returns the ranges of a design's buckets.
pub(super) fn bucket_ranges(codec: &KeyCodec) -> Vec<BucketRange> {
    let Some(bucket) = codec.design().leading_bucket() else { return Vec::new() };
    let ranges = bucket.cut(&KeyRange::all()).into_iter();
    let range = |(number, range): (u32, KeyRange)| BucketRange {
        prefix: bucket.prefix(number),
        stop: range.stop().map(<[u8]>::to_vec),
    };
    ranges.map(range).collect()
}

/// Returns the last seconds until now, in ms since 1970-01-01 UTC.
pub(super) fn last_times(seconds: u32) -> Range<i64> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    now.saturating_sub(1_000 * i64::from(seconds))..now.saturating_add(1)
}
