use crate::design::{Access, AccessBound, AccessOrder, Encoding, FieldPart, Part, TimeText};
use crate::lint::clock::desc_bound;
use crate::lint::context::{Context, count, part_path};
use crate::lint::evidence::{Amount, evidence};
use crate::lint::finding::Place;
use crate::lint::{Finding, Fix};
use crate::plan::{BucketReason, TimeOrder};

evidence! {
    /// Rows in an order, and what it takes.
    enum Order {
        Rd02 => Backwards { access: String, wanted: String }
            "{access} wants the {wanted} rows first, and the key has them last: it is scanned backwards",
        Rd02 => Sorted { access: String, wanted: String, time: String }
            "{access} wants the {wanted} rows, but {time} does not follow what it gives: all its rows are read and sorted",
        Rd02 => NoTime { access: String, wanted: String }
            "{access} wants the {wanted} rows, but the design has no time",
        Rd03 => Repeated { access: String, limit: u64, ranges: usize, read: u64 }
            "{access} wants {limit} rows and may read {read}: {limit} from each of {ranges} ranges",
        Rd08 => BucketOfRange { access: String, item: String, buckets: usize, all: usize }
            "{access} ranges over what the bucket is computed from, {item}: a typical range reads {buckets} of {all} buckets",
        Rd09 => Deleted { access: String, percent: f64, limit: Amount }
            "{access} begins where rows are deleted: {percent:.0} % of them leave markers that it reads and skips",
    }
}

/// Deleting so much of a table one by one shows in its reads.
const MANY_DELETES: f64 = 0.1;

/// RD02.
pub(super) fn latest_rows(context: &Context<'_>) -> Vec<Finding> {
    let planned = context.reads.iter().filter_map(|read| match read.plan.time_order {
        TimeOrder::Backwards { part } => Some(backwards(context, read.access, part)),
        TimeOrder::Sorted { field } => Some(sorted(context, read.access, field)),
        TimeOrder::NotAsked | TimeOrder::Forwards { .. } => None,
    });
    let without_time = context.design.accesses.iter().filter(|access| {
        access.order != AccessOrder::Key && context.design.fields.iter().all(|field| field.time().is_none())
    });
    let timeless = without_time.map(|access| {
        let evidence = Order::NoTime { access: shown(access), wanted: wanted(access) };
        Finding::warning(Place::access(access), &evidence)
    });
    planned.chain(timeless).collect()
}

fn backwards(context: &Context<'_>, access: &Access, part: usize) -> Finding {
    let evidence = Order::Backwards { access: shown(access), wanted: wanted(access) };
    let finding =
        Finding::info(Place::access(access), &evidence).label(context.part_place(part), "the time").note(
            "HBase scans backwards since 0.98, at a small cost; a store that can't reads the whole history",
        );
    match &context.design.parts[part] {
        Part::Field(field) if access.order == AccessOrder::Newest => {
            finding.fix(descending_fix(context, part, field))
        }
        _ => finding,
    }
}

fn descending_fix(context: &Context<'_>, index: usize, part: &FieldPart) -> Option<Fix> {
    let time = context.field(part.field).time()?;
    let path = format!("{}.desc", part_path(index));
    let fix = Fix::new("sort the latest first");
    match (part.steps.encoding, &time.text) {
        (Encoding::Be, _) => Some(fix.set(&path, "\"long-max\"")),
        (Encoding::Plain | Encoding::Text, TimeText::Epoch(unit)) if part.steps.pad.is_none() => {
            Some(fix.set(&path, desc_bound(*unit)?))
        }
        _ if context.design.layout[index].end.fixed().is_some() => Some(fix.set(&path, "\"invert\"")),
        _ => None,
    }
}

fn sorted(context: &Context<'_>, access: &Access, field: usize) -> Finding {
    let evidence = Order::Sorted { access: shown(access), wanted: wanted(access), time: context.name(field) };
    let finding = Finding::warning(Place::access(access), &evidence);
    finding.help("put the time right behind the fields that the access gives")
}

/// RD03.
pub(super) fn limit_in_each_bucket(context: &Context<'_>) -> Vec<Finding> {
    let limited = context.reads.iter().filter_map(|read| Some((read, read.access.limit?)));
    let ordered = limited.filter(|(read, _)| {
        matches!(read.plan.time_order, TimeOrder::Forwards { .. } | TimeOrder::Backwards { .. })
    });
    ordered
        .filter_map(|(read, limit)| {
            let ranges = read.ranges(context.design.leading_bucket());
            let evidence = Order::Repeated {
                access: shown(read.access),
                limit,
                ranges,
                read: limit.saturating_mul(ranges as u64),
            };
            (ranges > 1).then(|| Finding::info(Place::access(read.access), &evidence))
        })
        .collect()
}

/// RD08.
pub(super) fn bucket_of_the_range(context: &Context<'_>) -> Vec<Finding> {
    let Some(part) = context.design.leading_bucket() else { return Vec::new() };
    let ranged = context.reads.iter().filter_map(|read| match read.access.bound {
        Some(AccessBound::Range(field)) => Some((read, context.design.source_of(field))),
        _ => None,
    });
    ranged
        .filter_map(|(read, field)| {
            let item = part.of.items().iter().find(|item| context.design.source_of(item.field) == field)?;
            let is_function = item.function.is_some() || context.field(item.field).from.is_some();
            let (buckets, all) = read.buckets(context.design)?;
            let enumerated = read.plan.buckets.contains(&BucketReason::Enumerated);
            let item = item.to_text(&context.design.fields);
            let evidence = Order::BucketOfRange { access: shown(read.access), item, buckets, all };
            let finding = Finding::info(Place::access(read.access), &evidence);
            (is_function && enumerated).then(|| finding.label(context.part_place(0), "the bucket"))
        })
        .collect()
}

/// RD09.
pub(super) fn deleted_rows(context: &Context<'_>) -> Vec<Finding> {
    let deletes =
        context.design.workload.and_then(|workload| workload.deletes).filter(|share| *share >= MANY_DELETES);
    let Some(deletes) = deletes else { return Vec::new() };
    let queues = context.design.accesses.iter().filter(|access| access.order != AccessOrder::Key);
    queues
        .filter_map(|access| {
            let limit = Amount(count(access.limit?.into()));
            let evidence = Order::Deleted { access: shown(access), percent: deletes * 100.0, limit };
            let finding = Finding::warning(Place::access(access), &evidence);
            Some(finding.help("drop by time to live or by period, or begin the scan at a remembered place"))
        })
        .collect()
}

fn shown(access: &Access) -> String {
    format!("access {}", access.name)
}

/// `newest 20`, `oldest`.
fn wanted(access: &Access) -> String {
    let order = if access.order == AccessOrder::Oldest { "oldest" } else { "newest" };
    access.limit.map_or(order.to_owned(), |limit| format!("{order} {limit}"))
}
