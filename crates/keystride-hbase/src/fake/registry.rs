//! The registry service.

use super::{Answer, Exception, State};
use crate::proto;
use crate::region::meta_region;

pub(crate) fn answer(state: &State, method: &str) -> Result<Answer, Exception> {
    Ok(match method {
        "GetClusterId" => Answer::of(&proto::GetClusterIdResponse { cluster_id: Some("fake".into()) }),
        "GetActiveMaster" => {
            let server_name = state.master.map(|server| state.servers[server].to_proto());
            Answer::of(&proto::GetActiveMasterResponse { server_name })
        }
        "GetMetaRegionLocations" => Answer::of(&meta_locations(state)),
        "GetBootstrapNodes" => {
            let up = state.servers.iter().zip(&state.up).filter(|(_, up)| **up);
            let server_name = up.map(|(server, _)| server.to_proto()).collect();
            Answer::of(&proto::GetBootstrapNodesResponse { server_name })
        }
        method => return Err(Exception::unknown_method(method)),
    })
}

fn meta_locations(state: &State) -> proto::GetMetaRegionLocationsResponse {
    let location = |server: usize| proto::RegionLocation {
        region_info: meta_region().to_proto(),
        server_name: Some(state.servers[server].to_proto()),
        seq_num: 1,
    };
    proto::GetMetaRegionLocationsResponse {
        meta_locations: state.meta_at.map(location).into_iter().collect(),
    }
}
