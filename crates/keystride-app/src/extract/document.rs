//! What an extract wrote, as a document for programs.

use std::path::Path;

use keystride_table::extract::Extracted;
use serde::Serialize;

/// What an extract wrote. Sizes are in bytes.
#[derive(Debug, Clone, Serialize)]
pub struct ExtractDocument {
    format: u32,
    folder: String,
    rows: u64,
    bytes: u64,
    files: u64,
    parts_kept: usize,
    partitions: Vec<PartitionDocument>,
}

#[derive(Debug, Clone, Serialize)]
struct PartitionDocument {
    partition: String,
    rows: u64,
    bytes: u64,
    files: u64,
}

impl ExtractDocument {
    /// Describes an extract into `folder`.
    pub fn new(extracted: &Extracted, folder: &Path) -> Self {
        let Extracted { partitions, total, parts_kept } = extracted;
        let partitions = partitions.iter().map(|(name, counts)| PartitionDocument {
            partition: name.clone(),
            rows: counts.rows,
            bytes: counts.bytes,
            files: counts.files,
        });
        Self {
            format: 1,
            folder: folder.display().to_string(),
            rows: total.rows,
            bytes: total.bytes,
            files: total.files,
            parts_kept: *parts_kept,
            partitions: partitions.collect(),
        }
    }
}
