//! Settings of a client.

use std::time::Duration;

/// How a client behaves. The defaults are those of HBase's own client, except that no call is without an end.
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
    /// How the client says who it is.
    pub auth: Auth,
    /// How long making a connection may take, TLS's handshake included (`hbase.ipc.client.socket.timeout.connect`).
    pub connect_timeout: Duration,
    /// How long one call may take (`hbase.rpc.timeout`).
    pub rpc_timeout: Duration,
    /// How long a get, a write or a step of a scan may take with all its attempts
    /// (`hbase.client.operation.timeout`).
    pub operation_timeout: Duration,
    /// How long the active master is looked for before what needs it fails; in Java's client it is the operation timeout.
    pub master_timeout: Duration,
    /// How often something is tried (`hbase.client.retries.number` and one more).
    pub max_attempts: u32,
    /// The first pause between attempts; later ones grow (`hbase.client.pause`).
    pub pause: Duration,
    /// The same for servers that have too much to do (`hbase.client.pause.server.overloaded`).
    pub pause_overloaded: Duration,
    /// How long a [timeline get](crate::Table::get_timeline) waits for the region before it asks its copies
    /// (`hbase.client.primaryCallTimeout.get`).
    pub primary_timeout: Duration,
    /// How long a [timeline scan](crate::Scan::timeline) waits for a region to open a scanner before it asks the region's
    /// copies (`hbase.client.replicaCallTimeout.scan`).
    pub primary_scan_timeout: Duration,
    /// When a connection without calls is closed (`hbase.ipc.client.connection.minIdleTimeBeforeClose`).
    pub idle_close: Duration,
    /// Calls under way on one connection; more wait.
    pub calls_in_flight: usize,
    /// Bytes of requests under way on one connection; more wait.
    pub bytes_in_flight: usize,
    /// Whether cells travel with their tags. Servers send them to those only who may see them.
    pub tags: bool,
    /// TLS, for servers that speak it; without, connections are plain.
    #[cfg(feature = "tls")]
    pub tls: Option<crate::TlsOptions>,
    /// How cell blocks are compressed.
    pub compression: CellCompression,
    /// How many regions are read from hbase:meta when one is looked up (`hbase.client.locate.prefetch.limit`).
    pub locate_prefetch: u32,
}

/// How a client says who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Auth {
    /// By a name that servers take its word for (`hbase.security.authentication` is `simple`).
    Simple {
        /// The user's name.
        user: String,
    },
}

/// How cells are compressed on the way, in requests and answers. The server needs the same codec; one that does not
/// find its class closes the connection without a word.
///
/// Worth its time where the network is what is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CellCompression {
    /// Not at all.
    #[default]
    None,
    /// Hadoop's `GzipCodec`, which every server has.
    Gzip,
    /// Hadoop's `SnappyCodec`. From Hadoop 3.3 on it needs snappy-java, which comes with HBase.
    Snappy,
    /// Hadoop's `Lz4Codec`. From Hadoop 3.3 on it needs lz4-java, which does not come with HBase: a server without it
    /// knows the codec, but never answers a call that brings cells.
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
    /// The user `keystride`.
    fn default() -> Self {
        Self::Simple { user: "keystride".to_owned() }
    }
}

impl Auth {
    /// The user that the environment names: in `HADOOP_USER_NAME`, as Hadoop has it, else in `USER`, else the default.
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
    /// The default options with the user that the environment names, see [`Auth::from_env`].
    pub fn from_env() -> Self {
        Self { auth: Auth::from_env(), ..Self::default() }
    }

    /// The options with a change.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The codec's Java class.
    pub(crate) fn codec(&self) -> &'static str {
        if self.tags {
            "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags"
        } else {
            "org.apache.hadoop.hbase.codec.KeyValueCodec"
        }
    }

    /// The compressor's Java class.
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
    fn the_user_is_who_hadoop_is_told() {
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
