//! The I/O of a scan.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use prost::Message;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tracing::Instrument;

use super::assembly::take_parts;
use super::machine::{Machine, Progress, Step};
use super::request::ReplicaChoice;
use super::status::ScanStatus;
use crate::client::Attempts;
use crate::conn::Call;
use crate::error::Recovery;
use crate::region::{Located, Side};
use crate::wire::Reply;
use crate::{Client, Error, Row, TableName, proto};

/// Rows that are handed over together.
pub(super) type Batch = Result<Vec<Row>, Error>;

/// A running scan. It has a task of its own.
#[derive(Debug)]
pub(super) struct Driver {
    pub(super) client: Client,
    pub(super) table: TableName,
    pub(super) machine: Machine,
    pub(super) metrics: Arc<Mutex<ScanStatus>>,
    at: Option<Arc<Located>>,
    lease: Duration,
}

/// The server's default, `hbase.client.scanner.timeout.period`.
const USUAL_LEASE: Duration = Duration::from_mins(1);
/// Nobody waits for the answer.
const CLOSE_WITHIN: Duration = Duration::from_secs(5);
const CLOSE_PRIORITY: u32 = 200;

impl Driver {
    pub(super) fn new(
        client: Client,
        table: TableName,
        machine: Machine,
        metrics: Arc<Mutex<ScanStatus>>,
    ) -> Self {
        Self { client, table, machine, metrics, at: None, lease: USUAL_LEASE }
    }

    /// Reads one batch ahead of the reader, until the scan ends or the reader is dropped.
    pub(super) async fn run(mut self, out: mpsc::Sender<Batch>) {
        while let Some(place) = self.wait_for_reader(&out).await {
            let was_open = self.machine.is_open();
            let mut fetch = pin!(self.fetch());
            let rows = tokio::select! {
                rows = &mut fetch => rows,
                () = out.closed() => {
                    // A scanner that is being opened can only be closed once its id is known. Its rows are not wanted.
                    if !was_open {
                        let _ = timeout(CLOSE_WITHIN, fetch).await;
                    }
                    break;
                }
            };
            match rows {
                Ok(Some(rows)) => place.send(Ok(rows)),
                Ok(None) => break,
                Err(error) => {
                    place.send(Err(error));
                    break;
                }
            }
        }
        let close = self.machine.close_request();
        self.close(close);
    }

