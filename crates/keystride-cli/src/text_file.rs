//! Text files of limited size.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use crate::failure::Failure;

/// Returns the text of a file of limited size; a device may never end.
pub(crate) fn read_text_within(path: &Path, most_mib: u64) -> Result<String, Failure> {
    if path.is_dir() {
        return Err(Failure::Directory { path: path.to_owned() });
    }
    let failed = |cause| Failure::Read { path: path.to_owned(), cause };
    let (most_bytes, mut bytes) = (most_mib << 20, Vec::new());
    let file = File::open(path).map_err(failed)?;
    file.take(most_bytes + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most_bytes {
        return Err(Failure::TooLarge { path: path.to_owned(), most_mib });
    }
    String::from_utf8(bytes)
        .map_err(|error| failed(io::Error::new(ErrorKind::InvalidData, error.utf8_error())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit_if_it_is_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.toml");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read_text_within(&path, 1)
        };
        assert_eq!(read("北".as_bytes()).unwrap(), "北");
        assert_eq!(read(&vec![b'#'; 1 << 20]).unwrap().len(), 1 << 20);
        assert!(matches!(read(&vec![b'#'; (1 << 20) + 1]), Err(Failure::TooLarge { most_mib: 1, .. })));
        let not_text = read(b"a\xff");
        assert!(
            matches!(&not_text, Err(Failure::Read { cause, .. }) if cause.kind() == ErrorKind::InvalidData)
        );
        assert!(matches!(read_text_within(folder.path(), 1), Err(Failure::Directory { .. })));
    }
}
