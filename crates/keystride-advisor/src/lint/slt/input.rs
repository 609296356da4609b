use keystride::design::{AccessOrder, BucketInput, BucketPart, Delivery, Expr, FieldKind, Part};
use keystride::hash::BucketHash;
use keystride::internal::{MOST_TRIED, derived_kind, string_count};
use keystride_heat::chance::expected_imbalance;

use crate::lint::audit::least_max_over_mean;
use crate::lint::context::{Context, TOLERANCE, count, part_path};
use crate::lint::evidence::{Amount, Listed, evidence};
use crate::lint::found::Place;
use crate::lint::reads::Read;
use crate::lint::said::{Bilingual, said};
use crate::lint::{Found, Patch, Severity};

evidence! {
    /// What a bucket is computed from.
    enum Salt {
        Slt03 => FewValues { values: Amount, buckets: u32, max_over_mean: f64, items: String }
            "{items} has {values} values for {buckets} buckets: the fullest is expected to have {max_over_mean:.2} times the mean"
            "{items} 有 {values}个值，桶 (bucket) 有 {buckets} 个：最满的桶预计是平均值的 {max_over_mean:.2} 倍",
        Slt04 => NotComputed { hash: String, buckets: u32, reasons: Listed<Bilingual> }
            "the bucket is {hash}: one get is {buckets} gets, and a repeated row is a second row ({reasons})"
            "桶 (bucket) 由 {hash} 给出：一次 get 变成 {buckets} 次 get，重复的行成为第二行（{reasons}）",
        Slt05 => Unknown { access: Bilingual, ranges: usize, buckets: usize, missing: Listed<Bilingual> }
            "{access} does not give {missing}: it reads {ranges} ranges, in all {buckets} buckets"
            "{access} 没有给出计算桶 (bucket) 所需的内容（{missing}）：要读 {ranges} 个区间，遍及全部 {buckets} 个桶",
        Slt06 => Frequent { field: String, share: f64, percent: Amount, servers: u32, times: f64, limit_percent: f64 }
            "one value of {field} has {percent} % of the rows: its server gets about {times:.1} times the mean; the limit for 1.25 is {limit_percent:.1} %"
            "{field} 的一个值占 {percent}% 的行：它所在的服务器约为平均值的 {times:.1} 倍；要不超过 1.25 倍，限度是 {limit_percent:.1}%",
        Slt12 => Destroyed { field: String, access: Bilingual }
            "the key leads with a hash of {field}, so {access} reads the whole table"
            "键以 {field} 的散列开头，所以{access} 要读整张表",
        Slt12 => DestroyedWithin { field: String, access: Bilingual, buckets: usize, all: usize }
            "a hash of {field} stands behind the bucket, so {access} reads all of {buckets} of {all} buckets"
            "桶 (bucket) 后面是 {field} 的散列，所以{access} 要把 {all} 个桶里的 {buckets} 个整个读完",
    }
}

/// The imbalance of everything but the hot value, including variations over time.
const REST: f64 = 1.2;
/// The load of a server, relative to the mean, that is tolerated once hot values are spread.
const SPREAD_TOLERANCE: f64 = 1.4;

/// SLT03.
pub(super) fn few_values(context: &Context<'_>) -> Vec<Found> {
    let computed = context.bucket_parts().filter(|(_, part)| part.is_computed() && part.count.get() > 1);
    computed
        .filter_map(|(index, part)| {
            let values = known_values(context, part.of.items())?;
            let max_over_mean = fullest(part.count.get(), values);
            if are_filled(part.count.get(), values) {
                return None;
            }
            let items = context.item_names(part).join(", ");
            let evidence =
                Salt::FewValues { values: Amount(values), buckets: part.count.get(), max_over_mean, items };
            let finding = Found::warning(context.part_place(index), &evidence);
            Some(finding.help(said!(
                "add a field to `of`, or use fewer buckets",
                "在 `of` 里再加一个字段，或者减少桶数"
            )))
        })
        .collect()
}

/// Returns how full the fullest bucket is expected to be, relative to the mean.
fn fullest(buckets: u32, values: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count, and `as` stops at the most"
    )]
    let expected = expected_imbalance(buckets as usize, values as u64);
    expected.max(least_max_over_mean(f64::from(buckets), values))
}

/// Whether so many values are enough to fill so many buckets evenly.
pub(in crate::lint) fn are_filled(buckets: u32, values: f64) -> bool {
    fullest(buckets, values) <= TOLERANCE
}

/// Returns how many values the items have together, if each is declared or has a small domain.
pub(in crate::lint) fn known_values(context: &Context<'_>, items: &[Expr]) -> Option<f64> {
    if items.is_empty() {
        return None;
    }
    let values =
        items.iter().map(|item| Some((context.design.source_of(item.field), item_values(context, item)?)));
    Some(context.together(values.collect::<Option<Vec<_>>>()?))
}

