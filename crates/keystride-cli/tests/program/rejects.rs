//! The file of the rows that a load rejects.

use super::calls::{Calls, THREE};
use super::tried::{TWO, Tried};
use super::{stderr, stdout, written};

#[test]
fn a_rejects_file_that_can_t_be_written_ends_a_load_and_says_how_to_name_another() {
    let calls = Calls::new();
    std::fs::write(calls.path().join("calls.csv"), format!("{THREE}1,2,3\n")).unwrap();
    let args = ["load", "-t", "calls", "calls.csv"];
    let named = calls.run(&[&args[..], &["--rejects", "calls.csv/rejects.csv"]].concat());
    assert_eq!((named.status.code(), calls.count()), (Some(2), 0), "{}", stderr(&named));
    std::fs::create_dir(calls.path().join("calls.rejects.csv")).unwrap();
    let output = calls.run(&args);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let talk = stderr(&output);
    assert!(talk.contains("calls.rejects.csv: ") && talk.contains("--rejects FILE"), "{talk}");
    assert!(talk.contains("stored 3 of the first 4 records"), "{talk}");
}

#[test]
fn a_dry_run_tells_rejects_and_leaves_the_file_of_an_earlier_load_alone() {
    let calls = Calls::new();
    let bad = format!("{THREE}1,2,3\n");
    assert_eq!(calls.load("calls.csv", &bad).status.code(), Some(5));
    let rejects = calls.path().join("calls.rejects.csv");
    let before = std::fs::read(&rejects).unwrap();
    std::fs::write(calls.path().join("calls.csv"), bad.replace("1,2,3\n", "1,2,3\n4,5,6\n")).unwrap();
    for more in [&[][..], &["--rejects", "other.csv"]] {
        let output = calls.run(&[&["load", "-t", "calls", "calls.csv", "--dry-run"], more].concat());
        assert_eq!(output.status.code(), Some(5));
        let talk = stderr(&output);
        assert!(talk.contains("calls.csv:5: column \"phone\"") && talk.contains("calls.csv:6:"), "{talk}");
        assert!(!stdout(&output).contains("rejects file"), "{}", stdout(&output));
    }
    assert_eq!(std::fs::read(&rejects).unwrap(), before);
    assert!(!calls.path().join("other.csv").exists());
    for (bad, told) in [(9, 9), (10, 10), (12, 10)] {
        std::fs::write(calls.path().join("calls.csv"), format!("{THREE}{}", "1,2,3\n".repeat(bad))).unwrap();
        let talk = stderr(&calls.run(&["load", "-t", "calls", "calls.csv", "--dry-run"]));
        assert_eq!(talk.matches("rejected calls.csv:").count(), told, "{talk}");
    }
}

