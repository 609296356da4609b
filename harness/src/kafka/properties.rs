//! Files of Java properties: what a broker and its clients are told.

use std::path::Path;

use super::node::{Listener, Ports};
use super::zookeeper::ZooKeeper;

/// Names and values; of two with one name the later holds.
pub(crate) type Properties = Vec<(String, String)>;

/// What makes one broker enough, and tests quick.
const FOR_TESTS: [(&str, &str); 15] = [
    (
        "listener.security.protocol.map",
        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
    ),
    ("auto.create.topics.enable", "false"),
    // By default records go seven days after the time that they are given.
    ("log.retention.ms", "-1"),
    // By default a killed broker that comes back is let in after 9 s.
    ("broker.heartbeat.interval.ms", "500"),
    ("broker.session.timeout.ms", "1500"),
    // Kafka's own topics. By default each has 50 partitions on three brokers.
    ("offsets.topic.num.partitions", "1"),
    ("offsets.topic.replication.factor", "1"),
    ("transaction.state.log.num.partitions", "1"),
    ("transaction.state.log.replication.factor", "1"),
    ("transaction.state.log.min.isr", "1"),
    ("share.coordinator.state.topic.num.partitions", "1"),
    ("share.coordinator.state.topic.replication.factor", "1"),
    ("share.coordinator.state.topic.min.isr", "1"),
    // By default a group's first member waits 3 s for others.
    ("group.initial.rebalance.delay.ms", "0"),
    // A buffer of 128 MiB by default: a quarter of the heap.
    ("log.cleaner.dedupe.buffer.size", "16777216"),
];

/// What the node of that index is told; it keeps all that it writes in `folder`.
pub(crate) fn of_node(
    index: usize,
    nodes: &[Ports],
    zookeeper: Option<&ZooKeeper>,
    folder: &Path,
) -> Properties {
    let mut listeners = vec![format!("PLAINTEXT://{}", nodes[index].bootstrap())];
    for (listener, name) in Listener::ALL {
        listeners.extend(nodes[index].secure(listener).map(|address| format!("{name}://{address}")));
    }
    let mut properties = owned(&FOR_TESTS);
    match zookeeper {
        Some(zookeeper) => properties.extend(zookeeper.properties_of_broker(index)),
        None => {
            let is_controller = index < controller_count(nodes.len());
            listeners.extend(is_controller.then(|| format!("CONTROLLER://{}", nodes[index].controller())));
            properties.extend(of_quorum(index, is_controller, nodes));
        }
    }
    properties.push(("listeners".to_owned(), listeners.join(",")));
    properties.push(("log.dirs".to_owned(), folder.join("data").display().to_string()));
    properties
}

/// What makes a node a part of the quorum that knows all topics.
fn of_quorum(index: usize, is_controller: bool, nodes: &[Ports]) -> Properties {
    let voters = nodes.iter().take(controller_count(nodes.len())).enumerate();
    let voters: Vec<String> =
        voters.map(|(index, ports)| format!("{index}@{}", ports.controller())).collect();
    owned(&[
        ("process.roles", if is_controller { "broker,controller" } else { "broker" }),
        ("node.id", &index.to_string()),
        ("controller.listener.names", "CONTROLLER"),
        ("controller.quorum.voters", &voters.join(",")),
    ])
}

/// An odd number: an even one bears no more failures than one less.
fn controller_count(node_count: usize) -> usize {
    node_count - (node_count + 1) % 2
}

pub(crate) fn owned(properties: &[(&str, &str)]) -> Properties {
    properties.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The text of the file, as `java.util.Properties` reads it.
pub(crate) fn text(properties: &[(String, String)]) -> String {
    let lines = properties.iter().map(|(name, value)| format!("{}={}\n", escape(name), escape(value)));
    lines.collect()
}

fn escape(text: &str) -> String {
    let is_plain = |unit: &u16| {
        u8::try_from(*unit).is_ok_and(|byte| byte.is_ascii_alphanumeric() || b"._-/,@[]();\"".contains(&byte))
    };
    let escaped = |unit: u16| match char::from_u32(unit.into()).filter(|_| is_plain(&unit)) {
        Some(plain) => plain.to_string(),
        None => format!("\\u{unit:04x}"),
    };
    text.encode_utf16().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_escaped_as_java_reads_them() {
        let properties = owned(&[("a.b", "c:\\d = ü"), ("two", "lines\n𝄞")]);
        assert_eq!(
            text(&properties),
            "a.b=c\\u003a\\u005cd\\u0020\\u003d\\u0020\\u00fc\ntwo=lines\\u000a\\ud834\\udd1e\n"
        );
    }

    #[test]
    fn the_number_of_controllers_is_odd() {
        assert_eq!([1, 2, 3, 4, 5].map(controller_count), [1, 1, 3, 3, 5]);
    }
}
