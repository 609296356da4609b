//! Kafka's own test of how fast a topic is read.

use keystride_hbase_harness::Broker;

use crate::Failure;

const TEST: &str = "org.apache.kafka.tools.ConsumerPerformance";
/// Records a second of the time in which it fetches: without starting and without joining its group.
const COLUMN: &str = "fetch.nMsg.sec";
const HEAP_MIB: u32 = 512;

/// Records a second that Kafka's own consumer reads of a topic, as its test prints them.
///
/// # Errors
///
/// It fails, or prints something else.
pub(crate) fn records_a_second(broker: &Broker, topic: &str, count: u64) -> Result<f64, Failure> {
    let count = count.to_string();
    let arguments = ["--bootstrap-server", broker.bootstrap(), "--topic", topic, "--num-records", &count];
    let mut java = broker.client().tool(TEST, &arguments, HEAP_MIB)?;
    let output = java.command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    figure(&text).filter(|_| output.status.success()).ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{TEST} ended with {}: {text}{said}", output.status).into()
    })
}

/// The figure below the name of its column.
fn figure(text: &str) -> Option<f64> {
    let cells = |line: &'_ str| line.split(',').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let mut lines = text.lines().map(cells).skip_while(|cells| !cells.iter().any(|cell| cell == COLUMN));
    let at = lines.next()?.iter().position(|cell| cell == COLUMN)?;
    lines.next()?.get(at)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn the_figure_stands_below_its_name() {
        let text =
            "a warning, perhaps\nstart.time, rebalance.time.ms, fetch.nMsg.sec\n10:04:01:312, 317, 81250.5\n";
        assert_eq!(figure(text), Some(81250.5));
        for text in ["", "start.time, fetch.nMsg.sec\n", "start.time\n1\n", "fetch.nMsg.sec\nmany\n"] {
            assert_eq!(figure(text), None, "{text}");
        }
    }
}
