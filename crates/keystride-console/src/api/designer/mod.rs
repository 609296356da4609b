//! The designer: a sample, a design that is made from it, and what is known of that while it is typed.
//!
//! Requests have the design's text and the sample's file name, so that nothing is kept between them but samples.

mod compare;
mod edit;
mod findings;
mod new;
mod preview;
mod sample;
mod save;

pub(super) use compare::compare;
pub(super) use edit::edit;
pub(super) use findings::findings;
pub(super) use new::new;
pub(super) use preview::preview;
pub(super) use sample::sample;
pub(super) use save::save;

use std::sync::Arc;

use keystride_app::designer::{Draft, EncodedRows};
use keystride_table::input::{InputError, InputOptions};
use serde::Deserialize;

use super::ApiError;
use super::input::InputRequest;
use crate::files::{FileName, Place};
use crate::samples::{ReadSample, Samples};
use crate::served::Shared;

/// A sample that a request names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleRequest {
    file: FileName,
    #[serde(default)]
    input: InputRequest,
}

/// A sample's place, found before work begins that blocks.
pub(in crate::api) struct SamplePlace {
    file: Place,
    options: InputOptions,
    samples: Arc<Samples>,
}

impl SampleRequest {
    pub(in crate::api) fn place(&self, served: &Shared) -> Result<SamplePlace, ApiError> {
        let file = served.files.find(&self.file)?;
        Ok(SamplePlace { file, options: self.input.options()?, samples: Arc::clone(&served.samples) })
    }
}

impl SamplePlace {
    pub(in crate::api) fn read(&self) -> Result<Arc<ReadSample>, ApiError> {
        let read = self.samples.read(&self.file.path, self.options);
        read.map_err(|error| ApiError::from(error).naming(&self.file))
    }
}

/// The rows of a sample with their keys by a draft, if both are there; else why the sample does not suit the design.
fn encoded(
    draft: &Draft,
    sample: Option<&SamplePlace>,
) -> Result<(Option<EncodedRows>, Option<InputError>), ApiError> {
    let (Some(codec), Some(sample)) = (&draft.codec, sample) else { return Ok((None, None)) };
    Ok(match EncodedRows::of(codec, &sample.read()?.rows.rows) {
        Ok(rows) => (Some(rows), None),
        Err(error) => (None, Some(error)),
    })
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A sample of calls, a thousand in one day: phones of 50 people, and the seconds rise.
    pub(super) fn calls() -> (TempDir, SamplePlace) {
        let row = |number: u64| {
            format!("{},{},{number}\n", 13_800_138_000 + number % 50, 1_586_131_200 + number * 80)
        };
        sample("calls.csv", &format!("phone,ts,id\n{}", (0..1_000).map(row).collect::<String>()))
    }

    pub(super) fn sample(name: &str, text: &str) -> (TempDir, SamplePlace) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let file = Place::new(path, FileName::Path(name.to_owned()));
        (folder, SamplePlace { file, options: InputOptions::default(), samples: Arc::default() })
    }
}
