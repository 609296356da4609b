//! Lints of updates.

use keystride::design::Part;

use super::context::Context;
use super::evidence::evidence;
use super::said::said;
use super::{Found, Lint};

pub(super) const LINTS: &[Lint] = &[updated_in_key];

evidence! {
    /// Key fields that change.
    enum Updated {
        Upd01 => InKey { field: String }
            "{field} changes in a row's life and is in the key: a change is a delete and an insert, two rows until both are done"
            "{field} 在行的生命期内会变，却在键里：改一次就是删一行再插一行，两步都完成之前有两行",
    }
}

/// UPD01.
fn updated_in_key(context: &Context<'_>) -> Vec<Found> {
    let parts = context.design.parts().iter().enumerate();
    parts
        .filter_map(|(index, part)| {
            let fields: Vec<usize> = match part {
                Part::Text(_) => Vec::new(),
                Part::Field(part) => vec![part.field],
                Part::Bucket(part) => {
                    let by = part.spread.iter().flat_map(|spread| &spread.by);
                    part.of.items().iter().chain(by).map(|item| item.field).collect()
                }
            };
            let changes = |field: &usize| {
                context.field(*field).updated || context.field(context.design.source_of(*field)).updated
            };
            let field = fields.into_iter().find(changes)?;
            let finding =
                Found::error(context.part_place(index), &Updated::InKey { field: context.name(field) });
            let finding = finding.label(
                context.field_place(context.design.source_of(field)),
                said!("updated = true", "updated = true：会变"),
            );
            Some(finding.help(said!(
                "keep it out of the key, or find rows by it in a table of its own",
                "不要放进键里；要按它查找，就另建一张表"
            )))
        })
        .collect()
}
