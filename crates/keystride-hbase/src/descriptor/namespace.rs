//! Namespaces.

use super::attributes::{Configuration, configuration_from_proto, configuration_to_proto};
use crate::name::{check_namespace, text};
use crate::{NameError, proto};

/// A namespace: its name and its settings, such as quotas.
///
/// ```
/// # use keystride_hbase::NamespaceDescriptor;
/// let mut namespace = NamespaceDescriptor::new("ops")?;
/// namespace.configuration.insert("hbase.namespace.quota.maxtables".into(), "10".into());
/// assert!(NamespaceDescriptor::new("o-p").is_err());
/// # Ok::<(), keystride_hbase::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamespaceDescriptor {
    name: Box<str>,
    /// Its settings.
    pub configuration: Configuration,
}

const WHAT: &str = "namespace";

impl NamespaceDescriptor {
    /// A namespace without settings.
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that HBase refuses.
    pub fn new(name: &str) -> Result<Self, NameError> {
        check_namespace(WHAT, name, name)?;
        Ok(Self { name: name.into(), configuration: Configuration::new() })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn to_proto(&self) -> proto::NamespaceDescriptor {
        proto::NamespaceDescriptor {
            name: self.name.as_bytes().to_vec().into(),
            configuration: configuration_to_proto(&self.configuration),
        }
    }

    pub(crate) fn from_proto(namespace: proto::NamespaceDescriptor) -> Result<Self, NameError> {
        let configuration = configuration_from_proto(namespace.configuration);
        Ok(Self { configuration, ..Self::new(text(WHAT, &namespace.name)?)? })
    }
}
