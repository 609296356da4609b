//! Open scanners.

use bytes::{Bytes, BytesMut};

use super::Stored;
use super::cells::block;
use super::settings::Settings;
use crate::proto;

/// An open scanner: a copy of the rows from when it was opened, and its position.
#[derive(Debug)]
pub(crate) struct Scanner {
    pub(crate) table: String,
    pub(super) region: proto::RegionSpecifier,
    pub(super) is_copy: bool,
    pub(super) server: usize,
    pub(super) rows: Vec<(Bytes, Vec<Stored>)>,
    /// The next row, and its next cell.
    pub(super) row: usize,
    pub(super) cell: usize,
    pub(super) batch: usize,
    pub(super) next_seq: u64,
    pub(super) heartbeats: u32,
    /// The last answer said that its last row may continue, which it does not.
    pub(super) owes_a_row: bool,
}

impl Scanner {
    /// Reads as much as an answer may hold.
    pub(super) fn read(
        &mut self,
        message: &proto::ScanRequest,
        settings: &Settings,
    ) -> (proto::ScanResponse, BytesMut) {
        let mut answer = proto::ScanResponse { more_results: Some(true), ..Default::default() };
        answer.more_results_in_region = Some(true);
        if self.heartbeats > 0 && message.client_handles_heartbeats() {
            self.heartbeats -= 1;
            answer.heartbeat_message = Some(true);
            return (answer, BytesMut::new());
        }
        self.heartbeats = settings.heartbeats;
        let knows_no_limit = message.limit_of_rows() == 0 || settings.is_1_2;
        let limit = if knows_no_limit { u32::MAX } else { message.limit_of_rows() };
        let (complete, out) = self.fill(message, limit, settings, &mut answer);
        if complete >= limit {
            answer.more_results = Some(false);
        } else if self.row >= self.rows.len()
            && (settings.knows_its_end || answer.cells_per_result.is_empty())
        {
            answer.more_results_in_region = Some(false);
        }
        (answer, out)
    }

    fn fill(
        &mut self,
        message: &proto::ScanRequest,
        limit: u32,
        settings: &Settings,
        answer: &mut proto::ScanResponse,
    ) -> (u32, BytesMut) {
        let partials = message.client_handles_partials();
        let mut room = if partials { settings.cells_per_answer } else { usize::MAX };
        let mut complete = u32::from(std::mem::take(&mut self.owes_a_row));
        let mut taken = 0;
        let mut out = BytesMut::new();
        while let Some((_, cells)) = self.rows.get(self.row) {
            if room == 0 || complete >= limit || taken >= message.number_of_rows.unwrap_or(1) {
                break;
            }
            let left = &cells[self.cell..];
            let count = left.len().min(self.batch).min(room);
            room -= count;
            let vague = settings.vague_partials && room == 0;
            let partial = partials && (count < left.len() || vague);
            out.extend_from_slice(&block(&left[..count]));
            answer.cells_per_result.push(u32::try_from(count).unwrap());
            answer.partial_flag_per_result.push(partial);
            self.cell += count;
            if self.cell == cells.len() {
                (self.row, self.cell, taken) = (self.row + 1, 0, taken + 1);
                (complete, self.owes_a_row) = if partial { (complete, true) } else { (complete + 1, false) };
            }
        }
        (complete, out)
    }
}
