//! Options of a client.

use std::time::Duration;

/// How a client behaves. The defaults are those of HBase's own client, except that every call has a time limit.
///
/// ```
/// # use std::time::Duration;
/// # use keystride_hbase::ClientOptions;
/// let options = ClientOptions::from_env().with(|options| options.operation_timeout = Duration::from_secs(30));
/// assert_eq!(options.rpc_timeout, Duration::from_mins(1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientOptions {
    /// How the client identifies its user.
    pub auth: Auth,
    /// Time limit of opening a connection, including the TLS handshake (`hbase.ipc.client.socket.timeout.connect`).
    pub connect_timeout: Duration,
    /// Time limit of one call (`hbase.rpc.timeout`).
    pub rpc_timeout: Duration,
    /// Time limit of a get, a write or a step of a scan with all attempts (`hbase.client.operation.timeout`).
    pub operation_timeout: Duration,
    /// How long to look for the active master before an operation that needs it fails. Java's client uses the operation
    /// timeout.
    pub master_timeout: Duration,
    /// Maximum number of attempts (`hbase.client.retries.number` + 1).
    pub max_attempts: u32,
    /// Pause before the second attempt; later pauses are longer (`hbase.client.pause`).
    pub pause: Duration,
    /// The pause for overloaded servers (`hbase.client.pause.server.overloaded`).
    pub pause_overloaded: Duration,
    /// How long a [timeline get](crate::Table::get_timeline) waits for the primary before it asks the other replicas
    /// (`hbase.client.primaryCallTimeout.get`).
    pub primary_timeout: Duration,
    /// How long a [timeline scan](crate::Scan::timeline) waits for the primary to open a scanner before it asks the
    /// other replicas (`hbase.client.replicaCallTimeout.scan`).
    pub primary_scan_timeout: Duration,
    /// How long a connection without calls stays open (`hbase.ipc.client.connection.minIdleTimeBeforeClose`).
    pub idle_close: Duration,
    /// Maximum number of concurrent calls on one connection; further calls wait.
    pub calls_in_flight: usize,
    /// Maximum size of concurrent requests on one connection, in bytes; further requests wait.
    pub bytes_in_flight: usize,
    /// Whether cells are sent with their tags. Servers return tags only to users who may see them.
    pub tags: bool,
    /// TLS settings; `None` for plain connections.
    #[cfg(feature = "tls")]
    pub tls: Option<crate::TlsOptions>,
    /// Compression of cell blocks.
    pub compression: CellCompression,
    /// How many regions one lookup reads from hbase:meta (`hbase.client.locate.prefetch.limit`).
    pub locate_prefetch: u32,
}

/// How a client identifies its user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Auth {
    /// By name, without proof (`hbase.security.authentication` is `simple`).
    Simple {
        /// The user's name.
        user: String,
    },
}

/// Compression of cell blocks in requests and answers. The server needs the same codec: without its class it closes the
/// connection without an answer.
///
/// Worthwhile where the network is the bottleneck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CellCompression {
    /// No compression.
    #[default]
    None,
    /// Hadoop's `GzipCodec`, which every server has.
    Gzip,
    /// Hadoop's `SnappyCodec`. From Hadoop 3.3 on it needs snappy-java, which comes with HBase.
    Snappy,
    /// Hadoop's `Lz4Codec`. Since Hadoop 3.3 it needs lz4-java, which does not come with HBase. Without it a server
    /// accepts the codec, but never answers a call with cells.
    Lz4,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            auth: Auth::default(),
            connect_timeout: Duration::from_secs(10),
            rpc_timeout: Duration::from_mins(1),
            operation_timeout: Duration::from_mins(20),
            master_timeout: Duration::from_mins(20),
            max_attempts: 16,
            pause: Duration::from_millis(100),
            pause_overloaded: Duration::from_millis(500),
            primary_timeout: Duration::from_millis(10),
            primary_scan_timeout: Duration::from_secs(1),
            idle_close: Duration::from_mins(2),
            calls_in_flight: 256,
            bytes_in_flight: 64 << 20,
            tags: false,
            #[cfg(feature = "tls")]
            tls: None,
            compression: CellCompression::None,
            locate_prefetch: 10,
        }
    }
}

impl Default for Auth {
    fn default() -> Self {
        Self::Simple { user: "keystride".to_owned() }
    }
}

impl Auth {
    /// The user in `HADOOP_USER_NAME`, as in Hadoop, else in `USER`, else the default.
    pub fn from_env() -> Self {
        Self::of(|name| std::env::var(name).ok())
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let named =
            ["HADOOP_USER_NAME", "USER"].into_iter().filter_map(variable).find(|name| !name.is_empty());
        named.map_or_else(Self::default, |user| Self::Simple { user })
    }
}

impl ClientOptions {
    /// The default options with the user from the environment, see [`Auth::from_env`].
    pub fn from_env() -> Self {
        Self { auth: Auth::from_env(), ..Self::default() }
    }

    /// The options after a change.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(crate) fn codec(&self) -> &'static str {
        if self.tags {
            "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags"
        } else {
            "org.apache.hadoop.hbase.codec.KeyValueCodec"
        }
    }

    pub(crate) fn compressor(&self) -> Option<&'static str> {
        match self.compression {
            CellCompression::None => None,
            CellCompression::Gzip => Some("org.apache.hadoop.io.compress.GzipCodec"),
            CellCompression::Snappy => Some("org.apache.hadoop.io.compress.SnappyCodec"),
            CellCompression::Lz4 => Some("org.apache.hadoop.io.compress.Lz4Codec"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_comes_from_the_environment() {
        let of = |set: &[(&str, &str)]| {
            let Auth::Simple { user } = Auth::of(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, user)| (*user).to_owned())
            });
            user
        };
        assert_eq!(of(&[("USER", "ada"), ("HADOOP_USER_NAME", "loader")]), "loader");
        assert_eq!(of(&[("USER", "ada"), ("HADOOP_USER_NAME", "")]), "ada");
        assert_eq!(of(&[]), "keystride");
    }
}
