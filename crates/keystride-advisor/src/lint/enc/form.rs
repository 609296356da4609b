use keystride::design::{Base, Encoding, Expr, FieldKind, FieldPart, HashTake, Part, TimeKind, TimeText};
use keystride::internal::floor_number;
use keystride::plan::Literal;
use keystride::time::InputFormat;

use crate::lint::context::{Context, count};
use crate::lint::evidence::evidence;
use crate::lint::fix::toml_list;
use crate::lint::follows::value_after;
use crate::lint::regions::Regions;
use crate::lint::said::{Bilingual, said};
use crate::lint::spl::fix::split_fix;
use crate::lint::{Found, Patch, Severity};

evidence! {
    /// Encodings that do not mean what they seem to mean.
    enum Form {
        Enc10 => HexCase { keys: Bilingual, points: Bilingual, regions: usize, used: usize, share: f64, times: f64 }
            "keys begin with {keys} hex digits and split points with {points} ones: {used} of {regions} regions are used, one takes {times:.1} times its share"
            "键以{keys}十六进制数字开头，分裂点 (split point) 却是{points}：{regions} 个 region 只用到 {used} 个，其中一个占应得份额的 {times:.1} 倍",
        Enc14 => RepeatedHours { field: String, zone: String }
            "{field} is local text of {zone}, whose clocks go back: one text stands for two instants an hour apart"
            "{field} 是 {zone} 的本地时间文本，那里的时钟会往回拨：同一个文本代表相隔一小时的两个时刻",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Lower,
    Upper,
}

impl Case {
    fn word(self) -> Bilingual {
        match self {
            Self::Lower => said!("lower-case", "小写"),
            Self::Upper => said!("upper-case", "大写"),
        }
    }

    fn turn(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Lower => bytes.to_ascii_lowercase(),
            Self::Upper => bytes.to_ascii_uppercase(),
        }
    }
}

/// ENC10.
pub(super) fn hex_case(context: &Context<'_>) -> Vec<Found> {
    let Some((regions, keys, points)) = case_clash(context) else { return Vec::new() };
    let (_, share) = regions.hottest();
    let evidence = Form::HexCase {
        keys: keys.word(),
        points: points.word(),
        regions: regions.count(),
        used: regions.count() - regions.empty.len(),
        share,
        times: share * count(regions.count() as u128),
    };
    let finding = Found::error(context.split_place(), &evidence);
    let word = keys.word();
    let finding =
        finding.label(context.part_place(0), said!("{word} hex digits", "{word}十六进制数字"; word));
    vec![finding.fix(context.owns_split().then(|| turned_points(context, regions, keys)))]
}

/// Whether the split points are hex digits in another letter case than those of the keys.
pub(in crate::lint) fn has_case_clash(context: &Context<'_>) -> bool {
    case_clash(context).is_some()
}

fn case_clash<'a>(context: &'a Context<'_>) -> Option<(&'a Regions<'a>, Case, Case)> {
    let regions = context.regions.as_ref()?;
    let keys = key_case(context)?;
    let points = points_case(regions)?;
    (keys != points).then_some((regions, keys, points))
}

fn turned_points(context: &Context<'_>, regions: &Regions<'_>, case: Case) -> Patch {
    let points: Vec<Vec<u8>> = regions.points.keys().iter().map(|key| case.turn(key.as_bytes())).collect();
    let word = case.word();
    let title = said!("write the split points in {word}", "把分裂点写成{word}"; word);
    split_fix(context, title, "list").set("split.points", toml_list(points.iter().map(Vec::as_slice)))
}

/// Returns the letter case of the hex digits that keys begin with.
fn key_case(context: &Context<'_>) -> Option<Case> {
    match context.design.parts().first()? {
        Part::Bucket(part) => (part.base == Base::Hex).then_some(Case::Lower),
        Part::Text(_) => None,
        Part::Field(part) => match (&context.field(part.field).kind, part.steps.hash) {
            (_, Some(hash)) => matches!(hash.take, HashTake::Hex(_)).then_some(Case::Lower),
            (FieldKind::Uuid { .. }, None) => (part.steps.encoding == Encoding::Text).then_some(Case::Lower),
            (FieldKind::String(text), None) => {
                let letters: Vec<u8> = text.alphabet?.bytes().filter(|byte| !byte.is_ascii_digit()).collect();
                case_of(&letters)
            }
            _ => None,
        },
    }
}

