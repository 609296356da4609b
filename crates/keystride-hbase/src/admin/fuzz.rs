//! Malformed answers of masters and region servers.

use prost::Message;

use super::procedure::outcome;
use super::{ClusterStatus, RegionLoad};
use crate::fuzz::Fuzz;
use crate::{ServerName, proto};

#[test]
fn a_status_with_any_numbers_is_accepted() {
    Fuzz::of("cluster-status").run(|input| {
        let Ok(answer) = proto::GetClusterStatusResponse::decode(input) else { return };
        let status = ClusterStatus::from_proto(answer.cluster_status);
        assert!(status.average_load() >= 0.0 && status.servers.is_sorted_by(|a, b| a.server <= b.server));
        drop(format!("{status:?}"));
    });
}

#[test]
fn a_load_with_any_numbers_is_accepted() {
    let server = ServerName { host: "rs1".into(), port: 16_020, start_code: 1 };
    Fuzz::of("region-load").run(|input| {
        let Ok(answer) = proto::GetRegionLoadResponse::decode(input) else { return };
        for load in answer.region_loads {
            let load = RegionLoad::from_proto(load, &server);
            assert!(load.store_file_bytes < 1 << 52 && load.memstore_bytes < 1 << 52);
        }
    });
}

#[test]
fn a_procedure_ends_well_or_with_a_reason() {
    let exception = proto::ForeignExceptionMessage {
        source: Some("master".into()),
        generic_exception: Some(proto::GenericExceptionMessage {
            class_name: Some("org.apache.hadoop.hbase.TableExistsException".into()),
            message: Some("t".into()),
            ..Default::default()
        }),
    };
    let answer = proto::GetProcedureResultResponse { exception: Some(exception), ..Default::default() };
    Fuzz::of("procedure").and([answer.encode_to_vec()]).run(|input| {
        let Ok(answer) = proto::GetProcedureResultResponse::decode(input) else { return };
        let _ = answer.state();
        let failed = answer.exception.is_some();
        assert_eq!(outcome("a change", answer.exception).is_err(), failed);
    });
}
