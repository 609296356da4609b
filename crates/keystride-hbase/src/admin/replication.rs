//! Replication to other clusters.

use super::Admin;
use crate::{Error, ReplicationPeer, proto};

impl Admin {
    /// Adds a peer: from now on it is sent what it says.
    ///
    /// # Errors
    ///
    /// What the master has against it: a peer of that id, a cluster key that is none, tables it can't be sent.
    pub async fn add_replication_peer(&self, peer: &ReplicationPeer) -> Result<(), Error> {
        let request = proto::AddReplicationPeerRequest {
            peer_id: peer.id().into(),
            peer_config: peer.to_proto(),
            peer_state: peer.state(),
        };
        let answer: proto::AddReplicationPeerResponse = self.call("AddReplicationPeer", &request).await?;
        let is_done = async { Ok(self.replication_peer(peer.id()).await?.is_some()) };
        self.finish("adding the peer", answer.proc_id, is_done).await
    }

    /// Gives a peer other settings, all of them but whether it is enabled. Its id and its cluster stay.
    ///
    /// # Errors
    ///
    /// A `ReplicationPeerNotFoundException` of the master, and what it has against the settings.
    pub async fn update_replication_peer(&self, peer: &ReplicationPeer) -> Result<(), Error> {
        let request = proto::UpdateReplicationPeerConfigRequest {
            peer_id: peer.id().into(),
            peer_config: peer.to_proto(),
        };
        let answer: proto::UpdateReplicationPeerConfigResponse =
            self.call("UpdateReplicationPeerConfig", &request).await?;
        let is_done = async {
            let found = self.replication_peer(peer.id()).await?;
            Ok(found.is_some_and(|found| found.to_proto() == peer.to_proto()))
        };
        self.finish("changing the peer", answer.proc_id, is_done).await
    }

    /// Sends a peer what was kept for it, and what comes.
    ///
    /// # Errors
    ///
    /// A `ReplicationPeerNotFoundException` of the master.
    pub async fn enable_replication_peer(&self, id: &str) -> Result<(), Error> {
        let request = proto::EnableReplicationPeerRequest { peer_id: id.into() };
        let answer: proto::EnableReplicationPeerResponse =
            self.call("EnableReplicationPeer", &request).await?;
        self.finish("enabling the peer", answer.proc_id, self.is_peer_enabled(id, true)).await
    }

    /// Keeps what comes for a peer, instead of sending it. What is kept takes room until it is sent.
    ///
    /// # Errors
    ///
    /// A `ReplicationPeerNotFoundException` of the master.
    pub async fn disable_replication_peer(&self, id: &str) -> Result<(), Error> {
        let request = proto::DisableReplicationPeerRequest { peer_id: id.into() };
        let answer: proto::DisableReplicationPeerResponse =
            self.call("DisableReplicationPeer", &request).await?;
        self.finish("disabling the peer", answer.proc_id, self.is_peer_enabled(id, false)).await
    }

    /// Removes a peer, and what was kept for it.
    ///
    /// # Errors
    ///
    /// A `ReplicationPeerNotFoundException` of the master.
    pub async fn remove_replication_peer(&self, id: &str) -> Result<(), Error> {
        let request = proto::RemoveReplicationPeerRequest { peer_id: id.into() };
        let answer: proto::RemoveReplicationPeerResponse =
            self.call("RemoveReplicationPeer", &request).await?;
        let is_done = async { Ok(self.replication_peer(id).await?.is_none()) };
        self.finish("removing the peer", answer.proc_id, is_done).await
    }

    /// All peers by id.
    ///
    /// # Errors
    ///
    /// [`Error::BadAnswer`] also when a single one can't be read.
    pub async fn replication_peers(&self) -> Result<Vec<ReplicationPeer>, Error> {
        const METHOD: &str = "ListReplicationPeers";
        let request = proto::ListReplicationPeersRequest { regex: None };
        let answer: proto::ListReplicationPeersResponse = self.call(METHOD, &request).await?;
        self.read_by_name(METHOD, answer.peer_desc, ReplicationPeer::from_proto, ReplicationPeer::id).await
    }

    async fn replication_peer(&self, id: &str) -> Result<Option<ReplicationPeer>, Error> {
        Ok(self.replication_peers().await?.into_iter().find(|peer| peer.id() == id))
    }

    async fn is_peer_enabled(&self, id: &str, wanted: bool) -> Result<bool, Error> {
        Ok(self.replication_peer(id).await?.is_some_and(|peer| peer.is_enabled == wanted))
    }
}
