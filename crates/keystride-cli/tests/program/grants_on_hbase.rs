//! A cluster with access control: who may read and write rows needs no more.

use std::process::Stdio;

use keystride_hbase_harness::{Cluster, ClusterOptions, Jars, JavaProgram, Site, quick};

use super::serving::Serving;
use super::{CALLS, program, stderr, stdout, written};

const ACCESS_CONTROLLER: &str = "org.apache.hadoop.hbase.security.access.AccessController";
/// May do everything.
const KEEPER: &str = "keeper";

fn with_access_control() -> Cluster {
    let coprocessors = ["master", "region", "regionserver"];
    let site = Site::new().with("hbase.security.authorization", true).with("hbase.superuser", KEEPER);
    let site = coprocessors
        .iter()
        .fold(site, |site, of| site.with(format!("hbase.coprocessor.{of}.classes"), ACCESS_CONTROLLER));
    Cluster::start(&ClusterOptions::small(site)).unwrap()
}

const ROWS: &str = "phone,ts\n13800138000,1586131200000\n13800138001,1586131200001\n";

#[test]
fn rows_are_read_and_written_with_the_grants_for_that_alone() {
    if quick("rows_are_read_and_written_with_the_grants_for_that_alone") {
        return;
    }
    let (cluster, folder) = (with_access_control(), tempfile::tempdir().unwrap());
    let design = written(folder.path(), "d.toml", CALLS);
    let rows = written(folder.path(), "rows.csv", ROWS);
    let grant = |user: &str, actions: &str, table: &str| {
        let grant = JavaProgram::grant().with_arguments([user, actions, table]);
        Jars::ready().unwrap().text(&grant, &cluster.address().client_site()).unwrap();
    };
    let command = |user: &str, args: &[&str]| {
        let backend = format!("hbase+rpc://{}", cluster.address().master());
        let mut command = program();
        command.args(["--backend", &backend]).args(args).env("HADOOP_USER_NAME", user);
        command.current_dir(folder.path());
        command
    };
    let run = |user: &str, args: &[&str]| command(user, args).output().unwrap();
    let ask = |user: &str, args: &[&str]| {
        let output = run(user, args);
        assert_eq!(output.status.code(), Some(0), "{user} {args:?}: {}", stderr(&output));
        stdout(&output)
    };
    let refused = |user: &str, args: &[&str], told: &str| {
        let output = run(user, args);
        assert_eq!(output.status.code(), Some(4), "{user} {args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(told), "{user} {args:?}: {}", stderr(&output));
    };
    ask(KEEPER, &["table", "create", "-d", &design]);
    grant("ann", "RW", "calls");
    grant("bob", "W", "calls");

    let load = ["load", "-d", &design, &rows];
    refused("ann", &load, "--no-resume");
    for user in ["ann", "bob"] {
        ask(user, &[&load[..], &["--no-resume"]].concat());
    }
    ask(KEEPER, &load);
    grant("ann", "RW", "keystride.notes");
    ask("ann", &load);
    ask("ann", &[&load[..], &["--resume"]].concat());

    refused("ann", &["count", "calls"], "name its design with -d");
    refused("ann", &["table", "describe", "calls"], "user=ann");
    refused("bob", &["count", "calls", "-d", &design], "user 'bob'");
    assert_eq!(ask("ann", &["count", "calls", "-d", &design]), "2\n");
    assert_eq!(ask("ann", &["scan", "calls", "--no-header"]).lines().count(), 2);
    for command in [
        &["query", "calls", "--where", "phone = '13800138000'"][..],
        &["get", "calls", "phone=13800138000", "ts=1586131200000"],
        &["extract", "calls", "--to", "out"],
        &["stats", "calls"],
        &["put", "calls", "phone=13800138003", "ts=1586131200009"],
    ] {
        ask("ann", &[command, &["-d", &design]].concat());
    }
    ask("bob", &["put", "calls", "phone=13800138004", "ts=1586131200009", "-d", &design]);
    let delete = ["delete", "calls", "--where", "ts = 1586131200009", "--yes", "-d", &design];
    assert_eq!(ask("ann", &delete), "2\n");
    refused("eve", &["scan", "calls"], "user 'eve'");
    // Its servers refuse it afterwards, where only their logs tell.
    ask("eve", &["table", "compact", "calls"]);
    // A console needs no grant to be opened, and acts with those of its own user.
    let mut serve = command("ann", &["serve", "--listen", "127.0.0.1:0"]);
    let console = Serving::of(serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let cookie = console.session();
    let answer = |path: &str| console.get(&format!("/api/v1/{path}"), &cookie);
    assert!(answer("tables").ends_with(r#"{"tables":["calls"]}"#), "{}", answer("tables"));
    assert!(answer("tables/calls/regions").starts_with("HTTP/1.1 200 "));
    assert!(answer("tables/calls").contains("user=ann"), "{}", answer("tables/calls"));
    console.end();
    let other = written(folder.path(), "other.toml", &CALLS.replace("bucket = 16", "bucket = 8"));
    let unfit = run("ann", &["load", "-d", &other, &rows, "--no-resume"]);
    assert_eq!(unfit.status.code(), Some(1), "{}", stderr(&unfit));
    assert!(stderr(&unfit).contains("split points: "), "{}", stderr(&unfit));
}
