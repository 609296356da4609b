//! Malformed answers about one row.

use prost::Message;

use super::atomic::read_group;
use super::rows::{decode, take_row};
use crate::cell::CellWriter;
use crate::fuzz::{Fuzz, join, split};
use crate::region::{Located, meta_region};
use crate::wire::Reply;
use crate::{ServerName, proto};

fn located() -> Located {
    Located::new(meta_region(), ServerName { host: "rs1".into(), port: 16_020, start_code: 1 })
}

fn messages() -> Vec<Vec<u8>> {
    let mut cells = CellWriter::default();
    for qualifier in [b"a", b"b"] {
        cells.put(b"row", b"f", qualifier, 7, b"value").unwrap();
    }
    let result = proto::Result { associated_cell_count: Some(2), exists: Some(true), ..Default::default() };
    let outcome =
        proto::ResultOrException { index: Some(0), result: Some(result.clone()), ..Default::default() };
    let group = proto::RegionActionResult {
        result_or_exception: vec![outcome],
        processed: Some(true),
        ..Default::default()
    };
    let get = proto::GetResponse { result: Some(result) }.encode_to_vec();
    let multi = proto::MultiResponse { region_action_result: vec![group], ..Default::default() };
    [get, multi.encode_to_vec()].iter().map(|message| join(message, cells.as_bytes())).collect()
}

#[test]
fn a_row_is_decoded_or_refused() {
    let located = located();
    Fuzz::of("row").length_prefixed(1).and(messages()).run(|input| {
        let (message, cells) = split(input);
        let reply = Reply { message, cells };
        let result = decode(&reply, &located, "Get").map(|answer: proto::GetResponse| answer.result);
        if let Ok(row) =
            result.and_then(|result| take_row(result.as_ref(), reply.cells.clone(), &located, "Get"))
        {
            assert_eq!(row.compact().cells().count(), row.cells().count());
            drop(format!("{row:?}"));
        }
        if let Ok(checked) = read_group(reply, &located) {
            drop(format!("{checked:?}"));
        }
    });
}
