//! Reading a row allocates nothing once the buffers have grown.

use std::alloc::System;
use std::io::Cursor;
use std::sync::Arc;

use keystride::Design;
use keystride_table::input::*;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const DESIGN: &str = r#"
    format = 1
    [table]
    name = "t"
    families = ["f", "x"]
    [fields]
    phone = { type = "digits", len = 5 }
    ts = { type = "time", unit = "ms", input = "iso8601" }
    city = { type = "string", charset = "gbk" }
    n = { type = "int" }
    [key]
    parts = [ { field = "phone" } ]
    [columns]
    other = "x"
"#;

#[test]
fn reading_a_row_allocates_nothing() {
    // In GBK a city's texts are other bytes than in the UTF-8 of JSON.
    let csv = b"12345,2013-01-01T10:00:00Z,\xba\xd3,7,more\n".repeat(4000);
    let csv = [&b"phone,ts,city,n,extra\n"[..], &csv].concat();
    let json = "{\"phone\":12345,\"ts\":\"2013-01-01T10:00:00Z\",\"city\":\"\u{6cb3}\",\"n\":7.0,\"extra\":\"more\"}\n";
    for (name, text) in [("c.csv", csv), ("c.jsonl", json.repeat(4000).into_bytes())] {
        let design = Arc::new(Design::from_toml(DESIGN).unwrap());
        let sources = vec![Source::reader(name, Cursor::new(text))];
        let mut reader = InputReader::open(design, sources, InputOptions::default()).unwrap();
        let mut row = reader.new_row();
        let mut read = |count| (0..count).all(|_| matches!(reader.next(&mut row), Ok(Next::Row)));
        assert!(read(100), "{name}");
        let region = Region::new(ALLOCATOR);
        assert!(read(3000));
        let change = region.change();
        assert_eq!((change.allocations, change.reallocations), (0, 0), "{name}");
    }
}
