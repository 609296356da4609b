use std::fs;
use std::path::{Path, PathBuf};

use keystride_table::input::*;

use crate::reading::*;

fn write(path: &Path, columns: RejectsColumns, existing: ExistingRejects, text: &str) -> RejectsWriter {
    let mut reader =
        InputReader::open(calls("error"), vec![source("c.csv", text)], InputOptions::default()).unwrap();
    let mut writer = RejectsWriter::new(path, columns, existing);
    let mut row = reader.new_row();
    loop {
        match reader.next(&mut row).unwrap() {
            Next::Row => {}
            Next::Rejected(reject) => writer.write(&reject).unwrap(),
            Next::End => break,
        }
    }
    writer.flush().unwrap();
    writer
}

const BAD: &str = "phone,ts,city,n\n12345,,a,1\n12346,,\"b,\"\"x\"\"\",2000\n1,2\n";

#[test]
fn the_file_is_made_with_the_first_reject() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.rejects.csv");
    let good = "phone,ts,city,n\n12345,,a,1\n";
    assert_eq!(write(&path, RejectsColumns::OneSource, ExistingRejects::Replace, good).count(), 0);
    assert!(!path.exists());
    assert_eq!(write(&path, RejectsColumns::OneSource, ExistingRejects::Replace, BAD).count(), 2);
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "line,column,reason,record\n\
         3,n,2000 is out of range: 0 to 1000,\"12346,,\"\"b,\"\"\"\"x\"\"\"\"\"\",2000\"\n\
         4,,\"2 columns, not 4\",\"1,2\"\n"
    );
}

#[test]
fn an_older_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.csv");
    for _ in 0..2 {
        write(&path, RejectsColumns::ManySources, ExistingRejects::Replace, BAD);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(text.starts_with("source,line,column,reason,record\nc.csv,3,n,"), "{text}");
    }
}

#[test]
fn others_may_reject_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer =
        RejectsWriter::new(folder.path().join("r.csv"), RejectsColumns::OneSource, ExistingRejects::Replace);
    let reason = "the key is too long";
    let reject = Reject { source: "c".into(), line: 7, column: None, reason, raw: b"\xFF".to_vec() };
    writer.write(&reject).unwrap();
    writer.flush().unwrap();
    let bytes = fs::read(writer.path()).unwrap();
    assert_eq!(bytes, b"line,column,reason,record\n7,,the key is too long,\xFF\n");
}

fn rejecting(path: &Path, existing: ExistingRejects) -> (RejectsWriter, std::io::Result<()>) {
    let mut writer = RejectsWriter::new(path, RejectsColumns::OneSource, existing);
    let reject = Reject { source: "c".into(), line: 7, column: None, reason: "bad", raw: b"x".to_vec() };
    let written = writer.write(&reject).and_then(|()| writer.flush());
    (writer, written)
}

#[test]
fn two_loads_do_not_mix_their_rejects() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.csv");
    let (first, written) = rejecting(&path, ExistingRejects::Replace);
    written.unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for existing in [ExistingRejects::Replace, ExistingRejects::SetAside] {
        let busy = rejecting(&path, existing).1.unwrap_err();
        assert_eq!(busy.kind(), std::io::ErrorKind::ResourceBusy);
    }
    RejectsWriter::new(&path, RejectsColumns::OneSource, ExistingRejects::Replace).remove_stale().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    drop(first);
    rejecting(&path, ExistingRejects::Replace).1.unwrap();
}

#[cfg(unix)]
#[test]
fn streams_are_shared_and_links_and_empty_files_stay() {
    let (_first, written) = rejecting(Path::new("/dev/null"), ExistingRejects::Replace);
    written.unwrap();
    rejecting(Path::new("/dev/null"), ExistingRejects::SetAside).1.unwrap();

    let folder = tempfile::tempdir().unwrap();
    let [notes, link, empty] = ["notes.txt", "link.csv", "empty.csv"].map(|name| folder.path().join(name));
    fs::write(&notes, "mine").unwrap();
    std::os::unix::fs::symlink(&notes, &link).unwrap();
    let (writer, written) = rejecting(&link, ExistingRejects::Replace);
    written.unwrap();
    assert_eq!(writer.set_aside(), Some(folder.path().canonicalize().unwrap().join("notes.1.txt").as_path()));
    assert!(link.is_symlink() && fs::read_to_string(&notes).unwrap().contains("bad"));
    fs::write(&empty, "").unwrap();
    RejectsWriter::new(&empty, RejectsColumns::OneSource, ExistingRejects::Replace).remove_stale().unwrap();
    assert!(empty.exists());
}

#[test]
fn rejects_lie_beside_their_source() {
    for (source, rejects) in [
        (Some("data/calls.csv.gz"), "data/calls.rejects.csv"),
        (Some("calls"), "calls.rejects.csv"),
        (Some("a.b.jsonl"), "a.b.rejects.csv"),
        (None, "input.rejects.csv"),
    ] {
        assert_eq!(default_rejects_path(source.map(Path::new)), PathBuf::from(rejects));
    }
}

