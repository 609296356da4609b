//! A broker is killed, and later stopped: each time it comes back on its port with what it had stored.

use keystride_hbase_harness::{Broker, BrokerOptions, HarnessError, ProduceOptions, kafka_quick};

#[test]
fn a_killed_broker_comes_back_with_its_records() -> Result<(), HarnessError> {
    if kafka_quick("a_killed_broker_comes_back_with_its_records") {
        return Ok(());
    }
    let broker = Broker::start(&BrokerOptions::default())?;
    let (client, bootstrap) = (broker.client(), broker.bootstrap().to_owned());
    let id = client.create_topic("t", 1, &[])?;
    client.produce("t", "0\t1\tk\tv\n", &ProduceOptions::default())?;

    broker.kill()?;
    assert!(!broker.node(0).is_alive()?);
    let impatient = client.clone().with_property("max.block.ms", 300);
    assert!(impatient.produce("t", "0\t2\tk\tlost\n", &ProduceOptions::default()).is_err());
    broker.start_again()?;
    client.produce("t", "0\t3\tk\tw\n", &ProduceOptions::default())?;

    broker.stop()?;
    assert!(!broker.node(0).is_alive()?);
    broker.start_again()?;
    assert_eq!(client.consume("t", &[])?, "0\t0\t1\tk\tv\n1\t0\t3\tk\tw\n");
    assert_eq!(client.topic_id("t")?, id);
    assert_eq!(broker.bootstrap(), bootstrap);
    Ok(())
}
