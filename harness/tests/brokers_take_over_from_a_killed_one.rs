//! Three brokers: what one of them led is read from the others, and it comes back.

use keystride_hbase_harness::{Broker, BrokerOptions, HarnessError, ProduceOptions, kafka_quick};

const RECORDS: [&str; 3] = ["0\t1\tk\ta\n", "1\t1\tk\tb\n", "2\t1\tk\tc\n"];

#[test]
fn brokers_take_over_from_a_killed_one() -> Result<(), HarnessError> {
    if kafka_quick("brokers_take_over_from_a_killed_one") {
        return Ok(());
    }
    let properties = vec![("default.replication.factor".to_owned(), "3".to_owned())];
    let options = BrokerOptions { brokers: 3, heap_mib: 256, properties, ..BrokerOptions::default() };
    let broker = Broker::start(&options)?;
    let client = broker.client();
    client.create_topic("t", 3, &[])?;
    let all = ProduceOptions {
        properties: vec![("acks".to_owned(), "all".to_owned())],
        ..ProduceOptions::default()
    };
    assert_eq!(client.produce("t", RECORDS.concat(), &all)?, 3);

    // It led one of the three partitions, and perhaps the controllers.
    let killed = broker.node(0);
    killed.kill()?;
    assert_eq!(client.consume("t", &[])?, RECORDS.map(|record| format!("0\t{record}")).concat());
    assert_eq!(client.produce("t", RECORDS.concat(), &all)?, 3);
    killed.start_again()?;
    assert!(killed.is_alive()?);
    assert_eq!(client.offsets("t")?.iter().map(|range| range.latest).sum::<i64>(), 6);
    Ok(())
}
