//! Walks over the concatenation of the parts' languages.

use super::part::{PartLanguage, State};

/// Where in which part.
type Place = (usize, State);

/// Keys are at most this long, and an open end is cut long before.
const LONGEST: usize = crate::MAX_KEY_LEN;

pub(super) fn first_at_or_after(parts: &[PartLanguage], bytes: &[u8]) -> Option<Vec<u8>> {
    let mut path: Vec<Place> = vec![start(parts)];
    for &byte in bytes {
        match step(parts, &path[path.len() - 1], byte) {
            Some(next) => path.push(next),
            None => return next_branch(parts, path, bytes),
        }
    }
    let place = path.pop()?;
    Some(complete(parts, place, bytes.to_vec()))
}

/// The smallest key after the one that `path` followed for as long as it could, at the deepest place that has one.
fn next_branch(parts: &[PartLanguage], mut path: Vec<Place>, bytes: &[u8]) -> Option<Vec<u8>> {
    while let Some(place) = path.pop() {
        let depth = path.len();
        let above = u16::from(bytes[depth]) + 1;
        if let Some((byte, next)) = first_step(parts, &place, above) {
            let mut key = bytes[..depth].to_vec();
            key.push(byte);
            return Some(complete(parts, next, key));
        }
    }
    None
}

/// The smallest string that goes on from `place` to the end of a key.
fn complete(parts: &[PartLanguage], mut place: Place, mut key: Vec<u8>) -> Vec<u8> {
    while !is_key(parts, &place) && key.len() < LONGEST {
        match first_step(parts, &place, 0) {
            Some((byte, next)) => {
                key.push(byte);
                place = next;
            }
            // Every state can be completed; a key's length is the one limit that parts do not know.
            None => break,
        }
    }
    key
}

fn first_step(parts: &[PartLanguage], place: &Place, from: u16) -> Option<(u8, Place)> {
    (from..256).find_map(|byte| {
        let byte = u8::try_from(byte).ok()?;
        step(parts, place, byte).map(|next| (byte, next))
    })
}

fn start(parts: &[PartLanguage]) -> Place {
    (0, parts[0].start())
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

pub(super) fn share_below(parts: &[PartLanguage], bytes: &[u8]) -> f64 {
    let mut place = start(parts);
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
