//! Brokers that ask for passwords, several of them, and old ones.

use keystride_hbase_harness::{Broker, BrokerOptions, ProduceOptions, Secure, kafka_quick};

use super::calls::json;
use super::topics::address;
use super::tried::Tried;
use super::{stderr, written};

const VALUES: &str = "families = [\"f\"]\n[fields]\n_partition = { type = \"u32\" }\n_offset = { type = \"u64\" }\n\
                      value = { type = \"i32\" }\n[key]\nparts = [{ field = \"_partition\", as = \"be\" }, \
                      { field = \"_offset\", as = \"be\" }]\n";

fn lines(count: usize) -> String {
    let lines: Vec<String> = (0..count).map(|number| format!("{}\t\t\\N\t{number}\n", number % 3)).collect();
    lines.concat()
}

/// Loads what a topic has into a table of its own, and returns the number of rows, or what is said if that fails.
fn load(brokers: &str, properties: &str) -> Result<u64, (Option<i32>, String)> {
    let tried = Tried::new(VALUES);
    let file = written(tried.path(), "client.properties", properties);
    let from = address(brokers, "t");
    let args = ["load", "-t", "t", &from, "--from", "earliest", "--until", "now", "--format", "json"];
    let output = tried.run(&[&args[..], &["--kafka-properties", &file]].concat());
    if output.status.success() {
        return Ok(json(&output)["rows"].as_u64().unwrap());
    }
    Err((output.status.code(), stderr(&output)))
}

fn properties(protocol: &str, login: Option<(&str, (&str, &str))>, certificate: &str) -> String {
    let mut text = format!("security.protocol={protocol}\nssl.ca.location={certificate}\n");
    if let Some((mechanism, (user, password))) = login {
        text.push_str(&format!(
            "sasl.mechanism={mechanism}\nsasl.jaas.config=org.apache.kafka.Login required username=\"{user}\" \
             password=\"{password}\";\n"
        ));
    }
    text
}

#[test]
fn brokers_that_ask_for_passwords_are_read_with_the_right_ones_alone() {
    if kafka_quick("brokers_that_ask_for_passwords_are_read_with_the_right_ones_alone") {
        return;
    }
    let broker = Broker::start(&BrokerOptions { secure: true, ..BrokerOptions::default() }).unwrap();
    broker.client().create_topic("t", 3, &[]).unwrap();
    broker.client().produce("t", lines(10), &ProduceOptions::default()).unwrap();
    let secure = broker.secure().unwrap();
    let certificate = secure.certificate().display().to_string();
    let read =
        |brokers: &str, protocol: &str, login| load(brokers, &properties(protocol, login, &certificate));
    assert_eq!(read(secure.ssl(), "SSL", None), Ok(10));
    for login in [("PLAIN", Secure::ALICE), ("SCRAM-SHA-256", Secure::BOB), ("SCRAM-SHA-512", Secure::BOB)] {
        assert_eq!(read(secure.sasl_ssl(), "SASL_SSL", Some(login)), Ok(10), "{login:?}");
        assert_eq!(read(secure.sasl_plaintext(), "SASL_PLAINTEXT", Some(login)), Ok(10), "{login:?}");
    }
    let wrong = Some(("SCRAM-SHA-512", ("bob", "guessed")));
    let (code, said) = read(secure.sasl_ssl(), "SASL_SSL", wrong).unwrap_err();
    assert!(code == Some(4) && !said.contains("guessed"), "{code:?} {said}");
    // Whom nobody vouches for is not talked to.
    let (code, said) = load(secure.ssl(), "security.protocol=SSL\n").unwrap_err();
    assert!(code == Some(4) && said.contains("certificate"), "{code:?} {said}");
}

#[test]
fn what_a_killed_broker_led_is_read_from_the_others() {
    if kafka_quick("what_a_killed_broker_led_is_read_from_the_others") {
        return;
    }
    let factor = vec![("default.replication.factor".to_owned(), "3".to_owned())];
    let options = BrokerOptions { brokers: 3, heap_mib: 256, properties: factor, ..BrokerOptions::default() };
    let broker = Broker::start(&options).unwrap();
    broker.client().create_topic("t", 3, &[]).unwrap();
    let all = vec![("acks".to_owned(), "all".to_owned())];
    let all = ProduceOptions { properties: all, ..ProduceOptions::default() };
    broker.client().produce("t", lines(300), &all).unwrap();
    assert_eq!(load(broker.bootstrap(), ""), Ok(300));
    broker.node(0).kill().unwrap();
    assert_eq!(load(broker.bootstrap(), ""), Ok(300));
}

#[test]
fn old_brokers_are_read() {
    if kafka_quick("old_brokers_are_read") {
        return;
    }
    let options = BrokerOptions { version: "2.8.2".parse().unwrap(), ..BrokerOptions::default() };
    let broker = Broker::start(&options).unwrap();
    broker.client().create_topic("t", 3, &[]).unwrap();
    let transactions = ProduceOptions { transaction: Some(10), abort: Some(3), ..ProduceOptions::default() };
    let stored = broker.client().produce("t", lines(90), &transactions).unwrap();
    assert_eq!(load(broker.bootstrap(), ""), Ok(stored));
}
