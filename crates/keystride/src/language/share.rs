//! Computes how much of the key space lies below given bytes.

use super::part::PartLanguage;
use super::state::State;

/// A part, and a state of its automaton.
type Place = (usize, State);

pub(super) fn share_below(parts: &[PartLanguage], bytes: &[u8]) -> f64 {
    let mut place = (0, parts[0].start());
    let mut reached = 1.0;
    let mut below = 0.0;
    for &byte in bytes {
        let chance = |byte| parts[place.0].chance(&place.1, byte);
        below += reached * (0..byte).map(chance).sum::<f64>();
        if is_key(parts, &place) {
            let goes_on: f64 = (0..=255).map(chance).sum();
            below += reached * (1.0 - goes_on).max(0.0);
        }
        reached *= chance(byte);
        match step(parts, &place, byte) {
            Some(next) => place = next,
            None => break,
        }
    }
    below.min(1.0)
}

fn step(parts: &[PartLanguage], (index, state): &Place, byte: u8) -> Option<Place> {
    let next = parts[*index].step(state, byte)?;
    let last = index + 1 == parts.len();
    if !last && parts[*index].accepts(&next) {
        return Some((index + 1, parts[index + 1].start()));
    }
    Some((*index, next))
}

fn is_key(parts: &[PartLanguage], (index, state): &Place) -> bool {
    index + 1 == parts.len() && parts[*index].accepts(state)
}
