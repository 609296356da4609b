//! Who loads a topic into a table: of two loads that follow the same one, the second is refused.
//!
//! A load that follows a topic keeps a note with its name. It goes with the load. If it is left behind by a process that
//! was killed, the process can be seen to be gone on the same machine; elsewhere, its note is seen not to change.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use keystride_store::{Note, Store, StoreError, TableName, Write, Writers};
use serde::{Deserialize, Serialize};

use super::LoadId;
use super::error::LoadError;

/// The claim of a load to be the only one with its id.
#[derive(Debug)]
pub(super) struct Claim {
    store: Arc<dyn Store>,
    table: TableName,
    id: LoadId,
    loader: Loader,
    told: Instant,
}

/// Who loads, as it is noted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Loader {
    /// A random name.
    token: String,
    host: String,
    process: u32,
    /// Counts up while the load goes on.
    beat: u64,
}

/// The tokens of the claims in this process.
static CLAIMS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// How often a load tells that it goes on, where others may load as well.
const BEAT: Duration = Duration::from_secs(3);

/// How long another load is watched for that, and how often it is looked at.
const WATCHED: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(250);

impl Claim {
    /// Claims the load, unless another one has it that goes on. If that may have ended without saying so, it is watched
    /// for some seconds.
    pub(super) async fn take(
        store: &Arc<dyn Store>,
        table: &TableName,
        id: &LoadId,
    ) -> Result<Self, LoadError> {
        let loader = Loader::of_this_process();
        let claim = Self {
            store: Arc::clone(store),
            table: table.clone(),
            id: id.clone(),
            loader,
            told: Instant::now(),
        };
        if let Some(other) = claim.noted().await?
            && claim.goes_on(&other).await?
        {
            return Err(claim.lost_to(&other));
        }
        claim.note(Some(&claim.loader)).await?;
        claims().insert(claim.loader.token.clone());
        claim.check().await?;
        Ok(claim)
    }

    /// Tells that the load goes on, and checks that no other one has claimed it since. To be called before each write.
    pub(super) async fn hold(&mut self) -> Result<(), LoadError> {
        if self.store.writers() == Writers::Alone {
            return Ok(());
        }
        self.check().await?;
        if self.told.elapsed() >= BEAT {
            self.loader.beat += 1;
            self.note(Some(&self.loader)).await?;
            self.told = Instant::now();
        }
        Ok(())
    }

    /// Gives the claim up.
    pub(super) async fn release(self) {
        // Where this fails, others find out that this process is gone.
        if self.check().await.is_ok() {
            let _ = self.note(None).await;
        }
    }

    async fn check(&self) -> Result<(), LoadError> {
        match self.noted().await? {
            Some(other) if other.token != self.loader.token => Err(self.lost_to(&other)),
            _ => Ok(()),
        }
    }

    /// Whether a noted load is still under way.
    async fn goes_on(&self, other: &Loader) -> Result<bool, StoreError> {
        if claims().contains(&other.token) {
            return Ok(true);
        }
        // No other process has the store open, or the process is gone.
        if self.store.writers() == Writers::Alone || other.is_gone() {
            return Ok(false);
        }
        let since = Instant::now();
        while since.elapsed() < WATCHED {
            tokio::time::sleep(LOOK).await;
            match self.noted().await? {
                None => return Ok(false),
                Some(now) if now != *other => return Ok(true),
                Some(_) => {}
            }
        }
        Ok(false)
    }

    fn lost_to(&self, other: &Loader) -> LoadError {
        let Loader { process, host, .. } = other.clone();
        LoadError::Claimed { id: self.id.clone(), table: self.table.clone(), process, host }
    }

    fn key(&self) -> String {
        format!("loader/{}", self.id)
    }

    async fn noted(&self) -> Result<Option<Loader>, StoreError> {
        let note = self.store.note(&self.table, &self.key()).await?;
        // What does not read back claims nothing.
        Ok(note.and_then(|note| serde_json::from_slice(&note).ok()))
    }

    async fn note(&self, loader: Option<&Loader>) -> Result<(), StoreError> {
        let value = loader.and_then(|loader| serde_json::to_vec(loader).ok());
        let note = Note { key: self.key(), value };
        self.store.write(&self.table, Write::of_notes(vec![note])).await.map(drop)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        claims().remove(&self.loader.token);
    }
}

fn claims() -> MutexGuard<'static, BTreeSet<String>> {
    CLAIMS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Loader {
    fn of_this_process() -> Self {
        let token = LoadId::fresh().to_string();
        Self { token, host: host(), process: std::process::id(), beat: 0 }
    }

    /// Whether the process is known to be gone: only Linux tells, and only of the same machine.
    fn is_gone(&self) -> bool {
        let is_here = self.host == host() && fs::exists("/proc/self").unwrap_or(false);
        is_here && !is_running(self.process)
    }
}

/// Whether there is a process, and it has not ended: one whose parent takes no notice of its end stays as a zombie.
fn is_running(process: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    // The state follows the name, which stands in parentheses and may have any characters.
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest);
    !state.is_some_and(|state| state.starts_with(['Z', 'X']))
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")).ok());
    name.map_or_else(|| "a machine without a name".to_owned(), |name| name.trim().to_owned())
}
