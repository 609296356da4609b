//! Addresses of stores, and opening stores by them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

#[cfg(feature = "hbase")]
use keystride_hbase::Client;
use keystride_hbase::{BadAddress, ClientOptions, ClusterAddress, Wait};

#[cfg(feature = "hbase")]
use crate::HBaseStore;
#[cfg(feature = "embedded")]
use crate::{EmbeddedOptions, EmbeddedStore};
use crate::{Store, StoreError, Writers};

/// Where a store is.
///
/// ```
/// # use keystride_store::StoreAddress;
/// let address: StoreAddress = "embedded:data".parse()?;
/// assert_eq!(address, StoreAddress::Embedded("data".into()));
/// assert!("hbase://zk1,zk2:2181/hbase".parse::<StoreAddress>().is_ok());
/// # Ok::<(), keystride_store::AddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreAddress {
    /// `embedded:FOLDER`: an [`EmbeddedStore`].
    Embedded(PathBuf),
    /// `hbase://ZOOKEEPER:2181/hbase` or `hbase+rpc://MASTER:16000`: an [`HBaseStore`].
    HBase(ClusterAddress),
}

/// A text that is not the address of a store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// It begins as no address does.
    #[error(
        "\"{found}\" is not a store; write embedded:DIR, hbase://ZOOKEEPER:2181/hbase or hbase+rpc://MASTER:16000"
    )]
    Unknown {
        /// The text.
        found: String,
    },
    /// It is not the address of a cluster.
    #[error(transparent)]
    Cluster(#[from] BadAddress),
}

/// Settings for opening a store, whichever it is.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Settings of a folder.
    #[cfg(feature = "embedded")]
    pub embedded: EmbeddedOptions,
    /// Settings of a cluster's client. The user is not the one that the environment names unless
    /// [`ClientOptions::from_env`] is given.
    pub client: ClientOptions,
    /// Whether a folder that has no store is refused; otherwise, one is created there.
    pub must_exist: bool,
}

/// A store that can be opened, if this program was built with its kind. A cluster's client is there already, so that
/// what it waits for can be shown meanwhile.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreOpener {
    /// The store of a folder.
    #[cfg(feature = "embedded")]
    Embedded {
        /// The folder.
        folder: PathBuf,
        /// Its settings.
        options: EmbeddedOptions,
        /// As in [`OpenOptions`].
        must_exist: bool,
    },
    /// That of a cluster.
    #[cfg(feature = "hbase")]
    HBase(Client),
    /// A store whose kind was left out.
    NotBuilt {
        /// The kind of store.
        what: &'static str,
        /// The feature of this crate that it needs.
        feature: &'static str,
    },
}

impl StoreAddress {
    /// Returns the same store with its folder, if it has one, taken relative to `folder`.
    #[must_use]
    pub fn seen_from(&self, folder: &Path) -> Self {
        match self {
            Self::Embedded(dir) => Self::Embedded(folder.join(dir).components().collect()),
            Self::HBase(address) => Self::HBase(address.clone()),
        }
    }

    /// Returns who else may write to its tables.
    pub fn writers(&self) -> Writers {
        match self {
            Self::Embedded(_) => Writers::Alone,
            Self::HBase(_) => Writers::Others,
        }
    }

    /// Returns what opens the store.
    #[cfg_attr(
        not(any(feature = "embedded", feature = "hbase")),
        expect(unused_variables, reason = "no store has options that can be opened")
    )]
    pub fn opener(&self, options: OpenOptions) -> StoreOpener {
        match self {
            #[cfg(feature = "embedded")]
            Self::Embedded(folder) => StoreOpener::Embedded {
                folder: folder.clone(),
                options: options.embedded,
                must_exist: options.must_exist,
            },
            #[cfg(not(feature = "embedded"))]
            Self::Embedded(_) => StoreOpener::NotBuilt { what: "stores in folders", feature: "embedded" },
            #[cfg(feature = "hbase")]
            Self::HBase(address) => StoreOpener::HBase(Client::with_options(address, options.client)),
            #[cfg(not(feature = "hbase"))]
            Self::HBase(_) => StoreOpener::NotBuilt { what: "stores on clusters", feature: "hbase" },
        }
    }

    /// Opens the store.
    ///
    /// # Errors
    ///
    /// As those of [`StoreOpener::open`].
    pub async fn open(&self, options: OpenOptions) -> Result<Arc<dyn Store>, StoreError> {
        self.opener(options).open().await
    }
}

impl StoreOpener {
    /// Opens the store. A cluster that can't be reached is told at once, not after all attempts of the first call.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoStore`] for a folder without a store that must have one, [`StoreError::NotBuilt`], or what opening
    /// it comes to.
    pub async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        match self {
            #[cfg(feature = "embedded")]
            Self::Embedded { folder, options, must_exist } => {
                if *must_exist {
                    check_folder(folder)?;
                }
                Ok(Arc::new(EmbeddedStore::open(folder, options.clone()).await?))
            }
            #[cfg(feature = "hbase")]
            Self::HBase(client) => {
                client.cluster_id().await.map_err(|error| StoreError::Cluster(Box::new(error)))?;
                Ok(Arc::new(HBaseStore::new(client.clone())))
            }
            Self::NotBuilt { what, feature } => Err(StoreError::NotBuilt { what, feature }),
        }
    }

    /// Returns what the client of a cluster waits for now, the longest wait first; of a folder, nothing.
    pub fn waits(&self) -> Vec<Wait> {
        match self {
            #[cfg(feature = "hbase")]
            Self::HBase(client) => client.waits(),
            _ => Vec::new(),
        }
    }
}

/// Checks that a folder may have a store: that it is there, and not empty.
///
/// # Errors
///
/// [`StoreError::NoStore`], or [`StoreError::Io`] when it can't be looked into.
#[cfg(feature = "embedded")]
pub(crate) fn check_folder(folder: &Path) -> Result<(), StoreError> {
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(false) => Ok(()),
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(StoreError::Io { path: folder.to_owned(), doing: "look into it", source })
        }
        _ => Err(StoreError::NoStore { folder: folder.to_owned() }),
    }
}

impl FromStr for StoreAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        match text.strip_prefix("embedded:") {
            Some(dir) if !dir.is_empty() => Ok(Self::Embedded(PathBuf::from(dir))),
            None if text.starts_with("hbase") => Ok(Self::HBase(text.parse()?)),
            _ => Err(AddressError::Unknown { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Embedded(folder) => write!(f, "embedded:{}", folder.display()),
            Self::HBase(address) => fmt::Display::fmt(address, f),
        }
    }
}
