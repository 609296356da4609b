//! Settings as pairs, with typed access.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::{self, FromStr};

use bytes::Bytes;

use super::DescriptorError;
use crate::bytes_text::Escaped;
use crate::proto;

/// Attributes as HBase stores them: names and values, nearly always text.
pub(super) type Attributes = BTreeMap<Bytes, Bytes>;

/// Settings by their Hadoop names, such as `hbase.store.engine.class`.
pub(super) type Configuration = BTreeMap<String, String>;

/// Reads an attribute of `of`. `None` if it is not set.
pub(super) fn read<T>(
    attributes: &Attributes,
    name: &str,
    of: &dyn Display,
) -> Result<Option<T>, DescriptorError>
where
    T: FromStr<Err: Display>,
{
    let Some(value) = attributes.get(name.as_bytes()) else { return Ok(None) };
    let bad = |reason: String| DescriptorError::Setting {
        of: of.to_string(),
        name: name.to_owned(),
        value: Escaped(value).to_string(),
        reason,
    };
    let text = str::from_utf8(value).map_err(|error| bad(error.to_string()))?;
    parse(text).map(Some).map_err(bad)
}

/// Parses a value like Java, ignoring case. Errors quote the original text.
pub(super) fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().or_else(|error: T::Err| {
        let [upper, lower] = [text.to_ascii_uppercase(), text.to_ascii_lowercase()];
        upper.parse().or_else(|_| lower.parse()).map_err(|_| error.to_string())
    })
}

pub(super) fn write(attributes: &mut Attributes, name: &'static str, value: Option<&dyn Display>) {
    let name = Bytes::from_static(name.as_bytes());
    match value {
        Some(value) => attributes.insert(name, value.to_string().into()),
        None => attributes.remove(&name),
    };
}

/// Generates methods that read and write attributes: `"NAME" read, write: type = default;`, or `type, or_cluster;` for
/// those whose default is a setting of the cluster.
macro_rules! attributes {
    ($owner:ident { $($(#[$doc:meta])* $name:literal $read:ident, $write:ident: $type:ty $(= $default:expr)? $(, $or:ident)?;)+ }) => {
        impl $owner {
            $($crate::descriptor::attributes::attributes!(
                @one $(#[$doc])* $name $read, $write: $type $(= $default)? $(, $or)?
            );)+
        }
    };
    (@one $(#[$doc:meta])* $name:literal $read:ident, $write:ident: $type:ty = $default:expr) => {
        $(#[$doc])*
        #[doc = concat!("\nAttribute `", $name, "`, by default `", stringify!($default), "`.")]
        ///
        /// # Errors
        ///
        /// [`DescriptorError::Setting`] if its value is invalid.
        pub fn $read(&self) -> Result<$type, DescriptorError> {
            Ok($crate::descriptor::attributes::read(&self.attributes, $name, &self.shown())?.unwrap_or($default))
        }

        #[doc = concat!("Sets `", $name, "`: [`Self::", stringify!($read), "`].")]
        pub fn $write(&mut self, value: $type) -> &mut Self {
            $crate::descriptor::attributes::write(&mut self.attributes, $name, Some(&value));
            self
        }
    };
    (@one $(#[$doc:meta])* $name:literal $read:ident, $write:ident: $type:ty, or_cluster) => {
        $(#[$doc])*
        #[doc = concat!("\nAttribute `", $name, "`; `None` is what the cluster does by default.")]
        ///
        /// # Errors
        ///
        /// [`DescriptorError::Setting`] if its value is invalid.
        pub fn $read(&self) -> Result<Option<$type>, DescriptorError> {
            $crate::descriptor::attributes::read(&self.attributes, $name, &self.shown())
        }

        #[doc = concat!("Sets or, with `None`, removes `", $name, "`: [`Self::", stringify!($read), "`].")]
        pub fn $write(&mut self, value: Option<$type>) -> &mut Self {
            let value = value.as_ref().map(|value| value as &dyn std::fmt::Display);
            $crate::descriptor::attributes::write(&mut self.attributes, $name, value);
            self
        }
    };
}
pub(super) use attributes;

pub(super) fn attributes_from_proto(pairs: Vec<proto::BytesBytesPair>) -> Attributes {
    pairs.into_iter().map(|pair| (pair.first, pair.second)).collect()
}

pub(super) fn attributes_to_proto(attributes: &Attributes) -> Vec<proto::BytesBytesPair> {
    let pair = |(first, second): (&Bytes, &Bytes)| proto::BytesBytesPair {
        first: first.clone(),
        second: second.clone(),
    };
    attributes.iter().map(pair).collect()
}

pub(super) fn configuration_from_proto(pairs: Vec<proto::NameStringPair>) -> Configuration {
    pairs.into_iter().map(|pair| (pair.name, pair.value)).collect()
}

pub(super) fn configuration_to_proto(configuration: &Configuration) -> Vec<proto::NameStringPair> {
    let pair = |(name, value): (&String, &String)| proto::NameStringPair {
        name: name.clone(),
        value: value.clone(),
    };
    configuration.iter().map(pair).collect()
}
