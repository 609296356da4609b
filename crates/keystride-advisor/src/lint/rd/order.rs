use keystride::design::{
    Access, AccessBound, AccessOrder, Encoding, Field, FieldPart, OrderKept, Part, TimeText,
};
use keystride::plan::{BucketReason, TimeOrder};

use crate::lint::clock::desc_bound;
use crate::lint::context::{Context, count, part_path};
use crate::lint::evidence::{Amount, evidence};
use crate::lint::found::Place;
use crate::lint::said::{Bilingual, said};
use crate::lint::{Found, Patch};

evidence! {
    /// Rows wanted in an order, and what that takes.
    enum Order {
        Rd02 => Backwards { access: Bilingual, wanted: Bilingual }
            "{access} wants the {wanted} rows first, and the key has them last: it is scanned backwards"
            "{access} 要{wanted}在前，而键里它们在后：只能反向扫描 (scan)",
        Rd02 => Sorted { access: Bilingual, wanted: Bilingual, time: String }
            "{access} wants the {wanted} rows, but {time} does not follow what it gives: all its rows are read and sorted"
            "{access} 要{wanted}，但 {time} 不紧跟在它给出的字段之后：要读出它的全部行再排序",
        Rd02 => Unsorted { access: Bilingual, wanted: Bilingual, time: String }
            "{access} wants the {wanted} rows, but the bytes of {time} do not sort as its times do: all its rows are read and sorted"
            "{access} 要{wanted}，但 {time} 的字节不按时间排序：要读出它的全部行再排序",
        Rd02 => Floored { access: Bilingual, wanted: Bilingual, time: String }
            "{access} wants the {wanted} rows, but the key only has the period of {time}: all its rows are read and sorted"
            "{access} 要{wanted}，但键里只有 {time} 所在的周期：要读出它的全部行再排序",
        Rd02 => NoTime { access: Bilingual, wanted: Bilingual }
            "{access} wants the {wanted} rows, but the design has no time"
            "{access} 要{wanted}，但设计里没有时间",
        Rd03 => Repeated { access: Bilingual, limit: u64, ranges: usize, read: u64 }
            "{access} wants {limit} rows and may read {read}: {limit} from each of {ranges} ranges"
            "{access} 要 {limit} 行，可能要读 {read} 行：{ranges} 个区间各读 {limit} 行",
        Rd08 => BucketOfRange { access: Bilingual, item: String, buckets: usize, all: usize }
            "{access} ranges over what the bucket is computed from, {item}: a typical range reads {buckets} of {all} buckets"
            "{access} 对计算桶 (bucket) 所用的 {item} 取区间：典型的区间要读 {all} 个桶里的 {buckets} 个",
        Rd09 => Deleted { access: Bilingual, percent: f64, limit: Amount }
            "{access} begins where rows are deleted: {percent:.0} % of them leave markers that it reads and skips"
            "{access} 从删除行的地方读起：{percent:.0}% 的行留下标记，要一一跳过",
    }
}

/// The share of a table that can be deleted row by row before reads become slower.
const MANY_DELETES: f64 = 0.1;

/// RD02.
pub(super) fn latest_rows(context: &Context<'_>) -> Vec<Found> {
    let planned = context.reads.iter().filter_map(|read| match read.plan.time_order {
        TimeOrder::Backwards { part } => Some(backwards(context, read.access, part)),
        TimeOrder::Sorted { field } => Some(sorted(context, read.access, field)),
        TimeOrder::NotAsked | TimeOrder::Forwards { .. } => None,
    });
    let without_time = context.design.accesses().iter().filter(|access| {
        access.order != AccessOrder::Key && context.design.fields().iter().all(|field| field.time().is_none())
    });
    let timeless = without_time.map(|access| {
        let evidence = Order::NoTime { access: Bilingual::access(access), wanted: wanted(access) };
        Found::warning(Place::access(access), &evidence)
    });
    planned.chain(timeless).collect()
}

fn backwards(context: &Context<'_>, access: &Access, part: usize) -> Found {
    let evidence = Order::Backwards { access: Bilingual::access(access), wanted: wanted(access) };
    let finding = Found::info(Place::access(access), &evidence)
        .label(context.part_place(part), said!("the time", "时间"))
        .note(said!(
            "HBase scans backwards since 0.98, at a small cost; a store that can't reads the whole history",
            "HBase 从 0.98 起可以反向扫描，代价很小；不能反向扫描的存储要读全部历史"
        ));
    match &context.design.parts()[part] {
        Part::Field(field) if access.order == AccessOrder::Newest => {
            finding.fix(descending_fix(context, part, field))
        }
        _ => finding,
    }
}

