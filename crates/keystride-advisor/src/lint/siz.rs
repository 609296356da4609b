//! Lints of the size of keys and cells.

use keystride::design::{BlockEncoding, Bloom, Compression, Family};
use keystride::internal::toml_key;

use super::context::{Context, count};
use super::evidence::{Amount, Listed, evidence};
use super::found::Place;
use super::said::said;
use super::{Found, Lint, Patch};

pub(super) const LINTS: &[Lint] = &[long_names, stored_raw, varying_keys, many_families, stored_twice];

evidence! {
    /// What is stored, and how often it is repeated.
    enum Size {
        Siz01 => LongNames { family: String, qualifiers: Amount, bytes: Amount }
            "names take {bytes} bytes of every cell: family \"{family}\" and qualifiers of {qualifiers} on average"
            "名称占每个 cell 的 {bytes}字节：列族 \"{family}\"，列限定符平均 {qualifiers}字节",
        Siz02 => Raw { family: String, cells: usize, key_bytes: usize, repeated: usize }
            "family \"{family}\" has no encoding and no compression: each of the {cells} cells of a row repeats its key of at least {key_bytes} bytes, {repeated} bytes more than once"
            "列族 \"{family}\" 未编码也未压缩：每行 {cells} 个 cell 都重复至少 {key_bytes} 字节的键，至少多占 {repeated} 字节",
        Siz03 => Varying { families: Listed<String> }
            "keys vary in length: where two neighbours differ in theirs, FAST_DIFF writes the whole key ({families})"
            "键的长度会变，相邻两行长度不同时，FAST_DIFF 把整个键重写一遍（{families}）",
        Siz04 => Families { families: usize }
            "the table has {families} families, which flush together"
            "表有 {families} 个列族，它们一起 flush",
        Siz05 => Twice { fields: Listed<String> }
            "columns repeat what can be read from the key: {fields}"
            "能从键里读出的字段又作为列存了一遍：{fields}",
    }
}

const LONG_FAMILY: usize = 2;
const LONG_QUALIFIER: f64 = 8.0;
const MOST_FAMILIES: usize = 3;

/// SIZ01.
fn long_names(context: &Context<'_>) -> Vec<Found> {
    let families = context.design.table().families.iter().enumerate();
    families
        .filter_map(|(index, family)| {
            let cells = context.design.columns().cells.iter().filter(|cell| cell.family == index);
            let lens: Vec<usize> = cells.map(|cell| cell.qualifier.len()).collect();
            let qualifiers = count(lens.iter().sum::<usize>() as u128) / count(lens.len().max(1) as u128);
            if lens.is_empty() || (family.name.len() <= LONG_FAMILY && qualifiers <= LONG_QUALIFIER) {
                return None;
            }
            let bytes = count(family.name.len() as u128) + qualifiers;
            let evidence = Size::LongNames {
                family: family.name.clone(),
                qualifiers: Amount(qualifiers),
                bytes: Amount(bytes),
            };
            let finding = Found::info(Place::words("table.families"), &evidence);
            Some(finding.help(said!(
                "one letter for a family, short qualifiers: dep_delay = {{ qualifier = \"dd\" }}",
                "列族用一个字母，列限定符用短词：dep_delay = {{ qualifier = \"dd\" }}"
            )))
        })
        .collect()
}

/// SIZ02; with one cell per row, no key is repeated.
fn stored_raw(context: &Context<'_>) -> Vec<Found> {
    let raw =
        |family: &Family| family.encoding == BlockEncoding::None && family.compression == Compression::None;
    let families = context.design.table().families.iter().enumerate().filter(|(_, family)| raw(family));
    families
        .filter_map(|(index, family)| {
            let cells = context.design.columns().cells.iter().filter(|cell| cell.family == index).count();
            if cells < 2 {
                return None;
            }
            let key_bytes = least_key_bytes(context);
            let evidence = Size::Raw {
                family: family.name.clone(),
                cells,
                key_bytes,
                repeated: key_bytes * (cells - 1),
            };
            Some(Found::warning(Place::words("table.families"), &evidence).fix(encoded_fix(context, raw)))
        })
        .collect()
}

