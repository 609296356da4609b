//! Values that could be lost in silence: cells of two sources, keys read back as others, limits that count rows which
//! are not printed, and files that could not be loaded again.

use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use super::{keystride, program, stderr, stdout, written};

/// A folder with a design and the table made by it.
struct Tried {
    folder: tempfile::TempDir,
    design: String,
}

impl Tried {
    fn new(design: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let design =
            written(folder.path(), "d.toml", &format!("format = 1\n[table]\nname = \"t\"\n{design}"));
        let tried = Self { folder, design };
        tried.done(&["table", "create", "-d", &tried.design]);
        tried
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, args: &[&str]) -> Output {
        let backend = format!("embedded:{}/store", self.path().display());
        keystride(&[&["--backend", &backend], args].concat())
    }

    fn done(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stdout(&output)
    }

    fn load(&self, rows: &str, options: &[&str]) -> Output {
        let file = written(self.path(), "rows.csv", rows);
        self.run(&[&["load", "-t", "t", &file], options].concat())
    }

    /// Loads rows from the pipe that is its standard input, named as the first of `args`.
    fn load_piped(&self, rows: &str, args: &[&str]) -> Output {
        let backend = format!("embedded:{}/store", self.path().display());
        let mut child = program()
            .args([&["--backend", &backend, "load", "-t", "t"], args].concat())
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(rows.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }
}

const TWO: &str = "families = [\"f\"]\n[fields]\nid = { type = \"u32\" }\na = { type = \"string\" }\n\
                   b = { type = \"string\" }\n[key]\nparts = [{ field = \"id\", as = \"be\" }]\n";

#[test]
fn two_fields_have_two_cells() {
    let folder = tempfile::tempdir().unwrap();
    for columns in ["a = { qualifier = \"b\" }", "a = { qualifier = \"x\" }\nb = { qualifier = \"x\" }"] {
        let text = format!("format = 1\n[table]\nname = \"t\"\n{TWO}[columns]\n{columns}\n");
        let output = keystride(&["design", "show", &written(folder.path(), "d.toml", &text)]);
        assert_eq!(output.status.code(), Some(2));
        let told = "fields \"a\" and \"b\" have the same cell";
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}

#[test]
fn a_column_of_no_field_takes_no_cell_of_a_field_and_no_mark() {
    let tried = Tried::new(&format!("{TWO}[columns]\na = {{ qualifier = \"x\" }}\nother = \"f\"\n"));
    let output = tried.load("id,a,b,x,\n1,a,b,,\n2,a,b,x,\n3,a,b,,y\n", &[]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let rejects = std::fs::read_to_string(tried.path().join("rows.rejects.csv")).unwrap();
    assert!(
        rejects.contains("\"\"x\"\" would be stored as \"\"f:x\"\", which holds field \"\"a\"\""),
        "{rejects}"
    );
    assert!(rejects.contains("a column without a name would be stored as \"\"f:\"\""), "{rejects}");
    assert_eq!(tried.done(&["query", "t", "--no-header"]), "1\ta\tb\n");
}

#[test]
fn a_row_whose_key_would_be_read_as_another_is_rejected() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nn = { type = \"u32\" }\nk = { type = \"string\", alphabet = \"0-9\" }\n\
         [key]\nparts = [{ bucket = 16, hash = \"mod\", of = [\"n\"], width = 1 }, { field = \"k\" }]\n",
    );
    let output = tried.load("n,k\n1,104\n1,94\n10,4\n", &[]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let rejects = std::fs::read_to_string(tried.path().join("rows.rejects.csv")).unwrap();
    assert!(rejects.contains("\"\"1104\"\" would not give back field \"\"k\"\""), "{rejects}");
    assert_eq!(tried.done(&["count", "t"]), "2\n");
}

#[test]
fn a_row_whose_key_would_not_be_read_is_rejected_where_derived_fields_alone_follow_the_bucket() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nt = { type = \"time\", format = \"yyyy\" }\ny = { from = \"floor(t,1y)\" }\n\
         s = { type = \"string\" }\nl = { from = \"lower(s)\" }\n\
         [key]\nparts = [{ bucket = 11, of = [\"s\"], width = 1 }, { field = \"y\" }, { field = \"l\" }]\n",
    );
    let output = tried.load("t,s\n0900,x0\n0901,x1\n1900,x0\n", &[]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let rejects = std::fs::read_to_string(tried.path().join("rows.rejects.csv")).unwrap();
    assert!(rejects.contains("\"\"10900x0\"\" would not give back field \"\"y\"\""), "{rejects}");
    assert_eq!(tried.done(&["query", "t", "--no-header"]), "1900\tx0\n0901\tx1\n");
}

#[test]
fn a_narrow_bucket_beside_one_of_the_rest_is_read_back_whole() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nv = { type = \"string\" }\nn = { type = \"f64\" }\n[key]\nparts = [\
         { bucket = 16, hash = \"md5\", of = [\"rest\"] }, { field = \"n\", as = \"ordered\" }, \
         { bucket = 16, of = [\"v\"], width = 1 }, { field = \"v\" }]\n",
    );
    let rows: Vec<String> = (0..40).map(|row| format!("v{row},{row}.5\n")).collect();
    let output = tried.load(&format!("v,n\n{}none,NaN\n", rows.concat()), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(tried.done(&["query", "t", "--where", "v = 'v7'", "--no-header"]), "v7\t7.5\n");
    assert_eq!(tried.done(&["count", "t"]), "41\n");
}

#[test]
fn rejects_go_with_the_load_that_rejects_nothing_and_those_of_a_pipe_stay() {
    let tried = Tried::new(TWO);
    let rejects = tried.path().join("rows.rejects.csv");
    assert_eq!(tried.load("id,a,b\nx,a,b\n", &[]).status.code(), Some(5));
    assert!(rejects.exists());
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
fn a_load_ends_as_it_does_though_nobody_reads_what_is_printed() {
    for (row, code) in [("1,a,b", 0), ("x,a,b", 5)] {
        let tried = Tried::new(TWO);
        let input = written(tried.path(), "rows.csv", &format!("id,a,b\n{row}\n"));
        let report = tried.path().join("r.json");
        let backend = format!("embedded:{}/store", tried.path().display());
        let mut load = program();
        load.args(["--backend", &backend, "load", "-t", "t", &input, "--report", report.to_str().unwrap()]);
        let mut child = load.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert!(std::fs::read_to_string(report).unwrap().contains("\"rows\""));
    }
}

#[test]
fn keys_are_encoded_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let design = written(folder.path(), "d.toml", &format!("format = 1\n[table]\nname = \"t\"\n{TWO}"));
    let mut child = program()
        .args(["key", "encode", "-d", &design])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"id,a,b\n7,x,y\n8,x,y\n").unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()).lines().count(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_glob_leaves_out_no_file_without_a_word() {
    use std::os::unix::ffi::OsStrExt as _;
    let tried = Tried::new(TWO);
    written(tried.path(), "1.csv", "id,a,b\n1,a,b\n");
    let odd = tried.path().join(std::ffi::OsStr::from_bytes(b"2\xff.csv"));
    std::fs::write(&odd, "id,a,b\n2,a,b\n").unwrap();
    let glob = tried.path().join("*.csv").display().to_string();
    let refused = tried.run(&["load", "-t", "t", &glob]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("its name is not UTF-8"), "{}", stderr(&refused));
    std::fs::remove_file(odd).unwrap();
    assert_eq!(tried.run(&["load", "-t", "t", &glob]).status.code(), Some(0));
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

#[test]
fn a_field_named_not_is_told_from_a_negation() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nid = { type = \"u32\" }\nnot = { type = \"int\" }\n\
         [key]\nparts = [{ field = \"id\" }]\n",
    );
    assert_eq!(tried.load("id,not\n1,5\n2,6\n3,\n", &[]).status.code(), Some(0));
    for (predicate, ids) in [
        ("not = 5", "1\n"),
        ("not not = 5", "2\n"),
        ("not is null", "3\n"),
        ("not in (5, 6) and not not in (6)", "1\n"),
        ("not (id < 3)", "3\n"),
        ("not id < 3", "3\n"),
    ] {
        let query = ["query", "t", "--columns", "id", "--no-header", "--where", predicate];
        assert_eq!(tried.done(&query), ids, "{predicate}");
    }
}

#[test]
fn a_limit_counts_the_rows_that_are_printed() {
    let tried = Tried::new(TWO);
    let rows = "id,a,b\n1,,b\n2,,b\n3,,b\n4,,b\n5,,b\n6,,b\n7,a,b\n8,a,b\n9,a,b\n";
    assert_eq!(tried.load(rows, &[]).status.code(), Some(0));
    let scan = ["scan", "t", "--no-header", "--columns", "f:a", "--limit", "2"];
    let all = tried.done(&scan);
    assert_eq!(all.lines().count(), 2);
    assert_eq!(tried.done(&[&scan[..], &["--where", "id > 0"]].concat()), all);
}

#[test]
fn a_design_written_as_json_keeps_the_order_of_fields_and_families() {
    let tried = Tried::new(
        "[table.families]\nz = { versions = 2 }\na = { ttl = \"1d\" }\n[fields]\nid = { type = \"u32\" }\n\
         b = { type = \"string\" }\na = { type = \"string\" }\n[key]\nparts = [{ field = \"id\" }]\n",
    );
    let json = tried.done(&["design", "show", &tried.design, "--as", "json"]);
    let json = written(tried.path(), "d.json", &json);
    assert_eq!(
        tried.done(&["design", "show", &json, "--as", "toml"]),
        tried.done(&["design", "show", &tried.design, "--as", "toml"])
    );
    let text = std::fs::read_to_string(&tried.design).unwrap();
    let swapped = text
        .replace("z = { versions = 2 }\na = { ttl = \"1d\" }", "a = { ttl = \"1d\" }\nz = { versions = 2 }");
    let output = tried.run(&["table", "check", "t", "-d", &written(tried.path(), "s.toml", &swapped)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        format!("{}{}", stdout(&output), stderr(&output)).contains("the order of families"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn times_are_written_to_csv_as_a_load_reads_them() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
         ts = { type = \"time\", format = \"yyyyMMddHHmm\", input = \"epoch-s\" }\n\
         [key]\nparts = [{ field = \"id\", as = \"be\" }, { field = \"ts\" }]\n",
    );
    let rows = "id,ts\n1,1604206800\n";
    assert_eq!(tried.load(rows, &[]).status.code(), Some(0));
    assert_eq!(tried.done(&["query", "t", "--format", "csv"]).replace('\r', ""), rows);
    assert_eq!(tried.done(&["query", "t", "--no-header"]), "1\t202011010500\n");
}

#[test]
fn a_row_that_got_cells_later_repeats_itself() {
    let tried = Tried::new(TWO);
    assert_eq!(tried.load("id,a,b\n2,,\n", &[]).status.code(), Some(0));
    tried.done(&["put", "t", "id=2", "a=x"]);
    let output = tried.load("id,a,b\n2,x,\n", &["--check-stored", "--load-id", "again"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_refused_extract_leaves_the_finished_one() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nts = { type = \"time\", unit = \"ms\" }\n\
         [key]\nparts = [{ field = \"ts\", as = \"be\" }]\n",
    );
    assert_eq!(tried.load("ts\n1586131200000\n", &[]).status.code(), Some(0));
    let to = tried.path().join("out").display().to_string();
    let extract = ["extract", "t", "--partition-by", "day", "--to", &to];
    let resume = [&extract[..], &["--resume"]].concat();
    tried.done(&extract);
    assert_eq!(tried.run(&extract).status.code(), Some(2));
    tried.done(&resume);
}

#[test]
fn a_design_made_from_a_file_is_valid_whatever_stands_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "n.csv", "a,b\n1,-\n2,\\N\n");
    let output = keystride(&["design", "new", "--from", &csv, "--key", "a"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains(r#""\\N""#), "{}", stdout(&output));
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
    assert!(!stdout(&output).contains("rejects kept in"), "{}", stdout(&output));
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

#[test]
fn a_load_that_is_asked_to_sort_and_can_t_says_so() {
    let tried = Tried::new(TWO);
    let said = "only an empty table is filled sorted";
    assert!(!stderr(&tried.load("id,a,b\n1,a,9\n", &["--way", "sorted"])).contains(said));
    let again = tried.load("id,a,b\n2,a,9\n", &["--way", "sorted", "--load-id", "other"]);
    assert_eq!(again.status.code(), Some(0));
    assert!(stderr(&again).contains(said), "{}", stderr(&again));
}

#[test]
fn loads_of_standard_input_are_loads_of_their_own() {
    let tried = Tried::new(TWO);
    assert_eq!(tried.load_piped("id,a,b\n1,a,9\n", &["-"]).status.code(), Some(0));
    let other = tried.load_piped("id,a,b\n1,a,10\n", &["-", "--check-stored"]);
    assert_eq!(other.status.code(), Some(5), "{}", stderr(&other));
    assert!(tried.done(&["get", "t", "id=1"]).contains("1\ta\t9"));
    let resumed = tried.load_piped("id,a,b\n", &["-", "--resume"]);
    assert_eq!(resumed.status.code(), Some(2));
    assert!(stderr(&resumed).contains("needs the --load-id"), "{}", stderr(&resumed));
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

/// The rows of a table, and its time cut to the day, which neither the key nor a cell holds.
const DAYS: &str = "families = [\"f\"]\n[fields]\nk = { type = \"int\" }\n\
    ts = { type = \"time\", unit = \"s\", input = \"iso8601\" }\nday = { from = \"floor(ts,1d)\" }\n\
    [key]\nparts = [{ field = \"k\", as = \"ordered\" }]\n";
const DAYS_ROWS: &str = "k,ts\n1,2020-01-01T10:00:00\n2,2020-01-02T10:00:00\n3,2020-01-03T10:00:00\n";

#[test]
fn a_time_that_is_computed_orders_divides_and_stamps_rows() {
    let tried = Tried::new(DAYS);
    assert_eq!(tried.load(DAYS_ROWS, &[]).status.code(), Some(0));
    let first =
        |end: &str| tried.done(&["query", "t", end, "1", "--on", "day", "--columns", "k", "--no-header"]);
    assert_eq!((first("--newest"), first("--oldest")), ("3\n".to_owned(), "1\n".to_owned()));
    let to = tried.path().join("ex").display().to_string();
    let folders = tried.done(&["extract", "t", "--on", "day", "--partition-by", "day", "--to", &to]);
    for day in ["dt=2020-01-01", "dt=2020-01-02", "dt=2020-01-03"] {
        assert!(folders.contains(day), "{folders}");
    }
    let stamped = Tried::new(&format!("{DAYS}[columns]\ncell_time = \"day\"\n"));
    assert_eq!(stamped.load(DAYS_ROWS, &[]).status.code(), Some(0));
    assert!(stamped.done(&["scan", "t"]).contains("\t1577836800000\t"));
    let again = stamped.load(DAYS_ROWS, &["--load-id", "two", "--check-stored"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
}

#[test]
fn a_row_without_the_time_of_its_cells_is_a_repeat_all_the_same() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nk = { type = \"int\" }\nts = { type = \"time\", unit = \"s\" }\n\
         v = { type = \"string\" }\n[key]\nparts = [{ field = \"k\", as = \"ordered\" }]\n\
         [columns]\ncell_time = \"ts\"\n",
    );
    let rows = "k,ts,v\n1,1577836800,a\n2,,b\n";
    assert_eq!(tried.load(rows, &[]).status.code(), Some(0));
    let again = |rows: &str| tried.load(rows, &["--load-id", "z", "--check-stored"]).status.code();
    assert_eq!(again(rows), Some(0));
    assert_eq!(again("k,ts,v\n2,,c\n"), Some(5));
    assert_eq!(again("k,ts,v\n1,1577836801,a\n"), Some(5));
}

#[test]
fn a_time_between_two_that_a_field_can_have_is_refused() {
    let tried = Tried::new(DAYS);
    let output = tried.run(&["query", "t", "--where", "ts >= '2020-01-01T10:00:00.5'"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("between two whole numbers of s"), "{}", stderr(&output));
}

#[test]
fn a_predicate_reads_times_as_their_source_has_them() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nts = { type = \"time\", unit = \"s\", input = \"dd.MM.yyyy HH:mm\" }\n\
         [key]\nparts = [{ field = \"ts\" }]\n",
    );
    assert_eq!(tried.load("ts\n01.02.2020 10:11\n02.02.2020 10:11\n", &[]).status.code(), Some(0));
    assert_eq!(tried.done(&["count", "t", "--where", "ts = '01.02.2020 10:11'"]).trim(), "1");
}

#[test]
fn csv_tells_null_from_an_empty_text_where_the_design_does() {
    let design = |null: &str| {
        format!(
            "families = [\"f\"]\n[fields]\nk = {{ type = \"string\", default = \"-\" }}\ns = {{ type = \"string\" }}\n\
             i = {{ type = \"u64\" }}\n[key]\nparts = [{{ field = \"k\" }}]\n{null}"
        )
    };
    for (null, rows) in [
        ("[input]\nnull = [\"\\\\N\"]\n", "k,s,i\na,\\N,18446744073709551615\nb,,2\nc,x,\\N\n"),
        ("", "k,s,i\n,,\na,,3\n"),
    ] {
        let (tried, other) = (Tried::new(&design(null)), Tried::new(&design(null)));
        assert_eq!(tried.load(rows, &[]).status.code(), Some(0));
        for columns in ["k,s,i", "k"] {
            let args = |format| ["query", "t", "--columns", columns, "--format", format];
            let printed = tried.done(&args("csv"));
            other.load(&printed, &["--load-id", columns]);
            assert_eq!(other.done(&args("ndjson")), tried.done(&args("ndjson")), "{printed}");
        }
    }
}

#[test]
fn a_sample_of_few_keys_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let sample = written(folder.path(), "s.txt", "\u{feff}a\na\na\nb\n");
    let output = keystride(&["splits", "--sample", &sample, "-n", "4"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "a\nb\n"));
    assert!(stderr(&output).contains("1 of 3 are left out, 3 regions stay"), "{}", stderr(&output));
    let points = written(folder.path(), "p.txt", "a\nb\n\\x0a\n");
    let output = keystride(&["splits", "--file", &points]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("p.txt:3: "), "{}", stderr(&output));
}

#[test]
fn a_new_design_keeps_the_zeros_before_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "n.csv", "a,b,c\n007,-03,+1\n12,4,2\n");
    let made = stdout(&keystride(&["design", "new", "--from", &csv, "--key", "a"]));
    assert_eq!(made.matches("{ type = \"string\" }").count(), 3, "{made}");
}

#[test]
fn windows_of_time_need_a_time() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nk = { type = \"int\" }\n[key]\nparts = [{ field = \"k\" }]\n",
    );
    let output = tried.load("k\n1\n", &["--window", "1m"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(tried.load("k\n1\n", &["--window", "100"]).status.code(), Some(0));
}

#[test]
fn keys_and_points_may_begin_with_a_hyphen() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nk = { type = \"int\" }\n[key]\nparts = [{ field = \"k\" }]\n",
    );
    assert_eq!(tried.load("k\n-9\n7\n", &[]).status.code(), Some(0));
    assert_eq!(
        tried.done(&["scan", "t", "--raw-start", "-9", "--raw-stop", "-99", "--no-header"]).lines().count(),
        1
    );
    tried.done(&["table", "split", "t", "--escaped", "-5"]);
    assert!(tried.done(&["key", "decode", "-d", &tried.design, "--escaped", "-9"]).contains("-9"));
}

#[test]
fn no_colour_means_none_in_complaints_about_the_command_line() {
    let color = |word: &str| stderr(&keystride(&["--color", word, "splits", "-x"])).contains('\u{1b}');
    assert_eq!((color("always"), color("never")), (true, false));
}

#[test]
fn a_text_of_a_cell_is_as_long_as_cells_may_be() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nk = { type = \"string\" }\nv = { type = \"string\" }\n[key]\nparts = [{ field = \"k\" }]\n",
    );
    let long = "x".repeat(40_000);
    assert_eq!(tried.load(&format!("k,v\na,{long}\n"), &[]).status.code(), Some(0));
    assert_eq!(tried.done(&["query", "t", "--columns", "v", "--no-header"]).trim(), long);
    let refused = tried.load(&format!("k,v\n{long},a\n"), &[]);
    assert_eq!(refused.status.code(), Some(5));
    let folder = std::fs::read_dir(tried.path()).unwrap().flatten().map(|file| file.path());
    let rejects = folder.into_iter().find(|path| path.to_string_lossy().contains("reject")).unwrap();
    assert!(std::fs::read_to_string(rejects).unwrap().contains("32767"));
}

#[test]
fn a_key_with_a_line_break_is_no_line_of_keys() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nk = { type = \"string\" }\n\
                [key]\nparts = [{ field = \"k\" }]\n";
    let design = written(folder.path(), "d.toml", text);
    let csv = written(folder.path(), "k.csv", "k\n\"a\nb\"\nc\n");
    let encode = |form| keystride(&["key", "encode", "-d", &design, "--csv", &csv, "--as", form]);
    let output = encode("text");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(5), "\nc\n"));
    assert!(stderr(&output).contains("k.csv:2: the key has a line break"), "{}", stderr(&output));
    assert_eq!(stdout(&encode("escaped")), "a\\x0Ab\nc\n");
}

#[test]
fn a_time_is_put_as_far_as_its_format_tells_it() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nk = { type = \"int\" }\nts = { type = \"time\", format = \"yyyyMMddHH\" }\n\
         [key]\nparts = [{ field = \"k\", as = \"ordered\" }]\n[columns]\nts = { as = \"be\" }\n",
    );
    tried.done(&["put", "t", "k=1", "ts=2020-01-01T10:20:30"]);
    assert_eq!(tried.done(&["count", "t", "--where", "ts = '2020010110'"]).trim(), "1");
}
