//! Java's client fills a topic of Kafka and reads it back.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use keystride_hbase_harness::{HarnessError, ProduceOptions, kafka_or_skip};

const RECORDS: &str = "\
0\t1400657685457\trow 1\tEWR\torigin=JFK\tnumber=base64:AAE=\tempty=\tnone=\\N
0\t1400657685458\t\\N\tno key
0\t1400657685459\trow 2\t\\N
0\t1400657685460\tbase64:/w==\tbase64:Ywlk
1\t1400657685461\tgrüße\t
";

#[test]
fn kafka_gives_java_what_java_wrote() -> Result<(), HarnessError> {
    let Some(kafka) = kafka_or_skip("kafka_gives_java_what_java_wrote") else { return Ok(()) };
    let (client, topic) = (kafka.client(), format!("java_wrote_{}", std::process::id()));
    let id = client.create_topic(&topic, 2, &["message.timestamp.type=CreateTime"])?;
    assert_eq!(client.topic_id(&topic)?, id);

    assert_eq!(client.produce(&topic, RECORDS, &ProduceOptions::default())?, 5);
    assert_eq!(client.consume(&topic, &[])?, with_offsets(RECORDS, &[0, 1, 2, 3, 0]));

    let arguments = ["--bootstrap-server", kafka.bootstrap(), "--topic", &topic];
    let mut tool = client.tool("org.apache.kafka.tools.GetOffsetShell", &arguments, 256)?;
    let ends = tool.command.output().expect("it was found before").stdout;
    assert_eq!(String::from_utf8_lossy(&ends), format!("{topic}:0:4\n{topic}:1:1\n"));
    Ok(())
}

#[test]
fn a_producer_sends_each_line_as_it_comes() -> Result<(), Box<dyn std::error::Error>> {
    let Some(kafka) = kafka_or_skip("a_producer_sends_each_line_as_it_comes") else { return Ok(()) };
    let (client, topic) = (kafka.client(), format!("line_by_line_{}", std::process::id()));
    client.create_topic(&topic, 1, &[])?;
    let mut java = client.producer(&topic, &ProduceOptions::default(), 256)?;
    let mut producer = java.command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = producer.stdin.take().ok_or("no pipe")?;
    for sent in 1..=2 {
        writeln!(input, "0\t\t\\N\tline {sent}")?;
        let started = Instant::now();
        while client.offsets(&topic)?[0].latest < sent {
            assert!(started.elapsed() < Duration::from_mins(2), "line {sent} is not sent");
        }
    }
    drop(input);
    assert_eq!(producer.wait_with_output()?.stdout, b"2\n");
    Ok(())
}

#[test]
fn aborted_transactions_take_offsets_and_are_not_read() -> Result<(), HarnessError> {
    let Some(kafka) = kafka_or_skip("aborted_transactions_take_offsets_and_are_not_read") else {
        return Ok(());
    };
    let (client, topic) = (kafka.client(), format!("aborted_{}", std::process::id()));
    client.create_topic(&topic, 1, &[])?;
    let lines = |numbers: &[u32]| -> String {
        numbers
            .iter()
            .map(|number| format!("0\t140065768545{number}\t{number}\tv\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    let options = ProduceOptions { transaction: Some(2), abort: Some(2), ..ProduceOptions::default() };
    assert_eq!(client.produce(&topic, lines(&[0, 1, 2, 3, 4]), &options)?, 3);

    // Each of the three transactions ends with a marker.
    assert_eq!(client.offsets(&topic)?[0].latest, 8);
    assert_eq!(client.consume(&topic, &[])?, with_offsets(&lines(&[0, 1, 4]), &[0, 1, 6]));
    let all = client.consume(&topic, &["isolation.level=read_uncommitted"])?;
    assert_eq!(all, with_offsets(&lines(&[0, 1, 2, 3, 4]), &[0, 1, 3, 4, 6]));
    Ok(())
}

#[test]
fn a_topic_grows_loses_records_and_goes() -> Result<(), HarnessError> {
    let Some(kafka) = kafka_or_skip("a_topic_grows_loses_records_and_goes") else { return Ok(()) };
    let (client, topic) = (kafka.client(), format!("grows_{}", std::process::id()));
    let id = client.create_topic(&topic, 1, &[])?;
    client.produce(&topic, "0\t\t\\N\ta\n0\t\t\\N\tb\n0\t\t\\N\tc\n", &ProduceOptions::default())?;
    client.add_partitions(&topic, 2)?;
    client.delete_records(&topic, 0, 2)?;
    let offsets = client.offsets(&topic)?;
    let offsets: Vec<_> =
        offsets.iter().map(|range| (range.partition, range.earliest, range.latest)).collect();
    assert_eq!(offsets, [(0, 2, 3), (1, 0, 0)]);
    assert!(client.committed(&topic)?.is_empty());

    client.delete_topic(&topic)?;
    assert!(client.topic_id(&topic).is_err());
    assert_ne!(client.create_topic(&topic, 1, &[])?, id);
    Ok(())
}

#[test]
fn a_line_of_another_form_is_refused_by_its_number() -> Result<(), HarnessError> {
    let Some(kafka) = kafka_or_skip("a_line_of_another_form_is_refused_by_its_number") else { return Ok(()) };
    let (client, topic) = (kafka.client(), format!("another_form_{}", std::process::id()));
    client.create_topic(&topic, 1, &[])?;
    let refused = client.produce(&topic, "0\t\tk\tv\n0\tk\tv\n", &ProduceOptions::default());
    let message = refused.expect_err("three columns").to_string();
    assert!(message.contains("line 2: 3 columns, expected partition, timestamp, key, value"), "{message}");
    Ok(())
}

/// The lines of records with their offsets in front.
fn with_offsets(records: &str, offsets: &[i64]) -> String {
    records
        .lines()
        .zip(offsets)
        .map(|(line, offset)| format!("{offset}\t{line}\n"))
        .collect::<Vec<_>>()
        .concat()
}
