//! Replay: a load that stores nothing, to find out what a design would do.

use keystride::{KeyCodec, SplitPoints};
use keystride_store::Writers;

use super::error::LoadError;
use super::intake::NullSink;
use super::ledger::{Closing, Ledger};
use super::options::LoadOptions;
use super::plan::intake;
use super::progress::{LoadObserver, Phase, Proceed};
use super::record::RecordReader;
use super::report::{Ending, LoadReport, WriteMethod};
use super::same_key_rule::SameKeyRule;
use crate::source::RecordSource;

/// Reads the whole input and counts what a load into a table split at `points`, of a store with such `writers`, would
/// store and reject, and in which regions. Nothing is stored, and no rows are taken as stored before, so
/// [`Check::Stored`](super::Check::Stored) is equivalent to [`Check::Exact`](super::Check::Exact). This function
/// blocks.
///
/// # Errors
///
/// [`LoadError`] when the input can't be read or a reject can't be recorded.
pub fn replay(
    source: impl RecordSource + 'static,
    codec: &KeyCodec,
    points: SplitPoints,
    writers: Writers,
    options: LoadOptions,
    observer: &mut dyn LoadObserver,
) -> Result<LoadReport, LoadError> {
    let stamp_ms = options.clock.now_ms();
    let heat = options.heat(points.region_count());
    let mut ledger = Ledger::new(observer, options.clock.clone(), heat, source.progress().byte_count);
    let rule = SameKeyRule::of(codec.design(), writers).for_source(source.is_endless());
    let records = RecordReader::new(Box::new(source), codec, stamp_ms, &options);
    let mut intake = intake(records, rule, points, &options, options.budget_bytes());
    ledger.compare_latest(intake.latest_compared());
    let ending = loop {
        let tally = intake.read_stretch(&mut NullSink)?;
        let end = tally.end;
        let proceed = ledger.enter(tally, Phase::Replaying)?;
        match (end, proceed) {
            (Some(end), _) => break end.into(),
            (None, Proceed::Stop) => break Ending::Stopped,
            (None, Proceed::On) => {}
        }
    };
    let same_key = options.same_key(rule);
    let (id, way, regions) = (options.id, WriteMethod::Nowhere, Vec::new());
    Ok(ledger.close(Closing { id, stamp_ms, ending, way, same_key, resumed_from: None, regions }))
}
