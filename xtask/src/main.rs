//! Chores of the project: `cargo run --manifest-path xtask/Cargo.toml -- protos [--check]`.
//!
//! `protos` makes `crates/keystride-hbase/src/proto/generated.rs` from the `.proto` texts beside that crate's sources.
//! With `--check` it writes nothing and fails when the file is not what the texts make of it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

const USAGE: &str = "usage: xtask protos [--check]";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["protos"] => write_protos(),
        ["protos", "--check"] => check_protos(),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn crate_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/keystride-hbase")
}

fn generated() -> PathBuf {
    crate_folder().join("src/proto/generated.rs")
}

fn write_protos() -> Result<(), Box<dyn Error>> {
    Ok(fs::write(generated(), compile()?)?)
}

fn check_protos() -> Result<(), Box<dyn Error>> {
    if fs::read_to_string(generated())? == compile()? {
        return Ok(());
    }
    Err("generated.rs is not what the .proto texts make of it; run: cargo run --manifest-path xtask/Cargo.toml -- protos".into())
}

/// The Rust text of all messages. `bytes` fields share their memory with the answer they came in.
fn compile() -> Result<String, Box<dyn Error>> {
    let folder = crate_folder().join("proto");
    let mut texts: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    texts.sort();
    let files = protox::compile(&texts, [&folder])?;
    let out = tempfile::tempdir()?;
    prost_build::Config::new()
        .bytes(["."])
        .out_dir(out.path())
        .compile_fds(files)?;
    Ok(fs::read_to_string(out.path().join("hbase.pb.rs"))?)
}