#[test]
fn many_files_are_loaded_with_a_rejects_file_that_says_which() {
    let calls = Calls::new();
    calls.load("a.csv", THREE);
    std::fs::write(calls.path().join("b.csv"), "phone,seconds,ts\n1,2,3\n").unwrap();
    let output = calls.run(&["load", "-t", "calls", "*.csv"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let kept = std::fs::read_to_string(calls.path().join("input.rejects.csv")).unwrap();
    assert!(kept.starts_with("source,line") && kept.contains("\nb.csv,2,phone,"), "{kept}");
}

#[test]
fn rejects_go_with_the_load_that_rejects_nothing_and_those_of_a_pipe_stay() {
    let tried = Tried::new(TWO);
    let rejects = tried.path().join("rows.rejects.csv");
    let one = tried.load("id,a,b\nx,a,b\n", &[]);
    assert_eq!(one.status.code(), Some(5));
    assert!(rejects.exists() && stdout(&one).contains("rejects file\t"), "{}", stdout(&one));
    std::fs::write(&rejects, "mine\n").unwrap();
    assert_eq!(tried.load("id,a,b\n1,a,b\n", &[]).status.code(), Some(0));
    assert!(rejects.exists(), "what is no file of rejects is left alone");
    assert_eq!(tried.load("id,a,b\ny,a,b\n", &[]).status.code(), Some(5));
    let mine = tried.path().join("rows.1.rejects.csv");
    assert_eq!(std::fs::read_to_string(mine).unwrap(), "mine\n", "and moved, not written over");
    let over = tried.load("id,a,b\ny,a,b\n", &["-d", &tried.design, "--rejects", &tried.design]);
    assert_eq!(over.status.code(), Some(2), "{}", stderr(&over));
    assert_eq!(tried.load("id,a,b\n2,a,b\n", &[]).status.code(), Some(0));
    assert!(!rejects.exists());

    let of_pipe = written(tried.path(), "input.rejects.csv", "line,column,reason,record\n1,,lost,x\n");
    let input = written(tried.path(), "input.csv", "id,a,b\nz,a,b\n");
    assert_eq!(tried.run(&["load", "-t", "t", &input]).status.code(), Some(5));
    let aside = std::fs::read_to_string(tried.path().join("input.1.rejects.csv")).unwrap();
    assert!(aside.contains("lost") && !std::fs::read_to_string(of_pipe).unwrap().contains("lost"));
}

#[test]
fn the_rejects_of_a_load_stay_if_it_can_t_go_on_with_other_input() {
    let tried = Tried::new(TWO);
    let id = ["--load-id", "one"];
    let resume = ["--load-id", "one", "--resume"];
    assert_eq!(tried.load("id,a,b\nx,a,b\n1,a,b\n", &id).status.code(), Some(5));
    let rejects = || std::fs::read_to_string(tried.path().join("rows.rejects.csv")).unwrap();
    let of_first = rejects();
    let changed = tried.load("id,a,b\nw,a,b\n2,a,b\n", &resume);
    assert_eq!(changed.status.code(), Some(2), "{}", stderr(&changed));
    assert_eq!(rejects(), of_first);
    assert!(!tried.path().join("rows.new.rejects.csv").exists());
    let resumed = tried.load("id,a,b\nx,a,b\n1,a,b\nz,a,b\n", &resume);
    assert_eq!(resumed.status.code(), Some(5), "{}", stderr(&resumed));
    let of_both = rejects();
    assert!(of_both.starts_with(&of_first) && of_both.contains("z,a,b"), "{of_both}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_load_whose_rejects_can_t_be_kept_says_what_it_stored() {
    let tried = Tried::new(TWO);
    let output = tried.load("id,a,b\n1,a,b\nx,a,b\n", &["--rejects", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1));
    let talk = stderr(&output);
    for part in ["/dev/full", "--rejects FILE", "--resume --load-id"] {
        assert!(talk.contains(part), "{talk}");
    }
    assert!(stdout(&output).contains("rows stored\t1\n"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("rejects file"), "{}", stdout(&output));
}

#[test]
fn no_output_of_a_load_replaces_its_input() {
    let tried = Tried::new(TWO);
    let input = tried.path().join("rows.csv");
    let rows = "id,a,b\n1,a,b\nx,a,b\n";
    for option in ["--rejects", "--report"] {
        let output = tried.load(rows, &[option, &format!("{}/./rows.csv", tried.path().display())]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(stderr(&output).contains("would be written over the input"), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(&input).unwrap(), rows);
    }
    let one = format!("{}/one.out", tried.path().display());
    let output = tried.load(rows, &["--report", &one, "--rejects", &one]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("name two files"), "{}", stderr(&output));
    let output = tried.load(rows, &["--report", &format!("{}/none/report.json", tried.path().display())]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(tried.done(&["count", "t"]), "0\n", "it is known before rows are stored");
}

#[cfg(target_os = "linux")]
#[test]
fn rejects_of_a_pipe_are_kept_in_the_working_folder() {
    let tried = Tried::new(TWO);
    let output = tried.load_piped("id,a,b\n1,a,9\nx,b,9\n2,c,9\n", &["/dev/stdin"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let rejects = std::fs::read_to_string(tried.path().join("input.rejects.csv")).unwrap();
    assert!(rejects.contains("x,b,9"), "{rejects}");
    let output = tried.load_piped("id,a,b\ny,b,9\n", &["-"]);
    assert!(stderr(&output).contains("input.1.rejects.csv"), "{}", stderr(&output));
    let kept = |name: &str| std::fs::read_to_string(tried.path().join(name)).unwrap();
    assert!(kept("input.rejects.csv").contains("y,b,9"));
    assert_eq!(kept("input.1.rejects.csv"), rejects);
    for id in ["v", "w"] {
        tried.load_piped(&format!("id,a,b\n{id},b,9\n"), &["-", "--rejects", "named.csv"]);
    }
    tried.load_piped("id,a,b\n3,b,9\n", &["-", "--rejects", "named.csv"]);
    assert!(kept("named.csv").contains("w,b,9") && kept("named.1.csv").contains("v,b,9"));
}
