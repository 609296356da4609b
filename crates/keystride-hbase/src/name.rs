//! Names of tables and column families.

use std::fmt;
use std::str::FromStr;

use bytes::Bytes;

use crate::bytes_text::Escaped;
use crate::proto;

/// Maximum length of a family name in bytes: a cell stores it in a signed byte (Java's `Byte.MAX_VALUE`).
pub const MAX_FAMILY_LEN: usize = 127;

/// Maximum length of a namespace and of a table's qualifier in bytes: each is a directory name in HDFS
/// (`dfs.namenode.fs-limits.max-component-length`).
pub const MAX_TABLE_LEN: usize = 255;

const DEFAULT_NAMESPACE: &str = "default";

/// A table's name: `namespace:qualifier`, or the qualifier alone for the namespace `default`.
///
/// The namespace has letters, digits and `_`. The qualifier has letters, digits, `_`, `-` and `.`, does not start with
/// `-` or `.`, and is not `zookeeper`. HBase's `TableName.isLegalNamespaceName` and `isLegalTableQualifierName`.
///
/// ```
/// # use keystride_hbase::TableName;
/// let name: TableName = "ops:log-2014".parse()?;
/// assert_eq!((name.namespace(), name.qualifier()), ("ops", "log-2014"));
/// assert_eq!(TableName::new("default:t")?.to_string(), "t");
/// assert!(TableName::new(".hidden").is_err());
/// # Ok::<(), keystride_hbase::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName {
    namespace: Box<str>,
    qualifier: Box<str>,
}

/// A column family's name: 1 to 127 bytes, without control characters, `:`, `/` and `\`, and not starting with `.`.
///
/// HBase's `ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilyName(Box<str>);

/// Text that is not a valid name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// An empty name, or nothing on one side of the `:`.
    #[error("{what} {name:?} is empty")]
    Empty {
        /// The kind of name.
        what: &'static str,
        /// The whole text.
        name: String,
    },
    /// A character that is not allowed there.
    #[error("{what} {name:?} can't hold {found:?} at {at}: use {allowed}")]
    Character {
        /// The kind of name.
        what: &'static str,
        /// The whole text.
        name: String,
        /// The character.
        found: char,
        /// Its byte position in the namespace, qualifier or family, from 0.
        at: usize,
        /// The allowed characters.
        allowed: &'static str,
    },
    /// A name that HBase reserves.
    #[error("{what} {name:?} is reserved by HBase")]
    Reserved {
        /// The kind of name.
        what: &'static str,
        /// The whole text.
        name: String,
    },
    /// A family name of more than [`MAX_FAMILY_LEN`] bytes, or a table's of more than [`MAX_TABLE_LEN`].
    #[error("{what} of {len} bytes is too long: HBase takes at most {most}")]
    TooLong {
        /// The kind of name.
        what: &'static str,
        /// Its length in bytes.
        len: usize,
        /// The maximum length.
        most: usize,
    },
    /// Bytes from a server that are not UTF-8.
    #[error("{what} {bytes} is not UTF-8")]
    NotText {
        /// The kind of name.
        what: &'static str,
        /// The bytes, escaped.
        bytes: String,
    },
}

impl TableName {
    /// Parses a name as HBase's shell writes it.
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that HBase refuses.
    pub fn new(name: &str) -> Result<Self, NameError> {
        let (namespace, qualifier) = name.split_once(':').unwrap_or((DEFAULT_NAMESPACE, name));
        check_namespace("namespace of table name", namespace, name)?;
        check_qualifier("table name", qualifier, name)?;
        check_len("namespace of table name", namespace, MAX_TABLE_LEN)?;
        check_len("table name", qualifier, MAX_TABLE_LEN)?;
        Ok(Self { namespace: namespace.into(), qualifier: qualifier.into() })
    }

    pub(crate) fn from_proto(name: &proto::TableName) -> Result<Self, NameError> {
        let namespace = text("namespace of table name", &name.namespace)?;
        let qualifier = text("table name", &name.qualifier)?;
        check_namespace("namespace of table name", namespace, namespace)?;
        check_qualifier("table name", qualifier, qualifier)?;
        Ok(Self { namespace: namespace.into(), qualifier: qualifier.into() })
    }

    pub(crate) fn to_proto(&self) -> proto::TableName {
        proto::TableName {
            namespace: Bytes::copy_from_slice(self.namespace.as_bytes()),
            qualifier: Bytes::copy_from_slice(self.qualifier.as_bytes()),
        }
    }

    /// The namespace; `default` if none was given.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The name without its namespace.
    pub fn qualifier(&self) -> &str {
        &self.qualifier
    }
}

impl FamilyName {
    /// Checks a family's name.
    ///
    /// # Errors
    ///
    /// [`NameError`] for a name that HBase refuses.
    pub fn new(name: &str) -> Result<Self, NameError> {
        const WHAT: &str = "family name";
        if name.is_empty() {
            return Err(NameError::Empty { what: WHAT, name: name.into() });
        }
        check_len(WHAT, name, MAX_FAMILY_LEN)?;
        let refused = name
            .char_indices()
            .find(|&(at, c)| c.is_control() || matches!(c, ':' | '/' | '\\') || (at == 0 && c == '.'));
        refuse(WHAT, name, refused, "printable characters except : / \\, and no . in front")?;
        Ok(Self(name.into()))
    }

