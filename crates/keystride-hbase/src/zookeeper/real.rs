//! Tests against a real ZooKeeper, at the address in `KEYSTRIDE_HBASE_ZK` (`host:port`). Skipped if it is not set.

use std::time::Duration;

use tokio::net::TcpStream;

use super::{Ensemble, Timeouts, ZooKeeperError, ZooKeeperRegistry};
use crate::ServerName;

fn ensemble() -> Option<Ensemble> {
    let Ok(quorum) = std::env::var("KEYSTRIDE_HBASE_ZK") else {
        println!("skipped: KEYSTRIDE_HBASE_ZK does not say where a ZooKeeper is");
        return None;
    };
    let timeouts = Timeouts { session: Duration::from_secs(6), ..Timeouts::default() };
    Some(Ensemble::parse(&quorum).unwrap().with_timeouts(timeouts))
}

async fn assert_listens(server: &ServerName) {
    let address = server.address();
    TcpStream::connect((&*address.host, address.port)).await.unwrap();
}

#[tokio::test]
async fn a_real_cluster_is_read_from_its_znodes() {
    let Some(ensemble) = ensemble() else { return };
    let registry = ZooKeeperRegistry::new(ensemble, "/hbase");
    let meta = registry.meta_server().await.unwrap().unwrap();
    let master = registry.active_master().await.unwrap().unwrap();
    let id = registry.cluster_id().await.unwrap().unwrap();
    println!("meta on {meta}, master {master}, id {id}");
    assert_listens(&meta).await;
    assert_listens(&master).await;
    assert_eq!(id.len(), 36, "{id}");
}

#[tokio::test]
async fn a_real_ensemble_knows_what_it_has() {
    let Some(ensemble) = ensemble() else { return };
    assert_eq!(ensemble.exists("/hbase/rs").await, Ok(true));
    assert_eq!(ensemble.exists("/hbase/no-such-znode").await, Ok(false));
    assert_eq!(ensemble.data("/hbase/no-such-znode").await, Ok(None));
    let servers = ensemble.children("/hbase/rs").await.unwrap().unwrap();
    println!("region servers {servers:?}");
    assert!(servers.iter().all(|name| ServerName::parse(name).is_some()), "{servers:?}");
    let error = ZooKeeperRegistry::new(ensemble, "/no-such-base").cluster_id().await.unwrap_err();
    println!("{error}");
    assert_eq!(error, ZooKeeperError::NoBase { base: "/no-such-base".into(), others: vec!["/hbase".into()] });
}
