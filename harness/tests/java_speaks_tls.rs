//! A cluster that speaks nothing but TLS, and clients that trust its certificate or do not know of it.

use keystride_hbase_harness::{
    Address, Cluster, ClusterOptions, HarnessError, Jars, JavaProgram, Tls, quick,
};

#[test]
fn java_speaks_tls() -> Result<(), HarnessError> {
    if quick("java_speaks_tls") {
        return Ok(());
    }
    let options =
        ClusterOptions { region_server_count: 1, heap_mib: 512, tls: Tls::On, ..ClusterOptions::default() };
    let cluster = Cluster::start(&options)?;
    let (jars, address) = (Jars::ready()?, cluster.address());
    let fill =
        JavaProgram::fill().with_arguments(["--create", "f", "t"]).with_input("61\t66\t71\t1\tPut\t01\n");
    jars.text(&fill, &address.client_site())?;
    let dump = JavaProgram::dump().with_arguments(["t"]);
    assert_eq!(jars.text(&dump, &address.client_site())?, "61\t66\t71\t1\tPut\t01\n");

    let plain = dump.with_property("hbase.client.retries.number", 1).with_property("hbase.rpc.timeout", 5000);
    assert!(jars.text(&plain, &Address::new(address.master()).client_site()).is_err());
    Ok(())
}