const OLD: &str = "line,column,reason,record\n1,,old,y\n";
const NEW: &str = "line,column,reason,record\n7,,bad,x\n";

/// The files of a folder with what is in them, by name.
fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_draft_takes_the_place_of_the_file_when_it_is_settled_and_goes_when_it_is_not() {
    for (existing, settled) in [
        (ExistingRejects::Replace, &[("c.rejects.csv", NEW)][..]),
        (ExistingRejects::SetAside, &[("c.1.rejects.csv", OLD), ("c.rejects.csv", NEW)]),
    ] {
        for is_settled in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("c.rejects.csv");
            fs::write(&path, OLD).unwrap();
            let mut writer = RejectsWriter::new(&path, RejectsColumns::OneSource, existing);
            writer.begin_draft();
            let reject =
                Reject { source: "c".into(), line: 7, column: None, reason: "bad", raw: b"x".to_vec() };
            writer.write(&reject).unwrap();
            assert_eq!(files(folder.path()).len(), 2);
            assert_eq!(fs::read_to_string(&path).unwrap(), OLD);
            if is_settled {
                writer.settle().unwrap();
            }
            drop(writer);
            let found = files(folder.path());
            let found: Vec<_> = found.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            assert_eq!(found, if is_settled { settled } else { &[("c.rejects.csv", OLD)] }, "{existing:?}");
        }
    }
}

#[test]
fn a_file_that_is_all_in_the_new_one_is_not_kept_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("c.rejects.csv");
    let only = [("c.rejects.csv".to_owned(), NEW.to_owned())];
    // The end of what a killed load wrote may be missing.
    for earlier in [NEW, &NEW[..NEW.len() - 3]] {
        fs::write(&path, earlier).unwrap();
        let (mut writer, written) = rejecting(&path, ExistingRejects::SetAside);
        written.unwrap();
        assert!(writer.set_aside().is_some());
        writer.remove_contained().unwrap();
        assert_eq!((writer.set_aside(), files(folder.path())), (None, only.to_vec()));
        drop(writer);

        fs::write(&path, earlier).unwrap();
        let mut writer = RejectsWriter::new(&path, RejectsColumns::OneSource, ExistingRejects::SetAside);
        writer.begin_draft();
        let reject = Reject { source: "c".into(), line: 7, column: None, reason: "bad", raw: b"x".to_vec() };
        writer.write(&reject).unwrap();
        writer.settle().unwrap();
        drop(writer);
        assert_eq!(files(folder.path()), only);
    }
}

#[test]
fn a_draft_without_rejects_or_without_a_file_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.rejects.csv");
    let mut writer = RejectsWriter::new(&path, RejectsColumns::OneSource, ExistingRejects::Replace);
    writer.begin_draft();
    let reject = Reject { source: "c".into(), line: 7, column: None, reason: "bad", raw: b"x".to_vec() };
    writer.write(&reject).unwrap();
    drop(writer);
    let only = [("c.rejects.csv".to_owned(), NEW.to_owned())];
    assert_eq!(files(folder.path()), only);
    let mut writer = RejectsWriter::new(&path, RejectsColumns::OneSource, ExistingRejects::SetAside);
    writer.begin_draft();
    writer.settle().unwrap();
    drop(writer);
    assert_eq!(files(folder.path()), only);
}

#[test]
fn a_stale_file_is_removed_if_it_is_one_of_rejects_that_would_have_been_replaced() {
    let many = "source,line,column,reason,record\nc.csv,1,,old,y\n";
    for (text, existing, is_removed) in [
        (OLD, ExistingRejects::Replace, true),
        (many, ExistingRejects::Replace, true),
        ("mine", ExistingRejects::Replace, false),
        ("", ExistingRejects::Replace, false),
        (OLD, ExistingRejects::SetAside, false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.rejects.csv");
        fs::write(&path, text).unwrap();
        RejectsWriter::new(&path, RejectsColumns::OneSource, existing).remove_stale().unwrap();
        assert_eq!(path.exists(), !is_removed, "{text:?} {existing:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.rejects.csv");
    let (writer, written) = rejecting(&path, ExistingRejects::Replace);
    written.unwrap();
    writer.remove_stale().unwrap();
    drop(writer);
    assert_eq!(fs::read_to_string(&path).unwrap(), NEW);
}

#[test]
fn what_was_there_is_set_aside_when_asked_or_when_it_is_none_of_rejects() {
    for (text, existing, is_kept) in [
        (OLD, ExistingRejects::Replace, false),
        ("", ExistingRejects::Replace, false),
        ("mine", ExistingRejects::Replace, true),
        (OLD, ExistingRejects::SetAside, true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("c.rejects.csv");
        fs::write(&path, text).unwrap();
        let (writer, written) = rejecting(&path, existing);
        written.unwrap();
        let aside = path.with_file_name("c.1.rejects.csv");
        assert_eq!(writer.set_aside(), is_kept.then_some(aside.as_path()), "{text:?} {existing:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), NEW);
        assert!(if is_kept { fs::read_to_string(&aside).unwrap() == text } else { !aside.exists() });
    }
}
