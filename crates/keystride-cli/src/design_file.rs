//! Design files: reading them, and showing what is wrong with them where it stands.

use std::fmt;
use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use keystride::design::{Complaint, DesignError};
use keystride::split::SplitSource;
use keystride::{Design, KeyCodec, SplitPoints};

use crate::failure::Failure;

/// A design and the file it came from.
#[derive(Debug)]
pub(crate) struct DesignFile {
    pub(crate) path: PathBuf,
    pub(crate) codec: KeyCodec,
}

/// A file that is no design.
#[derive(Debug)]
pub(crate) struct DesignFailure {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) error: DesignError,
}

impl DesignFile {
    /// Reads a design file; one that ends in `.json` as JSON.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path)?;
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let design = if is_json { Design::from_json(&text) } else { Design::from_toml(&text) };
        match design {
            Ok(design) => Ok(Self { path: path.to_owned(), codec: KeyCodec::new(design) }),
            Err(error) => Err(Box::new(DesignFailure { path: path.to_owned(), text, error }).into()),
        }
    }

    pub(crate) fn design(&self) -> &Design {
        self.codec.design()
    }

    /// The split points of the design, with the files it names read from beside it.
    pub(crate) fn split_points(&self) -> Result<SplitPoints, Failure> {
        let beside = |path: &str| self.path.parent().unwrap_or(Path::new("")).join(path);
        let mut outside = match self.design().split_source() {
            SplitSource::Nothing => Vec::new(),
            SplitSource::Points(path) => {
                read_text(&beside(&path))?.lines().map(|line| line.as_bytes().to_vec()).collect()
            }
            SplitSource::Sample(path) => crate::command::key::encode::keys_of(&self.codec, &beside(&path))?,
        };
        Ok(self.design().split_points(&mut outside)?)
    }
}

/// The text of a file, or what is wrong with the path.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    if path.is_dir() {
        return Err(Failure::Directory { path: path.to_owned() });
    }
    std::fs::read_to_string(path).map_err(|cause| Failure::Read { path: path.to_owned(), cause })
}

impl DesignFailure {
    /// Every complaint with its place, a caret, what was found and what would do.
    pub(crate) fn render(&self, renderer: &Renderer) -> String {
        let reports: Vec<String> =
            self.error.complaints.iter().map(|c| self.complaint(c, renderer)).collect();
        let count = reports.len();
        let noun = if count == 1 { "mistake" } else { "mistakes" };
        format!("{}\n\n{}: {count} {noun}, nothing done", reports.join("\n\n"), self.path.display())
    }

    fn complaint(&self, complaint: &Complaint, renderer: &Renderer) -> String {
        let title = complaint.problem.to_string();
        let help = complaint.problem.help();
        let path = self.path.display().to_string();
        // The reader left a byte order mark out, so places count from behind it.
        let source = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text);
        let mut group = Group::with_title(Level::ERROR.primary_title(title.as_str()));
        if let Some(span) = complaint.span.clone().filter(|span| span.end <= source.len()) {
            let label = AnnotationKind::Primary.span(span).label(complaint.path.as_str());
            group = group.element(Snippet::source(source).path(path.as_str()).annotation(label));
        } else {
            group = group.element(Level::NOTE.message(format!("in {path}, {}", complaint.path)));
        }
        if let Some(help) = &help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        renderer.render(&[group])
    }
}

impl fmt::Display for DesignFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

impl std::error::Error for DesignFailure {}
