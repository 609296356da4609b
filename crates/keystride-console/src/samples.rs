//! Samples that were read, kept for the requests that follow: reading one takes longer than anyone types.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use keystride::design::Charset;
use keystride_app::sample::{SampleError, SampledRows, read_sample};
use keystride_table::input::{InputError, InputOptions, Source};

/// The last samples that were read.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    kept: Mutex<VecDeque<(SampleKey, Arc<ReadSample>)>>,
}

/// A sample, and how it was read.
#[derive(Debug)]
pub(crate) struct ReadSample {
    pub(crate) rows: SampledRows,
    /// The character set that was found to fit, where UTF-8 did not and none was asked for.
    pub(crate) found_encoding: Option<Charset>,
}

/// What makes a sample another one: a file that was written again is.
#[derive(Debug, PartialEq, Eq)]
struct SampleKey {
    path: PathBuf,
    written: Option<(SystemTime, u64)>,
    options: InputOptions,
}

/// Each may have some 64 MiB.
const MOST_KEPT: usize = 4;

impl Samples {
    /// Returns the sample of a file, from memory if it was read before. It blocks.
    pub(crate) fn read(&self, path: &Path, options: InputOptions) -> Result<Arc<ReadSample>, SampleError> {
        let about = fs::metadata(path).ok();
        let written = about.and_then(|about| Some((about.modified().ok()?, about.len())));
        let key = SampleKey { path: path.to_owned(), written, options };
        if let Some(found) = self.find(&key) {
            return Ok(found);
        }
        let sample = Arc::new(read(path, options)?);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| *other != key);
        kept.push_front((key, Arc::clone(&sample)));
        kept.truncate(MOST_KEPT);
        Ok(sample)
    }

    fn find(&self, key: &SampleKey) -> Option<Arc<ReadSample>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(other, _)| other == key)?;
        let entry = kept.remove(place)?;
        let sample = Arc::clone(&entry.1);
        kept.push_front(entry);
        Some(sample)
    }
}

/// Reads a sample; one that is no UTF-8 is read as GB 18030 if that has no mistakes.
fn read(path: &Path, options: InputOptions) -> Result<ReadSample, SampleError> {
    let as_asked = read_sample(source(path)?, options);
    let is_clean = as_asked.as_ref().is_ok_and(|sample| sample.rejected_count == 0);
    if !is_clean && options.encoding.is_none() {
        let charset = Some(Charset::Gb18030);
        let other = read_sample(source(path)?, InputOptions { encoding: charset, ..options });
        if let Ok(rows) = other
            && rows.rejected_count == 0
        {
            return Ok(ReadSample { rows, found_encoding: charset });
        }
    }
    Ok(ReadSample { rows: as_asked?, found_encoding: None })
}

fn source(path: &Path) -> Result<Source, InputError> {
    Source::file(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_in_gbk_is_read_and_one_that_is_written_again_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.csv");
        fs::write(&path, b"\xb5\xe7\xbb\xb0,n\n\xc0\xee,1\n").unwrap();
        let samples = Samples::default();
        let first = samples.read(&path, InputOptions::default()).unwrap();
        assert_eq!(first.rows.sample.columns[0].header, "电话");
        assert_eq!(first.found_encoding, Some(Charset::Gb18030));
        assert!(Arc::ptr_eq(&first, &samples.read(&path, InputOptions::default()).unwrap()));
        fs::write(&path, "电话,n\n1,2\n3,4\n").unwrap();
        let second = samples.read(&path, InputOptions::default()).unwrap();
        assert_eq!((second.rows.sample.row_count, second.found_encoding), (2, None));
    }

    #[test]
    fn a_file_with_a_damaged_row_is_not_taken_for_another_character_set() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        fs::write(&path, "a,b\n1,2\n3\n").unwrap();
        let sample = Samples::default().read(&path, InputOptions::default()).unwrap();
        assert_eq!((sample.rows.rejected_count, sample.found_encoding), (1, None));
    }
}
