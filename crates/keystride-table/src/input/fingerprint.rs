//! Fingerprints, which detect changes of files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::InputError;
use super::source::Source;

/// How much of a file's beginning and end is hashed: a file of a terabyte takes no longer than a small one.
const END_BYTES: u64 = 1 << 20;

impl Source {
    /// Returns a digest of a file's length and of its first and last MiB. Changes outside of these parts that keep
    /// the length are not detected; a copy has the same digest. Returns `None` for pipes and readers, which can be
    /// read only once.
    ///
    /// # Errors
    ///
    /// [`InputError`] when the file can't be read.
    pub fn fingerprint(&self) -> Result<Option<u128>, InputError> {
        let Some(path) = self.path().filter(|_| self.has_fingerprint()) else { return Ok(None) };
        digest_of(path).map(Some).map_err(|cause| InputError::of_path(path, cause))
    }

    /// Whether it has a [fingerprint](Self::fingerprint).
    pub fn has_fingerprint(&self) -> bool {
        self.path().is_some() && self.byte_count().is_some()
    }
}

fn digest_of(path: &Path) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let mut digest = Xxh3::new();
    digest.update(&len.to_be_bytes());
    update_with(&mut digest, &mut file)?;
    file.seek(SeekFrom::Start(len.saturating_sub(END_BYTES)))?;
    update_with(&mut digest, &mut file)?;
    Ok(digest.digest128())
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

    use super::*;

    fn fingerprint(path: &Path) -> u128 {
        Source::file(path).unwrap().fingerprint().unwrap().unwrap()
    }

    #[test]
    fn a_file_that_is_changed_at_either_end_is_another_and_a_copy_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let fingerprint_of = |name: &str, changed: Option<usize>, len: usize| {
            let mut text = vec![b'x'; len];
            if let Some(at) = changed {
                text[at] = b'y';
            }
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            fingerprint(&path)
        };
        let len = 3 << 20;
        let first = fingerprint_of("a.csv", None, len);
        assert_eq!(fingerprint_of("b.csv", None, len), first);
        for (changed, len) in [(Some(0), len), (Some(len - 1), len), (None, len + 1)] {
            assert_ne!(fingerprint_of("a.csv", changed, len), first);
        }
    }

    #[test]
    fn what_can_be_read_only_once_has_none() {
        let reader = Source::reader("a.csv", io::empty());
        assert_eq!(reader.fingerprint().unwrap(), None);
        assert_eq!(Source::stdin().fingerprint().unwrap(), None);
    }
}
