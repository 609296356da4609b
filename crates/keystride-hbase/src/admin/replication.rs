//! Replication to other clusters.

use super::Admin;
use crate::{Error, ReplicationPeer, proto};

impl Admin {
    /// Adds a peer. Changes made from now on are sent to it.
    ///
    /// # Errors
    ///
    /// The master's exception: the peer id exists, the cluster key is invalid, or some tables can't be replicated.
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

    /// Replaces a peer's settings, except whether it is enabled. Its id and its cluster can't change.
    ///
    /// # Errors
    ///
    /// The master's `ReplicationPeerNotFoundException`, or its exception for settings it refuses.
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

    /// Resumes replication to a peer, starting with the changes kept for it.
    ///
    /// # Errors
    ///
    /// The master's `ReplicationPeerNotFoundException`.
    pub async fn enable_replication_peer(&self, id: &str) -> Result<(), Error> {
        let request = proto::EnableReplicationPeerRequest { peer_id: id.into() };
        let answer: proto::EnableReplicationPeerResponse =
            self.call("EnableReplicationPeer", &request).await?;
        self.finish("enabling the peer", answer.proc_id, self.is_peer_enabled(id, true)).await
    }

    /// Stops sending changes to a peer and keeps them instead. They use disk space until they are sent.
    ///
    /// # Errors
    ///
    /// The master's `ReplicationPeerNotFoundException`.
    pub async fn disable_replication_peer(&self, id: &str) -> Result<(), Error> {
        let request = proto::DisableReplicationPeerRequest { peer_id: id.into() };
        let answer: proto::DisableReplicationPeerResponse =
            self.call("DisableReplicationPeer", &request).await?;
        self.finish("disabling the peer", answer.proc_id, self.is_peer_enabled(id, false)).await
    }

    /// Removes a peer, and the changes kept for it.
    ///
    /// # Errors
    ///
    /// The master's `ReplicationPeerNotFoundException`.
    pub async fn remove_replication_peer(&self, id: &str) -> Result<(), Error> {
        let request = proto::RemoveReplicationPeerRequest { peer_id: id.into() };
        let answer: proto::RemoveReplicationPeerResponse =
            self.call("RemoveReplicationPeer", &request).await?;
        let is_done = async { Ok(self.replication_peer(id).await?.is_none()) };
        self.finish("removing the peer", answer.proc_id, is_done).await
    }

    /// All peers, sorted by id.
    ///
    /// # Errors
    ///
    /// [`Error::BadAnswer`] even if only one can't be read.
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
