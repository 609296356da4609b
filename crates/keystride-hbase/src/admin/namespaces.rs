//! Namespaces.

use super::Admin;
use crate::{Error, NamespaceDescriptor, TableName, proto};

impl Admin {
    /// Creates a namespace.
    ///
    /// # Errors
    ///
    /// The master's `NamespaceExistException`.
    pub async fn create_namespace(&self, namespace: &NamespaceDescriptor) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::CreateNamespaceRequest {
            namespace_descriptor: namespace.to_proto(),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let answer: proto::CreateNamespaceResponse = self.call("CreateNamespace", &request).await?;
        let is_done = async { Ok(self.namespaces().await?.contains(namespace)) };
        self.finish("creating the namespace", answer.proc_id, is_done).await
    }

    /// Replaces all settings of a namespace.
    ///
    /// # Errors
    ///
    /// The master's `NamespaceNotFoundException`.
    pub async fn modify_namespace(&self, namespace: &NamespaceDescriptor) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::ModifyNamespaceRequest {
            namespace_descriptor: namespace.to_proto(),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let answer: proto::ModifyNamespaceResponse = self.call("ModifyNamespace", &request).await?;
        let is_done = async { Ok(self.namespaces().await?.contains(namespace)) };
        self.finish("changing the namespace", answer.proc_id, is_done).await
    }

    /// Deletes an empty namespace.
    ///
    /// # Errors
    ///
    /// The master's `NamespaceNotFoundException`, or its `ConstraintException` if the namespace has tables.
    pub async fn delete_namespace(&self, namespace: &str) -> Result<(), Error> {
        let nonce = self.nonce();
        let request = proto::DeleteNamespaceRequest {
            namespace_name: namespace.into(),
            nonce_group: nonce.group,
            nonce: nonce.nonce,
        };
        let answer: proto::DeleteNamespaceResponse = self.call("DeleteNamespace", &request).await?;
        let is_done = async { Ok(self.namespaces().await?.iter().all(|known| known.name() != namespace)) };
        self.finish("deleting the namespace", answer.proc_id, is_done).await
    }

    /// A namespace's descriptor.
    ///
    /// # Errors
    ///
    /// The master's `NamespaceNotFoundException`.
    pub async fn namespace(&self, namespace: &str) -> Result<NamespaceDescriptor, Error> {
        const METHOD: &str = "GetNamespaceDescriptor";
        let request = proto::GetNamespaceDescriptorRequest { namespace_name: namespace.into() };
        let answer: proto::GetNamespaceDescriptorResponse = self.call(METHOD, &request).await?;
        match NamespaceDescriptor::from_proto(answer.namespace_descriptor) {
            Ok(namespace) => Ok(namespace),
            Err(error) => Err(self.bad_answer(METHOD, error).await),
        }
    }

    /// All namespaces, sorted by name, including HBase's own.
    ///
    /// # Errors
    ///
    /// Any error of calling the master.
    pub async fn namespaces(&self) -> Result<Vec<NamespaceDescriptor>, Error> {
        const METHOD: &str = "ListNamespaceDescriptors";
        let request = proto::ListNamespaceDescriptorsRequest {};
        let answer: proto::ListNamespaceDescriptorsResponse = self.call(METHOD, &request).await?;
        self.read_by_name(
            METHOD,
            answer.namespace_descriptor,
            NamespaceDescriptor::from_proto,
            NamespaceDescriptor::name,
        )
        .await
    }

    /// The names of a namespace's tables, sorted.
    ///
    /// # Errors
    ///
    /// The master's `NamespaceNotFoundException`.
    pub async fn tables_of_namespace(&self, namespace: &str) -> Result<Vec<TableName>, Error> {
        const METHOD: &str = "ListTableNamesByNamespace";
        let request = proto::ListTableNamesByNamespaceRequest { namespace_name: namespace.into() };
        let answer: proto::ListTableNamesByNamespaceResponse = self.call(METHOD, &request).await?;
        self.names(METHOD, &answer.table_name).await
    }
}
