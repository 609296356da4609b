//! What `design lint` does with patches: writes them to the file, or shows what they would change.

use keystride_advisor::{Patches, Review, SplitOf};
use keystride_app::marked_text::in_form_of;
use keystride_app::replaced_file::replace_file;

use super::lint_words;
use crate::design_file::{DesignFile, is_json};
use crate::failure::Failure;
use crate::global::Global;
use crate::output::{print, refuse_all_but_text, say};
use crate::usage::Usage;

/// What to do with the patches of findings.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct FixArgs {
    /// Fix in the file what can be fixed while all rows keep their keys and cells; comments are kept, but for those of
    /// words that go
    #[arg(long, group = "change")]
    pub(super) fix: bool,
    /// Print what --fix would change, as a unified diff, and change nothing; exit with 1 if there is anything
    #[arg(long, group = "change")]
    pub(super) diff: bool,
    /// With --fix or --diff, also take fixes that change keys or cells: for tables that have no rows yet
    #[arg(long, requires = "change")]
    unsafe_fixes: bool,
}

impl FixArgs {
    pub(super) fn patches(&self) -> Patches {
        if self.unsafe_fixes { Patches::All } else { Patches::KeepingRows }
    }
}

/// Applies patches to the file, and returns it with what is left to find.
pub(super) fn write_fixed(
    global: &Global,
    file: &DesignFile,
    review: Review,
    patches: Patches,
    split_of: SplitOf<'_>,
) -> Result<Review, Failure> {
    // What is read once can't be read again and written.
    if !file.path.is_file() {
        return Err(Usage::FixNeedsFile.into());
    }
    demand_toml(file)?;
    let (review, titles) = review.mended(patches, split_of);
    if let Some(text) = mended_text(file, &review, &titles) {
        replace_file(&file.path, &text).map_err(|cause| Failure::Write { path: file.path.clone(), cause })?;
    }
    for title in &titles {
        say(global, &lint_words::fixed(title, global.lang));
    }
    if !file.design().stores_alike(review.design()) {
        say(global, lint_words::changes_rows(global.lang));
    }
    Ok(review)
}

/// Prints what patches would change in the file; returns what would be left to find, and whether anything would change.
pub(super) fn show_diff(
    global: &Global,
    file: &DesignFile,
    review: Review,
    patches: Patches,
    split_of: SplitOf<'_>,
) -> Result<(Review, bool), Failure> {
    refuse_all_but_text(global, "--diff")?;
    demand_toml(file)?;
    let (review, titles) = review.mended(patches, split_of);
    let text = mended_text(file, &review, &titles);
    if let Some(text) = &text {
        let path = file.path.display().to_string();
        let diff = similar::TextDiff::from_lines(file.text.as_str(), text.as_str());
        print(&diff.unified_diff().header(&path, &path).to_string())?;
    }
    for title in &titles {
        say(global, &lint_words::would_fix(title, global.lang));
    }
    Ok((review, text.is_some()))
}

fn demand_toml(file: &DesignFile) -> Result<(), Usage> {
    if is_json(&file.path) { Err(Usage::FixNeedsToml) } else { Ok(()) }
}

/// Returns the text of the file with the patches that were applied, if there are any.
fn mended_text(file: &DesignFile, review: &Review, titles: &[String]) -> Option<String> {
    review.toml().filter(|_| !titles.is_empty()).map(|toml| in_form_of(&file.text, toml))
}
