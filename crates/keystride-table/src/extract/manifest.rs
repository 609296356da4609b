//! The progress of an extract, in a hidden file next to its partitions.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use keystride::KeyRange;
use serde_json::{Value, json};

use super::durable::sync_name;
use super::{Counts, ExtractError, ExtractProgress};

/// The version of the manifest format.
const FORMAT: u64 = 1;

/// The parts of an extract, the completed ones with their files, and the phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) units: Vec<Vec<KeyRange>>,
    pub(super) done: BTreeMap<usize, Vec<PartFile>>,
    pub(super) replaces: bool,
    pub(super) phase: Phase,
}

/// The phase of an extract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Parts are being read; all files are hidden.
    Reading,
    /// All files are complete; some may already have their final names.
    Publishing,
    /// All files have their final names.
    Done,
}

/// A complete file of one part in one partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PartFile {
    /// The partition's folder relative to the target folder; empty for the target folder itself.
    pub(super) partition: String,
    /// Its final name.
    pub(super) name: String,
    pub(super) counts: Counts,
}

impl Manifest {
    pub(super) fn new(units: Vec<Vec<KeyRange>>, replaces: bool) -> Self {
        Self { units, done: BTreeMap::new(), replaces, phase: Phase::Reading }
    }

    /// Returns all complete files.
    pub(super) fn files(&self) -> impl Iterator<Item = &PartFile> {
        self.done.values().flatten()
    }

    pub(super) fn progress(&self) -> ExtractProgress {
        let mut counts = Counts::default();
        self.files().for_each(|file| counts.add(file.counts));
        ExtractProgress { parts_done: self.done.len(), part_count: self.units.len(), counts }
    }

    /// Reads a manifest; `None` if it does not exist.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, ExtractError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ExtractError::io(path, "read it")(error)),
        };
        let manifest = serde_json::from_str(&text).ok().and_then(|json: Value| from_json(&json));
        manifest.map(Some).ok_or_else(|| ExtractError::Manifest { path: path.to_owned() })
    }

    /// Writes the manifest atomically: a reader finds either the old or the new one.
    pub(super) fn write(&self, path: &Path) -> Result<(), ExtractError> {
        let new = PathBuf::from(format!("{}.new", path.display()));
        let mut file = fs::File::create(&new).map_err(ExtractError::io(&new, "make it"))?;
        let text = to_json(self).to_string();
        file.write_all(text.as_bytes()).map_err(ExtractError::io(&new, "write it"))?;
        file.sync_all().map_err(ExtractError::io(&new, "write it to the disk"))?;
        fs::rename(&new, path).map_err(ExtractError::io(path, "put it in place"))?;
        sync_name(path)
    }
}

impl Phase {
    const ALL: [Self; 3] = [Self::Reading, Self::Publishing, Self::Done];

    fn word(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Publishing => "publishing",
            Self::Done => "done",
        }
    }
}

fn to_json(manifest: &Manifest) -> Value {
    let range = |range: &KeyRange| {
        json!([HEXLOWER.encode(range.start()), range.stop().map(|stop| HEXLOWER.encode(stop))])
    };
    let units: Vec<Vec<Value>> = manifest.units.iter().map(|unit| unit.iter().map(range).collect()).collect();
    let file = |file: &PartFile| {
        let Counts { rows, bytes, .. } = file.counts;
        json!({ "partition": file.partition, "name": file.name, "rows": rows, "bytes": bytes })
    };
    let done = manifest.done.iter().map(|(unit, files)| {
        let files: Vec<Value> = files.iter().map(file).collect();
        json!({ "unit": unit, "files": files })
    });
    json!({
        "format": FORMAT,
        "phase": manifest.phase.word(),
        "replaces": manifest.replaces,
        "units": units,
        "done": done.collect::<Vec<_>>(),
    })
}

fn from_json(json: &Value) -> Option<Manifest> {
    if json["format"].as_u64() != Some(FORMAT) {
        return None;
    }
    let phase = json["phase"].as_str()?;
    let phase = Phase::ALL.into_iter().find(|known| known.word() == phase)?;
    let unit = |unit: &Value| unit.as_array()?.iter().map(range_from_json).collect::<Option<Vec<_>>>();
    let units: Vec<Vec<KeyRange>> = json["units"].as_array()?.iter().map(unit).collect::<Option<_>>()?;
    let done = |done: &Value| {
        let unit = usize::try_from(done["unit"].as_u64()?).ok().filter(|unit| *unit < units.len())?;
        Some((unit, done["files"].as_array()?.iter().map(file_from_json).collect::<Option<_>>()?))
    };
    let done = json["done"].as_array()?.iter().map(done).collect::<Option<_>>()?;
    Some(Manifest { done, units, replaces: json["replaces"].as_bool()?, phase })
}

fn range_from_json(json: &Value) -> Option<KeyRange> {
    let bytes = |json: &Value| HEXLOWER.decode(json.as_str()?.as_bytes()).ok();
    let stop = match &json[1] {
        Value::Null => None,
        stop => Some(bytes(stop)?),
    };
    Some(KeyRange::new(bytes(&json[0])?, stop))
}

fn file_from_json(json: &Value) -> Option<PartFile> {
    let name = |word: &str| {
        let name = json[word].as_str()?;
        // Reject names that would lead out of the folder; they were not written by this module.
        (!name.contains(['/', '\\']) && name != "..").then(|| name.to_owned())
    };
    let counts = Counts { rows: json["rows"].as_u64()?, bytes: json["bytes"].as_u64()?, files: 1 };
    Some(PartFile { partition: name("partition")?, name: name("name")?, counts })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let units = vec![vec![KeyRange::new([0, 0xff], Some(vec![1]))], vec![KeyRange::new("b", None)]];
        let counts = Counts { rows: 3, bytes: 1_000, files: 1 };
        let file =
            PartFile { partition: "dt=2013-03-08".to_owned(), name: "part-00001.parquet".to_owned(), counts };
        Manifest {
            done: BTreeMap::from([(1, vec![file])]),
            phase: Phase::Publishing,
            ..Manifest::new(units, true)
        }
    }

    #[test]
    fn a_manifest_reads_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".manifest.json");
        assert_eq!(Manifest::read(&path).unwrap(), None);
        manifest().write(&path).unwrap();
        assert_eq!(Manifest::read(&path).unwrap(), Some(manifest()));
    }

    #[test]
    fn what_is_no_manifest_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".manifest.json");
        let good = to_json(&manifest()).to_string();
        let [asleep, outside, no_unit] =
            [("publishing", "sleeping"), ("dt=2013", "../dt"), ("\"unit\":1", "\"unit\":2")]
                .map(|(from, to)| good.replace(from, to));
        for bad in ["", "{}", &asleep, &outside, &no_unit, &good[1..]] {
            fs::write(&path, bad).unwrap();
            assert!(matches!(Manifest::read(&path), Err(ExtractError::Manifest { .. })), "{bad}");
        }
    }
}
