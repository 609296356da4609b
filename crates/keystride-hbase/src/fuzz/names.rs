//! Malformed names and addresses.

use super::Fuzz;
use crate::{ClusterAddress, FamilyName, HostPort, ServerName, TableName};

fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}

#[test]
fn an_accepted_address_is_displayed_equivalently() {
    let addresses = [
        "hbase+rpc://m1,m2:1,[::1]:16020/",
        "hbase://zk1,zk2:2181,zk3/hbase",
        "hbase://zk1/secure/",
        "hbase://[fe80::1]:2181,10.0.0.1",
    ];
    Fuzz::of("address").and(addresses).run(|input| {
        if let Ok(address) = text(input).parse::<ClusterAddress>() {
            assert_eq!(address.to_string().parse(), Ok(address));
        }
        if let Ok(server) = HostPort::parse(&text(input), 1) {
            assert_eq!(server.to_string().parse(), Ok(server));
        }
    });
}

#[test]
fn an_accepted_name_is_displayed_unchanged() {
    let names = ["t", "ns:t", "a_b-c.d", "default:\u{8868}", "hbase:meta", "rs1,16020,1700000000000"];
    Fuzz::of("name").and(names).run(|input| {
        let text = text(input);
        if let Ok(table) = TableName::new(&text) {
            assert_eq!(TableName::new(&table.to_string()), Ok(table.clone()));
            assert_eq!(TableName::from_proto(&table.to_proto()), Ok(table));
        }
        if let Ok(family) = FamilyName::new(&text) {
            assert_eq!(FamilyName::from_bytes(family.as_bytes()).unwrap().to_string(), text);
        }
        if let Some(server) = ServerName::parse(&text) {
            assert_eq!(ServerName::parse(&server.to_string()), Some(server.clone()));
            assert!(server.port == 0 || ServerName::from_proto(&server.to_proto()) == Some(server));
        }
    });
}
