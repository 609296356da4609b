//! The addresses of topics.

use std::fmt;
use std::str::FromStr;

/// The address of a topic: `kafka://host:9092/calls`, with several brokers `kafka://one:9092,two:9092/calls`.
///
/// ```
/// # use keystride_table::source::kafka::TopicAddress;
/// let address: TopicAddress = "kafka://one,two:9093/calls".parse()?;
/// assert_eq!((address.brokers(), address.topic()), ("one:9092,two:9093", "calls"));
/// # Ok::<(), keystride_table::source::kafka::InvalidTopicAddress>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TopicAddress {
    brokers: String,
    topic: String,
}

/// A text that is no address of a topic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is no address of a topic: {expected}, as in kafka://host:9092/topic")]
pub struct InvalidTopicAddress {
    /// The text found.
    pub found: String,
    /// What is missing or wrong.
    pub expected: &'static str,
}

/// What addresses begin with.
const SCHEME: &str = "kafka://";

/// The port of Kafka's brokers.
const PORT: u16 = 9092;

/// The longest name of a topic.
const MOST_NAME_BYTES: usize = 249;

impl TopicAddress {
    /// Whether a text is meant as an address of a topic.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with(SCHEME)
    }

    /// Returns the addresses of brokers from which the others are found: `host:port`, separated by commas.
    pub fn brokers(&self) -> &str {
        &self.brokers
    }

    /// Returns the name of the topic.
    pub fn topic(&self) -> &str {
        &self.topic
    }
}

impl FromStr for TopicAddress {
    type Err = InvalidTopicAddress;

    fn from_str(text: &str) -> Result<Self, InvalidTopicAddress> {
        let invalid = |expected| InvalidTopicAddress { found: text.to_owned(), expected };
        let rest = text.strip_prefix(SCHEME).ok_or_else(|| invalid("it begins with kafka://"))?;
        let (brokers, topic) = rest.split_once('/').ok_or_else(|| invalid("it ends with / and a topic"))?;
        if !is_topic(topic) {
            return Err(invalid("a topic has up to 249 letters, digits, dots, _ and -"));
        }
        let brokers = brokers.split(',').map(broker).collect::<Option<Vec<_>>>();
        let brokers = brokers.ok_or_else(|| invalid("each broker is a host, or host:port"))?;
        Ok(Self { brokers: brokers.join(","), topic: topic.to_owned() })
    }
}

fn is_topic(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=MOST_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_letter) && name != "." && name != ".."
}

/// Returns a broker's address with its port.
fn broker(text: &str) -> Option<String> {
    // Secrets are in no address.
    if text.is_empty() || text.contains(['@', ' ']) {
        return None;
    }
    // An IPv6 address has colons of its own, and stands in brackets.
    let after = text.rfind(']').map_or(0, |end| end + 1);
    match text[after..].split_once(':') {
        None => Some(format!("{text}:{PORT}")),
        Some((host, port)) if after + host.len() > 0 => {
            port.parse::<u16>().ok().filter(|port| *port > 0).map(|_| text.to_owned())
        }
        Some(_) => None,
    }
}

impl fmt::Display for TopicAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}/{}", self.brokers, self.topic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_brokers_and_a_topic() {
        for (text, shown) in [
            ("kafka://h:9092/t", "kafka://h:9092/t"),
            ("kafka://h/t.1_a-b", "kafka://h:9092/t.1_a-b"),
            ("kafka://a:1,b/t", "kafka://a:1,b:9092/t"),
            ("kafka://[::1]/t", "kafka://[::1]:9092/t"),
            ("kafka://[::1]:7/t", "kafka://[::1]:7/t"),
        ] {
            assert_eq!(text.parse::<TopicAddress>().unwrap().to_string(), shown);
        }
        for text in [
            "h:9092/t",
            "kafka://h:9092",
            "kafka:///t",
            "kafka://h/",
            "kafka://h/a/b",
            "kafka://h:0/t",
            "kafka://h:x/t",
            "kafka://:9092/t",
            "kafka://a,,b/t",
            "kafka://me:secret@h/t",
            "kafka://h/a b",
            "kafka://h/..",
        ] {
            assert!(text.parse::<TopicAddress>().is_err(), "{text}");
        }
    }
}
