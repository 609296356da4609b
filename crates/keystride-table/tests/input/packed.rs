use std::io::Write;

use flate2::Compression as Level;
use flate2::write::GzEncoder;
use keystride_table::input::*;

use crate::reading::*;

const TEXT: &str = "phone,ts,city,n\n12345,,a,1\n12346,,b,2\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 3).unwrap()
}

#[test]
fn gzip_and_zstd_are_known_by_their_bytes() {
    for packed in [gzip(TEXT), zstd(TEXT)] {
        assert_eq!(read("standard input", packed).unwrap(), ["2: 12345|-|a|1", "3: 12346|-|b|2"]);
    }
}

#[test]
fn several_members_and_frames_are_one_text() {
    let (head, tail) = TEXT.split_at(20);
    for packed in [[gzip(head), gzip(tail)].concat(), [zstd(head), zstd(tail)].concat()] {
        assert_eq!(read("c.csv", packed).unwrap().len(), 2);
    }
}

#[test]
fn zeros_after_gzip_are_padding_and_anything_else_is_damage() {
    for zeros in [1, 511, 100_000] {
        let (head, tail) = TEXT.split_at(20);
        let padded = [gzip(head), vec![0; zeros], gzip(tail), vec![0; zeros]].concat();
        assert_eq!(read("c.csv", padded).unwrap().len(), 2, "{zeros}");
    }
    let error = read("c.csv", [gzip(TEXT), b"more".to_vec()].concat()).unwrap_err();
    assert!(matches!(error, InputError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("behind its end"), "{error}");
}

#[test]
fn a_frame_of_zstd_that_is_to_be_skipped_is() {
    let skipped = [b"\x50\x2A\x4D\x18\x04\0\0\0".as_slice(), b"\x01\x02\x03\x04"].concat();
    assert_eq!(read("c.csv", [skipped, zstd(TEXT)].concat()).unwrap().len(), 2);
}

#[test]
fn a_window_beyond_the_limit_is_not_taken_for_damage() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(28).unwrap();
    encoder.write_all(TEXT.as_bytes()).unwrap();
    let error = read("c.csv", encoder.finish().unwrap()).unwrap_err();
    assert!(matches!(error, InputError::LargeWindow { .. }), "{error}");
}

#[test]
fn packed_data_that_ends_early_is_told_and_gives_no_half_record() {
    let lines = (0..20_000).map(|n| format!("{:05},{n},c{},1\n", n % 99_991, n * 7 % 1000));
    let long = lines.collect::<Vec<_>>().concat();
    let text = format!("phone,ts,city,n\n{long}");
    for (packed, kind) in [(gzip(&text), "gzip"), (zstd(&text), "zstd")] {
        let cut = &packed[..packed.len() / 2];
        let mut reader =
            InputReader::open(calls("error"), vec![source("c.csv", cut)], InputOptions::default()).unwrap();
        let mut row = reader.new_row();
        let error = loop {
            match reader.next(&mut row) {
                Ok(Next::Row) => {}
                Ok(other) => panic!("{other:?}"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, InputError::Truncated { line, .. } if line > 1), "{error}");
        assert!(
            error.to_string().starts_with(&format!("c.csv: the {kind} data ends in its middle, after line "))
        );
    }
}

#[test]
fn damaged_data_is_told() {
    let mut packed = gzip(TEXT);
    let crc = packed.len() - 6;
    packed[crc] ^= 1;
    let error = read("c.csv", packed).unwrap_err();
    assert!(matches!(error, InputError::Damaged { compression: Compression::Gzip, .. }), "{error}");
    let error = read("c.csv", [gzip(TEXT), b"rubbish behind it".to_vec()].concat()).unwrap_err();
    assert!(matches!(error, InputError::Damaged { .. }), "{error}");
    let error = read("c.csv", b"\x28\xB5\x2F\xFDrubbish behind it").unwrap_err();
    assert!(matches!(error, InputError::Damaged { compression: Compression::Zstd, .. }), "{error}");
}
