//! What a client waits for, and masters that don't answer.

use std::time::Duration;

use super::{Cluster, Fault, When, ends, impatient, quick, read, table};
use crate::{Awaited, ClientOptions, Error, Wait};

/// Waits until the client reports a matching wait.
async fn until(client: &crate::Client, is_meant: impl Fn(&Wait) -> bool) -> Wait {
    ends(async {
        loop {
            if let Some(wait) = client.waits().into_iter().find(&is_meant) {
                return wait;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

#[tokio::test]
async fn a_call_that_is_not_answered_is_waited_for() {
    let cluster = Cluster::with_table().await;
    cluster.inject(When::calling("Get"), Fault::Silence);
    let client = cluster.client();
    let t = table(&client, "t");
    let reading = tokio::spawn(async move { read(&t, "a").await });
    let wait = until(&client, |wait| matches!(wait.awaited, Awaited::Answer { method: "Get", .. })).await;
    let region = client.region_of(table(&client, "t").name(), b"a").await.unwrap();
    assert_eq!(wait.region.as_deref(), Some(region.encoded_name()));
    let text = wait.to_string();
    let about = format!("(region {} of table t)", region.encoded_name());
    assert!(text.contains(" has not answered Get for ") && text.ends_with(&about), "{text}");
    reading.abort();
    drop(reading.await);
    assert!(client.waits().is_empty(), "{:?}", client.waits());
}

#[tokio::test]
async fn a_failed_attempt_is_reported_with_its_error() {
    let mut cluster = Cluster::with_table().await;
    let client = cluster.client_with(ClientOptions { pause: Duration::from_secs(1), ..quick() });
    cluster.state().move_to("t", "a", 1);
    cluster.kill(1).await;
    let t = table(&client, "t");
    let reading = tokio::spawn(async move { read(&t, "a").await });
    let text = until(&client, |wait| matches!(wait.awaited, Awaited::Attempt { .. })).await.to_string();
    assert!(text.starts_with("can't connect to 127.0.0.1:"), "{text}");
    assert!(text.contains("; tried for ") && text.ends_with(" of table t, attempt 2)"), "{text}");
    reading.abort();
}

#[tokio::test]
async fn a_master_that_does_not_answer_is_soon_given_up() {
    let cluster = Cluster::with_table().await;
    cluster.inject(When::calling("IsMasterRunning").always(), Fault::Silence);
    let options = ClientOptions { master_timeout: Duration::from_millis(100), ..impatient() };
    let client = cluster.client_with(options);
    let name = table(&client, "t").name().clone();
    let error = ends(client.admin().disable_table(&name)).await.unwrap_err();
    assert!(matches!(error, Error::NoMaster { .. }) && error.is_unreachable(), "{error}");
    // Whether a table exists is read without a master.
    assert!(ends(client.admin().table_exists(&name)).await.unwrap());
}