fn item_values(context: &Context<'_>, item: &Expr) -> Option<f64> {
    let of_field = context.distinct(item.field);
    if item.function.is_none() {
        return of_field;
    }
    // A function has no more values than its field, and a cut of a text no more than its characters allow.
    let of_cut = match derived_kind(item, context.design.fields()) {
        FieldKind::Digits { len } => 10f64.powi(i32::try_from(len).unwrap_or(i32::MAX)),
        FieldKind::String(kind) => string_count(&kind, kind.min_len, MOST_TRIED).map_or(f64::INFINITY, count),
        _ => f64::INFINITY,
    };
    Some(of_field.unwrap_or(f64::INFINITY).min(of_cut)).filter(|values| values.is_finite())
}

/// SLT04.
pub(super) fn not_computed(context: &Context<'_>) -> Vec<Found> {
    let free = context.bucket_parts().filter(|(_, part)| !part.is_computed());
    free.map(|(index, part)| {
        let reasons = wrong_with_a_free_bucket(context);
        let severity = if reasons.is_empty() { Severity::Warning } else { Severity::Error };
        let reasons =
            if reasons.is_empty() { vec![said!("read by ranges alone", "只按区间读")] } else { reasons };
        let hash = part.hash.name().to_owned();
        let evidence = Salt::NotComputed { hash, buckets: part.count.get(), reasons: Listed(reasons) };
        Found::new(severity, context.part_place(index), &evidence).fix(computed_fix(context, index, part))
    })
    .collect()
}

/// Returns what is impossible, or goes wrong, when a row's bucket can't be computed.
fn wrong_with_a_free_bucket(context: &Context<'_>) -> Vec<Bilingual> {
    let design = context.design;
    let mut reasons = Vec::new();
    if design.input().delivery == Delivery::AtLeastOnce {
        reasons.push(said!("rows are delivered at least once", "行至少投递一次"));
    }
    let gets = design.accesses().iter().filter(|access| {
        let mut parts = context.field_parts();
        access.bound.is_none()
            && !access.by.is_empty()
            && parts.all(|(_, part, _)| context.gives(access, part.field))
    });
    reasons.extend(gets.map(|access| {
        let access = Bilingual::access(access);
        said!("{access} is a get", "{access} 是 get"; access)
    }));
    if design.workload().and_then(|workload| workload.deletes).is_some_and(|deletes| deletes > 0.0) {
        reasons.push(said!("rows are deleted", "行会被删除"));
    }
    if let Some(field) = design.fields().iter().find(|field| field.updated) {
        let name = &field.name;
        reasons.push(said!("{name} is updated", "{name} 会更新"));
    }
    reasons
}

/// Proposes to compute the bucket from what all queries give or, where that may be too little to fill the buckets, from
/// the rest of the key.
fn computed_fix(context: &Context<'_>, index: usize, part: &BucketPart) -> Option<Patch> {
    let path = part_path(index);
    let given = given_by_all(context);
    let of = if are_declared_to_fill(context, part, &given) {
        item_list(context, &given)
    } else if index + 1 < context.design.parts().len() {
        "[\"rest\"]".to_owned()
    } else {
        return None;
    };
    let fix = Patch::new(said!("compute the bucket from the row", "由行来计算桶"))
        .set(&format!("{path}.hash"), "\"xxh3\"");
    Some(fix.set(&format!("{path}.of"), of))
}

/// Returns what every access with equality conditions gives a value for.
fn given_by_all(context: &Context<'_>) -> Vec<Expr> {
    let Some((first, rest)) = context.design.accesses().split_first() else { return Vec::new() };
    let given = first.by.iter().filter(|expr| rest.iter().all(|access| access.by.contains(expr)));
    given.cloned().collect()
}

/// Whether items are declared to have enough values to fill the buckets of a part evenly; those of which nothing is
/// declared only add to them. A type says how many values there may be, not how many there are, and buckets of too few
/// would be hot.
fn are_declared_to_fill(context: &Context<'_>, part: &BucketPart, items: &[Expr]) -> bool {
    let declared = items
        .iter()
        .filter(|item| item.function.is_none())
        .filter_map(|item| Some((context.design.source_of(item.field), context.declared(item.field)?)));
    are_filled(part.count.get(), context.together(declared))
}