fn descending_fix(context: &Context<'_>, index: usize, part: &FieldPart) -> Option<Patch> {
    let field = context.field(part.field);
    let is_whole = part.steps.floor.is_none() && field.from.is_none();
    let time = field.time().filter(|_| is_whole)?;
    let path = format!("{}.desc", part_path(index));
    let fix = Patch::new(said!("sort the latest first", "让最新的排在最前"));
    match (part.steps.encoding, &time.text) {
        // 2^63 - 1 - t takes eight bytes.
        (Encoding::Be, _) if part.steps.width.is_none() => Some(fix.set(&path, "\"long-max\"")),
        (Encoding::Plain | Encoding::Text, TimeText::Epoch(unit)) if part.steps.pad.is_none() => {
            Some(fix.set(&path, desc_bound(*unit)?))
        }
        _ if context.design.layout()[index].end.fixed().is_some() => Some(fix.set(&path, "\"invert\"")),
        _ => None,
    }
}

fn sorted(context: &Context<'_>, access: &Access, field: usize) -> Found {
    let (said, wanted, time) = (Bilingual::access(access), wanted(access), context.name(field));
    let design = context.design;
    let of_time = |part: &FieldPart| design.source_of(part.field) == design.source_of(field);
    let parts: Vec<_> = context.field_parts().filter(|(_, part, _)| of_time(part)).collect();
    let is_in_key = !parts.is_empty();
    if is_in_key && parts.iter().all(|(index, ..)| design.layout()[*index].order == OrderKept::No) {
        let evidence = Order::Unsorted { access: said, wanted, time };
        return Found::warning(Place::access(access), &evidence).help(said!(
            "write it so that its bytes sort: a pattern from the year down, with yyyy or within one century, or big-endian with min = 0 or as = \"ordered\"",
            "让它的字节按时间排序：从年开始的格式（用 yyyy，或不跨世纪），或者大端加 min = 0，或 as = \"ordered\""
        ));
    }
    let is_floored =
        |part: &FieldPart, field: &Field| part.steps.floor.is_some() || field.derived_period().is_some();
    if is_in_key && parts.iter().all(|(_, part, field)| is_floored(part, field)) {
        let evidence = Order::Floored { access: said, wanted, time };
        return Found::warning(Place::access(access), &evidence)
            .help(said!("add the whole time behind its period", "在周期后面加上完整的时间"));
    }
    let evidence = Order::Sorted { access: said, wanted, time };
    Found::warning(Place::access(access), &evidence).help(said!(
        "put the time right behind the fields that the access gives",
        "把时间紧放在查询给出的字段之后"
    ))
}

/// RD03.
pub(super) fn limit_in_each_bucket(context: &Context<'_>) -> Vec<Found> {
    let limited = context.reads.iter().filter_map(|read| Some((read, read.access.limit?)));
    let ordered = limited.filter(|(read, _)| {
        matches!(read.plan.time_order, TimeOrder::Forwards { .. } | TimeOrder::Backwards { .. })
    });
    ordered
        .filter_map(|(read, limit)| {
            let ranges = read.ranges(context.design.leading_bucket());
            let evidence = Order::Repeated {
                access: Bilingual::access(read.access),
                limit,
                ranges,
                read: limit.saturating_mul(ranges as u64),
            };
            (ranges > 1).then(|| Found::info(Place::access(read.access), &evidence))
        })
        .collect()
}

/// RD08.
pub(super) fn bucket_of_the_range(context: &Context<'_>) -> Vec<Found> {
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
            let item = item.to_text(context.design.fields());
            let evidence =
                Order::BucketOfRange { access: Bilingual::access(read.access), item, buckets, all };
            let finding = Found::info(Place::access(read.access), &evidence);
            (is_function && enumerated)
                .then(|| finding.label(context.part_place(0), said!("the bucket", "桶")))
        })
        .collect()
}

/// RD09.
pub(super) fn deleted_rows(context: &Context<'_>) -> Vec<Found> {
    let deletes = context
        .design
        .workload()
        .and_then(|workload| workload.deletes)
        .filter(|share| *share >= MANY_DELETES);
    let Some(deletes) = deletes else { return Vec::new() };
    let queues = context.design.accesses().iter().filter(|access| access.order != AccessOrder::Key);
    queues
        .filter_map(|access| {
            let limit = Amount(count(access.limit?.into()));
            let evidence =
                Order::Deleted { access: Bilingual::access(access), percent: deletes * 100.0, limit };
            let finding = Found::warning(Place::access(access), &evidence);
            Some(finding.help(said!(
                "drop by time to live or by period, or begin the scan at a remembered place",
                "用 TTL 或按周期删除，或者记住位置，从那里开始扫描 (scan)"
            )))
        })
        .collect()
}

/// `newest 20`, `oldest`.
fn wanted(access: &Access) -> Bilingual {
    match (access.order, access.limit) {
        (AccessOrder::Oldest, None) => said!("oldest", "最旧的行"),
        (AccessOrder::Oldest, Some(limit)) => said!("oldest {limit}", "最旧的 {limit} 行"),
        (_, None) => said!("newest", "最新的行"),
        (_, Some(limit)) => said!("newest {limit}", "最新的 {limit} 行"),
    }
}