/// Returns the bytes of all parts whose width is fixed, counting one for any other.
fn least_key_bytes(context: &Context<'_>) -> usize {
    context.design.layout().iter().map(|layout| layout.end.fixed().unwrap_or(1)).sum()
}

/// Adds what is missing to the families; a list of names, which can't say how they are stored, is written anew.
fn encoded_fix(context: &Context<'_>, raw: impl Fn(&Family) -> bool) -> Patch {
    let title = said!("encode its keys and compress it", "对键编码，并压缩");
    let families = &context.design.table().families;
    let may_be_list = families.iter().all(|family| *family == Family::new(family.name.clone()));
    if !may_be_list && families.iter().all(|family| !family.name.contains(['.', '['])) {
        return families.iter().filter(|family| raw(family)).fold(Patch::new(title), |fix, family| {
            let path = format!("table.families.{}", family.name);
            fix.set(&format!("{path}.encoding"), "\"fast-diff\"")
                .set(&format!("{path}.compression"), "\"zstd\"")
        });
    }
    let families: Vec<String> = context
        .design
        .table()
        .families
        .iter()
        .map(|family| {
            let encoded = Family {
                encoding: BlockEncoding::FastDiff,
                compression: Compression::Zstd,
                ..family.clone()
            };
            format!(
                "{} = {{ {} }}",
                toml_key(&family.name),
                family_words(if raw(family) { &encoded } else { family })
            )
        })
        .collect();
    Patch::new(title).set("table.families", format!("{{ {} }}", families.join(", ")))
}

/// Returns the words of a family that are not at HBase's defaults.
fn family_words(family: &Family) -> String {
    let plain = Family::new(family.name.clone());
    let mut words = Vec::new();
    let mut say = |differs: bool, word: String| words.extend(differs.then_some(word));
    say(family.versions != plain.versions, format!("versions = {}", family.versions));
    say(family.ttl_s != plain.ttl_s, format!("ttl = \"{}s\"", family.ttl_s.unwrap_or_default()));
    say(family.compression != plain.compression, format!("compression = \"{}\"", family.compression.word()));
    say(family.bloom != Bloom::Row, format!("bloom = \"{}\"", family.bloom.word()));
    say(family.encoding != plain.encoding, format!("encoding = \"{}\"", family.encoding.word()));
    say(family.block_bytes != plain.block_bytes, format!("block_size = \"{}B\"", family.block_bytes));
    say(family.in_memory, "in_memory = true".to_owned());
    words.join(", ")
}

/// SIZ03.
fn varying_keys(context: &Context<'_>) -> Vec<Found> {
    let varies = context.design.layout().iter().any(|layout| layout.end.fixed().is_none());
    let families = context.design.table().families.iter();
    let diff: Vec<String> = families
        .filter(|family| family.encoding == BlockEncoding::FastDiff)
        .map(|family| family.name.clone())
        .collect();
    if !varies || diff.is_empty() {
        return Vec::new();
    }
    vec![Found::info(Place::words("key.parts"), &Size::Varying { families: Listed(diff) })]
}

/// SIZ04.
fn many_families(context: &Context<'_>) -> Vec<Found> {
    let families = context.design.table().families.len();
    if families <= MOST_FAMILIES {
        return Vec::new();
    }
    vec![Found::warning(Place::words("table.families"), &Size::Families { families })]
}

/// SIZ05.
fn stored_twice(context: &Context<'_>) -> Vec<Found> {
    let in_key = context.design.fields_in_key();
    let cells = context.design.columns().cells.iter().map(|cell| cell.field).filter(|&field| in_key[field]);
    let fields: Vec<usize> = cells.collect();
    if fields.is_empty() {
        return Vec::new();
    }
    let fix = fields
        .iter()
        .fold(Patch::new(said!("keep them in the key alone", "只放在键里")), |fix, &field| {
            fix.remove(&format!("columns.{}", context.name(field)))
        });
    let names = fields.into_iter().map(|field| context.name(field)).collect();
    vec![Found::info(Place::words("columns"), &Size::Twice { fields: Listed(names) }).fix(fix)]
}
