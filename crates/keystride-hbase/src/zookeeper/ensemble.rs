//! The servers of a ZooKeeper, each of which can answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::error::{Failure, ServerFailure, ZooKeeperError};
use super::jute::BadJute;
use super::message::{Question, read_children, read_data};
use super::session;
use crate::HostPort;
use crate::in_turn::first_answer;
use crate::wait::{About, Awaited, Waits};

/// A ZooKeeper: its servers, and how long each is waited for.
#[derive(Debug, Clone)]
pub(crate) struct Ensemble {
    pub(super) servers: Vec<HostPort>,
    timeouts: Timeouts,
    waits: Arc<Waits>,
}

/// How long one server is waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// Until there is a connection.
    pub(crate) connect: Duration,
    /// From then until there is an answer. The server is told too, and forgets a session that was not closed.
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

    /// The same, which notes what it waits for.
    pub(crate) fn watched_by(self, waits: Arc<Waits>) -> Self {
        Self { waits, ..self }
    }

    /// Its servers.
    pub(crate) fn into_servers(self) -> Vec<HostPort> {
        self.servers
    }

    pub(crate) fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self }
    }

    /// A znode's value. None when there is no such znode.
    pub(crate) async fn data(&self, path: &str) -> Result<Option<Bytes>, ZooKeeperError> {
        self.ask(Question::Data, path, read_data).await
    }

    /// Names of a znode's children, in no order. None when there is no such znode.
    pub(crate) async fn children(&self, path: &str) -> Result<Option<Vec<String>>, ZooKeeperError> {
        self.ask(Question::Children, path, read_children).await
    }

    /// Whether there is such a znode.
    pub(crate) async fn exists(&self, path: &str) -> Result<bool, ZooKeeperError> {
        Ok(self.ask(Question::Exists, path, |_| Ok(())).await?.is_some())
    }

    /// Asks one server after the other until one answers.
    async fn ask<T>(
        &self,
        question: Question,
        path: &str,
        read: fn(Bytes) -> Result<T, BadJute>,
    ) -> Result<Option<T>, ZooKeeperError> {
        let ask = async |server: HostPort| {
            let body = self.ask_server(&server, question, path).await;
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

    async fn ask_server(
        &self,
        server: &HostPort,
        question: Question,
        path: &str,
    ) -> Result<Option<Bytes>, Failure> {
        let Timeouts { connect, session } = self.timeouts;
        let awaited = Awaited::ZooKeeper { server: server.clone() };
        let _waiting = self.waits.begin(awaited, About::Cluster, 1, Instant::now());
        let stream = timeout(connect, TcpStream::connect((&*server.host, server.port)))
            .await
            .map_err(|_| Failure::ConnectTimeout { after: connect })?
            .map_err(|error| Failure::Connect { reason: error.to_string() })?;
        timeout(session, session::ask(stream, session, question, path))
            .await
            .map_err(|_| Failure::Silent { after: session })?
    }

    /// In another order each time, so that the clients spread over the servers.
    fn shuffled(&self) -> Vec<HostPort> {
        let mut servers = self.servers.clone();
        fastrand::shuffle(&mut servers);
        servers
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::ErrorCode;
    use super::super::fake::{self, Manner};
    use super::*;

    /// One of them is silent for so long; the others have as long to answer.
    const SESSION: Duration = Duration::from_secs(3);

    fn tree() -> Manner {
        Manner::Serve([("/hbase", Bytes::new()), ("/hbase/rs", "value".into())].into())
    }

    async fn ensemble(manners: Vec<Manner>) -> Ensemble {
        let mut servers = Vec::new();
        for manner in manners {
            servers.push(fake::start(manner).await);
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
        let ensemble = ensemble(vec![Manner::HangUp, Manner::Fail(-4), tree()]).await;
        // Whatever the order: the right one comes last sooner or later.
        for _ in 0..6 {
            assert_eq!(ensemble.exists("/hbase").await, Ok(true));
        }
    }

    #[tokio::test]
    async fn when_all_fail_each_is_named() {
        let mut ensemble = ensemble(vec![Manner::HangUp, Manner::Silent, Manner::Fail(-112)]).await;
        // Nothing listens there.
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
        let ensemble = ensemble(vec![Manner::Fail(-102), Manner::Fail(-102)]).await;
        let error = ensemble.data("/hbase/acl").await.unwrap_err();
        let ZooKeeperError::Refused { path, code, .. } = error else { panic!("{error}") };
        assert_eq!((&*path, code), ("/hbase/acl", ErrorCode(-102)));
    }
}
