//! The cluster's own servers as its registry.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use prost::Message;

use crate::conn::{Call, Pool};
use crate::error::Recovery;
use crate::wire::Service;
use crate::zookeeper::{Ensemble, Timeouts, ZooKeeperError};
use crate::{Error, FoundServer, HostPort, ServerName, proto};

/// Asks masters and region servers (from HBase 2.5 on; before, masters only). It begins with the servers it was given
/// and learns of others from those.
#[derive(Debug)]
pub(crate) struct RpcRegistry {
    seeds: Vec<HostPort>,
    learned: Mutex<Learned>,
}

#[derive(Debug, Default)]
struct Learned {
    servers: Vec<HostPort>,
    /// When they were asked for.
    at: Option<Instant>,
}

/// Java's client asks again as often.
const LEARN_EVERY: Duration = Duration::from_mins(5);
/// So that one dead server does not take all the time there is.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// A server of either kind that hears a stranger says so at once.
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

    /// Asks one server after the other until one knows.
    async fn ask<A: Message + Default, T>(
        &self,
        pool: &Pool,
        method: &'static str,
        request: &impl Message,
        unknown: &str,
        read: impl Fn(&A) -> Option<T>,
    ) -> Result<T, Error> {
        self.learn(pool).await;
        let mut reasons = Vec::new();
        let mut hopeless = Vec::new();
        for server in self.candidates() {
            let answer = self.call_door(pool, &server, method, request).await;
            match answer.map(|answer| read(&answer)) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => reasons.push(format!("{server}: {unknown}")),
                Err(error) => {
                    reasons.push(error.to_string());
                    if error.recovery() == Recovery::GiveUp {
                        hopeless.push(error);
                    }
                }
            }
        }
        // Asked again, all of them would say the same.
        if hopeless.len() == reasons.len()
            && let Some(error) = hopeless.pop()
        {
            return Err(error);
        }
        Err(Error::NoCluster { reason: reasons.join("; ") })
    }

    /// Asks a server; what it is says more than that it hangs up.
    async fn call_door<A: Message + Default>(
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
        // One that was just started again hung up because it was ended.
        let answer = call(pool, server, method, request).await;
        if hung_up(&answer) { Err(Error::WrongServer { server: server.clone(), found }) } else { answer }
    }

    /// Servers learned of, then those given, each group in random order.
    fn candidates(&self) -> Vec<HostPort> {
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner).servers.clone();
        let mut seeds = self.seeds.clone();
        fastrand::shuffle(&mut learned);
        fastrand::shuffle(&mut seeds);
        learned.truncate(4);
        seeds.retain(|seed| !learned.contains(seed));
        learned.into_iter().chain(seeds).collect()
    }

    /// Asks for other servers now and then. What can't be learned is done without.
    async fn learn(&self, pool: &Pool) {
        {
            let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
            if learned.at.is_some_and(|at| at.elapsed() < LEARN_EVERY) {
                return;
            }
            learned.at = Some(Instant::now());
        }
        let request = proto::GetBootstrapNodesRequest {};
        for server in self.candidates() {
            let answer: Result<proto::GetBootstrapNodesResponse, Error> =
                call(pool, &server, "GetBootstrapNodes", &request).await;
            match answer {
                Ok(answer) => {
                    self.learned.lock().unwrap_or_else(PoisonError::into_inner).servers = others(&answer);
                    return;
                }
                Err(error) => tracing::debug!(%server, %error, "no bootstrap nodes"),
            }
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

/// What a server is that hangs up when it is asked for the cluster: ZooKeeper does, and HBase that is too old for that.
async fn recognize(server: &HostPort) -> Option<FoundServer> {
    let timeouts = Timeouts { connect: RECOGNIZED_WITHIN, session: RECOGNIZED_WITHIN };
    match Ensemble::new(vec![server.clone()]).with_timeouts(timeouts).exists("/").await {
        Ok(_) | Err(ZooKeeperError::Refused { .. }) => Some(FoundServer::ZooKeeper),
        Err(error) => error.server_of_hbase().map(|_| FoundServer::OldHBase),
    }
}

async fn call<A: Message + Default>(
    pool: &Pool,
    server: &HostPort,
    method: &'static str,
    request: &impl Message,
) -> Result<A, Error> {
    let timeout = pool.options().rpc_timeout.min(ANSWER_WITHIN);
    let call = Call { method, priority: 0, timeout, cells: Bytes::new() };
    let reply = pool.call(server, Service::Registry, &call, request).await?;
    A::decode(reply.message).map_err(|error| Error::bad_answer(server, method, error))
}
