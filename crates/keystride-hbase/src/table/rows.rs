//! Single rows.

use bytes::Bytes;
use prost::Message;

use super::Table;
use crate::cell::CellBlock;
use crate::client::RowAnswer;
use crate::region::Located;
use crate::wire::Reply;
use crate::{Error, Get, Mutation, Row, proto};

impl Table {
    /// Reads a row. It is empty if nothing is visible.
    ///
    /// # Errors
    ///
    /// Any error of calling the server.
    pub async fn get(&self, get: &Get) -> Result<Row, Error> {
        self.ask(get, get.to_proto(), |answer, reply, located| {
            take_row(answer.result.as_ref(), reply.cells, located, "Get")
        })
        .await
    }

    /// Whether anything of a row is visible. No cells are transferred.
    ///
    /// # Errors
    ///
    /// As [`Self::get`].
    pub async fn exists(&self, get: &Get) -> Result<bool, Error> {
        let message = proto::Get { existence_only: Some(true), ..get.to_proto() };
        self.ask(get, message, |answer, _, _| Ok(answer.result.is_some_and(|result| result.exists()))).await
    }

    async fn ask<T>(
        &self,
        get: &Get,
        message: proto::Get,
        read: impl Fn(proto::GetResponse, Reply, &Located) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let build = |region| proto::GetRequest { region, get: message.clone() };
        let read = |RowAnswer { reply, located, .. }: RowAnswer<'_>| {
            read(decode(&reply, located, "Get")?, reply, located)
        };
        self.client.call_row((&self.name, get.row()), ("Get", Bytes::new()), build, read).await
    }

    /// Changes a row. Increments and appends return the new values, unless they were told not to.
    ///
    /// An increment or append takes effect once, even if it has to be sent several times.
    ///
    /// # Errors
    ///
    /// Any error of calling the server.
    pub async fn mutate(&self, mutation: Mutation) -> Result<Row, Error> {
        mutation.check()?;
        let mutation = mutation.with_nonce();
        let message = mutation.to_proto();
        let nonce_group = message.nonce.map(|_| self.client.nonce_group());
        let row = mutation.row().clone();
        let build =
            |region| proto::MutateRequest { region, mutation: message.clone(), condition: None, nonce_group };
        let read = |RowAnswer { reply, located, .. }: RowAnswer<'_>| {
            let answer: proto::MutateResponse = decode(&reply, located, "Mutate")?;
            take_row(answer.result.as_ref(), reply.cells, located, "Mutate")
        };
        self.client.call_row((&self.name, &row), ("Mutate", mutation.into_cells()), build, read).await
    }
}

pub(super) fn decode<M: Message + Default>(
    reply: &Reply,
    located: &Located,
    method: &'static str,
) -> Result<M, Error> {
    let read = M::decode(reply.message.clone());
    read.map_err(|error| Error::bad_answer(&located.server.address(), method, error))
}

/// The row of an answer. Its cells may be in the message, in the cell block, or in both.
pub(super) fn take_row(
    result: Option<&proto::Result>,
    cells: Bytes,
    located: &Located,
    method: &'static str,
) -> Result<Row, Error> {
    let Some(result) = result else { return Ok(Row::default()) };
    let mut block = CellBlock::new(cells);
    crate::result::take(result, &mut block)
        .map_err(|error| Error::bad_cells(&located.server.address(), method, &error))
}
