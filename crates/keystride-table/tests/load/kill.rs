//! A process that loads is killed at random moments; the load that is resumed ends as one that was never broken.
//!
//! `KEYSTRIDE_LOAD_KILLS` says how often, twelve times unless told otherwise.

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use keystride_store::{ManualClock, Store};
use keystride_table::load::*;

use crate::fixture::*;

const FOLDER: &str = "KEYSTRIDE_LOAD_KILL_FOLDER";
const ROWS: u64 = 40_000;
const RULES: [&str; 2] = ["error", "replace"];

/// Says each batch that was acknowledged.
struct Loud;

impl LoadObserver for Loud {
    fn rejected(&mut self, _: &Rejected) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Proceed {
        if progress.phase == Phase::Storing {
            let line = format!("acknowledged {}\n", progress.counts.records);
            std::io::stdout().write_all(line.as_bytes()).unwrap();
        }
        Proceed::On
    }
}

fn resume(clock_ms: i64) -> LoadOptions {
    let clock = Arc::new(ManualClock::at(clock_ms));
    LoadOptions { start: Start::Resume, clock, memory_bytes: 0, ..small_batches(20_000) }
}

/// What the process that is killed does.
#[tokio::test]
#[ignore = "the other test starts it, to kill it"]
async fn load_until_killed() {
    let folder = std::env::var(FOLDER).unwrap();
    let store = embedded(Path::new(&folder)).await;
    for rule in RULES {
        let table = table_of(&store, rule).await;
        let run = Load::new(&table, resume(keystride_store::Clock::now_ms(&keystride_store::SystemClock)));
        run.run(reader(&table, mixed_text(ROWS)), &mut Loud).await.unwrap();
    }
    std::io::stdout().write_all(b"complete\n").unwrap();
}

async fn table_of(store: &Arc<dyn Store>, rule: &str) -> keystride_table::Table {
    let name = keystride_store::TableName::new(rule).unwrap();
    if store.exists(&name).await.unwrap() {
        return keystride_table::Table::open(Arc::clone(store), &name).await.unwrap();
    }
    let design = design(rule, "");
    keystride_table::Table::create_as(Arc::clone(store), &name, design, &points()).await.unwrap()
}

fn start_loading(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::load_until_killed", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Lets a process acknowledge so many batches and some more work, and kills it; the records it had come to when it
/// was heard last, and whether it had come to its end.
fn kill_after(mut child: Child, batches: u64, spins: u64) -> (Option<u64>, bool) {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let number = |line: &String| line.strip_prefix("acknowledged ").map(|number| number.parse().unwrap());
    let mut last =
        lines.by_ref().filter_map(|line| number(&line)).take(usize::try_from(batches).unwrap()).last();
    (0..spins).for_each(|spin| {
        std::hint::black_box(spin);
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let mut is_complete = false;
    for line in lines {
        is_complete |= line == "complete";
        last = number(&line).or(last);
    }
    (last, is_complete)
}

async fn noted_records(store: &Arc<dyn Store>, rule: &str) -> u64 {
    let name = keystride_store::TableName::new(rule).unwrap();
    if !store.exists(&name).await.unwrap() {
        return 0;
    }
    let note = store.note(&name, "load/test").await.unwrap();
    let note = note.map(|note| serde_json::from_slice::<serde_json::Value>(&note).unwrap());
    note.map_or(0, |note| note["records"].as_u64().unwrap())
}

#[tokio::test]
async fn a_load_that_is_killed_and_resumed_stores_what_an_unbroken_one_does() {
    let kills: u64 = std::env::var("KEYSTRIDE_LOAD_KILLS").map_or(12, |kills| kills.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice(20_130_101);
    let mut mid_load = 0;
    for _ in 0..kills {
        let (last, is_complete) =
            kill_after(start_loading(folder.path()), dice.below(12), dice.below(20_000_000));
        mid_load += u64::from(!is_complete);
        let store = embedded(folder.path()).await;
        let mut noted = 0;
        for rule in RULES {
            noted = noted.max(noted_records(&store, rule).await);
        }
        assert!(last.is_none_or(|last| last <= noted), "{last:?} were acknowledged, the note says {noted}");
        store.close().await.unwrap();
    }
    println!("{mid_load} of {kills} kills came in the middle of a load");
    assert!(mid_load >= kills / 2, "only {mid_load} of {kills} kills came in the middle of a load");
    check_against_unbroken(folder.path()).await;
}

async fn check_against_unbroken(folder: &Path) {
    let store = embedded(folder).await;
    for rule in RULES {
        let broken = table_of(&store, rule).await;
        let text = mixed_text(ROWS);
        let mut heard = Heard::default();
        let resumed =
            Load::new(&broken, resume(5)).run(reader(&broken, text.clone()), &mut heard).await.unwrap();
        let unbroken = table(&design(rule, "")).await;
        let clock = Arc::new(ManualClock::at(resumed.stamp_ms));
        let options = LoadOptions { clock, id: LoadId::new("unbroken"), ..options() };
        let (whole, rejects) = load(&unbroken, options, text).await;
        assert_eq!(resumed.counts, whole.counts);
        assert_eq!(heard.rejects, rejects);
        assert!(cells(&broken).await == cells(&unbroken).await, "the cells differ under {rule}");
    }
}
