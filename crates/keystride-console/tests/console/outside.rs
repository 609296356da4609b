//! Files that requests name: those below the folder of `--files` and those that were sent, and no others.

use serde_json::{Value, json};

use super::fixture::{Console, calls};

const ROWS: &str = "phone,ts\n13800138000,1586131200000\n";

async fn with_calls(console: &Console) {
    let table = json!({ "name": "calls", "design": calls(4), "split": { "by": "design" } });
    console.post("/tables", &table).await.done();
}

/// The path as a part of an address.
fn encoded(path: &str) -> String {
    path.bytes().fold(String::new(), |encoded, byte| format!("{encoded}%{byte:02x}"))
}

#[cfg(unix)]
#[tokio::test]
async fn paths_that_lead_elsewhere_are_refused() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().unwrap();
    let inside = root.path().join("in");
    std::fs::create_dir_all(inside.join("sub")).unwrap();
    std::fs::write(root.path().join("secret.csv"), ROWS).unwrap();
    std::fs::write(root.path().join("secret.toml"), "").unwrap();
    symlink(root.path(), inside.join("link")).unwrap();
    symlink(root.path().join("secret.csv"), inside.join("rows.csv")).unwrap();
    symlink(root.path().join("secret.toml"), inside.join("design.toml")).unwrap();
    symlink(root.path().join("new.toml"), inside.join("new.toml")).unwrap();
    let console = Console::with(|options| {
        options.allow_write = true;
        options.files = Some(inside.clone());
    });
    let console = console.await;
    with_calls(&console).await;
    let absolute = root.path().join("secret.csv").display().to_string();
    for path in
        ["../secret.csv", &absolute, "sub/../../secret.csv", "link/secret.csv", "rows.csv", "..", "/", "a\0b"]
    {
        console.get(&format!("/files?path={}", encoded(path))).await.demand_refused(404, "no-such-file");
        let file = json!({ "file": { "path": path } });
        for asked in ["/tables/calls/loads", "/tables/calls/loads/trial", "/design/sample"] {
            console.post(asked, &file).await.demand_refused(404, "no-such-file");
        }
    }
    for name in ["../new", "sub/../../new", "link/new", "link/secret", "nothing/new", "design", "new", "a\0b"]
    {
        let path = format!("{name}.toml");
        let extract = json!({ "to": path, "existing": "overwrite" });
        console.post("/tables/calls/extracts", &extract).await.demand_refused(404, "no-such-file");
        let design = json!({ "design": calls(4), "path": path, "replace": true });
        console.post("/design/save", &design).await.demand_refused(404, "no-such-file");
    }
    for id in ["1", "0", "", "../1", "-1", "1/../../x"] {
        let file = json!({ "file": { "upload": id } });
        console.post("/tables/calls/loads", &file).await.demand_refused(404, "no-such-file");
    }
    assert_eq!(std::fs::read(root.path().join("secret.toml")).unwrap(), b"");
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 3, "in, and two secrets");
    let listed = console.get("/files").await.done();
    let names: Vec<&Value> =
        listed["entries"].as_array().unwrap().iter().map(|entry| &entry["name"]).collect();
    assert_eq!(names, ["sub"], "what links lead to is not told");
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_through_links_and_nothing_waits_for_a_pipe() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    let (files, console) = Console::with_files().await;
    with_calls(&console).await;
    let victim = outside.path().join("victim");
    std::fs::write(&victim, "mine").unwrap();
    std::fs::write(files.path().join("a.csv"), format!("{ROWS}bad,bad\n")).unwrap();
    symlink(&victim, files.path().join("a.rejects.csv")).unwrap();
    let load = json!({ "file": { "path": "a.csv" } });
    console.post("/tables/calls/loads", &load).await.demand_refused(422, "linked");
    std::fs::create_dir(files.path().join("out")).unwrap();
    symlink(outside.path(), files.path().join("out/dt=2020-04-06")).unwrap();
    let extract = json!({ "to": "out", "by_day": true, "existing": "overwrite" });
    console.post("/tables/calls/extracts", &extract).await.demand_refused(422, "linked");
    assert_eq!(std::fs::read(&victim).unwrap(), b"mine");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);

    let made = std::process::Command::new("mkfifo").arg(files.path().join("pipe.csv")).status().unwrap();
    assert!(made.success());
    let pipe = json!({ "file": { "path": "pipe.csv" } });
    for path in ["/tables/calls/loads", "/tables/calls/loads/trial", "/design/sample"] {
        console.post(path, &pipe).await.demand_refused(422, "no-file");
    }
    let listed = console.get("/files").await.done().to_string();
    assert!(listed.contains("a.csv") && !listed.contains("pipe"), "{listed}");
}

#[tokio::test]
async fn without_a_folder_only_files_that_were_sent_are_read() {
    let console = Console::start().await;
    with_calls(&console).await;
    let file = json!({ "file": { "path": "calls.csv" } });
    for (path, body) in [
        ("/tables/calls/loads", &file),
        ("/tables/calls/loads/trial", &file),
        ("/tables/calls/extracts", &json!({ "to": "out" })),
        ("/design/sample", &file),
        ("/design/save", &json!({ "design": calls(4), "path": "calls.toml" })),
    ] {
        console.post(path, body).await.demand_refused(403, "no-files");
    }
    console.get("/files").await.demand_refused(403, "no-files");
    let sent = console.send("POST", "/uploads?name=calls.csv", ROWS).await.done();
    let load = json!({ "file": { "upload": sent["upload"] } });
    let job = console.post("/tables/calls/loads", &load).await.done();
    assert_eq!(console.end_of(&job).await["end"]["report"]["rows"], 1);
}

#[tokio::test]
async fn a_file_is_read_whatever_it_is_called() {
    let console = Console::start().await;
    with_calls(&console).await;
    let long = format!("{}.csv", "\u{8868}".repeat(1_000));
    for name in
        ["calls.csv", "../../calls.csv", r"C:\calls.csv", "/etc/calls.csv", "a\0b.csv", "..", "", &long]
    {
        let sent = console.send("POST", &format!("/uploads?name={}", encoded(name)), ROWS).await.done();
        assert_eq!(sent["bytes"], ROWS.len(), "{name}");
        let asked = json!({ "file": { "upload": sent["upload"] } });
        let trial = console.post("/tables/calls/loads/trial", &asked).await.done();
        assert_eq!(trial["rows"][0]["values"][0], "13800138000", "{name}: {trial}");
    }
    for query in ["", "?", "?nam=a", "?name=a&name=b"] {
        let refused = console.send("POST", &format!("/uploads{query}"), ROWS).await;
        refused.demand_refused(400, "request");
        assert!(refused.body.contains("name"), "{}", refused.body);
    }
}
