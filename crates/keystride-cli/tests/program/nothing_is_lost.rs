//! Values that could be lost in silence: cells of two sources, keys read back as others, limits that count rows which
//! are not printed, and files that could not be loaded again.

use super::tried::{TWO, Tried};
use super::{keystride, stderr, written};

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
fn times_are_written_to_csv_as_a_load_reads_them() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nid = { type = \"u32\" }\n\
         ts = { type = \"time\", format = \"yyyyMMddHHmm\", input = \"epoch-s\" }\n\
         [key]\nparts = [{ field = \"id\", as = \"be\" }, { field = \"ts\" }]\n",
    );
    let rows = "id,ts\n1,1604206800\n";
    assert_eq!(tried.load(rows, &[]).status.code(), Some(0));
    assert_eq!(tried.done(&["query", "t", "--format", "csv"]).replace('\r', ""), rows);
    assert_eq!(tried.done(&["query", "t", "--no-header"]), "1\t1604206800\n");
    assert_eq!(tried.done(&["query", "t", "--no-header", "--times", "iso"]), "1\t2020-11-01T05:00:00Z\n");
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
fn an_empty_cell_is_a_line_of_csv_and_no_null_of_other_formats() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nk = { type = \"string\" }\ns = { type = \"string\" }\n\
         [key]\nparts = [{ field = \"k\" }]\n",
    );
    assert_eq!(tried.load("k,s\na,\nb,x\n", &[]).status.code(), Some(0));
    for (columns, format, wanted) in [
        ("s", "csv", "s\n\"\"\nx\n"),
        ("s", "tsv", "s\n\nx\n"),
        ("s,k", "csv", "s,k\n,a\nx,b\n"),
        ("s,k", "tsv", "s\tk\n\ta\nx\tb\n"),
    ] {
        let query = ["query", "t", "--ordered", "--columns", columns, "--format", format];
        assert_eq!(tried.done(&query), wanted, "{columns} {format}");
    }
    for (null, csv) in [("\"NA\"", "a,NA\n"), ("\"NA\", \"\"", "a,\n")] {
        let named = Tried::new(&format!(
            "families = [\"f\"]\n[fields]\nk = {{ type = \"string\" }}\ns = {{ type = \"string\" }}\n\
             [key]\nparts = [{{ field = \"k\" }}]\n[input]\nnull = [{null}]\n"
        ));
        assert_eq!(named.load("k,s\na,NA\n", &[]).status.code(), Some(0));
        let printed = |format| named.done(&["query", "t", "--no-header", "--format", format]);
        assert_eq!((printed("csv").as_str(), printed("tsv").as_str()), (csv, "a\t\n"));
    }
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
fn a_time_is_put_as_far_as_its_format_tells_it() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nk = { type = \"int\" }\nts = { type = \"time\", format = \"yyyyMMddHH\" }\n\
         [key]\nparts = [{ field = \"k\", as = \"ordered\" }]\n[columns]\nts = { as = \"be\" }\n",
    );
    tried.done(&["put", "t", "k=1", "ts=2020-01-01T10:20:30"]);
    assert_eq!(tried.done(&["count", "t", "--where", "ts = '2020010110'"]).trim(), "1");
}
