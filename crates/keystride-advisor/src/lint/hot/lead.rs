use keystride::design::{ArrivalOrder, BucketPart, FieldKind, Part, SplitRule};
use keystride::escape::to_escaped;
use keystride::key::common_len;

use crate::lint::clock::{Clock, usual_numbers};
use crate::lint::context::{Context, TOLERANCE};
use crate::lint::evidence::{Amount, Listed, evidence};
use crate::lint::follows::{clock, follows_clock, leading_clock};
use crate::lint::found::Place;
use crate::lint::said::{Bilingual, said};
use crate::lint::slt::are_filled;
use crate::lint::spl::fix::split_fix;
use crate::lint::unq::is_unknowable;
use crate::lint::{Found, Patch, Severity};

evidence! {
    /// What the key begins with.
    enum Lead {
        Hot01 => ClockFirst { field: String, order: Bilingual, rows_per_s: Amount, puts_per_s: Amount }
            "the key begins with {field}, {order}: all new rows go to one region, and one server is the ceiling"
            "键以 {field} 开头，{order}：新行全进一个 region，上限就是一台服务器",
        Hot01 => ClockInBucket { items: Listed<String> }
            "the bucket is computed from {items} alone: all new rows go to one bucket, and one server is the ceiling"
            "桶 (bucket) 只由 {items} 算出：新行全进一个桶，上限就是一台服务器",
        Hot02 => FewValues { values: Amount, servers: u32, percent: f64, fields: Bilingual }
            "{fields} has {values} values before the time, for {servers} servers: at most {percent:.0} % of the cluster works"
            "时间前面的 {fields} 有 {values}个值，而服务器有 {servers} 台：最多 {percent:.0}% 的集群在工作",
        Hot03 => Frequent { field: String, percent: Amount, limit_percent: f64, servers: u32 }
            "one value of {field} has {percent} % of the rows and what stands behind it does not spread them; the limit on {servers} servers is {limit_percent:.1} %"
            "{field} 的一个值占 {percent}% 的行，后面的部分打不散它；{servers} 台服务器时限度是 {limit_percent:.1}%",
        Hot05 => Constant { head: String, bytes: usize, algorithm: String }
            "the first {bytes} bytes of every key are {head}, and {algorithm} cuts from the first byte"
            "每个键的前 {bytes} 个字节都是 {head}，而 {algorithm} 从第一个字节切起",
        Hot06 => Sorted { regions: usize }
            "rows arrive in key order: they fill the {regions} regions one after the other"
            "行按键的顺序到达：{regions} 个 region 一个接一个地填满",
        Hot11 => TimedId { field: String, version: u8 }
            "the key begins with {field}, a UUID of version {version}, which begins with the clock"
            "键以 {field} 开头，它是版本 {version} 的 UUID，以时钟开头",
        Hot11 => NamedId { field: String }
            "the key begins with {field}, by its name an id that begins with the clock"
            "键以 {field} 开头，按名称看是以时钟开头的 id",
    }
}

/// Below this share of one server's capacity, a leading time is fine.
const EASY: f64 = 0.7;
/// The number of buckets that a patch proposes if no servers are declared.
const BUCKETS: u32 = 16;

/// HOT01 and HOT11.
pub(super) fn clock_first(context: &Context<'_>) -> Vec<Found> {
    let Some((index, clock)) = leading_clock(context) else { return Vec::new() };
    let Part::Field(part) = &context.design.parts()[index] else { return Vec::new() };
    let field = context.name(part.field);
    let rate = context.rows_per_s();
    let (rows_per_s, puts_per_s) = (Amount(rate.unwrap_or_default()), Amount(context.puts_per_s()));
    let evidence = match clock {
        Clock::Rising => {
            Lead::ClockFirst { field, order: said!("rising", "随时间递增"), rows_per_s, puts_per_s }
        }
        Clock::Shared => {
            let order = said!("whose digits all rows of a moment share", "同一时刻的行开头的数字都相同");
            Lead::ClockFirst { field, order, rows_per_s, puts_per_s }
        }
        Clock::Falling => {
            let order = said!("falling, which helps as little as rising", "随时间递减，与递增一样没用");
            Lead::ClockFirst { field, order, rows_per_s, puts_per_s }
        }
        Clock::Uuid(version) => Lead::TimedId { field, version },
        Clock::NamedId => Lead::NamedId { field },
    };
    let severity = clock_severity(context);
    let finding = with_rate(context, Found::new(severity, context.part_place(index), &evidence));
    // Where the rate is easy, a bucket would cost more than it saves.
    let fix = if severity == Severity::Info { None } else { bucket_first_fix(context, index) };
    vec![finding.fix(fix)]
}

