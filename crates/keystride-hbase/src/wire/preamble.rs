//! The preamble and the header of a connection.

use bytes::{BufMut, BytesMut};
use prost::Message;

use crate::proto;

/// The service that a connection is for. Each service has a connection of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Service {
    /// Rows of a region server.
    Client,
    /// Regions of a region server.
    Admin,
    /// Tables and regions of a master.
    Master,
    /// The addresses of the cluster's servers.
    Registry,
}

impl Service {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Client => "ClientService",
            Self::Admin => "AdminService",
            Self::Master => "MasterService",
            Self::Registry => "ClientMetaService",
        }
    }
}

/// The authentication code for a user name without proof.
pub(crate) const SIMPLE: u8 = 0x50;

/// The preamble: `HBas`, version 0, the authentication code.
pub(crate) fn preamble(authentication: u8) -> [u8; 6] {
    [b'H', b'B', b'a', b's', 0, authentication]
}

/// The connection header for `service`, with its length. It follows authentication.
///
/// The version is 2.6: to clients of 1.2, 1.3 and 1.4 and later, servers split large answers, put the cells of gets
/// into cell blocks, and report the state of a scanner more precisely.
pub(crate) fn connection_header(
    service: Service,
    user: &str,
    codec: &str,
    compressor: Option<&str>,
) -> BytesMut {
    let version = proto::VersionInfo {
        version: "2.6.0".into(),
        version_major: Some(2),
        version_minor: Some(6),
        ..Default::default()
    };
    let header = proto::ConnectionHeader {
        user_info: Some(proto::UserInformation { effective_user: user.into(), real_user: None }),
        service_name: Some(service.name().into()),
        cell_block_codec_class: Some(codec.into()),
        cell_block_compressor_class: compressor.map(Into::into),
        version_info: Some(version),
        attribute: Vec::new(),
    };
    let len = header.encoded_len();
    let mut out = BytesMut::with_capacity(4 + len);
    out.put_u32(u32::try_from(len).expect("a header is short"));
    header.encode(&mut out).expect("a BytesMut grows");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preamble_has_the_authentication_code() {
        assert_eq!(&preamble(SIMPLE), b"HBas\x00\x50");
    }

    #[test]
    fn a_header_begins_with_its_length() {
        let bytes = connection_header(Service::Registry, "keystride", "Codec", None);
        assert_eq!(usize::from(bytes[3]), bytes.len() - 4);
        let header = proto::ConnectionHeader::decode(&bytes[4..]).unwrap();
        assert_eq!(header.service_name(), "ClientMetaService");
    }
}
