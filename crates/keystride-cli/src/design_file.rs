//! Design files, and the files that they refer to.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use keystride::design::{NoDesign, SplitRule};
use keystride::split::SplitSource;
use keystride::{Design, KeyCodec, SplitPoints};
use keystride_advisor::lint::check_silences;
use keystride_app::marked_text::without_mark;

use crate::design_failure::DesignFailure;
use crate::failure::Failure;
use crate::global::Global;
use crate::input_args::keys_of;
use crate::key_file::read_lines;
use crate::output::say;
use crate::text_file::read_text_within;

/// A design and the file it came from.
#[derive(Debug)]
pub(crate) struct DesignFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) codec: KeyCodec,
}

/// Far more than any design has.
const MOST_DESIGN_MIB: u64 = 16;

impl DesignFile {
    /// Reads a design file; a name that ends in `.json` is read as JSON.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        match read_text_within(path, MOST_DESIGN_MIB) {
            Err(Failure::Read { cause, .. }) if cause.kind() == ErrorKind::InvalidData => {
                let (path, text, error) = (path.to_owned(), String::new(), NoDesign::NotText.into());
                Err(Box::new(DesignFailure { path, text, error }).into())
            }
            text => Self::of(path, text?),
        }
    }

    /// Reads the text of a design file.
    pub(crate) fn of(path: &Path, text: String) -> Result<Self, Failure> {
        let design =
            if is_json(path) { Design::from_json(without_mark(&text)) } else { Design::from_toml(&text) };
        match design.and_then(|design| check_silences(&design).map(|()| design)) {
            Ok(design) => Ok(Self { path: path.to_owned(), text, codec: KeyCodec::new(design) }),
            Err(error) => Err(Box::new(DesignFailure { path: path.to_owned(), text, error }).into()),
        }
    }

    /// Returns the text that the design's places refer to; `None` for JSON, whose parser gives no places.
    pub(crate) fn toml(&self) -> Option<&str> {
        (!is_json(&self.path)).then(|| without_mark(&self.text))
    }

    pub(crate) fn design(&self) -> &Design {
        self.codec.design()
    }

    /// Returns the path of a file that the design names.
    fn beside(&self, named: &str) -> Result<PathBuf, Failure> {
        let path = self.path.parent().unwrap_or(Path::new("")).join(named);
        if path.exists() { Ok(path) } else { Err(Failure::NamedFile { design: self.path.clone(), path }) }
    }

    /// Returns the split points of the design, if it says how tables are split.
    pub(crate) fn own_split_points(&self, global: &Global) -> Result<Option<SplitPoints>, Failure> {
        self.design().split().is_some().then(|| self.split_points(global)).transpose()
    }

    /// Returns the split points of the design; the files it refers to are read relative to it.
    pub(crate) fn split_points(&self, global: &Global) -> Result<SplitPoints, Failure> {
        let (path, mut outside) = match self.design().split_source() {
            SplitSource::Nothing => (self.path.clone(), Vec::new()),
            SplitSource::Points(path) => {
                let path = self.beside(&path)?;
                let points = read_lines(&path)?;
                (path, points)
            }
            SplitSource::Sample(path) => {
                let path = self.beside(&path)?;
                let keys = keys_of(global, &self.codec, &path)?;
                (path, keys)
            }
        };
        let points = self.design().split_points(&mut outside);
        let points = points.map_err(|cause| Failure::SplitOfFile { path, cause })?;
        if let Some(SplitRule::Sample { regions, .. }) = self.design().split().map(|split| &split.rule) {
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