    /// Waits until the reader takes the next batch, and renews the scanner's lease meanwhile. `None` if the reader was
    /// dropped.
    async fn wait_for_reader<'a>(&mut self, out: &'a mpsc::Sender<Batch>) -> Option<mpsc::Permit<'a, Batch>> {
        loop {
            tokio::select! {
                biased;
                place = out.reserve() => return place.ok(),
                () = sleep(self.lease / 2) => self.renew().await,
            }
        }
    }

    async fn renew(&mut self) {
        let Some((request, located)) = self.machine.renew_request().zip(self.at.clone()) else { return };
        // If this fails, the next request fails too, and another scanner is opened.
        let call = Call::new("Scan", self.client.options().rpc_timeout);
        if let Err(error) = ask(&self.client, &located, &request, call).await {
            tracing::debug!(%error, "scanner was not renewed");
        }
    }

    /// The next rows. `None` at the end.
    async fn fetch(&mut self) -> Result<Option<Vec<Row>>, Error> {
        let client = self.client.clone();
        let mut attempts = client.attempts();
        // How many scanners were opened in this region and lost before they returned rows.
        let mut lost = 0;
        loop {
            let outcome = match self.machine.step() {
                Step::Done => return Ok(None),
                Step::Open { row, side } => self.open(&row, side, &attempts).await,
                Step::Next => self.next(attempts.call("Scan")).await,
            };
            match outcome {
                Ok(rows) if rows.is_empty() => {
                    lost = if self.machine.is_open() { lost } else { 0 };
                    attempts.progress_but(lost);
                }
                Ok(rows) => return Ok(Some(rows)),
                Err(error) => {
                    let was_open = self.machine.is_open();
                    self.recover(&mut attempts, error).await?;
                    lost += u32::from(was_open && !self.machine.is_open());
                }
            }
        }
    }

    async fn open(&mut self, row: &Bytes, side: Side, attempts: &Attempts<'_>) -> Result<Vec<Row>, Error> {
        self.at = None;
        let located = attempts.in_time(self.client.locate(&self.table, row, side)).await?;
        let located = match self.machine.replica_choice() {
            ReplicaChoice::Primary => located,
            ReplicaChoice::Number(number) => self.replica(&located, number)?,
            ReplicaChoice::Any => {
                // The region is remembered first, so that errors are attributed to it.
                self.at = Some(Arc::clone(&located));
                let (located, reply) = self.open_any(&located, attempts.call("Scan")).await?;
                self.at = Some(Arc::clone(&located));
                return self.take(&located, reply);
            }
        };
        self.at = Some(Arc::clone(&located));
        let request = self.machine.open_request(&located.region);
        let reply = ask(&self.client, &located, &request, attempts.call("Scan")).await?;
        self.take(&located, reply)
    }

    /// The replica of a region with this id.
    fn replica(&self, located: &Located, number: u32) -> Result<Arc<Located>, Error> {
        if let Some(copy) = located.replica(number) {
            return Ok(Arc::new(copy));
        }
        self.client.locator().forget_table(&self.table);
        let region = &located.region;
        if located.replicas.is_empty() {
            return Err(Error::BadRequest { reason: format!("{region} has no replicas") });
        }
        // The replica may be in transition.
        Err(Error::NoRegion { table: self.table.clone(), row: format!("replica {number} of {region}") })
    }

    async fn next(&mut self, call: Call) -> Result<Vec<Row>, Error> {
        let request = self.machine.next_request().zip(self.at.clone());
        let (request, located) = request.expect("a scanner is open, at a region");
        let reply = ask(&self.client, &located, &request, call).await?;
        self.take(&located, reply)
    }

    fn take(&mut self, located: &Located, reply: Reply) -> Result<Vec<Row>, Error> {
        let server = located.server.address();
        let answer = proto::ScanResponse::decode(reply.message)
            .map_err(|error| Error::bad_answer(&server, "Scan", error))?;
        let parts =
            take_parts(&answer, reply.cells).map_err(|error| Error::bad_cells(&server, "Scan", &error))?;
        if let Some(ms) = answer.ttl.filter(|&ms| ms > 0) {
            self.lease = Duration::from_millis(ms.into());
        }
        let cursor = answer.cursor.as_ref().and_then(|cursor| cursor.row.clone());
        if answer.scan_metrics.is_some() || cursor.is_some() || answer.stale() {
            let mut tally = self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
            answer.scan_metrics.iter().for_each(|metrics| tally.add(&located.region, metrics));
            tally.cursor = cursor.or(tally.cursor.take());
            tally.is_stale |= answer.stale();
        }
        // Without a flag for the region, an answer without rows means that the region has no more.
        let more_in_region =
            answer.more_results_in_region.unwrap_or(!parts.is_empty() || answer.heartbeat_message());
        let progress = Progress {
            parts,
            scanner_id: answer.scanner_id,
            read_point: answer.mvcc_read_point,
            more_results: answer.more_results.unwrap_or(true),
            more_in_region,
            heartbeat: answer.heartbeat_message(),
        };
        let rows = self.machine.answered(&located.region, progress);
        let kept = self.machine.close_kept_scanner_request();
        self.close(kept);
        rows.map_err(|error| Error::bad_answer(&server, "Scan", error))
    }

    async fn recover(&mut self, attempts: &mut Attempts<'_>, error: Error) -> Result<(), Error> {
        let recovery = error.recovery();
        let same_again = matches!(
            recovery,
            Recovery::Wait | Recovery::WaitLonger | Recovery::WaitFor(_) | Recovery::AtOnce
        );
        // The server has already advanced past an answer that can't be read.
        if !same_again || matches!(error, Error::BadAnswer { .. }) {
            let close = self.machine.lose_scanner().filter(|_| recovery != Recovery::Reconnect);
            self.close(close);
        }
        match self.at.clone() {
            Some(located) => self.client.recover_at(attempts, &located, error).await,
            None => self.client.recover_in(attempts, &self.table, error).await,
        }
    }

    fn close(&self, request: Option<proto::ScanRequest>) {
        if let Some((request, located)) = request.zip(self.at.clone()) {
            close(&self.client, located, request);
        }
    }
}

/// Sends a scan request to a region, once.
pub(super) async fn ask(
    client: &Client,
    located: &Arc<Located>,
    request: &proto::ScanRequest,
    call: Call,
) -> Result<Reply, Error> {
    client.call_region(located, call, request).await
}

/// Closes a scanner at its server. If that fails, it is closed when its lease expires.
pub(super) fn close(client: &Client, located: Arc<Located>, request: proto::ScanRequest) {
    let client = client.clone();
    let end = async move {
        let call = Call::new("Scan", CLOSE_WITHIN).priority(CLOSE_PRIORITY);
        if let Err(error) = client.call_region(&located, call, &request).await {
            tracing::debug!(%error, "scanner was not closed");
        }
    };
    tokio::spawn(end.in_current_span());
}
