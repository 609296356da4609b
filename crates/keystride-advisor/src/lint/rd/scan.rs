use keystride::design::{AccessBound, End, FieldPart, Part};
use keystride::internal::byte_text;

use crate::lint::context::{Context, ROW_S, part_path};
use crate::lint::enc::end_fix;
use crate::lint::evidence::{Amount, evidence};
use crate::lint::found::Place;
use crate::lint::reads::Read;
use crate::lint::said::{Bilingual, said};
use crate::lint::slt::destroyed_by;
use crate::lint::unq::is_unknowable;
use crate::lint::{Found, Patch, Severity};

evidence! {
    /// What is read in vain.
    enum Scan {
        Rd01 => Full { access: Bilingual, ranges: usize }
            "{access} reads the whole table: no part at the key's beginning serves it"
            "{access} 要读整张表：键开头的部分都帮不上它",
        Rd01 => FullOf { access: Bilingual, ranges: usize, rows_read: Amount, read_per_row: Amount }
            "{access} reads the whole table, {rows_read} rows, {read_per_row} for each one returned"
            "{access} 要读整张表，共 {rows_read}行，每返回一行要读 {read_per_row}行",
        Rd05 => OpenPrefix { access: Bilingual, field: String }
            "{access} gives {field}, whose end nothing tells: its prefix also begins the keys of longer values"
            "{access} 给出 {field}，而看不出它在哪里结束：更长的值的键也以它的前缀开头",
        Rd06 => Behind { access: Bilingual, ranged: String, free: String }
            "{access} ranges over {ranged}, which stands behind {free}: it reads every {free} from beginning to end"
            "{access} 对 {ranged} 取区间，而它排在 {free} 后面：每个 {free} 都要从头读到尾",
        Rd06 => Turned { access: Bilingual, ranged: String }
            "{access} ranges over {ranged}, which is reversed in the key: it reads all values of {ranged}"
            "{access} 对 {ranged} 取区间，而键里是倒过来写的：{ranged} 的所有值都要读",
        Rd07 => Unknowable { access: Bilingual, field: String }
            "{access} gives all of the key but {field}, by its name made when the row is written: the row can only be found by scanning"
            "{access} 给出了键的其他部分，只差 {field}，按名称看它是写入时才产生的：这一行只能靠扫描 (scan) 来找",
    }
}

/// The share of a cluster's capacity that scans of the whole table may take.
const SCANS: f64 = 0.1;
/// The largest number of values that a field before a ranged one may have.
const FEW: f64 = 10.0;

/// RD01.
pub(super) fn full_scans(context: &Context<'_>) -> Vec<Found> {
    let full =
        context.reads.iter().filter(|read| read.is_full_scan() && destroyed_by(context, read).is_none());
    full.map(|read| {
        let access = Bilingual::access(read.access);
        let ranges = read.ranges(context.design.leading_bucket());
        let kept = context.rows_kept().map(Amount);
        let evidence = match (kept, read_per_row(context, read)) {
            (Some(rows_read), Some(read_per_row)) => {
                Scan::FullOf { access, ranges, rows_read, read_per_row: Amount(read_per_row) }
            }
            _ => Scan::Full { access, ranges },
        };
        let severity = if is_too_much(context, read) { Severity::Error } else { Severity::Warning };
        Found::new(severity, Place::access(read.access), &evidence).help(said!(
            "keep a second table in the order that this query wants, or give this one that order",
            "按这个查询要的顺序另建一张表，或者把这张表改成那种顺序"
        ))
    })
    .collect()
}

/// Returns how many rows are kept for each row in a range of times.
fn read_per_row(context: &Context<'_>, read: &Read<'_>) -> Option<f64> {
    let Some(AccessBound::Range(field)) = read.access.bound else { return None };
    context.field(field).time()?;
    let span_s = crate::lint::context::count(read.access.span_s?.into());
    Some(context.kept_s()? / span_s)
}

/// Whether scans of all rows take more than a tenth of the cluster's capacity.
fn is_too_much(context: &Context<'_>, read: &Read<'_>) -> bool {
    let work = context.rows_kept().zip(read.access.rate).map(|(rows, rate)| rows * rate * ROW_S);
    let servers = context.servers().map_or(1.0, f64::from);
    work.is_some_and(|work| work > SCANS * servers)
}

/// RD05.
pub(super) fn open_prefixes(context: &Context<'_>) -> Vec<Found> {
    let open = context.field_parts().filter(|(index, part, _)| {
        let layout = &context.design.layout()[*index];
        matches!(layout.end, End::FromKeyEnd(_) | End::Unmarked) && part.steps.hash.is_none()
    });
    open.flat_map(|(index, part, field)| {
        let reads = context
            .reads
            .iter()
            .filter(move |read| context.gives(read.access, part.field) && !gives_all(context, read));
        reads.filter(|read| read.plan.filter.is_some()).map(move |read| {
            let evidence =
                Scan::OpenPrefix { access: Bilingual::access(read.access), field: field.name.clone() };
            Found::error(Place::access(read.access), &evidence)
                .label(context.part_place(index), said!("nothing ends it", "没有结尾"))
                .note(said!(
                    "keystride reads those rows and drops them; a scan written by hand returns them",
                    "keystride 读出这些行再丢掉；手写的扫描 (scan) 会把它们返回"
                ))
                .fix(end_fix(context, index, field).or_else(|| separator_fix(context, index)))
        })
    })
    .collect()
}

