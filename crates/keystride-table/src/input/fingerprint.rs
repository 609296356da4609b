//! What tells a file from what it was before.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use xxhash_rust::xxh3::Xxh3;

use super::InputError;
use super::source::Source;

/// So much of a file's beginning and of its end is looked at: a file of a terabyte takes no longer than a small one.
const END_BYTES: u64 = 1 << 20;

impl Source {
    /// A digest of a file's length, the time of its last change, and its first and last MiB. A file that is changed
    /// gets another one, and so does one that is copied; `None` for pipes and readers, which can be read only once.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the file can't be read.
    pub fn fingerprint(&self) -> Result<Option<u128>, InputError> {
        let Some(path) = self.path().filter(|_| self.byte_count().is_some()) else { return Ok(None) };
        digest_of(path).map(Some).map_err(|cause| InputError::of_path(path, cause))
    }
}

fn digest_of(path: &Path) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let mut digest = Xxh3::new();
    digest.update(&metadata.len().to_be_bytes());
    digest.update(&changed_ns(&metadata).to_be_bytes());
    update_with(&mut digest, &mut file)?;
    file.seek(SeekFrom::Start(metadata.len().saturating_sub(END_BYTES)))?;
    update_with(&mut digest, &mut file)?;
    Ok(digest.digest128())
}

/// Where the system keeps no such time, the bytes alone tell.
fn changed_ns(metadata: &Metadata) -> u128 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos())
}

fn update_with(digest: &mut Xxh3, file: &mut File) -> io::Result<()> {
    let mut bytes = Vec::new();
    file.take(END_BYTES).read_to_end(&mut bytes)?;
    digest.update(&bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    fn fingerprint(path: &Path) -> u128 {
        Source::file(path).unwrap().fingerprint().unwrap().unwrap()
    }

    #[test]
    fn a_file_that_is_changed_at_either_end_or_later_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let text = vec![b'x'; 3 << 20];
        let changed = |at: Option<usize>, seconds: u64| {
            let mut text = text.clone();
            if let Some(at) = at {
                text[at] = b'y';
            }
            fs::write(&path, text).unwrap();
            let time = UNIX_EPOCH + Duration::from_secs(1_400_657_685 + seconds);
            File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
            fingerprint(&path)
        };
        let first = changed(None, 0);
        assert_eq!(changed(None, 0), first);
        for other in [changed(Some(0), 0), changed(Some((3 << 20) - 1), 0), changed(Some(3 << 19), 1)] {
            assert_ne!(other, first);
        }
    }

    #[test]
    fn what_can_be_read_only_once_has_none() {
        let reader = Source::reader("a.csv", io::empty());
        assert_eq!(reader.fingerprint().unwrap(), None);
        assert_eq!(Source::stdin().fingerprint().unwrap(), None);
    }
}
