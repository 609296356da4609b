//! Compressed cell blocks to and from a real HBase.

use keystride_hbase::{CellCompression, Client, ClientOptions, Error, Get, Mutation, Row, Table};
use keystride_hbase_harness::{Jars, Shared, shared_or_skip};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

#[tokio::test(flavor = "multi_thread")]
async fn compresses_cell_blocks() -> Outcome {
    let Some(hbase) = shared_or_skip("compresses_cell_blocks") else { return Ok(()) };
    let jars = Jars::ready()?;
    let name = format!("compresses_cell_blocks_{}", std::process::id());
    make_table(hbase, &jars, &name)?;
    let plain = table(hbase, &name, CellCompression::None)?;
    for compression in codecs(&jars)? {
        let compressed = table(hbase, &name, compression)?;
        writes_and_reads(&compressed, &plain, &format!("{compression:?}"))
            .await
            .map_err(|error| format!("{compression:?}: {error}"))?;
    }
    Ok(())
}

/// The codecs of the harness's servers: of Hadoop's, only LZ4's needs a jar that does not come with HBase.
fn codecs(jars: &Jars) -> Outcome<Vec<CellCompression>> {
    let mut codecs = vec![CellCompression::Gzip, CellCompression::Snappy];
    let folder = jars.class_path().replace("/*", "");
    for jar in std::fs::read_dir(folder)? {
        if jar?.file_name().to_string_lossy().starts_with("lz4-java") {
            codecs.push(CellCompression::Lz4);
        }
    }
    Ok(codecs)
}

fn make_table(hbase: &Shared, jars: &Jars, name: &str) -> Outcome {
    Ok(jars.region_splitter(name, "HexStringSplit", 4, &hbase.address().client_site())?)
}

fn table(hbase: &Shared, name: &str, compression: CellCompression) -> Outcome<Table> {
    let options = ClientOptions::default().with(|options| options.compression = compression);
    let address = format!("hbase+rpc://{}", hbase.address().master()).parse()?;
    Ok(Client::with_options(&address, options).table(name.parse()?))
}

/// Values written with a codec are read with it and without, and the other way round.
async fn writes_and_reads(compressed: &Table, plain: &Table, row: &str) -> Result<(), Error> {
    let values = values();
    let put =
        |row: &str| values.iter().fold(Mutation::put(row), |put, (name, value)| put.value("f", name, value));
    let there = format!("{row}-there");
    let back = format!("{row}-back");
    compressed.mutate(put(&there)).await?;
    plain.mutate(put(&back)).await?;
    for row in [&there, &back] {
        check(&compressed.get(&Get::new(row)).await?, &values);
        check(&plain.get(&Get::new(row)).await?, &values);
    }
    assert!(compressed.get(&Get::new("nothing")).await?.is_empty());
    Ok(())
}

fn check(row: &Row, values: &[(String, Vec<u8>)]) {
    for (name, value) in values {
        assert!(row.value(b"f", name.as_bytes()) == Some(value), "{name} of {} bytes", value.len());
    }
    assert_eq!(row.cells().count(), values.len());
}

/// Chunks are cut at 218,421 bytes, Java's at one more: sizes below, at and far above that, compressible and
/// incompressible.
fn values() -> Vec<(String, Vec<u8>)> {
    let lens = [0, 1, 100, 218_300, 218_421, 218_422, 262_144, 3_000_000];
    let even = lens.map(|len| (format!("even-{len}"), vec![b'x'; len]));
    let mut random = fastrand::Rng::with_seed(7);
    let noise = lens.map(|len| (format!("noise-{len}"), (0..len).map(|_| random.u8(..)).collect()));
    even.into_iter().chain(noise).collect()
}
