//! Whether a table is split as a design says.

use keystride::{Key, KeyCodec, KeyLanguage, KeyRange, SplitPoints};

use super::{EXAMPLES, Misfit};
use crate::explain::KeyBound;

/// Returns where regions do not begin as the design says, and which of the others can hold none of its keys. A region
/// that was split since has more points than the design, and that is well.
pub(super) fn misfits(codec: &KeyCodec, points: &SplitPoints, regions: &[KeyRange]) -> Vec<Misfit> {
    let starts: Vec<&[u8]> = regions.iter().map(KeyRange::start).collect();
    let missing: Vec<&[u8]> =
        points.keys().iter().map(Key::as_bytes).filter(|key| starts.binary_search(key).is_err()).collect();
    let language = KeyLanguage::new(codec);
    let is_own = |start: &[u8]| {
        start.is_empty() || points.keys().binary_search_by(|key| key.as_bytes().cmp(start)).is_ok()
    };
    let barren: Vec<&[u8]> = regions
        .iter()
        .filter(|region| !is_own(region.start()) && !language.meets(region.start(), region.stop()))
        .map(KeyRange::start)
        .collect();
    let bounds = |keys: &[&[u8]]| keys.iter().take(EXAMPLES).map(|key| KeyBound::new(codec, key)).collect();
    let mut misfits = Vec::new();
    if !missing.is_empty() {
        let (count, of) = (missing.len(), points.keys().len());
        misfits.push(Misfit::SplitPoints { count, of, examples: bounds(&missing) });
    }
    if !barren.is_empty() {
        let (count, of) = (barren.len(), regions.len());
        misfits.push(Misfit::Regions { count, of, examples: bounds(&barren) });
    }
    misfits
}
