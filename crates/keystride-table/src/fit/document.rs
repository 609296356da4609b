//! Whether a design fits a table, as a document for programs.

use keystride_store::TableName;
use serde::Serialize;

use super::Fit;
use crate::table::Kept;

/// In what a design differs from a table, and from the design that is kept with it.
#[derive(Debug, Clone, Serialize)]
pub struct FitDocument {
    format: u32,
    table: String,
    same: bool,
    design: &'static str,
    differences: Vec<String>,
    not_compared: Vec<String>,
    sampled_keys: usize,
}

impl FitDocument {
    /// Describes what the comparison with a table has found.
    pub fn new(table: &TableName, fit: &Fit) -> Self {
        Self {
            format: 1,
            table: table.to_string(),
            same: fit.kept == Kept::Same && fit.holds(),
            design: match fit.kept {
                Kept::Same => "same",
                Kept::None => "none",
                Kept::NotTold => "not_told",
            },
            differences: fit.misfits.iter().map(ToString::to_string).collect(),
            not_compared: fit.not_compared.iter().map(ToString::to_string).collect(),
            sampled_keys: fit.sampled_keys,
        }
    }

    /// Returns the differences.
    pub fn differences(&self) -> &[String] {
        &self.differences
    }

    /// Describes in what a design is not the one that is kept with a table, which is then not looked at.
    pub fn of_other_design(table: &TableName, differences: Vec<String>) -> Self {
        Self {
            format: 1,
            table: table.to_string(),
            same: false,
            design: "other",
            differences,
            not_compared: Vec::new(),
            sampled_keys: 0,
        }
    }
}
