//! Where the environment names a cluster, `hbase-run` starts none.

use std::error::Error;
use std::process::Command;

use keystride_hbase_harness::{CERTIFICATE_VARIABLE, MASTER_VARIABLE, ZOOKEEPER_VARIABLE};

#[test]
fn a_running_cluster_is_used() -> Result<(), Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_hbase-run"))
        .args(["sh", "-c", "echo $KEYSTRIDE_HBASE $KEYSTRIDE_HBASE_ZK; exit 7"])
        .env(MASTER_VARIABLE, "master.example:16000")
        .env(ZOOKEEPER_VARIABLE, "zookeeper.example:2181")
        .env_remove(CERTIFICATE_VARIABLE)
        .output()?;
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"master.example:16000 zookeeper.example:2181\n");
    let said = String::from_utf8(output.stderr)?;
    assert_eq!(said, "hbase-run: starts no HBase, as KEYSTRIDE_HBASE names that at master.example:16000\n");
    Ok(())
}
