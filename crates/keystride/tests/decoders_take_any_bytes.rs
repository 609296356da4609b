//! Decoders of keys on bytes that nobody encoded: they refuse, or read what the encoder would have written.

use keystride::key::ordered_bytes::{self, Fixed};
use keystride::key::{DecodeError, SortOrder, binary, decimal, escape_nul, phoenix};
use keystride::{Design, KeyCodec};
use proptest::prelude::*;

/// Often a header, an escape or a digit.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![any::<u8>(), 0x00..0x40_u8, 0xc0..=0xff_u8];
    prop::collection::vec(byte, 0..24)
}

fn any_order() -> impl Strategy<Value = SortOrder> {
    prop_oneof![Just(SortOrder::Ascending), Just(SortOrder::Descending)]
}

/// What was read, written again, is what was read from; an error points into the bytes or to their end.
fn check<T>(bytes: &[u8], read: Result<(T, usize), DecodeError>, encode: impl Fn(&mut Vec<u8>, T)) {
    match read {
        Ok((value, len)) => {
            let mut again = Vec::new();
            encode(&mut again, value);
            assert_eq!(again, bytes[..len]);
        }
        Err(error) => assert!(error.at <= bytes.len(), "{error}"),
    }
}

/// Decoders of byte strings append them.
fn appended(
    decode: impl Fn(&mut Vec<u8>) -> Result<usize, DecodeError>,
) -> Result<(Vec<u8>, usize), DecodeError> {
    let mut out = Vec::new();
    let read = decode(&mut out);
    assert!(read.is_ok() || out.is_empty(), "a refused value leaves nothing behind");
    read.map(|len| (out, len))
}

fn check_fixed<T: Fixed>(bytes: &[u8], order: SortOrder) {
    check(bytes, ordered_bytes::decode_fixed::<T>(bytes, order), |out, value| {
        ordered_bytes::encode_fixed(out, value, order);
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn binary_decoders_read_only_what_is_written(bytes in any_bytes(), order in any_order()) {
        check(&bytes, binary::decode_be::<i32>(&bytes, order), |out, value| binary::encode_be(out, value, order));
        check(&bytes, binary::decode_be::<f64>(&bytes, order), |out, value| binary::encode_be(out, value, order));
        check(&bytes, binary::decode_ordered::<u64>(&bytes, order), |out, value| {
            binary::encode_ordered(out, value, order);
        });
        check(&bytes, binary::decode_bool(&bytes, order), |out, value| binary::encode_bool(out, value, order));
    }

    #[test]
    fn ordered_bytes_decoders_read_only_what_is_written(bytes in any_bytes(), order in any_order()) {
        check_fixed::<i8>(&bytes, order);
        check_fixed::<i64>(&bytes, order);
        check(&bytes, ordered_bytes::decode_null(&bytes, order).map(|len| ((), len)), |out, ()| {
            ordered_bytes::encode_null(out, order);
        });
        check(&bytes, ordered_bytes::decode_numeric(&bytes, order), |out, value| {
            ordered_bytes::encode_numeric(out, value, order);
        });
        check(&bytes, appended(|out| ordered_bytes::decode_string(&bytes, order, out)), |out, value| {
            ordered_bytes::encode_string(out, str::from_utf8(&value).unwrap(), order).unwrap();
        });
        check(&bytes, appended(|out| ordered_bytes::decode_blob_copy(&bytes, order, out)), |out, value| {
            ordered_bytes::encode_blob_copy(out, &value, order).unwrap();
        });
    }

    #[test]
    fn the_numeric_decoder_reads_only_what_is_written(header in 0x05..0x28_u8, tail in any_bytes(), order in any_order()) {
        let mut bytes = [&[header], tail.as_slice()].concat();
        order.apply(&mut bytes[..1]);
        check(&bytes, ordered_bytes::decode_numeric(&bytes, order), |out, value| {
            ordered_bytes::encode_numeric(out, value, order);
        });
    }

    #[test]
    fn phoenix_decoders_read_only_what_is_written(bytes in any_bytes(), order in any_order(), width in 0..8_usize) {
        check(&bytes, phoenix::decode_int::<i16>(&bytes, order), |out, value| phoenix::encode_int(out, value, order));
        check(&bytes, phoenix::decode_unsigned::<i32>(&bytes, order), |out, value| {
            phoenix::encode_unsigned(out, value, order).unwrap();
        });
        check(&bytes, phoenix::decode_boolean(&bytes, order), |out, value| {
            phoenix::encode_boolean(out, value, order);
        });
        check(&bytes, phoenix::decode_unsigned_float::<f32>(&bytes, order), |out, value| {
            phoenix::encode_unsigned_float(out, value, order).unwrap();
        });
        check(&bytes, appended(|out| phoenix::decode_varchar(&bytes, order, out)), |out, value| {
            phoenix::encode_varchar(out, str::from_utf8(&value).unwrap(), order).unwrap();
        });
        check(&bytes, appended(|out| phoenix::decode_char(&bytes, width, order, out)), |out, value| {
            phoenix::encode_char(out, str::from_utf8(&value).unwrap(), width, order).unwrap();
        });
    }

    #[test]
    fn the_escape_decoder_reads_only_what_is_written(bytes in any_bytes(), order in any_order()) {
        check(&bytes, appended(|out| escape_nul::decode(&bytes, order, out)), |out, value| {
            escape_nul::encode(out, &value, order);
        });
    }

    #[test]
    fn decimal_parsers_read_only_what_is_written(text in "-?[0-9]{0,41}[-+ a.]?", width in 0..45_usize) {
        let text = text.as_bytes();
        check(text, decimal::parse_shortest(text).map(|value| (value, text.len())), |out, value| {
            decimal::encode(out, value);
        });
        check(text, decimal::parse_padded(text, width), |out, value| {
            decimal::encode_padded(out, value, width).unwrap();
        });
    }

    #[test]
    fn a_decimal_s_error_points_into_its_text(text in "[-+]?[0-9]{0,40}[.]?[0-9]{0,40}([eE][-+]?[0-9]{0,21})?x?") {
        if let Err(error) = ordered_bytes::Decimal::parse(text.as_bytes()) {
            prop_assert!(error.at <= text.len());
        }
    }
}

#[test]
fn a_uuid_of_another_version_is_no_key() {
    let design = Design::from_toml(
        "format = 1\n[table]\nname = \"t\"\nfamilies = [\"f\"]\n[fields]\nv = { type = \"uuid\", version = 4 }\n\
         [key]\nparts = [{ field = \"v\" }]",
    );
    let codec = KeyCodec::new(design.unwrap());
    let mut uuid = *b"\x55\x0e\x84\x00\xe2\x9b\x41\xd4\xa7\x16\x44\x66\x55\x44\x00\x00";
    assert!(codec.describe(&uuid).is_ok());
    uuid[6] = 0x11;
    assert!(codec.describe(&uuid).is_err());
}
