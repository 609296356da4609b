//! Overloaded servers.

use std::time::Duration;

use futures_util::FutureExt;

use super::{Cluster, Exception, Fault, Gate, When, ends, is_lookup, quick, read, table};
use crate::{ClientOptions, Error, Mutation, WriterOptions};

// Bug 17: an overloaded server was treated like a moved region, and hbase:meta was read again and again.
#[tokio::test]
async fn a_busy_server_is_asked_again_without_a_lookup() {
    let busy = [
        Exception::queue_full(),
        Exception::new("RegionTooBusyException", "Above memstore limit"),
        Exception::new("exceptions.RegionOpeningException", "Region is being opened"),
        Exception::new("CallDroppedException", "dropped by the queue"),
        Exception::new("RetryImmediatelyException", "cell block queue is full"),
        Exception::new("quotas.RpcThrottlingException", "number of requests exceeded - wait 3ms"),
    ];
    for exception in busy {
        let cluster = Cluster::with_table().await;
        cluster.write("t", "a", "q", "v");
        cluster.inject(When::calling("Get").times(4), Fault::Exception(exception.clone()));
        assert_eq!(read(&table(&cluster.client(), "t"), "a").await.unwrap(), "v", "{exception:?}");
        assert_eq!(cluster.count(is_lookup), 1, "{exception:?}");
    }
}

#[tokio::test]
async fn a_server_that_stays_busy_is_given_up() {
    let cluster = Cluster::with_table().await;
    cluster.inject(When::calling("Get").always(), Fault::Exception(Exception::queue_full()));
    let error = read(&table(&cluster.client(), "t"), "a").await.unwrap_err();
    assert!(matches!(error, Error::GaveUp { attempts: 10, .. }), "{error}");
    assert_eq!(cluster.count(|seen| seen.is("Get", "t")), 10);
}

#[tokio::test]
async fn a_quota_longer_than_the_time_limit_fails_at_once() {
    let cluster = Cluster::with_table().await;
    let text = "write size limit exceeded - wait 2hrs, 1min, 5sec, 20ms";
    let quota = Exception::new("quotas.RpcThrottlingException", text);
    cluster.inject(When::calling("Get").always(), Fault::Exception(quota));
    let error = read(&table(&cluster.client(), "t"), "a").await.unwrap_err();
    assert!(matches!(error, Error::GaveUp { attempts: 1, .. }), "{error}");
}

#[tokio::test]
async fn more_calls_than_a_connection_may_carry_wait_their_turn() {
    let two_calls = ClientOptions { calls_in_flight: 2, ..quick() };
    // Each call takes all of the bytes in flight.
    let one_byte = ClientOptions { bytes_in_flight: 1, ..quick() };
    for (options, most) in [(two_calls, 2), (one_byte, 1)] {
        let cluster = Cluster::with_table().await;
        cluster.write("t", "a", "q", "v");
        let gate = Gate::closed();
        cluster.inject(When::calling("Get").always(), Fault::Hold(gate.clone()));
        let client = cluster.client_with(options);
        let reads: Vec<_> = (0..50)
            .map(|_| {
                let table = table(&client, "t");
                tokio::spawn(async move { read(&table, "a").await })
            })
            .collect();
        cluster.until(most, |seen| seen.is("Get", "t")).await;
        // Blocked calls had every chance to run.
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
        assert_eq!(cluster.count(|seen| seen.is("Get", "t")), most);
        gate.open();
        for read in reads {
            assert_eq!(read.await.unwrap().unwrap(), "v");
        }
    }
}

#[tokio::test]
async fn a_writer_waits_when_its_buffer_is_full_twice() {
    let cluster = Cluster::with_table().await;
    let gate = Gate::closed();
    cluster.inject(When::calling("Multi").always(), Fault::Hold(gate.clone()));
    let table = table(&cluster.client(), "t");
    let mut writer = table.writer(WriterOptions { buffer_bytes: 20_000, lanes: 1 });
    let put = |at: usize| Mutation::put(format!("{at:04}")).value("f", "q", [7; 1_000]);
    let mut taken = 0;
    // One buffer is being sent and never arrives; the other one is being filled.
    while writer.push(put(taken)).now_or_never().is_some() {
        // Gives what was sent a chance to arrive.
        tokio::task::yield_now().await;
        taken += 1;
        assert!(taken < 100, "nothing keeps the writer from taking more");
    }
    assert!((20..=40).contains(&taken), "{taken} rows of a kilobyte");
    gate.open();
    ends(writer.flush()).await;
    let failures = writer.failures();
    assert!(failures.is_empty(), "{:?}", failures[0].1);
    assert_eq!(cluster.keys("t").len(), taken + 1);
}

#[tokio::test]
async fn a_caller_that_waits_for_its_turn_has_a_limit_in_time_too() {
    let cluster = Cluster::with_table().await;
    cluster.inject(When::calling("Get").always(), Fault::Silence);
    let options = ClientOptions {
        calls_in_flight: 1,
        operation_timeout: Duration::from_millis(300),
        ..super::impatient()
    };
    let client = cluster.client_with(options);
    let begun = std::time::Instant::now();
    let reads: Vec<_> = (0..20)
        .map(|_| {
            let table = table(&client, "t");
            tokio::spawn(async move { read(&table, "a").await })
        })
        .collect();
    for read in reads {
        assert!(read.await.unwrap().is_err());
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}
