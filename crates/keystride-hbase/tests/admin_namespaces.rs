//! Namespaces are created, changed and deleted.

mod scratch;

use keystride_hbase::{NamespaceDescriptor, TableName};
use scratch::{Scratch, demand_rows, described, fill};

#[tokio::test]
async fn a_namespace_holds_its_tables() {
    let Some(scratch) = Scratch::new("a_namespace") else { return };
    scratch
        .run(async {
            let (admin, name) = (&scratch.admin, scratch.text("n"));
            let class =
                async |error: keystride_hbase::Error| error.remote().unwrap().short_class().to_owned();
            let missing = class(admin.namespace(&name).await.unwrap_err()).await;
            assert_eq!(missing, "NamespaceNotFoundException");

            let mut namespace = NamespaceDescriptor::new(&name).unwrap();
            namespace.configuration.insert("ours".into(), "1".into());
            admin.create_namespace(&namespace).await.unwrap();
            assert_eq!(admin.namespace(&name).await.unwrap(), namespace);
            let exists = admin.create_namespace(&namespace).await.unwrap_err();
            assert!(exists.to_string().contains("NamespaceExistException"), "{exists}");

            namespace.configuration.insert("ours".into(), "2".into());
            admin.modify_namespace(&namespace).await.unwrap();
            let all = admin.namespaces().await.unwrap();
            assert!(all.contains(&namespace));
            assert!(["default", "hbase"].iter().all(|&own| all.iter().any(|found| found.name() == own)));

            let table = TableName::new(&format!("{name}:t")).unwrap();
            admin.create_table(&described(&table), &["020"]).await.unwrap();
            assert_eq!(admin.tables_of_namespace(&name).await.unwrap(), std::slice::from_ref(&table));
            let handle = scratch.client.table(table.clone());
            fill(&handle, 40).await;
            demand_rows(&handle, 40).await;

            let full = admin.delete_namespace(&name).await.unwrap_err();
            assert!(full.to_string().contains("Only empty namespaces can be removed"), "{full}");
            admin.disable_table(&table).await.unwrap();
            admin.delete_table(&table).await.unwrap();
            admin.delete_namespace(&name).await.unwrap();
            assert!(admin.namespaces().await.unwrap().iter().all(|found| found.name() != name));
        })
        .await;
}
