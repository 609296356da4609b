//! The options of a Java 17 machine that runs HBase or Kafka.

use std::path::Path;

/// The master's main class.
pub(crate) const MASTER: &str = "org.apache.hadoop.hbase.master.HMaster";

/// Packages of `java.base` that HBase and its Netty open by reflection.
const OPENED: [&str; 12] = [
    "java.io",
    "java.lang",
    "java.lang.reflect",
    "java.net",
    "java.nio",
    "java.util",
    "java.util.concurrent",
    "jdk.internal.ref",
    "jdk.internal.util.random",
    "sun.nio.ch",
    "sun.security.util",
    "sun.security.x509",
];

/// Packages that they use though they are not public.
const EXPORTED: [&str; 4] = [
    "java.base/jdk.internal.misc",
    "java.base/sun.net.dns",
    "java.base/sun.net.util",
    "java.security.jgss/sun.security.krb5",
];

/// How long a machine runs, and so how well it should compile.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Life {
    /// Compiled quickly and once: half the time for a program of a few calls, two thirds for a server's start.
    Short,
    /// Java's own way, which makes code faster that runs for minutes.
    Long,
}

/// The arguments of `java` up to the class path, for a machine that keeps its temporary files in `scratch`.
pub(crate) fn options(life: Life, heap_mib: u32, scratch: &Path) -> Vec<String> {
    let mut options = vec![
        format!("-Xmx{heap_mib}m"),
        // Without it every machine leaves a file in /tmp/hsperfdata_* when it is killed.
        "-XX:-UsePerfData".to_owned(),
        format!("-Djava.io.tmpdir={}", scratch.display()),
        "-Djava.net.preferIPv4Stack=true".to_owned(),
        "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true".to_owned(),
        // ZooKeeper's pages for its administrator, on port 8080.
        "-Dzookeeper.admin.enableServer=false".to_owned(),
        "--add-modules=jdk.unsupported".to_owned(),
    ];
    if let Life::Short = life {
        options.push("-XX:TieredStopAtLevel=1".to_owned());
    }
    options.extend(OPENED.map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED")));
    options.extend(EXPORTED.map(|package| format!("--add-exports={package}=ALL-UNNAMED")));
    options
}

/// Arguments as a file for `java @file`: one a line, in quotes.
pub(crate) fn argument_file(arguments: &[String]) -> String {
    let quoted = |argument: &String| argument.replace('\\', "\\\\").replace('"', "\\\"");
    let lines: Vec<String> = arguments.iter().map(|argument| format!("\"{}\"", quoted(argument))).collect();
    lines.join("\n")
}
