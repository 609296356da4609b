//! Patterns on random instants and texts: reading undoes writing, nothing else is read, and text sorts as time does.

use keystride::time::{InputFormat, Pattern, Period, Unit, Zone, read_iso8601};
use proptest::prelude::*;

const ZONES: [&str; 9] = [
    "UTC",
    "+08:00",
    "-03:30",
    "Asia/Shanghai",
    "America/New_York",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
];

const PATTERNS: [&str; 8] = [
    "yyyyMMddHHmmssSSS",
    "yyyyMMddHHmmss",
    "yyyy-MM-dd HH:mm",
    "yyyyMMddHH",
    "yyyyMMdd",
    "yyyyMM",
    "yyyy",
    "d/M/yyyy H:mm:s",
];

/// The years 2 to 9998, those that people live in more often than by chance, and the hours around changes of clocks.
fn instants() -> impl Strategy<Value = i64> {
    let changes = prop::sample::select(vec![
        1_130_639_460_000, // St. John's, 2005-10-30, at one minute past midnight
        1_325_239_200_000, // Apia, 2011-12-30, a day that was skipped
        1_383_458_400_000, // New York, 2013-11-03
        1_586_012_400_000, // Lord Howe, 2020-04-05, by half an hour
    ]);
    prop_oneof![
        -62_100_000_000_000..253_370_000_000_000_i64,
        -2_500_000_000_000..4_500_000_000_000_i64,
        (changes, -100_000_000..100_000_000_i64).prop_map(|(change, by)| change + by),
    ]
}

fn zones() -> impl Strategy<Value = Zone> {
    prop::sample::select(ZONES.map(|name| Zone::parse(name).expect("a zone")).to_vec())
}

fn patterns() -> impl Strategy<Value = Pattern> {
    prop::sample::select(PATTERNS.map(|text| Pattern::parse(text).expect("a pattern")).to_vec())
}

fn written(pattern: &Pattern, epoch_ms: i64, zone: &Zone) -> Vec<u8> {
    let mut out = Vec::new();
    pattern.format(epoch_ms, zone, &mut out).expect("a year of four digits");
    out
}

proptest! {
    #[test]
    fn reading_gives_the_instant_cut_to_the_text(instant in instants(), zone in zones(), pattern in patterns()) {
        let text = written(&pattern, instant, &zone);
        let read = pattern.read(&text, &zone).unwrap();
        prop_assert_eq!(read, pattern.cut(instant, &zone).unwrap());
        prop_assert!(read <= instant);
        prop_assert_eq!(written(&pattern, read, &zone), text);
    }

    #[test]
    fn a_fixed_zone_or_an_offset_loses_nothing(instant in instants(), zone in zones()) {
        if zone.is_fixed() {
            let pattern = Pattern::parse(PATTERNS[0]).unwrap();
            prop_assert_eq!(pattern.read(&written(&pattern, instant, &zone), &zone), Ok(instant));
        }
        // Before, some offsets had seconds, which are not written.
        let instant = instant.max(80_000_000_000);
        for text in ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "yyyyMMddHHmmssSSSXX"] {
            let pattern = Pattern::parse(text).unwrap();
            prop_assert_eq!(pattern.read(&written(&pattern, instant, &zone), &Zone::utc()), Ok(instant));
        }
    }

    #[test]
    fn iso_8601_reads_what_its_pattern_writes(instant in instants(), zone in zones()) {
        let pattern = Pattern::parse("yyyy-MM-dd'T'HH:mm:ss.SSS").unwrap();
        let text = written(&pattern, instant, &zone);
        let epoch_ns = i128::from(pattern.read(&text, &zone).unwrap()) * Unit::Ms.nanos();
        prop_assert_eq!(read_iso8601(&text, &zone), Ok(epoch_ns));
    }

    #[test]
    fn text_sorts_as_time_does(first in instants(), second in instants(), pattern in patterns()) {
        let utc = Zone::utc();
        let times = [first, second].map(|instant| pattern.cut(instant, &utc).unwrap());
        let texts = [first, second].map(|instant| written(&pattern, instant, &utc));
        prop_assert_eq!(texts[0] == texts[1], times[0] == times[1]);
        if pattern.keeps_order() {
            prop_assert_eq!(texts[0].cmp(&texts[1]), times[0].cmp(&times[1]));
        }
    }

    #[test]
    fn digits_are_read_only_when_they_would_be_written(text in "[0-3][0-9]{3}[01][0-9][0-3][0-9]([012][0-9][0-6][0-9][0-6][0-9])?") {
        let pattern = Pattern::parse(if text.len() == 8 { "yyyyMMdd" } else { "yyyyMMddHHmmss" }).unwrap();
        if let Ok(instant) = pattern.read(text.as_bytes(), &Zone::utc()) {
            prop_assert_eq!(written(&pattern, instant, &Zone::utc()), text.as_bytes());
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in any::<Vec<u8>>(), pattern in patterns(), zone in zones()) {
        let inputs = [InputFormat::Iso8601, InputFormat::Epoch(Unit::Us), InputFormat::Pattern(pattern)];
        for input in inputs {
            prop_assert!(input.read(&bytes, &zone).is_err() || bytes.is_ascii());
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "[yMdHmsSX'0-9é -]{0,12}") {
        if let Ok(pattern) = Pattern::parse(&text) {
            prop_assert_eq!(pattern.to_string(), text.as_str());
            // Two digits of a year have the century that a design declares.
            let pattern = pattern.between(0, 1, &Zone::utc()).unwrap();
            let written = written(&pattern, 0, &Zone::utc());
            prop_assert_eq!(pattern.read(&written, &Zone::utc()), Ok(0));
            prop_assert!(pattern.width().is_none_or(|width| width == written.len()));
        }
        let period: Result<Period, _> = text.parse();
        prop_assert!(period.is_err() || text.starts_with(|char: char| char.is_ascii_digit()));
    }

    #[test]
    fn units_round_down(epoch in any::<i64>(), from in 0..4_usize, to in 0..4_usize) {
        let (from, to) = (Unit::ALL[from], Unit::ALL[to]);
        let exact = i128::from(epoch) * from.nanos();
        let rounded = to.of_nanos(exact);
        prop_assert!(rounded * to.nanos() <= exact && exact < (rounded + 1) * to.nanos());
        prop_assert_eq!(from.convert(epoch, to), i64::try_from(rounded).ok());
    }
}