/// HOT01, of a bucket that all rows of a moment have.
pub(super) fn clock_in_bucket(context: &Context<'_>) -> Vec<Found> {
    let Some(part) = context.design.leading_bucket().filter(|part| follows_clock(context, part)) else {
        return Vec::new();
    };
    let evidence = Lead::ClockInBucket { items: Listed(context.item_names(part)) };
    let finding = Found::new(clock_severity(context), context.part_place(0), &evidence);
    vec![
        with_rate(context, finding)
            .help(said!("add a field that new rows differ in to `of`", "在 `of` 里加一个能区分新行的字段")),
    ]
}

/// Notes how many rows arrive, which decides how bad it is.
fn with_rate(context: &Context<'_>, finding: Found) -> Found {
    match context.rows_per_s() {
        Some(rate) => finding.note(rate_note(context, Amount(rate))),
        None => finding.note(said!(
            "how bad it is depends on the rate: declare [workload] rows_per_s",
            "严重程度取决于速率：请声明 [workload] rows_per_s"
        )),
    }
}

fn clock_severity(context: &Context<'_>) -> Severity {
    match context.rows_per_s().map(|rate| rate / context.puts_per_s()) {
        Some(load) if load > 1.0 => Severity::Error,
        Some(load) if load <= EASY => Severity::Info,
        _ => Severity::Warning,
    }
}

fn rate_note(context: &Context<'_>, rows_per_s: Amount) -> Bilingual {
    let puts = Amount(context.puts_per_s());
    let is_declared = context.cluster().is_some();
    let source = if is_declared { said!("declared", "声明的") } else { said!("the default", "默认值") };
    said!(
        "{rows_per_s} rows a second arrive, and one server takes {puts} ({source})",
        "每秒到达 {rows_per_s}行，一台服务器能收 {puts}行（{source}）"; rows_per_s, puts, source
    )
}

/// Proposes a leading bucket, computed from what follows the clock, with one region per bucket.
fn bucket_first_fix(context: &Context<'_>, index: usize) -> Option<Patch> {
    let buckets = context.servers().map_or(BUCKETS, |servers| (2 * servers).clamp(2, 256));
    let of = even_items(context, index, buckets);
    let by_sample = matches!(context.rule(), Some(SplitRule::File { .. } | SplitRule::Sample { .. }));
    let names = of.join(", ");
    let title = said!(
        "put {buckets} buckets of {names} in front",
        "在最前面放 {buckets} 个按 {names} 计算的桶 (bucket)"
    );
    let fix = split_fix(context, title, "bucket");
    let bucket = format!("{{ bucket = {buckets}, of = [\"{}\"] }}", of.join("\", \""));
    (!by_sample).then(|| fix.insert("key.parts[0]", bucket))
}

/// Returns what buckets are evenly computed from, of what follows a part: a field that is declared to have enough values,
/// or else all those together that may have enough, or else the rest of the key.
fn even_items<'a>(context: &Context<'a>, index: usize, buckets: u32) -> Vec<&'a str> {
    let later = context.field_parts().filter(|(at, _, field)| *at > index && !is_unknowable(&field.name));
    let may_fill = |field: usize| context.distinct(field).is_none_or(|values| are_filled(buckets, values));
    let many: Vec<_> = later.filter(|(_, part, _)| may_fill(part.field)).collect();
    let declared = many.iter().find(|(_, part, _)| context.declared(part.field).is_some());
    match declared {
        Some((_, _, field)) => vec![&field.name],
        None if many.is_empty() => vec!["rest"],
        None => many.iter().map(|(_, _, field)| field.name.as_str()).collect(),
    }
}

/// HOT02.
pub(super) fn few_leading_values(context: &Context<'_>) -> Vec<Found> {
    let Some(servers) = context.servers() else { return Vec::new() };
    let Some(end) = (0..context.design.parts().len()).find(|&index| clock(context, index).is_some()) else {
        return Vec::new();
    };
    let before: Vec<_> = context.field_parts().take_while(|(index, ..)| *index < end).collect();
    let has_bucket = context.bucket_parts().any(|(index, part)| index < end && part.count.get() > 1);
    let values = context.combinations(before.iter().map(|(_, part, _)| part.field));
    let Some(values) = values.filter(|values| *values < f64::from(servers)) else { return Vec::new() };
    if before.is_empty() || has_bucket {
        return Vec::new();
    }
    let mut names: Vec<&str> = before.iter().map(|(_, _, field)| field.name.as_str()).collect();
    names.dedup();
    let evidence = Lead::FewValues {
        values: Amount(values),
        servers,
        percent: values / f64::from(servers) * 100.0,
        fields: Bilingual { english: names.join(" with "), chinese: names.join("、") },
    };
    vec![Found::error(context.part_place(before[0].0), &evidence).fix(bucket_first_fix(context, end))]
}

