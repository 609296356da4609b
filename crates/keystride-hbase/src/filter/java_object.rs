//! The encoding of filters and comparators: the name of a Java class, and its message.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use prost::Message;

use crate::bytes_text::Escaped;

/// The fully qualified name of a class of HBase.
macro_rules! class {
    ($name:literal) => {
        concat!("org.apache.hadoop.hbase.filter.", $name)
    };
}
pub(super) use class;

/// A Java object: the server calls the class's `parseFrom` with the bytes.
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
