//! Malformed answers of the registry service.

use prost::Message;

use super::rpc::{active_master, meta_server, others};
use crate::fuzz::Fuzz;
use crate::proto;

fn server(port: u32) -> proto::ServerName {
    proto::ServerName { host_name: "rs1".into(), port: Some(port), start_code: Some(1_700_000_000_000) }
}

fn messages() -> Vec<Vec<u8>> {
    let region_info = proto::RegionInfo {
        region_id: 1,
        table_name: proto::TableName { namespace: "hbase".into(), qualifier: "meta".into() },
        ..Default::default()
    };
    let location = |port| proto::RegionLocation {
        region_info: region_info.clone(),
        server_name: Some(server(port)),
        seq_num: 1,
    };
    vec![
        proto::GetMetaRegionLocationsResponse { meta_locations: vec![location(16_020), location(0)] }
            .encode_to_vec(),
        proto::GetActiveMasterResponse { server_name: Some(server(16_000)) }.encode_to_vec(),
        proto::GetBootstrapNodesResponse { server_name: vec![server(1), server(70_000)] }.encode_to_vec(),
    ]
}

#[test]
fn a_server_that_is_named_has_an_address_or_is_passed_over() {
    Fuzz::of("registry").and(messages()).run(|input| {
        let meta = proto::GetMetaRegionLocationsResponse::decode(input).ok().as_ref().and_then(meta_server);
        let master = proto::GetActiveMasterResponse::decode(input).ok().as_ref().and_then(active_master);
        for server in meta.into_iter().chain(master) {
            assert_ne!(server.address().port, 0);
        }
        let nodes = proto::GetBootstrapNodesResponse::decode(input).unwrap_or_default();
        assert!(others(&nodes).len() <= nodes.server_name.len());
    });
}
