//! Stores in folders that are damaged or in use, and how a user goes on.

use std::io::Write as _;

use super::calls::{Calls, THREE};
use super::{shell, stderr, stdout};

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

#[test]
fn a_command_waits_for_the_one_that_has_the_folder_and_else_names_it() {
    let calls = Calls::new();
    let mut holder = calls.start(&["load", "-t", "calls", "-", "--input", "csv"]);
    let mut input = holder.stdin.take().unwrap();
    input.write_all(THREE.as_bytes()).unwrap();
    let named = format!("process {}, `", holder.id());
    let at_once = || calls.run(&["count", "calls", "--wait", "0s"]);
    // The load has the folder soon, and then says so in it.
    let refused = std::iter::repeat_with(at_once).find(|output| stderr(output).contains(&named)).unwrap();
    assert!(stderr(&refused).contains("load -t calls"), "{}", stderr(&refused));
    let waiting = calls.start(&["count", "calls", "--wait", "600s"]);
    drop(input);
    assert!(holder.wait().unwrap().success());
    assert_eq!(stdout(&waiting.wait_with_output().unwrap()), "3\n");
}

#[cfg(target_os = "linux")]
#[test]
fn two_commands_of_one_pipe_are_told_that_they_share_a_folder() {
    let calls = Calls::new();
    let rows = (0..50_000).map(|n| format!("13800138000,1,{}", 1_586_131_200_000_u64 + n));
    let rows = std::iter::once("phone,seconds,ts".to_owned()).chain(rows).collect::<Vec<_>>().join("\n");
    calls.load("many.csv", rows);
    let pipe = "\"$0\" query calls --format csv --wait 600s | \"$0\" load -t calls --wait 600s --input csv -";
    let output = shell(pipe).arg(env!("CARGO_BIN_EXE_keystride")).current_dir(calls.path()).output().unwrap();
    assert!(stderr(&output).contains("two commands of one pipe"), "{}", stderr(&output));
}
