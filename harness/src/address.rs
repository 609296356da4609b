//! Where a cluster answers, and how clients reach it.

use std::path::{Path, PathBuf};

use crate::{HBaseVersion, Site, tls};

/// How a client reaches a cluster.
#[derive(Debug, Clone)]
pub struct Address {
    master: String,
    zookeeper: Option<String>,
    certificate: Option<PathBuf>,
    version: HBaseVersion,
}

impl Address {
    /// A cluster whose masters answer at `master`: `host:port`, or several with commas between. Its version is the usual
    /// one.
    pub fn new(master: impl Into<String>) -> Self {
        let version = HBaseVersion::default();
        Self { master: master.into(), zookeeper: None, certificate: None, version }
    }

    /// With another version.
    #[must_use]
    pub fn with_version(self, version: HBaseVersion) -> Self {
        Self { version, ..self }
    }

    /// With the address of its ZooKeeper, `host:port`.
    #[must_use]
    pub fn with_zookeeper(self, zookeeper: impl Into<String>) -> Self {
        Self { zookeeper: Some(zookeeper.into()), ..self }
    }

    /// With the PEM file of the certificate that its servers show: it speaks TLS.
    #[must_use]
    pub fn with_certificate(self, certificate: impl Into<PathBuf>) -> Self {
        Self { certificate: Some(certificate.into()), ..self }
    }

    /// The masters, `host:port`, with commas between: each answers what a client asks first.
    pub fn master(&self) -> &str {
        &self.master
    }

    /// ZooKeeper, `host:port`, where it is known.
    pub fn zookeeper(&self) -> Option<&str> {
        self.zookeeper.as_deref()
    }

    /// Its HBase.
    pub fn version(&self) -> &HBaseVersion {
        &self.version
    }

    /// The PEM file of the servers' certificate, where they speak TLS.
    pub fn certificate(&self) -> Option<&Path> {
        self.certificate.as_deref()
    }

    /// What Java's client needs in its `hbase-site.xml` to reach the cluster.
    ///
    /// ```
    /// let site = keystride_hbase_harness::Address::new("localhost:16000").client_site();
    /// assert!(site.to_xml().contains("<name>hbase.masters</name><value>localhost:16000</value>"));
    /// ```
    pub fn client_site(&self) -> Site {
        let site = Site::new()
            .with("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry")
            .with("hbase.masters", &self.master);
        self.certificate().map_or(site.clone(), |certificate| site.with_all(&tls::client_site(certificate)))
    }
}
