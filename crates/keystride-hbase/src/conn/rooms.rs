//! Memory for large answers, used again.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::{Buf, BytesMut};

/// Rooms in which large answers were read, shared by all connections of a client.
///
/// Memory that was just given back costs its pages anew, and a scan would do that for each answer: a fifth of its time.
/// A room is used again once nobody holds rows of it. Few are kept, so what is kept has a bound however many servers
/// there are.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    /// What is left of each behind the answers it was split into; the last used last.
    used: Mutex<Vec<BytesMut>>,
}

/// A scan has one answer being read, one that waits and one in its reader's hands.
const MOST: usize = 4;
/// Larger ones are not kept: with [`MOST`], at most 16 MiB are.
const MAX_BYTES: usize = 4 << 20;

impl Rooms {
    fn used(&self) -> MutexGuard<'_, Vec<BytesMut>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty room for so many bytes. Of those that are free it is the one used last: it may still be in a cache.
    pub(super) fn take(&self, bytes: usize) -> BytesMut {
        let needed = bytes + LINE_BYTES;
        let mut used = self.used();
        let room = match used.iter_mut().rposition(|room| room.try_reclaim(needed)) {
            Some(free) => used.remove(free),
            // Answers of one scan differ a little in size.
            None => BytesMut::with_capacity(needed.next_power_of_two()),
        };
        aligned(room)
    }

    /// Takes back a room for `bytes` bytes that was given away.
    pub(super) fn keep(&self, room: BytesMut, bytes: usize) {
        if bytes + LINE_BYTES > MAX_BYTES {
            return;
        }
        let mut used = self.used();
        if used.len() == MOST {
            used.remove(0);
        }
        used.push(room);
    }

    /// Keeps none.
    pub(super) fn clear(&self) {
        self.used().clear();
    }
}

/// A line of a cache: the kernel is quicker to copy to where one begins.
const LINE_BYTES: usize = 64;

fn aligned(mut room: BytesMut) -> BytesMut {
    let before = room.as_ptr().align_offset(LINE_BYTES).min(LINE_BYTES);
    room.resize(before, 0);
    room.advance(before);
    room
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: usize = 1 << 20;

    /// Where a room is, filled, and what it was filled with.
    fn fill(rooms: &Rooms) -> (*const u8, bytes::Bytes) {
        let mut room = rooms.take(LEN);
        assert!(room.is_empty() && room.capacity() >= LEN);
        room.resize(LEN, 7);
        let answer = room.split().freeze();
        rooms.keep(room, LEN);
        (answer.as_ptr(), answer)
    }

    #[test]
    fn a_room_is_used_again_when_nobody_holds_what_is_in_it() {
        let rooms = Rooms::default();
        let (first, held) = fill(&rooms);
        let (second, given_back) = fill(&rooms);
        assert_ne!(first, second);
        drop(given_back);
        let (third, _third) = fill(&rooms);
        assert_eq!(third, second);
        assert!(held.iter().all(|&byte| byte == 7));
    }

    #[test]
    fn no_more_than_a_few_are_kept_and_none_that_is_large() {
        let rooms = Rooms::default();
        let held: Vec<_> = (0..10).map(|_| fill(&rooms)).collect();
        assert_eq!(rooms.used().len(), MOST);
        drop(held);
        rooms.clear();
        rooms.keep(BytesMut::with_capacity(MAX_BYTES + 1), MAX_BYTES + 1);
        assert!(rooms.used().is_empty());
    }
}
