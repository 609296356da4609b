//! Sending batches, with retries.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tracing::Instrument;

use super::answer::{FailedActions, RequestOutcome};
use super::groups::Groups;
use super::request::{Actions, MAX_BYTES, Multi, Nonces};
use super::sink::Sink;
use crate::client::Attempts;
use crate::conn::Call;
use crate::error::Recovery;
use crate::region::{Located, Side};
use crate::wire::Service;
use crate::{Client, Error, ServerName, TableName, span};

/// Servers warn about requests with more than 5,000 actions, and can be configured to refuse them.
const MAX_ACTIONS: usize = 5_000;

/// A batch that is being executed.
struct Executor<'a, A, T> {
    client: &'a Client,
    table: &'a TableName,
    actions: &'a A,
    out: &'a mut T,
    max_bytes: usize,
    nonces: Nonces,
}

/// The requests of each server, in the order in which they are sent.
type Requests = Vec<(ServerName, Vec<Multi>)>;

/// What is to be retried.
#[derive(Debug, Default)]
struct Retries {
    /// The places of actions, each with its error.
    places: Vec<(u32, Error)>,
    /// The first error that requires a pause, and the region.
    first: Option<(Option<Arc<Located>>, Error)>,
}

impl Client {
    /// Executes all actions of a batch, in no particular order.
    pub(crate) async fn execute_batch<A: Actions, T: Sink>(
        &self,
        table: &TableName,
        actions: &A,
        out: &mut T,
    ) {
        let count = u32::try_from(actions.len()).expect("a batch has fewer than 2^32 actions");
        let nonces = Nonces::new(self.nonce_group());
        let mut executor = Executor { client: self, table, actions, out, max_bytes: MAX_BYTES, nonces };
        pin!(executor.run((0..count).collect())).instrument(span::batch(table, actions.len())).await;
    }
}

