//! A Kafka of the time when ZooKeeper knew its topics, with what the usual client asks of it.

use keystride_hbase_harness::{Broker, BrokerOptions, HarnessError, ProduceOptions, Secure, kafka_quick};

#[test]
fn old_brokers_keep_records_too() -> Result<(), HarnessError> {
    if kafka_quick("old_brokers_keep_records_too") {
        return Ok(());
    }
    let options = BrokerOptions { version: "2.8.2".parse()?, secure: true, ..BrokerOptions::default() };
    let broker = Broker::start(&options)?;
    let client = broker.client();
    client.create_topic("t", 1, &[])?;
    let options = ProduceOptions { transaction: Some(1), abort: Some(2), ..ProduceOptions::default() };
    assert_eq!(client.produce("t", "0\t1\tk\ta\n0\t2\tk\tb\n0\t3\tk\tc\n", &options)?, 2);

    broker.kill()?;
    broker.start_again()?;
    let secure = broker.secure().expect("asked for");
    let bob = secure.sasl_ssl_client("SCRAM-SHA-512", Secure::BOB);
    assert_eq!(bob.consume("t", &[])?, "0\t0\t1\tk\ta\n4\t0\t3\tk\tc\n");
    Ok(())
}