    /// Checks a family's name from a server.
    pub(crate) fn from_bytes(name: &[u8]) -> Result<Self, NameError> {
        Self::new(text("family name", name)?)
    }

    /// The name as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The text of a name from a server.
pub(crate) fn text<'a>(what: &'static str, bytes: &'a [u8]) -> Result<&'a str, NameError> {
    str::from_utf8(bytes).map_err(|_| NameError::NotText { what, bytes: Escaped(bytes).to_string() })
}

/// Checks the part `namespace` of the name `name`.
pub(crate) fn check_namespace(what: &'static str, namespace: &str, name: &str) -> Result<(), NameError> {
    if namespace.is_empty() {
        return Err(NameError::Empty { what, name: name.into() });
    }
    let refused = namespace.char_indices().find(|&(_, c)| !c.is_alphanumeric() && c != '_');
    refuse(what, name, refused, "letters, digits and _")
}

/// Checks the part `qualifier` of the name `name` of a table or a snapshot.
pub(crate) fn check_qualifier(what: &'static str, qualifier: &str, name: &str) -> Result<(), NameError> {
    if qualifier.is_empty() {
        return Err(NameError::Empty { what, name: name.into() });
    }
    if qualifier == "zookeeper" {
        return Err(NameError::Reserved { what, name: name.into() });
    }
    let refused = qualifier.char_indices().find(|&(at, c)| match c {
        '-' | '.' => at == 0,
        '_' => false,
        c => !c.is_alphanumeric(),
    });
    refuse(what, name, refused, "letters, digits, _, - and ., with no - or . in front")
}

fn check_len(what: &'static str, name: &str, most: usize) -> Result<(), NameError> {
    let len = name.len();
    if len > most { Err(NameError::TooLong { what, len, most }) } else { Ok(()) }
}

fn refuse(
    what: &'static str,
    name: &str,
    refused: Option<(usize, char)>,
    allowed: &'static str,
) -> Result<(), NameError> {
    match refused {
        Some((at, found)) => Err(NameError::Character { what, name: name.into(), found, at, allowed }),
        None => Ok(()),
    }
}

impl FromStr for TableName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        Self::new(name)
    }
}

impl FromStr for FamilyName {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        Self::new(name)
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if &*self.namespace != DEFAULT_NAMESPACE {
            write!(f, "{}:", self.namespace)?;
        }
        f.write_str(&self.qualifier)
    }
}

impl fmt::Debug for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableName({self})")
    }
}

impl fmt::Display for FamilyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for FamilyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FamilyName({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hbases_table_names_are_taken() {
        for name in ["t", "ns:t", "a_b-c.d", "9", "数据:表", "default:t"] {
            assert!(TableName::new(name).is_ok(), "{name}");
        }
        assert_eq!(TableName::new("default:t"), TableName::new("t"));
    }

    #[test]
    fn names_hbase_refuses_are_refused() {
        for name in ["", ":t", "ns:", "-t", ".t", "a b", "a:b:c", "n-s:t", "zookeeper", "a/b"] {
            assert!(TableName::new(name).is_err(), "{name}");
        }
        for name in ["", ".f", "a:b", "a/b", "a\\b", "a\nb"] {
            assert!(FamilyName::new(name).is_err(), "{name}");
        }
        assert!(FamilyName::new(&"f".repeat(127)).is_ok());
        let long = TableName::new(&format!("n:{}", "t".repeat(256)));
        assert_eq!(long, Err(NameError::TooLong { what: "table name", len: 256, most: 255 }));
        assert_eq!(
            FamilyName::new(&"f".repeat(128)),
            Err(NameError::TooLong { what: "family name", len: 128, most: 127 })
        );
    }

    #[test]
    fn names_travel_in_two_parts() {
        let name = TableName::new("ns:t").unwrap();
        let message = name.to_proto();
        assert_eq!((&*message.namespace, &*message.qualifier), (&b"ns"[..], &b"t"[..]));
        assert_eq!(TableName::from_proto(&message), Ok(name));
        let not_text = proto::TableName { qualifier: Bytes::from_static(b"t\xff"), ..message };
        let error = TableName::from_proto(&not_text).unwrap_err();
        assert_eq!(error.to_string(), r"table name t\xFF is not UTF-8");
        assert!(TableName::from_proto(&proto::TableName::default()).is_err());
        assert!(FamilyName::from_bytes(b"\xff").is_err());
    }

    #[test]
    fn the_message_names_the_allowed_characters() {
        let text = TableName::new("a b").unwrap_err().to_string();
        assert_eq!(
            text,
            "table name \"a b\" can't hold ' ' at 1: use letters, digits, _, - and ., with no - or . in front"
        );
    }
}
