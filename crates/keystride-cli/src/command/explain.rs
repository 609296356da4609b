//! Prints what a query reads, for people and for programs.

use keystride_table::explain::{Explain, ExplainDocument};

use crate::failure::Failure;
use crate::global::Global;
use crate::output::print_text_or_document;

pub(super) fn print_explain(global: &Global, explain: &Explain) -> Result<(), Failure> {
    let style = &global.times_in_words();
    let document = || ExplainDocument::new(explain, style);
    print_text_or_document(global, "--explain", || explain.to_text(style), document)
}