/// Returns the letter case of split points that consist of hex digits.
fn points_case(regions: &Regions<'_>) -> Option<Case> {
    let bytes: Vec<u8> =
        regions.points.keys().iter().flat_map(|key| key.as_bytes().iter().copied()).collect();
    bytes.iter().all(u8::is_ascii_hexdigit).then_some(())?;
    let letters: Vec<u8> = bytes.into_iter().filter(u8::is_ascii_alphabetic).collect();
    case_of(&letters)
}

/// Returns `None` if there are no letters, letters of both cases, or letters other than hex digits.
fn case_of(letters: &[u8]) -> Option<Case> {
    if letters.is_empty() || !letters.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    if letters.iter().all(u8::is_ascii_lowercase) {
        return Some(Case::Lower);
    }
    letters.iter().all(u8::is_ascii_uppercase).then_some(Case::Upper)
}

/// Whether a part with a time's text differs from one hour to the next.
fn tells_hours(context: &Context<'_>, part: &FieldPart) -> bool {
    let expr = Expr::field(part.field);
    let floored = |hours: i128| {
        let value = value_after(context, &expr, hours * 3_600_000_000_000)?;
        Some(match (value, part.steps.floor, context.field(part.field).time()) {
            (Literal::Int(number), Some(period), Some(time)) => {
                Literal::Int(floor_number(number, period, time))
            }
            (value, ..) => value,
        })
    };
    floored(0) != floored(1)
}

/// The beginning of this century, in milliseconds. Most zones that turned their clocks have stopped before.
const CENTURY_MS: i128 = 946_684_800_000;

/// Returns from when on rows are expected, in milliseconds: as declared, or else from this century on.
fn earliest(time: &TimeKind) -> i128 {
    let (widest, _) = TimeKind::widest(&time.text, &time.zone);
    if time.min == widest && time.max > CENTURY_MS { CENTURY_MS } else { time.min }
}

/// Whether the key tells all instants of a time apart: it also has its number.
fn tells_instants(context: &Context<'_>, source: usize) -> bool {
    context.field_parts().any(|(index, part, field)| {
        let is_number = part.steps.desc.is_some() || !part.steps.is_text(&field.kind);
        part.field == source && is_number && context.design.layout()[index].injective
    })
}

/// ENC14.
pub(super) fn repeated_hours(context: &Context<'_>) -> Vec<Found> {
    let parts =
        context.field_parts().filter(|(_, part, _)| part.steps.desc.is_none() && part.steps.hash.is_none());
    parts
        .filter_map(|(index, part, field)| {
            let source = context.design.source_of(part.field);
            let time = context.field(source).time()?;
            let TimeText::Pattern(pattern) = &time.text else { return None };
            if pattern.has_offset() || !part.steps.is_text(&field.kind) {
                return None;
            }
            let is_set_back = time.zone.is_set_back_within(earliest(time), time.max);
            if !is_set_back || !tells_hours(context, part) || tells_instants(context, source) {
                return None;
            }
            let evidence =
                Form::RepeatedHours { field: field.name.clone(), zone: time.zone.name().to_owned() };
            let name = context.name(source);
            // A source that writes local times itself has no more to give.
            let is_instant = matches!(time.input, Some(InputFormat::Epoch(_) | InputFormat::Iso8601));
            let severity = if is_instant { Severity::Warning } else { Severity::Info };
            let finding = Found::new(severity, context.part_place(index), &evidence)
                .label(context.field_place(source), said!("its zone", "它的时区"));
            // Only an epoch is read alike in every zone.
            Some(if matches!(time.input, Some(InputFormat::Epoch(_))) {
                let fix = Patch::new(said!("keep UTC in {name}", "{name} 用 UTC"));
                finding.fix(fix.remove(&format!("fields.{name}.zone")))
            } else {
                finding.help(said!(
                    "have {name} as an epoch, or in UTC, from its source on",
                    "从数据源起就让 {name} 用 epoch，或者用 UTC"
                ))
            })
        })
        .collect()
}
