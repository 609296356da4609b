//! Batches.

use super::Table;
use crate::batch::{Actions, Operation, Outcome, Sink};
use crate::{Error, Get, RegionInfo, Row};

struct OrderedOutcomes(Vec<Option<Outcome>>);

struct Failures(Vec<(usize, Error)>);

impl Table {
    /// Executes operations on many rows, in no particular order. Returns their outcomes in the given order.
    ///
    /// Each server gets one request or a few. Failed operations are retried individually.
    pub async fn batch(&self, operations: Vec<Operation>) -> Vec<Outcome> {
        let mut places = OrderedOutcomes(vec![None; operations.len()]);
        let operations: Vec<Operation> = operations.into_iter().map(Operation::prepared).collect();
        let mut good = Vec::with_capacity(operations.len());
        for (place, operation) in operations.into_iter().enumerate() {
            match operation.check() {
                Ok(()) => good.push((place, operation)),
                Err(error) => places.0[place] = Some(Err(error)),
            }
        }
        let (kept, good): (Vec<usize>, Vec<Operation>) = good.into_iter().unzip();
        let mut outcomes = OrderedOutcomes(vec![None; good.len()]);
        self.run(&good, &mut outcomes).await;
        for (place, outcome) in kept.into_iter().zip(outcomes.0) {
            places.0[place] = outcome;
        }
        places.0.into_iter().map(|outcome| outcome.unwrap_or(Err(Error::Closed))).collect()
    }

    /// Reads many rows. Returns them in the order of `gets`.
    ///
    /// # Errors
    ///
    /// The first error of a get.
    pub async fn get_many(&self, gets: Vec<Get>) -> Result<Vec<Row>, Error> {
        self.batch(gets.into_iter().map(Operation::Get).collect()).await.into_iter().collect()
    }

    /// Executes actions that are encoded when they are sent: the cheapest way to do much.
    pub async fn run(&self, actions: &impl Actions, sink: &mut impl Sink) {
        self.client.execute_batch(&self.name, actions, sink).await;
    }

    /// Executes actions, and returns only failures: their places, ascending, with their errors.
    pub async fn apply(&self, actions: &impl Actions) -> Vec<(usize, Error)> {
        let mut failures = Failures(Vec::new());
        self.run(actions, &mut failures).await;
        failures.0.sort_by_key(|&(place, _)| place);
        failures.0
    }
}

impl Sink for OrderedOutcomes {
    fn done(&mut self, _: &RegionInfo, place: usize, row: Row) {
        self.0[place] = Some(Ok(row));
    }

    fn failed(&mut self, place: usize, error: Error) {
        self.0[place] = Some(Err(error));
    }
}

impl Sink for Failures {
    fn done(&mut self, _: &RegionInfo, _: usize, _: Row) {}

    fn failed(&mut self, place: usize, error: Error) {
        self.0.push((place, error));
    }
}
