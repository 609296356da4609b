//! How filters and comparators travel: the name of a Java class, and that class's own message.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use prost::Message;

use crate::bytes_text::Escaped;

/// The full name of one of HBase's own classes.
macro_rules! class {
    ($name:literal) => {
        concat!("org.apache.hadoop.hbase.filter.", $name)
    };
}
pub(super) use class;

/// What the server makes an object of: it calls the class's `parseFrom` with the bytes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct JavaObject {
    pub(super) class: Cow<'static, str>,
    pub(super) bytes: Bytes,
}

impl JavaObject {
    pub(super) fn new(class: &'static str, message: &impl Message) -> Self {
        Self { class: class.into(), bytes: message.encode_to_vec().into() }
    }

    pub(super) fn custom(class: &str, bytes: &[u8]) -> Self {
        Self { class: class.to_owned().into(), bytes: Bytes::copy_from_slice(bytes) }
    }
}

impl fmt::Debug for JavaObject {
    /// The class without its package, and its message with unprintable bytes escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.class.rsplit('.').next().unwrap_or(&self.class);
        write!(f, "{name} {}", Escaped(&self.bytes))
    }
}
