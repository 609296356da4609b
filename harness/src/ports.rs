//! Free ports, asked from the system.

use std::net::{Ipv4Addr, TcpListener};

use crate::HarnessError;

/// `N` ports of 127.0.0.1 that were free a moment ago, none twice.
///
/// Another process may take one before a server does: whoever starts the server tries again with new ones.
pub(crate) fn free_ports(count: usize) -> Result<Vec<u16>, HarnessError> {
    let listeners: Result<Vec<_>, _> =
        (0..count).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).collect();
    listeners
        .and_then(|all| all.iter().map(|listener| Ok(listener.local_addr()?.port())).collect())
        .map_err(|source| HarnessError::NoPort { source })
}

/// How many times something whose port was taken is started.
const ATTEMPTS: usize = 5;

/// Starts something, and again while it finds its port taken.
pub(crate) fn until_free<T>(mut start: impl FnMut() -> Result<T, HarnessError>) -> Result<T, HarnessError> {
    for _ in 1..ATTEMPTS {
        match start() {
            Err(HarnessError::PortTaken { .. }) => {}
            result => return result,
        }
    }
    start()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::free_ports;

    #[test]
    fn no_port_is_given_twice() {
        let ports = free_ports(20).unwrap();
        assert_eq!(ports.iter().collect::<BTreeSet<_>>().len(), 20);
    }
}
