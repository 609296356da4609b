//! Values of text files that must come out as they went in, or be told.

use super::tried::Tried;
use super::{keystride, stderr, stdout, written};

const PLAIN: &str = "families = [\"f\", \"g\"]\n[fields]\nid = { type = \"int\" }\ns = { type = \"string\" }\n\
                     n = { type = \"i64\" }\n[key]\nparts = [{ field = \"id\", as = \"ordered\" }]\n";

impl Tried {
    /// Loads a file of this name and returns the exit code and what `query` prints then.
    fn loaded(&self, name: &str, text: &str, options: &[&str]) -> (Option<i32>, String) {
        let file = written(self.path(), name, text);
        let code = self.run(&[&["load", "-t", "t", &file], options].concat()).status.code();
        let query = ["query", "t", "--ordered", "--format", "csv", "--no-header", "--columns", "id,s,n"];
        (code, self.done(&query))
    }

    fn rejects(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }
}

#[test]
fn text_behind_a_closing_quote_costs_its_line_and_no_row() {
    let tried = Tried::new(PLAIN);
    let text = "id,s,n\n1,ok,1\n3,\"abc,3\n4,\"x\",4\n5,y,5\n";
    assert_eq!(tried.loaded("rows.csv", text, &[]), (Some(5), "1,ok,1\n4,x,4\n5,y,5\n".to_owned()));
    let rejects = tried.rejects("rows.rejects.csv");
    assert!(rejects.contains("\n3,,\"text follows a closing quote, in line 4:"), "{rejects}");
    assert!(rejects.ends_with(",\"3,\"\"abc,3\"\n"), "{rejects}");
    let file = tried.path().join("rows.csv").display().to_string();
    let keys = keystride(&["key", "encode", "-d", &tried.design, "--csv", &file]);
    assert_eq!((keys.status.code(), stdout(&keys).lines().count()), (Some(5), 4), "{}", stderr(&keys));
    let sample = keystride(&["design", "new", "--from", &file]);
    assert!(stderr(&sample).contains("rows.csv:3: text follows a closing quote"), "{}", stderr(&sample));
}

#[test]
fn an_escape_and_a_quote_are_options_of_the_design_and_of_the_command() {
    let text = "id,s,n\n31,\"a\\\"b\",1\n33,\"d\",3\n";
    let quoted = "31,\"a\"\"b\",1\n33,d,3\n".to_owned();
    let tried = Tried::new(PLAIN);
    assert_eq!(tried.loaded("rows.csv", text, &[]), (Some(5), "33,d,3\n".to_owned()));
    assert_eq!(tried.loaded("rows.csv", text, &["--escape", "\\"]), (Some(0), quoted.clone()));
    let tried = Tried::new(&format!("{PLAIN}[input]\nescape = '\\'\n"));
    assert_eq!(tried.loaded("rows.csv", text, &[]), (Some(0), quoted));
    let bare = ["--quote", "none", "--escape", "none"];
    assert_eq!(
        tried.loaded("rows.csv", "id,s,n\n31,\"a\\,1\n", &bare).1.lines().next(),
        Some("31,\"\"\"a\\\",1")
    );
    let file = tried.path().join("rows.csv").display().to_string();
    let design = stdout(&keystride(&["design", "new", "--from", &file, "--quote", "none"]));
    assert!(design.contains("[input]\nquote = \"none\"\n"), "{design}");
}

#[test]
fn printed_tsv_is_read_back() {
    let tried = Tried::new(PLAIN);
    let text = "{\"id\":1,\"s\":\"a\\nb\"}\n{\"id\":2,\"s\":\"a\\\\nb\"}\n{\"id\":3,\"s\":\"\\\"q\\tr\\r\\u001b\"}\n";
    assert_eq!(tried.loaded("rows.jsonl", text, &[]).0, Some(0));
    let print = |tried: &Tried| tried.done(&["query", "t", "--ordered", "--format", "tsv"]);
    let printed = print(&tried);
    assert_eq!(printed, "id\ts\tn\n1\ta\\nb\t\n2\ta\\\\nb\t\n3\t\"q\\tr\\r\u{1b}\t\n");
    let other = Tried::new(PLAIN);
    assert_eq!(other.loaded("rows.tsv", &printed, &["--quote", "none", "--escape", "\\"]).0, Some(0));
    assert_eq!(print(&other), printed);
}

#[test]
fn a_json_number_is_whole_by_its_digits() {
    let tried = Tried::new(PLAIN);
    let text = "{\"id\":1,\"n\":1234567890123456.9}\n{\"id\":2,\"n\":1.9999999999999999}\n{\"id\":3,\"n\":1e999999999}\n\
                {\"id\":4.0,\"n\":10.00e2}\n{\"id\":5,\"n\":9223372036854775807.0}\n{\"id\":1234567890123456.9}\n";
    let stored = "4,,1000\n5,,9223372036854775807\n".to_owned();
    assert_eq!(tried.loaded("rows.jsonl", text, &[]), (Some(5), stored));
}

#[test]
fn what_a_delete_hid_stays_hidden_under_any_load_id_where_rows_have_their_own_times() {
    let tried = Tried::new(
        "families = [\"f\"]\n[fields]\nid = { type = \"u32\" }\nts = { type = \"time\", unit = \"ms\" }\n\
         [key]\nparts = [{ field = \"id\", as = \"be\" }]\n[columns]\ncell_time = \"ts\"\n",
    );
    let rows = "id,ts\n1,2000\n2,3000\n";
    assert_eq!(tried.load(rows, &[]).status.code(), Some(0));
    tried.done(&["delete", "t", "--where", "id = 1", "--yes"]);
    let again = stderr(&tried.load(rows, &[]));
    assert!(
        again.contains("with the times of \"ts\"") && again.contains("whatever the --load-id"),
        "{again}"
    );
    assert!(!again.contains("another --load-id"), "{again}");
    tried.load(rows, &["--load-id", "other"]);
    assert_eq!(tried.done(&["count", "t"]), "1\n");
}

#[test]
fn rejects_of_an_earlier_run_are_no_copy_beside_those_of_the_same_load() {
    let tried = Tried::new(PLAIN);
    let files = ["a.csv", "b.csv"].map(|name| written(tried.path(), name, "id,s,n\nx,a,1\n"));
    let load = |more: &[&str]| {
        let args = [&["load", "-t", "t", &files[0], &files[1], "--load-id", "one"], more].concat();
        let backend = format!("embedded:{}/store", tried.path().display());
        let mut command = super::program();
        command.args(["--backend", &backend]).args(args).current_dir(tried.path()).output().unwrap()
    };
    for more in [&[][..], &["--resume"], &[]] {
        let output = load(more);
        assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
        assert_eq!(tried.rejects("input.rejects.csv").lines().count(), 3);
        assert!(!tried.path().join("input.1.rejects.csv").exists(), "{more:?}");
    }
}
