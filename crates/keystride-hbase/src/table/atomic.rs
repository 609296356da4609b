//! Atomic and conditional changes of one row.

use bytes::{Bytes, BytesMut};

use super::Table;
use super::rows::{decode, take_row};
use crate::bytes_text::Escaped;
use crate::client::RowAnswer;
use crate::error::RemoteError;
use crate::region::Located;
use crate::wire::Reply;
use crate::{Condition, Error, Mutation, Operation, Row, proto};

/// The result of a conditional change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Whether the condition held and the change was made.
    pub is_applied: bool,
    /// The new values of an increment or an append.
    pub row: Row,
}

impl Table {
    /// Makes several puts and deletes of one row atomically.
    ///
    /// # Errors
    ///
    /// [`Error::BadRequest`] for changes of several rows or of other kinds; any error of calling the server.
    pub async fn mutate_row(&self, mutations: Vec<Mutation>) -> Result<(), Error> {
        Operation::Row(mutations.clone()).check()?;
        self.multi(mutations, None).await.map(|_| ())
    }

    /// Makes changes of one row atomically if `condition` holds.
    ///
    /// # Errors
    ///
    /// As [`Self::mutate_row`], but a single increment or append is allowed. [`Error::Unsure`] if an answer was lost
    /// and the condition does not hold at the next attempt: the lost change may be the reason.
    pub async fn check_and_mutate(
        &self,
        condition: &Condition,
        mutations: Vec<Mutation>,
    ) -> Result<Checked, Error> {
        match &mutations[..] {
            [one] => one.check()?,
            _ => Operation::Row(mutations.clone()).check()?,
        }
        let condition = condition.to_proto(mutations[0].row().clone());
        self.multi(mutations.into_iter().map(Mutation::with_nonce).collect(), Some(condition)).await
    }

    /// Sends an atomic group of changes, as a Multi of its own.
    async fn multi(
        &self,
        mutations: Vec<Mutation>,
        condition: Option<proto::Condition>,
    ) -> Result<Checked, Error> {
        let row = mutations[0].row().clone();
        let nonce_group = mutations.iter().any(Mutation::is_once_only).then(|| self.client.nonce_group());
        let actions = (0_u32..).zip(&mutations).map(|(index, mutation)| proto::Action {
            index: Some(index),
            mutation: Some(mutation.to_proto()),
            ..Default::default()
        });
        let action: Vec<proto::Action> = actions.collect();
        let build = |region| proto::MultiRequest {
            region_action: vec![proto::RegionAction {
                region,
                atomic: Some(true),
                action: action.clone(),
                condition: condition.clone(),
            }],
            nonce_group,
            // Servers before HBase 2.4 know only this field, and would ignore a condition elsewhere in puts and
            // deletes; they refuse increments and appends in a group. Later servers return no row if this field is set.
            condition: condition.clone().filter(|_| nonce_group.is_none()),
        };
        let read = |RowAnswer { reply, located, after_loss }: RowAnswer<'_>| {
            let checked = read_group(reply, located)?;
            if after_loss && !checked.is_applied {
                return Err(Error::Unsure { row: Escaped(&row).to_string() });
            }
            Ok(checked)
        };
        self.client.call_row((&self.name, &row), ("Multi", cells(&mutations)), build, read).await
    }
}

fn cells(mutations: &[Mutation]) -> Bytes {
    let mut cells = BytesMut::with_capacity(mutations.iter().map(Mutation::byte_count).sum());
    for mutation in mutations {
        cells.extend_from_slice(mutation.cell_writer().as_bytes());
    }
    cells.freeze()
}

pub(super) fn read_group(reply: Reply, located: &Located) -> Result<Checked, Error> {
    const METHOD: &str = "Multi";
    let mut answer: proto::MultiResponse = decode(&reply, located, METHOD)?;
    let server = located.server.address();
    let Some(mut group) = answer.region_action_result.pop() else {
        return Err(Error::bad_answer(&server, METHOD, "it has no result for the changes"));
    };
    let exceptions = group.result_or_exception.iter().filter_map(|outcome| outcome.exception.as_ref());
    if let Some(exception) = group.exception.iter().chain(exceptions).next() {
        return Err(Error::Remote(Box::new(RemoteError::from_pair(exception).at(&server))).about(located));
    }
    let processed = group.processed.or(answer.processed);
    if processed.is_none() && group.result_or_exception.is_empty() {
        return Err(Error::bad_answer(&server, METHOD, "it has no result for the changes"));
    }
    let is_applied = processed.unwrap_or(true);
    let first = if group.result_or_exception.is_empty() {
        None
    } else {
        group.result_or_exception.swap_remove(0).result
    };
    Ok(Checked { is_applied, row: take_row(first.as_ref(), reply.cells, located, METHOD)? })
}
