//! Stores in folders that are damaged, and how a user goes on.

use super::calls::{Calls, THREE};
use super::{stderr, stdout};

#[test]
fn a_damaged_journal_is_repaired_by_a_command_of_its_own() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let repair = || calls.run(&["store", "repair"]);
    assert!(stderr(&repair()).contains("nothing was changed"), "{}", stderr(&repair()));
    // The end of a batch that is not there.
    let journal = calls.path().join("keystride-data/engine/0.jnl");
    std::fs::write(&journal, b"damage FJL\x03").unwrap();
    let refused = calls.run(&["count", "calls"]);
    assert_eq!(refused.status.code(), Some(3));
    for told in ["bytes 0 to 11 of", "0.jnl", "keystride store repair"] {
        assert!(stderr(&refused).contains(told), "{told}: {}", stderr(&refused));
    }
    let repaired = repair();
    assert_eq!(repaired.status.code(), Some(0), "{}", stderr(&repaired));
    assert!(stderr(&repaired).contains("damaged-1"), "{}", stderr(&repaired));
    assert_eq!(
        std::fs::read(calls.path().join("keystride-data/damaged-1/0.jnl")).unwrap(),
        b"damage FJL\x03"
    );
    assert_eq!(calls.count(), 3);
}

#[test]
fn a_missing_file_is_named_and_costs_no_row() {
    let calls = Calls::new();
    calls.load("calls.csv", THREE);
    let keyspaces = calls.path().join("keystride-data/engine/keyspaces");
    for keyspace in std::fs::read_dir(keyspaces).unwrap() {
        let current = keyspace.unwrap().path().join("current");
        let bytes = std::fs::read(&current).unwrap();
        std::fs::remove_file(&current).unwrap();
        let list = calls.run(&["table", "list"]);
        assert_eq!((list.status.code(), stdout(&list)), (Some(3), String::new()));
        let told = format!("{} is missing", current.strip_prefix(calls.path()).unwrap().display());
        assert!(stderr(&list).contains(&told), "{told}: {}", stderr(&list));
        std::fs::write(&current, bytes).unwrap();
        assert_eq!(calls.count(), 3);
    }
}

#[test]
fn only_stores_in_folders_are_repaired() {
    let calls = Calls::new();
    let output = calls.run(&["--backend", "hbase://nowhere:1/hbase", "store", "repair"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
