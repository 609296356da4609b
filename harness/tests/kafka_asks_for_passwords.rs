//! Secure listeners take TLS and the right passwords, and nothing else.

use keystride_hbase_harness::{Broker, BrokerOptions, HarnessError, KafkaClient, Secure, kafka_quick};

#[test]
fn kafka_asks_for_passwords() -> Result<(), HarnessError> {
    if kafka_quick("kafka_asks_for_passwords") {
        return Ok(());
    }
    let broker = Broker::start(&BrokerOptions { secure: true, ..BrokerOptions::default() })?;
    let secure = broker.secure().expect("asked for");
    let id = broker.client().create_topic("t", 1, &[])?;

    let accepted = [
        secure.ssl_client(),
        secure.sasl_ssl_client("PLAIN", Secure::ALICE),
        secure.sasl_ssl_client("SCRAM-SHA-256", Secure::BOB),
        secure.sasl_plaintext_client("SCRAM-SHA-512", Secure::BOB),
    ];
    for client in accepted {
        assert_eq!(client.topic_id("t")?, id);
    }

    let wrong = |(user, _)| (user, "guessed");
    let refused = [
        (secure.sasl_ssl_client("SCRAM-SHA-256", wrong(Secure::BOB)), "Authentication failed"),
        (secure.sasl_plaintext_client("PLAIN", wrong(Secure::ALICE)), "Authentication failed"),
        (KafkaClient::new(secure.ssl()).with_property("security.protocol", "SSL"), "SSL handshake failed"),
    ];
    for (client, expected) in refused {
        let message = client.topic_id("t").expect_err(expected).to_string();
        assert!(message.contains(expected), "{message}");
    }
    Ok(())
}