impl<A: Actions, T: Sink> Executor<'_, A, T> {
    async fn run(&mut self, mut places: Vec<u32>) {
        let client = self.client.clone();
        let mut attempts = client.attempts();
        while !places.is_empty() {
            let before = places.len();
            let (groups, unlocated) = self.locate(&places, &attempts).await;
            let (failed, held) = self.send(groups, &attempts).await;
            places = self.recover(failed, unlocated, &mut attempts).await;
            places.extend(held);
            // Keeps changes of the same row in order.
            places.sort_unstable();
            if places.len() < before && !places.is_empty() {
                attempts.progress();
            }
        }
    }

    /// Groups actions by region. Also returns the actions whose region was not found, with the error.
    async fn locate(&mut self, places: &[u32], attempts: &Attempts<'_>) -> (Groups, Vec<(u32, Error)>) {
        let mut groups = Groups::default();
        let mut unlocated: Vec<(u32, Error)> = Vec::new();
        for &place in places {
            let row = self.actions.row(place as usize);
            if groups.add(row, place) {
                continue;
            }
            // An error that affects all rows is not looked up again for each.
            if let Some(error) = unlocated.last().map(|(_, error)| error).filter(|error| fails_for_all(error))
            {
                let error = error.clone();
                unlocated.push((place, error));
                continue;
            }
            match attempts.in_time(self.client.locate(self.table, row, Side::Of)).await {
                Ok(located) => groups.add_to(&located, place),
                Err(error) => unlocated.push((place, error)),
            }
        }
        (groups, unlocated)
    }

    /// Sends the requests to all servers. Returns the failed actions, and those that were held back after a failure.
    async fn send(&mut self, groups: Groups, attempts: &Attempts<'_>) -> (Vec<FailedActions>, Vec<u32>) {
        let call = attempts.call("Multi");
        let (requests, refused) = self.write(groups);
        for (place, error) in refused {
            self.out.failed(place as usize, error);
        }
        let (client, out) = (self.client, &mut *self.out);
        let mut answers: FuturesUnordered<_> = requests
            .into_iter()
            .map(|(server, multis)| send_in_turn(client, server, multis, &call))
            .collect();
        let (mut failed, mut held) = (Vec::new(), Vec::new());
        while let Some((outcomes, unsent)) = answers.next().await {
            for outcome in outcomes {
                for completed in outcome.completed {
                    completed.report_to(out);
                }
                failed.extend(outcome.failed);
            }
            held.extend(unsent);
        }
        (failed, held)
    }

    /// Encodes the requests: one for each server, or more if it would be too large.
    fn write(&mut self, groups: Groups) -> (Requests, Vec<(u32, Error)>) {
        let mut regions = groups.regions;
        regions.sort_by(|a, b| a.0.server.cmp(&b.0.server));
        let mut refused = Vec::new();
        let of_server = regions.chunk_by(|a, b| a.0.server == b.0.server);
        let requests = of_server
            .map(|regions| (regions[0].0.server.clone(), self.write_for_server(regions, &mut refused)))
            .collect();
        (requests, refused)
    }

    fn write_for_server(
        &self,
        regions: &[(Arc<Located>, Vec<u32>)],
        refused: &mut Vec<(u32, Error)>,
    ) -> Vec<Multi> {
        let mut left: usize = regions.iter().map(|(_, places)| places.len()).sum();
        let mut multis = Vec::new();
        // An estimate at first, then the number of actions in the previous request.
        let mut fit = MAX_ACTIONS;
        let mut multi = Multi::of_about(left.min(fit));
        for (located, places) in regions {
            multi.begin_region(located, places.len().min(fit));
            for (before, &place) in places.iter().enumerate() {
                let actions = multi.action_count();
                if actions >= MAX_ACTIONS || (actions > 0 && multi.byte_count() >= self.max_bytes) {
                    fit = actions;
                    multis.push(std::mem::replace(&mut multi, Multi::of_about(left.min(fit))));
                    multi.begin_region(located, (places.len() - before).min(fit));
                }
                left -= 1;
                if let Err(error) = multi.write(self.actions, place, self.nonces) {
                    refused.push((place, error.into()));
                }
            }
        }
        multis.push(multi);
        multis
    }

    /// Handles failures, reports those that are given up, and pauses. Returns the places to retry.
    async fn recover(
        &mut self,
        failed: Vec<FailedActions>,
        unlocated: Vec<(u32, Error)>,
        attempts: &mut Attempts<'_>,
    ) -> Vec<u32> {
        let unlocated = unlocated.into_iter().map(|(place, error)| (None, vec![place], error));
        let failed = failed.into_iter().map(|failed| (Some(failed.located), failed.places, failed.error));
        let Retries { places, first } = self.classify(failed.chain(unlocated));
        let waited = match first {
            None => Ok(()),
            Some((Some(located), error)) => self.client.recover_at(attempts, &located, error).await,
            Some((None, error)) => self.client.recover_in(attempts, self.table, error).await,
        };
        let Err(error) = waited else { return places.into_iter().map(|(place, _)| place).collect() };
        for (place, own) in places {
            self.out.failed(place as usize, error.clone().with_last(own));
        }
        Vec::new()
    }

    /// Updates the cache after failures, and reports those that are given up.
    fn classify(
        &mut self,
        failures: impl Iterator<Item = (Option<Arc<Located>>, Vec<u32>, Error)>,
    ) -> Retries {
        let mut retries = Retries::default();
        let were_alone = self.max_bytes == 1;
        let mut halve = false;
        for (located, places, error) in failures {
            let recovery = error.recovery();
            // A single action can't be split.
            if recovery == Recovery::GiveUp
                || (recovery == Recovery::Halve && places.len() == 1 && were_alone)
            {
                for place in places {
                    self.out.failed(place as usize, error.clone());
                }
                continue;
            }
            if let Some(located) = &located {
                self.client.locator().learn(located, &recovery);
            }
            retries.places.extend(places.iter().map(|&place| (place, error.clone())));
            if recovery == Recovery::Halve {
                halve = true;
            } else {
                retries.first.get_or_insert((located, error));
            }
        }
        if halve {
            // Once, however many regions the request had.
            self.max_bytes = (self.max_bytes / 2).max(1);
        }
        retries
    }
}

/// Sends requests to a server one after the other, so that changes of the same row stay in order. After a request with
/// actions to retry, the remaining ones are returned unsent.
async fn send_in_turn(
    client: &Client,
    server: ServerName,
    multis: Vec<Multi>,
    call: &Call,
) -> (Vec<RequestOutcome>, Vec<u32>) {
    let server = server.address();
    let (mut outcomes, mut held) = (Vec::new(), Vec::new());
    let mut waits = false;
    for multi in multis {
        let (body, cells) = multi.finish();
        if waits {
            held.extend(body.places());
            continue;
        }
        let call = call.clone().cells(cells).about(body.about());
        let outcome = match client.pool().call(&server, Service::Client, &call, &body).await {
            Ok(reply) => RequestOutcome::read(body, &server, reply),
            Err(error) => RequestOutcome::all_failed(body, &error),
        };
        waits = outcome.failed.iter().any(|failed| failed.error.recovery() != Recovery::GiveUp);
        outcomes.push(outcome);
    }
    (outcomes, held)
}

/// Whether a failed lookup of one row would fail for all rows.
fn fails_for_all(error: &Error) -> bool {
    !matches!(error, Error::NoRegion { .. })
}
