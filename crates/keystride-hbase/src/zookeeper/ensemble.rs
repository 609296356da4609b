//! The servers of a ZooKeeper ensemble. Any of them can answer a read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::error::{Failure, ServerFailure, ZooKeeperError};
use super::jute::BadJute;
use super::message::{ReadOp, read_children, read_data};
use super::session;
use crate::HostPort;
use crate::first_answer::first_answer;
use crate::wait::{About, Awaited, Waits};

#[derive(Debug, Clone)]
pub(crate) struct Ensemble {
    pub(super) servers: Vec<HostPort>,
    timeouts: Timeouts,
    waits: Arc<Waits>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// Until the connection is open.
    pub(crate) connect: Duration,
    /// From then until the answer. Also sent as the session timeout, after which the server drops a session that was
    /// not closed.
    pub(crate) session: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(3), session: Duration::from_secs(10) }
    }
}

impl Ensemble {
    pub(crate) fn new(servers: Vec<HostPort>) -> Self {
        Self { servers, timeouts: Timeouts::default(), waits: Arc::default() }
    }

    /// Reports what it waits for to `waits`.
    pub(crate) fn watched_by(self, waits: Arc<Waits>) -> Self {
        Self { waits, ..self }
    }

    pub(crate) fn into_servers(self) -> Vec<HostPort> {
        self.servers
    }

    pub(crate) fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self }
    }

    /// A znode's value. `None` if the znode does not exist.
    pub(crate) async fn data(&self, path: &str) -> Result<Option<Bytes>, ZooKeeperError> {
        self.ask(ReadOp::Data, path, read_data).await
    }

    /// Names of a znode's children, in no order. `None` if the znode does not exist.
    pub(crate) async fn children(&self, path: &str) -> Result<Option<Vec<String>>, ZooKeeperError> {
        self.ask(ReadOp::Children, path, read_children).await
    }

    pub(crate) async fn exists(&self, path: &str) -> Result<bool, ZooKeeperError> {
        Ok(self.ask(ReadOp::Exists, path, |_| Ok(())).await?.is_some())
    }

    /// Asks the servers in turn until one answers.
    async fn ask<T>(
        &self,
        op: ReadOp,
        path: &str,
        read: fn(Bytes) -> Result<T, BadJute>,
    ) -> Result<Option<T>, ZooKeeperError> {
        let ask = async |server: HostPort| {
            let body = self.ask_server(&server, op, path).await;
            match body.and_then(|body| Ok(body.map(read).transpose()?)) {
                Ok(answer) => Ok(Ok(answer)),
                Err(Failure::Code { code }) if code.is_final() => {
                    Ok(Err(ZooKeeperError::Refused { server, path: path.into(), code }))
                }
                Err(failure) => {
                    tracing::debug!(%server, path, %failure, "a ZooKeeper server did not answer");
                    Err(ServerFailure { server, failure })
                }
            }
        };
        let answer = first_answer(self.shuffled().into_iter().map(ask)).await;
        answer.unwrap_or_else(|failures| Err(ZooKeeperError::NoAnswer { failures }))
    }

    async fn ask_server(&self, server: &HostPort, op: ReadOp, path: &str) -> Result<Option<Bytes>, Failure> {
        let Timeouts { connect, session } = self.timeouts;
        let awaited = Awaited::ZooKeeper { server: server.clone() };
        let _waiting = self.waits.begin(awaited, About::Cluster, 1, Instant::now());
        let stream = timeout(connect, TcpStream::connect((&*server.host, server.port)))
            .await
            .map_err(|_| Failure::ConnectTimeout { after: connect })?
            .map_err(|error| Failure::Connect { reason: error.to_string() })?;
        timeout(session, session::ask(stream, session, op, path))
            .await
            .map_err(|_| Failure::Silent { after: session })?
    }

    /// In random order, to spread clients over the servers.
    fn shuffled(&self) -> Vec<HostPort> {
        let mut servers = self.servers.clone();
        fastrand::shuffle(&mut servers);
        servers
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::ErrorCode;
    use super::super::fake::{self, Behavior};
    use super::*;

    /// One server is silent for this long; each of the others has as long to answer.
    const SESSION: Duration = Duration::from_secs(3);

    fn tree() -> Behavior {
        Behavior::Serve([("/hbase", Bytes::new()), ("/hbase/rs", "value".into())].into())
    }

    async fn ensemble(behaviors: Vec<Behavior>) -> Ensemble {
        let mut servers = Vec::new();
        for behavior in behaviors {
            servers.push(fake::start(behavior).await);
        }
        let timeouts = Timeouts { session: SESSION, ..Timeouts::default() };
        Ensemble::new(servers).with_timeouts(timeouts)
    }

    #[tokio::test]
    async fn a_znode_has_a_value_and_children() {
        let ensemble = ensemble(vec![tree()]).await;
        assert_eq!(ensemble.data("/hbase/rs").await.unwrap().unwrap(), "value");
        assert_eq!(ensemble.data("/other").await, Ok(None));
        assert_eq!(ensemble.children("/hbase").await, Ok(Some(vec!["rs".into()])));
        assert_eq!(ensemble.children("/other").await, Ok(None));
        assert_eq!(ensemble.exists("/hbase").await, Ok(true));
        assert_eq!(ensemble.exists("/other").await, Ok(false));
    }

    #[tokio::test]
    async fn servers_that_fail_are_passed_over() {
        let ensemble = ensemble(vec![Behavior::HangUp, Behavior::Fail(-4), tree()]).await;
        // The order is random: the good server comes last sooner or later.
        for _ in 0..6 {
            assert_eq!(ensemble.exists("/hbase").await, Ok(true));
        }
    }

    #[tokio::test]
    async fn when_all_fail_each_is_named() {
        let mut ensemble = ensemble(vec![Behavior::HangUp, Behavior::Silent, Behavior::Fail(-112)]).await;
        // Nothing listens on this port.
        ensemble.servers.push("127.0.0.1:1".parse().unwrap());
        let ZooKeeperError::NoAnswer { failures } = ensemble.exists("/hbase").await.unwrap_err() else {
            panic!()
        };
        let of =
            |i: usize| &failures.iter().find(|found| found.server == ensemble.servers[i]).unwrap().failure;
        assert_eq!(*of(0), Failure::NotServing);
        assert_eq!(*of(1), Failure::Silent { after: SESSION });
        assert_eq!(*of(2), Failure::Expired);
        assert!(matches!(of(3), Failure::Connect { .. }), "{:?}", of(3));
    }

    #[tokio::test]
    async fn what_all_would_refuse_is_asked_once() {
        let ensemble = ensemble(vec![Behavior::Fail(-102), Behavior::Fail(-102)]).await;
        let error = ensemble.data("/hbase/acl").await.unwrap_err();
        let ZooKeeperError::Refused { path, code, .. } = error else { panic!("{error}") };
        assert_eq!((&*path, code), ("/hbase/acl", ErrorCode(-102)));
    }
}
