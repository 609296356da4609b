//! The servers of a cluster.

use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::connection::serve;
use super::shared::Shared;
use super::{Fault, RecordedCall, State, Stored, When};
use crate::{Client, ClientOptions, ClusterAddress, ServerName};

#[derive(Debug)]
pub(crate) struct Cluster {
    shared: Arc<Shared>,
    running: Vec<Option<JoinHandle<()>>>,
}

/// Longer than any wait in a test.
const FOR_EVER: Duration = Duration::from_mins(2);

impl Cluster {
    /// Starts a cluster. The first server has hbase:meta and is the active master.
    pub(crate) async fn start(servers: usize) -> Self {
        let mut listeners = Vec::new();
        let mut names = Vec::new();
        for number in 0..servers {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let port = listener.local_addr().unwrap().port();
            names.push(ServerName { host: "127.0.0.1".into(), port, start_code: 1 + number as u64 });
            listeners.push(listener);
        }
        let shared = Arc::new(Shared::new(State::new(names)));
        let listeners = listeners.into_iter().enumerate();
        let running = listeners.map(|(server, listener)| Some(run(&shared, server, listener))).collect();
        Self { shared, running }
    }

    /// A cluster of two servers with a table `t`, split at `m`.
    pub(crate) async fn with_table() -> Self {
        let cluster = Self::start(2).await;
        cluster.state().create("t", &["m"]);
        cluster
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    pub(crate) fn inject(&self, when: When, fault: Fault) {
        self.state().inject(when, fault);
    }

    pub(crate) fn client(&self) -> Client {
        self.client_with(quick())
    }

    pub(crate) fn client_with(&self, options: ClientOptions) -> Client {
        let seeds = self.state().servers.iter().map(ServerName::address).collect();
        Client::with_options(&ClusterAddress::Servers(seeds), options)
    }

    /// Writes a value to a table directly.
    pub(crate) fn write(&self, table: &str, row: &str, column: &str, value: &str) {
        let mut state = self.state();
        let ts = state.next_number().cast_signed();
        let row = Bytes::copy_from_slice(row.as_bytes());
        let cell = Stored::put(&row, "f", column, ts, value.to_owned());
        let cells = state.tables.get_mut(table).unwrap().rows.entry(row).or_default();
        cells.push(cell);
        cells.sort_by(|a, b| (&a.qualifier, b.ts).cmp(&(&b.qualifier, a.ts)));
    }

    pub(crate) fn keys(&self, table: &str) -> Vec<String> {
        self.state().tables[table].rows.keys().map(|key| String::from_utf8(key.to_vec()).unwrap()).collect()
    }

    /// Stops a server: its connections break, and it accepts no new ones.
    pub(crate) async fn kill(&mut self, server: usize) {
        self.state().up[server] = false;
        if let Some(task) = self.running[server].take() {
            task.abort();
            // It was cancelled, so its error is expected.
            drop(task.await);
        }
    }

    /// Starts a server again at the same address, with a new start code.
    pub(crate) async fn restart(&mut self, server: usize) {
        self.kill(server).await;
        let port = self.state().servers[server].port;
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        {
            let mut state = self.state();
            state.servers[server].start_code += 100;
            state.up[server] = true;
        }
        self.running[server] = Some(run(&self.shared, server, listener));
    }

    /// The calls so far that match.
    pub(crate) fn calls(&self, wanted: impl Fn(&RecordedCall) -> bool) -> Vec<RecordedCall> {
        self.state().seen.iter().filter(|seen| wanted(seen)).cloned().collect()
    }

    pub(crate) fn count(&self, wanted: impl Fn(&RecordedCall) -> bool) -> usize {
        self.state().seen.iter().filter(|seen| wanted(seen)).count()
    }

    /// Waits for this many calls in total.
    pub(crate) async fn until_busy(&self, count: usize) {
        let mut calls = self.shared.calls.subscribe();
        drop(timeout(FOR_EVER, calls.wait_for(|&seen| seen >= count)).await.expect("calls come"));
    }

    /// Waits until clients have this many connections.
    pub(crate) async fn until_connections(&self, count: usize) {
        let mut connections = self.shared.connections.subscribe();
        drop(timeout(FOR_EVER, connections.wait_for(|&now| now == count)).await.expect("they come or go"));
    }

    /// Waits for this many matching calls.
    pub(crate) async fn until(&self, count: usize, wanted: impl Fn(&RecordedCall) -> bool) {
        let mut calls = self.shared.calls.subscribe();
        let enough = calls.wait_for(|_| self.count(&wanted) >= count);
        drop(timeout(FOR_EVER, enough).await.expect("the call comes"));
    }
}

/// Waits for a call, which must end.
pub(crate) async fn ends<T>(call: impl Future<Output = T>) -> T {
    timeout(FOR_EVER, call).await.expect("every call ends")
}

/// Options with short pauses, so that tests with retries are fast.
pub(crate) fn quick() -> ClientOptions {
    ClientOptions {
        auth: crate::Auth::Simple { user: "tester".into() },
        rpc_timeout: Duration::from_secs(10),
        operation_timeout: Duration::from_secs(20),
        connect_timeout: Duration::from_secs(5),
        max_attempts: 10,
        pause: Duration::from_millis(1),
        pause_overloaded: Duration::from_millis(2),
        ..ClientOptions::default()
    }
}

fn run(shared: &Arc<Shared>, server: usize, listener: TcpListener) -> JoinHandle<()> {
    let shared = Arc::clone(shared);
    let name = shared.state().servers[server].clone();
    tokio::spawn(async move {
        // Dropped with this task, which closes them.
        let mut connections = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            connections.spawn(serve(Arc::clone(&shared), server, name.clone(), stream));
            while connections.try_join_next().is_some() {}
        }
    })
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.running.iter().flatten().for_each(JoinHandle::abort);
        if !std::thread::panicking() {
            assert_eq!(self.state().complaints, Vec::<String>::new(), "no server would accept this");
        }
    }
}
