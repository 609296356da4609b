//! Prints whether a design fits a table.

use keystride_store::TableName;
use keystride_table::Kept;
use keystride_table::fit::{Fit, FitDocument};

use crate::failure::{Code, Failure};
use crate::global::Global;
use crate::output::{print_document, print_lines, say};

/// Prints in what a design differs from a table.
pub(super) fn print_fit(global: &Global, fit: &FitDocument) -> Result<(), Failure> {
    if global.is_json() {
        return print_document(global, fit);
    }
    print_lines(global, "difference", fit.differences().iter().cloned())
}

pub(super) fn say_not_compared(global: &Global, fit: &Fit) {
    for what in &fit.not_compared {
        say(global, &format!("not compared: {what}"));
    }
}

/// Says whether a table was made by a design, and returns the exit code for it: where no design is kept with it, that is
/// no yes.
pub(super) fn say_verdict(global: &Global, name: &TableName, fit: &Fit) -> Code {
    say_not_compared(global, fit);
    let (code, kept) = match (fit.kept, fit.holds()) {
        (Kept::Same, true) => (Code::Done, format!("{name} was made by this design")),
        (Kept::Same, false) => (Code::No, format!("{name} was made by this design, and is not as it says")),
        (Kept::None, true) => (
            Code::No,
            format!(
                "no design is kept with {name}; what was compared fits this one, and `keystride table adopt` keeps it \
                 there"
            ),
        ),
        (Kept::None, false) => {
            (Code::No, format!("no design is kept with {name}, and this one does not fit"))
        }
        (Kept::NotTold, true) => {
            (Code::No, format!("the design of {name} can't be asked for; what was compared fits this one"))
        }
        (Kept::NotTold, false) => {
            (Code::No, format!("the design of {name} can't be asked for, and this one does not fit"))
        }
    };
    say(global, &kept);
    code
}