/// HOT03.
pub(super) fn frequent_leading_value(context: &Context<'_>) -> Vec<Found> {
    let Some(servers) = context.servers().filter(|servers| *servers > 1) else { return Vec::new() };
    let limit = (TOLERANCE - 1.0) / f64::from(servers - 1);
    let Some(lead) = context.lead() else { return Vec::new() };
    let Part::Field(part) = &context.design.parts()[lead] else { return Vec::new() };
    let Some((declares, share)) = context.max_share(part.field) else { return Vec::new() };
    let pieces = pieces_behind(context, lead, declares);
    if pieces.is_none_or(|pieces| share / pieces <= limit) {
        return Vec::new();
    }
    let evidence = Lead::Frequent {
        field: context.name(part.field),
        percent: Amount(share * 100.0),
        limit_percent: limit * 100.0,
        servers,
    };
    let finding = Found::warning(context.part_place(lead), &evidence);
    vec![finding.help(said!(
        "let a field that spreads the value follow it, or give the hot value several buckets (`spread`)",
        "让能打散这个值的字段跟在后面，或者给热点值几个桶 (bucket)（`spread`）"
    ))]
}

/// Returns how many values the parts between the leading one and the clock have together, for one value of the field that
/// `declares` its share; `None` if that is not known.
fn pieces_behind(context: &Context<'_>, lead: usize, declares: usize) -> Option<f64> {
    let parts = context.design.parts().len();
    let end = (lead + 1..parts).find(|&index| clock(context, index).is_some()).unwrap_or(parts);
    let between = lead + 1..end;
    // What is computed from the field has one value, too.
    let is_told = |field: usize| field == declares || context.design.source_of(field) == declares;
    let others =
        context.field_parts().filter(|(index, part, _)| between.contains(index) && !is_told(part.field));
    let values = context.combinations(others.map(|(_, part, _)| part.field))?;
    let spreads = |part: &BucketPart| {
        let is_of_rest = part.of.items().is_empty();
        is_of_rest || !part.is_computed() || part.of.items().iter().any(|item| !is_told(item.field))
    };
    let buckets = context.bucket_parts().filter(|(index, part)| between.contains(index) && spreads(part));
    Some(values * buckets.map(|(_, part)| f64::from(part.count.get())).product::<f64>())
}

/// HOT05.
pub(super) fn constant_head(context: &Context<'_>) -> Vec<Found> {
    let Some(SplitRule::Algorithm { algorithm, .. }) = context.rule() else { return Vec::new() };
    let head = constant_bytes(context);
    if head.is_empty() {
        return Vec::new();
    }
    let evidence = Lead::Constant {
        head: format!("\"{}\"", to_escaped(&head)),
        bytes: head.len(),
        algorithm: algorithm.name().to_owned(),
    };
    let finding = Found::warning(context.split_place(), &evidence);
    vec![finding.label(context.part_place(0), said!("never varies", "从不变化")).help(said!(
        "drop what never varies, or cut at the quantiles of a sample",
        "去掉从不变化的部分，或者按样本的分位点切"
    ))]
}

/// Returns the bytes that all keys share, assuming that a leading time is in this century or the next.
fn constant_bytes(context: &Context<'_>) -> Vec<u8> {
    let mut head = Vec::new();
    for (index, part) in context.design.parts().iter().enumerate() {
        match part {
            Part::Text(_) => head.extend_from_slice(context.codec.text_bytes(index)),
            Part::Field(_) => {
                head.extend(shared_by_times(context, index));
                break;
            }
            Part::Bucket(part) if part.count.get() == 1 => head.extend(part.prefix(0)),
            Part::Bucket(_) => break,
        }
    }
    head
}

fn shared_by_times(context: &Context<'_>, index: usize) -> Vec<u8> {
    let Part::Field(part) = &context.design.parts()[index] else { return Vec::new() };
    let FieldKind::Time(time) = &context.field(part.field).kind else { return Vec::new() };
    if !matches!(clock(context, index), Some(Clock::Rising | Clock::Falling)) {
        return Vec::new();
    }
    let (low, high) = usual_numbers(time);
    let mut encoder = context.codec.encoder();
    let mut bytes = [low, high].map(|number| {
        let mut bytes = Vec::new();
        let written = encoder.encode_value(index, keystride::Value::Int(number), &mut bytes);
        if written.is_ok() { bytes } else { Vec::new() }
    });
    let shared = common_len(&bytes[0], &bytes[1]);
    bytes[0].truncate(shared);
    std::mem::take(&mut bytes[0])
}

/// HOT06.
pub(super) fn sorted_arrival(context: &Context<'_>) -> Vec<Found> {
    let Some(regions) = &context.regions else { return Vec::new() };
    if context.design.input().order != ArrivalOrder::Sorted {
        return Vec::new();
    }
    let finding = Found::warning(Place::words("input.order"), &Lead::Sorted { regions: regions.count() });
    vec![finding.help(said!(
        "read the input at many places at once, or shuffle within large batches",
        "同时从输入的多处读起，或者在大批次内打乱顺序"
    ))]
}
