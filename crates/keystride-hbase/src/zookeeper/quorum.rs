//! Parsing a ZooKeeper quorum string.

use super::Ensemble;
use crate::HostPort;
use crate::server::BadServer;

const DEFAULT_PORT: u16 = 2_181;

impl Ensemble {
    /// Parses `zk1,zk2:2181`. A port given only for the last server applies to all; otherwise servers without a port
    /// use 2181.
    pub(crate) fn parse(quorum: &str) -> Result<Self, BadServer> {
        let parts: Vec<&str> = quorum.split(',').map(str::trim).collect();
        let (last, rest) = parts.split_last().expect("split gives one part at least");
        let shared = port_of(last).filter(|_| rest.iter().all(|part| port_of(part).is_none()));
        let default_port = shared.unwrap_or(DEFAULT_PORT);
        let servers: Result<_, _> = parts.iter().map(|part| HostPort::parse(part, default_port)).collect();
        Ok(Self::new(servers?))
    }
}

/// The port that `text` names: then the default port makes no difference.
fn port_of(text: &str) -> Option<u16> {
    let [one, other] = [1, 2].map(|default_port| HostPort::parse(text, default_port).ok().map(|at| at.port));
    one.filter(|_| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(quorum: &str) -> String {
        let ensemble = Ensemble::parse(quorum).unwrap();
        ensemble.servers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_port_at_the_end_applies_to_all() {
        assert_eq!(shown("zk1"), "zk1:2181");
        assert_eq!(shown("zk1,zk2:2182"), "zk1:2182 zk2:2182");
        assert_eq!(shown("zk1, [::1], zk3:2182"), "zk1:2182 [::1]:2182 zk3:2182");
    }

    #[test]
    fn other_ports_apply_to_their_own_servers() {
        assert_eq!(shown("zk1:2182,zk2"), "zk1:2182 zk2:2181");
        assert_eq!(shown("zk1,zk2:2181,zk3:2182"), "zk1:2181 zk2:2181 zk3:2182");
        assert_eq!(shown("[::1]:2182,[::2]"), "[::1]:2182 [::2]:2181");
    }

    #[test]
    fn invalid_servers_are_refused() {
        for quorum in ["", "zk1,", ",zk1", "zk1:x", "zk1 zk2", "zk1:70000,zk2"] {
            assert!(Ensemble::parse(quorum).is_err(), "{quorum:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_server_comes_of_each_part_or_none_does(quorum in "[a-c:,0-9\\[\\] ]{0,12}") {
            if let Ok(ensemble) = Ensemble::parse(&quorum) {
                proptest::prop_assert_eq!(ensemble.servers.len(), quorum.split(',').count());
            }
        }
    }
}