/// Returns items in the syntax of `of`.
fn item_list(context: &Context<'_>, items: &[Expr]) -> String {
    let items = items.iter().map(|item| format!("\"{}\"", item.to_text(context.design.fields())));
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// SLT05.
pub(super) fn unknown_to_queries(context: &Context<'_>) -> Vec<Found> {
    let Some(part) =
        context.design.leading_bucket().filter(|part| part.is_computed() && part.count.get() > 1)
    else {
        return Vec::new();
    };
    let entity_reads = context.reads.iter().filter(|read| !read.access.by.is_empty() && read.misses_bucket());
    entity_reads
        .map(|read| {
            let (buckets, _) = read.buckets(context.design).unwrap_or_default();
            let evidence = Salt::Unknown {
                access: Bilingual::access(read.access),
                ranges: read.ranges(Some(part)),
                buckets,
                missing: Listed(not_given(context, part, read)),
            };
            let finding = Found::warning(context.part_place(0), &evidence)
                .label(Place::access(read.access), said!("gives other fields", "给出的是别的字段"));
            with_given(context, finding, part)
        })
        .collect()
}

/// Proposes to compute the bucket from what every query gives; as advice, where it may be too little.
fn with_given(context: &Context<'_>, finding: Found, part: &BucketPart) -> Found {
    let given = given_by_all(context);
    if given.is_empty() {
        return finding;
    }
    let of = item_list(context, &given);
    if are_declared_to_fill(context, part, &given) {
        let title = said!(
            "compute the bucket from {of}, which every query gives",
            "用 {of} 计算桶，每个查询都会给出"
        );
        let fix = Patch::new(title).set("key.parts[0].of", of);
        let fix = if part.hash == BucketHash::Mod { fix.set("key.parts[0].hash", "\"xxh3\"") } else { fix };
        // Hot values are those of the item that goes.
        return finding.fix(if part.spread.is_some() { fix.remove("key.parts[0].spread") } else { fix });
    }
    let buckets = part.count.get();
    finding.help(said!(
        "compute the bucket from {of}, which every query gives, if that has far more values than {buckets}: \
         declare how many with `distinct`",
        "如果 {of} 的取值远多于 {buckets} 个，就用它计算桶，每个查询都会给出；请用 `distinct` 声明有多少个"
    ))
}

fn not_given(context: &Context<'_>, part: &BucketPart, read: &Read<'_>) -> Vec<Bilingual> {
    match &part.of {
        BucketInput::Rest => vec![said!("the rest of the key", "键的其余部分")],
        BucketInput::Items(items) => {
            let missing = items.iter().filter(|item| {
                let field = context.design.source_of(item.field);
                !read.access.by.contains(item) && !context.gives(read.access, field)
            });
            let said = |item: &Expr| Bilingual::alike(item.to_text(context.design.fields()));
            let missing: Vec<Bilingual> = missing.map(said).collect();
            if missing.is_empty() { items.iter().map(said).collect() } else { missing }
        }
    }
}

/// SLT06.
pub(super) fn frequent_value(context: &Context<'_>) -> Vec<Found> {
    let Some(servers) = context.servers().filter(|servers| *servers > 1) else { return Vec::new() };
    let limit = (TOLERANCE - 1.0) / f64::from(servers - 1);
    let plain = context.bucket_parts().filter(|(_, part)| part.is_computed() && part.spread.is_none());
    plain
        .filter_map(|(index, part)| {
            let [item] = part.of.items() else { return None };
            let (field, share) = context.max_share(item.field).filter(|(_, share)| *share > limit)?;
            let times = f64::from(servers) * share + (1.0 - share) * REST;
            let evidence = Salt::Frequent {
                field: context.name(field),
                share,
                percent: Amount(share * 100.0),
                servers,
                times,
                limit_percent: limit * 100.0,
            };
            let finding = Found::warning(context.part_place(index), &evidence)
                .label(context.field_place(field), said!("its most frequent value", "它最频繁的值"));
            let k = sub_buckets(servers, share).min(part.count.get());
            Some(finding.help(said!(
                "give the hot value {k} buckets: spread = {{ by = [\"…\"], values = {{ \"…\" = {k} }} }}",
                "给热点值 {k} 个桶 (bucket)：spread = {{ by = [\"…\"], values = {{ \"…\" = {k} }} }}"
            )))
        })
        .collect()
}

/// Returns the number of buckets for a hot value: min(S, ⌈S·p / (1.4 − (1 − p)·1.2)⌉).
fn sub_buckets(servers: u32, share: f64) -> u32 {
    let servers_f = f64::from(servers);
    let needed = servers_f * share / (SPREAD_TOLERANCE - (1.0 - share) * REST);
    (1..=servers).find(|k| f64::from(*k) >= needed).unwrap_or(servers)
}

/// SLT12.
pub(super) fn order_destroyed(context: &Context<'_>) -> Vec<Found> {
    let reads = context.reads.iter().filter_map(|read| Some((read, destroyed_by(context, read)?)));
    reads
        .map(|(read, (index, field))| {
            let access = Bilingual::access(read.access);
            let evidence = match read.buckets(context.design) {
                Some((buckets, all)) => Salt::DestroyedWithin { field, access, buckets, all },
                None => Salt::Destroyed { field, access },
            };
            Found::error(context.part_place(index), &evidence)
                .label(Place::access(read.access), said!("wants rows in order", "要求行有序"))
                .help(said!(
                    "put a bucket in front and the fields in order behind it",
                    "前面放桶 (bucket)，后面按顺序放字段"
                ))
        })
        .collect()
}

/// Returns the leading hash that an access does not give although it asks for a range, a prefix or the latest rows.
pub(in crate::lint) fn destroyed_by(context: &Context<'_>, read: &Read<'_>) -> Option<(usize, String)> {
    let wants_order = read.access.bound.is_some() || read.access.order != AccessOrder::Key;
    let is_field = |part: &Part| matches!(part, Part::Field(_));
    let index = context.design.parts().iter().position(is_field)?;
    let Part::Field(part) = &context.design.parts()[index] else { return None };
    let hidden = part.steps.hash.is_some() && !context.gives(read.access, part.field);
    (wants_order && hidden).then(|| (index, context.name(part.field)))
}