/// Whether an access gives all of the key, so that it asks for one row.
fn gives_all(context: &Context<'_>, read: &Read<'_>) -> bool {
    let gives = |field: usize| context.gives(read.access, field);
    context.design.parts().iter().all(|part| match part {
        Part::Text(_) => true,
        Part::Field(part) => gives(part.field),
        Part::Bucket(part) => part.is_computed() && context.design.bucket_fields(part).into_iter().all(gives),
    })
}

/// Proposes a text after the part that sorts below the characters commonly used.
fn separator_fix(context: &Context<'_>, index: usize) -> Option<Patch> {
    let next_is_text = context.text_after(index).is_some();
    let text = byte_text(b"!");
    let fix = Patch::new(said!("end it with {text}", "用 {text} 结束它"));
    (!next_is_text).then(|| fix.insert(&part_path(index + 1), format!("{{ text = {text} }}")))
}

/// RD06.
pub(super) fn unserved_ranges(context: &Context<'_>) -> Vec<Found> {
    let partial =
        context.reads.iter().filter(|read| !read.is_full_scan() && destroyed_by(context, read).is_none());
    let filtered = partial.filter(|read| read.plan.filter.is_some());
    filtered.filter_map(|read| behind_a_free_field(context, read).or_else(|| turned(context, read))).collect()
}

fn behind_a_free_field(context: &Context<'_>, read: &Read<'_>) -> Option<Found> {
    let (ranged, free) = free_before_range(context, read)?;
    let access = Bilingual::access(read.access);
    let evidence = Scan::Behind { access, ranged: context.name(ranged), free: context.name(free) };
    Some(Found::warning(Place::access(read.access), &evidence).help(said!(
        "put the ranged field before the free one, or keep a second table in that order",
        "把取区间的字段放到未给定的字段前面，或者另建一张那种顺序的表"
    )))
}

/// A range over a field whose values are reversed.
fn turned(context: &Context<'_>, read: &Read<'_>) -> Option<Found> {
    let (ranged, place) = ranged_part(context, read)?;
    let (index, ..) = context.field_parts().nth(place).filter(|(_, part, _)| part.steps.reverse)?;
    let evidence = Scan::Turned { access: Bilingual::access(read.access), ranged: context.name(ranged) };
    let finding = Found::warning(Place::access(read.access), &evidence)
        .label(context.part_place(index), said!("reversed", "倒过来写"));
    Some(finding.help(said!(
        "keep a second table that has the field in its own order",
        "另建一张表，让这个字段保持自己的顺序"
    )))
}

/// Returns the ranged field of an access, and which of the field parts it is that has its values.
fn ranged_part(context: &Context<'_>, read: &Read<'_>) -> Option<(usize, usize)> {
    let (AccessBound::Range(ranged) | AccessBound::Prefix(ranged)) = read.access.bound?;
    let source = context.design.source_of(ranged);
    let has_values =
        |part: &FieldPart| context.design.source_of(part.field) == source && part.steps.hash.is_none();
    Some((ranged, context.field_parts().position(|(_, part, _)| has_values(part))?))
}

/// Returns the ranged field of an access, and a field before it for which the access gives no value.
fn free_before_range(context: &Context<'_>, read: &Read<'_>) -> Option<(usize, usize)> {
    let (ranged, place) = ranged_part(context, read)?;
    let source = context.design.source_of(ranged);
    let before = context.field_parts().take(place).map(|(_, part, _)| part.field);
    let is_ranged = |field: usize| context.design.source_of(field) == source;
    let mut free = before.filter(|&field| !is_ranged(field) && !context.gives(read.access, field));
    let free = free.find(|&field| context.distinct(field).is_none_or(|values| values > FEW))?;
    Some((ranged, free))
}

/// RD07.
pub(super) fn unknowable_fields(context: &Context<'_>) -> Vec<Found> {
    let Some((index, part, field)) = context.field_parts().find(|(_, _, field)| is_unknowable(&field.name))
    else {
        return Vec::new();
    };
    let gets = context.reads.iter().filter(|read| {
        let mut others = context.field_parts().filter(|(_, other, _)| other.field != part.field);
        let gives_others = others.all(|(_, other, _)| context.gives(read.access, other.field));
        read.access.bound.is_none()
            && !read.access.by.is_empty()
            && gives_others
            && !context.gives(read.access, part.field)
    });
    gets.map(|read| {
        let evidence = Scan::Unknowable { access: Bilingual::access(read.access), field: field.name.clone() };
        let finding = Found::error(Place::access(read.access), &evidence);
        finding.label(context.part_place(index), said!("nobody knows it afterwards", "事后谁也不知道"))
    })
    .collect()
}
