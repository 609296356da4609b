//! Design files, and the files that they refer to.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use keystride::design::SplitRule;
use keystride::split::SplitSource;
use keystride::{Design, KeyCodec, SplitPoints};

use crate::design_failure::DesignFailure;
use crate::failure::Failure;
use crate::global::Global;
use crate::input_args::keys_of;
use crate::key_file::read_lines;
use crate::output::say;

/// A design and the file it came from.
#[derive(Debug)]
pub(crate) struct DesignFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) codec: KeyCodec,
}

/// Some editors write it at the beginning of a file.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Far more than any design has.
const MOST_DESIGN_MIB: u64 = 16;

impl DesignFile {
    /// Reads a design file; a name that ends in `.json` is read as JSON.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::of(path, read_text_within(path, MOST_DESIGN_MIB)?)
    }

    /// Reads the text of a design file.
    pub(crate) fn of(path: &Path, text: String) -> Result<Self, Failure> {
        let design =
            if is_json(path) { Design::from_json(without_mark(&text)) } else { Design::from_toml(&text) };
        match design {
            Ok(design) => Ok(Self { path: path.to_owned(), text, codec: KeyCodec::new(design) }),
            Err(error) => Err(Box::new(DesignFailure { path: path.to_owned(), text, error }).into()),
        }
    }

    pub(crate) fn design(&self) -> &Design {
        self.codec.design()
    }

    /// Returns the split points of the design; the files it refers to are read relative to it.
    pub(crate) fn split_points(&self, global: &Global) -> Result<SplitPoints, Failure> {
        let beside = |path: &str| self.path.parent().unwrap_or(Path::new("")).join(path);
        let mut outside = match self.design().split_source() {
            SplitSource::Nothing => Vec::new(),
            SplitSource::Points(path) => {
                read_lines(&beside(&path))?.into_iter().map(String::into_bytes).collect()
            }
            SplitSource::Sample(path) => keys_of(global, &self.codec, &beside(&path))?,
        };
        let points = self.design().split_points(&mut outside)?;
        if let Some(SplitRule::Sample { regions, .. }) = self.design().split.as_ref().map(|split| &split.rule)
        {
            say_dropped(global, *regions as usize, &points);
        }
        Ok(points)
    }
}

/// Says how many of the points that a sample was to give are left out, as they are the same as others.
pub(crate) fn say_dropped(global: &Global, regions: usize, points: &SplitPoints) {
    let (wanted, kept) = (regions.saturating_sub(1), points.keys().len());
    if kept < wanted {
        let dropped = wanted - kept;
        let count = points.region_count();
        say(
            global,
            &format!(
                "the sample gives the same key for several points: {dropped} of {wanted} are left out, {count} regions stay"
            ),
        );
    }
}

/// Whether a design file is JSON, by its name.
pub(crate) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

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

/// Returns the text after its byte order mark, if it has one; places in a design are counted from there.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Returns the line and the column of a place in the text of a design file, from 1.
pub(crate) fn line_and_column(text: &str, at: usize) -> Option<(usize, usize)> {
    let before = without_mark(text).get(..at)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    Some((line, column))
}
