//! The registry service of masters and region servers.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use prost::Message;
use tokio::time::timeout;

use crate::conn::{Call, Pool};
use crate::error::Recovery;
use crate::first_answer::first_answer;
use crate::wire::Service;
use crate::zookeeper::{Ensemble, Timeouts, ZooKeeperError};
use crate::{Error, FoundServer, HostPort, ServerName, proto};

/// Asks masters, and from HBase 2.5 on region servers. It starts with the servers of the cluster's address and learns
/// others from them.
#[derive(Debug)]
pub(crate) struct RpcRegistry {
    seeds: Vec<HostPort>,
    learned: Mutex<LearnedServers>,
}

#[derive(Debug, Default)]
struct LearnedServers {
    servers: Vec<HostPort>,
    /// When the servers were last asked for others.
    at: Option<Instant>,
}

/// The same interval as in Java's client.
const LEARN_EVERY: Duration = Duration::from_mins(5);
/// Leaves time to ask other servers when one is silent.
const ANSWER_WITHIN: Duration = Duration::from_secs(8);
/// Learning other servers is optional, so it must not take long.
const LEARN_WITHIN: Duration = Duration::from_secs(2);

/// ZooKeeper and HBase answer a client of the other kind immediately.
const RECOGNIZED_WITHIN: Duration = Duration::from_secs(2);

impl RpcRegistry {
    pub(crate) fn new(seeds: Vec<HostPort>) -> Self {
        Self { seeds, learned: Mutex::default() }
    }

    pub(crate) async fn meta_server(&self, pool: &Pool) -> Result<ServerName, Error> {
        let request = proto::GetMetaRegionLocationsRequest {};
        self.ask(pool, "GetMetaRegionLocations", &request, "no server has hbase:meta yet", meta_server).await
    }

    pub(crate) async fn active_master(&self, pool: &Pool) -> Result<ServerName, Error> {
        let request = proto::GetActiveMasterRequest {};
        self.ask(pool, "GetActiveMaster", &request, "there is no active master now", active_master).await
    }

    pub(crate) async fn cluster_id(&self, pool: &Pool) -> Result<String, Error> {
        let read = |answer: &proto::GetClusterIdResponse| answer.cluster_id.clone();
        self.ask(pool, "GetClusterId", &proto::GetClusterIdRequest {}, "it has no id yet", read).await
    }

    /// Asks the servers in turn until one has the answer.
    async fn ask<A: Message + Default, T>(
        &self,
        pool: &Pool,
        method: &'static str,
        request: &impl Message,
        unknown: &str,
        read: impl Fn(&A) -> Option<T>,
    ) -> Result<T, Error> {
        self.learn(pool).await;
        let ask = async |server: HostPort| match self.call_or_recognize(pool, &server, method, request).await
        {
            Ok(answer) => read(&answer).ok_or(Failure::Unknown { server }),
            Err(error) => Err(Failure::Error(error)),
        };
        let failures = match first_answer(self.candidates().into_iter().map(ask)).await {
            Ok(found) => return Ok(found),
            Err(failures) => failures,
        };
        // Retrying would get the same answers.
        if failures.iter().all(Failure::is_final)
            && let Some(Failure::Error(error)) = failures.last()
        {
            return Err(error.clone());
        }
        let reasons: Vec<String> = failures.iter().map(|failure| failure.reason(unknown)).collect();
        Err(Error::NoCluster { reason: reasons.join("; ") })
    }

    /// Calls a server. If it hangs up, finds out whether it is of the wrong kind.
    async fn call_or_recognize<A: Message + Default>(
        &self,
        pool: &Pool,
        server: &HostPort,
        method: &'static str,
        request: &impl Message,
    ) -> Result<A, Error> {
        let hung_up = |answer: &Result<A, Error>| matches!(answer, Err(Error::ConnectionLost { .. }));
        let answer = call(pool, server, method, request).await;
        if !hung_up(&answer) {
            return answer;
        }
        let Some(found) = recognize(server).await else { return answer };
        // A server that was just restarting hung up because it stopped.
        let answer = call(pool, server, method, request).await;
        if hung_up(&answer) { Err(Error::WrongServer { server: server.clone(), found }) } else { answer }
    }

    /// Learned servers, then those of the address, each in random order.
    fn candidates(&self) -> Vec<HostPort> {
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner).servers.clone();
        let mut seeds = self.seeds.clone();
        fastrand::shuffle(&mut learned);
        fastrand::shuffle(&mut seeds);
        learned.truncate(4);
        seeds.retain(|seed| !learned.contains(seed));
        learned.into_iter().chain(seeds).collect()
    }

    /// Asks for other servers from time to time. Errors are ignored.
    async fn learn(&self, pool: &Pool) {
        {
            let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
            if learned.at.is_some_and(|at| at.elapsed() < LEARN_EVERY) {
                return;
            }
            learned.at = Some(Instant::now());
        }
        let ask = async |server: HostPort| {
            call(pool, &server, "GetBootstrapNodes", &proto::GetBootstrapNodesRequest {}).await
        };
        let asked = timeout(LEARN_WITHIN, first_answer(self.candidates().into_iter().map(ask))).await;
        if let Ok(Ok(answer)) = asked {
            self.learned.lock().unwrap_or_else(PoisonError::into_inner).servers = others(&answer);
        }
    }
}

#[derive(Debug)]
enum Failure {
    /// It does not have the answer.
    Unknown {
        server: HostPort,
    },
    Error(Error),
}

impl Failure {
    fn is_final(&self) -> bool {
        matches!(self, Self::Error(error) if error.recovery() == Recovery::GiveUp)
    }

    fn reason(&self, unknown: &str) -> String {
        match self {
            Self::Unknown { server } => format!("{server}: {unknown}"),
            Self::Error(error) => error.to_string(),
        }
    }
}

pub(super) fn meta_server(answer: &proto::GetMetaRegionLocationsResponse) -> Option<ServerName> {
    let first = answer.meta_locations.iter().find(|location| location.region_info.replica_id() == 0);
    first.and_then(|location| ServerName::from_proto(location.server_name.as_ref()?))
}

pub(super) fn active_master(answer: &proto::GetActiveMasterResponse) -> Option<ServerName> {
    answer.server_name.as_ref().and_then(ServerName::from_proto)
}

pub(super) fn others(answer: &proto::GetBootstrapNodesResponse) -> Vec<HostPort> {
    let servers = answer.server_name.iter().filter_map(ServerName::from_proto);
    servers.map(|server| server.address()).collect()
}

/// The kind of a server that hung up on a registry call: ZooKeeper, or an HBase server without that service.
async fn recognize(server: &HostPort) -> Option<FoundServer> {
    let timeouts = Timeouts { connect: RECOGNIZED_WITHIN, session: RECOGNIZED_WITHIN };
    match Ensemble::new(vec![server.clone()]).with_timeouts(timeouts).exists("/").await {
        Ok(_) | Err(ZooKeeperError::Refused { .. }) => Some(FoundServer::ZooKeeper),
        Err(error) => error.hbase_server().map(|_| FoundServer::OldHBase),
    }
}

async fn call<A: Message + Default>(
    pool: &Pool,
    server: &HostPort,
    method: &'static str,
    request: &impl Message,
) -> Result<A, Error> {
    let timeout = pool.options().rpc_timeout.min(ANSWER_WITHIN);
    let call = Call::new(method, timeout);
    let reply = pool.call(server, Service::Registry, &call, request).await?;
    A::decode(reply.message).map_err(|error| Error::bad_answer(server, method, error))
}
