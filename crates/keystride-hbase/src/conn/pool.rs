//! The connections of a client.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::Mutex as AsyncMutex;
use tokio::time::timeout;
use tracing::Instrument;

use super::connection::{Body, Call, Connection};
use super::handshake::send_handshake;
use super::large_buffers::LargeBuffers;
use super::stream::{Dialer, Input, Output};
use crate::metrics::Counters;
use crate::wait::{Awaited, Waits};
use crate::wire::{Reply, Service};
use crate::{ClientOptions, Error, HostPort, Seconds, span};

/// Connections by server and service. They are opened when first used and removed when they end.
#[derive(Debug)]
pub(crate) struct Pool {
    options: ClientOptions,
    dialer: Dialer,
    slots: Mutex<HashMap<(HostPort, Service), Arc<Slot>>>,
    counters: Arc<Counters>,
    waits: Arc<Waits>,
    large_buffers: Arc<LargeBuffers>,
}

/// Callers of the same connection wait for a single attempt to open it.
type Slot = AsyncMutex<Dialed>;

#[derive(Debug, Default)]
struct Dialed {
    connection: Option<Arc<Connection>>,
    /// When the last attempt failed, and its error.
    failed: Option<(Instant, Error)>,
}

impl Dialed {
    fn usable(&self) -> Option<&Arc<Connection>> {
        self.connection.as_ref().filter(|connection| !connection.is_closed())
    }
}

impl Pool {
    pub(crate) fn new(options: ClientOptions, counters: Arc<Counters>, waits: Arc<Waits>) -> Self {
        Self {
            dialer: Dialer::new(&options),
            options,
            slots: Mutex::default(),
            counters,
            waits,
            large_buffers: Arc::default(),
        }
    }

    pub(crate) fn options(&self) -> &ClientOptions {
        &self.options
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(crate) fn waits(&self) -> &Arc<Waits> {
        &self.waits
    }

    pub(crate) async fn call(
        &self,
        server: &HostPort,
        service: Service,
        call: &Call,
        body: &impl Body,
    ) -> Result<Reply, Error> {
        let begun = Instant::now();
        let awaited =
            Awaited::Answer { server: server.clone(), method: call.method, service: service.name() };
        let _waiting = self.waits.begin(awaited, call.about.clone(), call.attempt, begun);
        let called = async {
            loop {
                let connection = self.connection(server, service).await?;
                // The connection may have ended since it was looked up; then nothing was sent.
                if let Ok(outcome) = connection.call(call, body).await {
                    return outcome;
                }
            }
        };
        // Pinned first: a span around an unpinned future would move it and double its size.
        let outcome = pin!(called).instrument(span::call(call.method, server, service)).await;
        self.counters.called(begun.elapsed(), outcome.is_ok());
        span::called(call, server, begun.elapsed(), outcome.as_ref().err());
        outcome
    }

    async fn connection(&self, server: &HostPort, service: Service) -> Result<Arc<Connection>, Error> {
        let asked = Instant::now();
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry((server.clone(), service)).or_default())
        };
        let mut slot = slot.lock().await;
        if let Some(connection) = slot.usable() {
            return Ok(Arc::clone(connection));
        }
        // An attempt that failed while this call waited counts for this call too.
        if let Some((_, error)) = slot.failed.as_ref().filter(|(when, _)| *when >= asked) {
            return Err(error.clone());
        }
        *slot = Dialed::default();
        // Removes ended connections, so that those to servers long gone don't pile up.
        self.sweep(false);
        // Boxed because it is rare and large.
        match Box::pin(self.connect(server, service)).await {
            Ok(connection) => Ok(Arc::clone(slot.connection.insert(Arc::new(connection)))),
            Err(error) => {
                slot.failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    async fn connect(&self, server: &HostPort, service: Service) -> Result<Connection, Error> {
        let limit = self.options.connect_timeout;
        let streams = timeout(limit, self.open(server, service)).await;
        let too_slow = || Error::Connect {
            server: server.clone(),
            reason: format!("no answer within {}", Seconds(limit)),
        };
        let (input, output) = streams.map_err(|_| too_slow())??;
        self.counters.connected();
        tracing::debug!(%server, service = service.name(), "connected");
        Ok(Connection::begin(server.clone(), input, output, &self.options, Arc::clone(&self.large_buffers)))
    }

    async fn open(&self, server: &HostPort, service: Service) -> Result<(Input, Output), Error> {
        let streams = self.dialer.dial(server).await?;
        send_handshake(streams, server, service, &self.options).await
    }

    /// Removes connections that have ended. With `all`, closes the others too.
    pub(crate) fn sweep(&self, all: bool) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| match slot.try_lock() {
            Ok(slot) => !all && slot.usable().is_some(),
            // A connection is being opened.
            Err(_) => !all,
        });
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
