//! Spans and events for `tracing`.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Dispatch, Event, Metadata, Subscriber};

use super::{Cluster, Mutation, Scan, read, scanned, table, write};

/// Records each span when it begins: its name and fields, after those of its parents.
#[derive(Debug, Clone, Default)]
struct Listener(Arc<Mutex<Recording>>);

#[derive(Debug, Default)]
struct Recording {
    /// By id, from 1.
    spans: Vec<String>,
    entered: Vec<u64>,
    /// Events of ended calls.
    called: Vec<String>,
}

/// Formats fields as text.
struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // These vary between runs.
        if !["server", "ms", "region"].contains(&field.name()) {
            write!(self.0, " {field}={value:?}").unwrap();
        }
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() || metadata.fields().field("outcome").is_some()
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut recorded = self.0.lock().unwrap();
        let mut text = String::new();
        if let Some(&outer) = recorded.entered.last() {
            text = recorded.spans[usize::try_from(outer).unwrap() - 1].clone() + " > ";
        }
        text += attributes.metadata().name();
        attributes.record(&mut Fields(&mut text));
        recorded.spans.push(text);
        Id::from_u64(recorded.spans.len() as u64)
    }

    fn enter(&self, id: &Id) {
        self.0.lock().unwrap().entered.push(id.into_u64());
    }

    fn exit(&self, id: &Id) {
        assert_eq!(self.0.lock().unwrap().entered.pop(), Some(id.into_u64()));
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut text = String::new();
        event.record(&mut Fields(&mut text));
        self.0.lock().unwrap().called.push(text);
    }
}

impl Listener {
    /// Records what happens in this thread from now on.
    fn listen(&self) -> (DefaultGuard, Dispatch) {
        // With a single subscriber, other threads would cache that the spans are disabled, also for this thread.
        let second = Dispatch::new(Self::default());
        (tracing::subscriber::set_default(self.clone()), second)
    }

    /// The spans of table operations, without duplicates, parents first.
    fn recorded(&self) -> Vec<String> {
        let mut spans = std::mem::take(&mut self.0.lock().unwrap().spans);
        spans.retain(|span| span.contains("table=t"));
        spans.sort();
        spans.dedup();
        spans
    }
}

#[tokio::test]
async fn each_operation_is_a_span_around_its_calls() {
    let cluster = Cluster::with_table().await;
    let client = cluster.client();
    let t = table(&client, "t");
    let listener = Listener::default();
    let _guard = listener.listen();

    write(&t, "a", "1").await.unwrap();
    let operation = r#"operation method="Mutate" table=t"#;
    let call = format!(r#"{operation} > call method="Mutate" service="ClientService""#);
    let recorded = listener.recorded();
    assert!(recorded.contains(&operation.to_owned()) && recorded.contains(&call), "{recorded:#?}");

    listener.0.lock().unwrap().called.clear();
    read(&t, "a").await.unwrap();
    let called = std::mem::take(&mut listener.0.lock().unwrap().called);
    assert_eq!(called, [r#" message=called method="Get" table=t outcome="ok""#]);
    let operation = r#"operation method="Get" table=t"#;
    assert_eq!(
        listener.recorded(),
        [operation, &format!("{operation} > call method=\"Get\" service=\"ClientService\"")]
    );

    t.batch(vec![Mutation::put("a").value("f", "q", "2").into()]).await[0].as_ref().unwrap();
    let batch = "batch table=t actions=1";
    assert_eq!(
        listener.recorded(),
        [batch, &format!("{batch} > call method=\"Multi\" service=\"ClientService\"")]
    );

    scanned(&t, Scan::all()).await.unwrap();
    let recorded = listener.recorded();
    let call = r#"scan table=t > call method="Scan" service="ClientService""#;
    assert!(
        recorded.contains(&"scan table=t".to_owned()) && recorded.contains(&call.to_owned()),
        "{recorded:#?}"
    );
}
