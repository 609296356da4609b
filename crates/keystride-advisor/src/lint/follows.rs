//! Parts of the key that follow the clock, so that new rows sort next to each other.

use keystride::design::{
    BucketPart, Encoding, Expr, FieldKind, Function, OrderKept, Part, TimeKind, TimeText,
};
use keystride::internal::literal_of;
use keystride::plan::Literal;
use keystride::time::Grain;
use keystride::value::{Row, Value};

use super::clock::Clock;
use super::context::Context;
use super::names::is_named;
use super::typical::INSTANT_MS;

/// Common field names of identifiers that begin with a time.
const TIMED_IDS: [&str; 4] = ["ulid", "objectid", "object_id", "snowflake"];

/// Returns how the bytes of part `index` follow the clock, if they do.
pub(super) fn clock(context: &Context<'_>, index: usize) -> Option<Clock> {
    let Part::Field(part) = &context.design.parts()[index] else { return None };
    if part.steps.hash.is_some() || part.steps.reverse {
        return None;
    }
    let field = context.field(part.field);
    if let Some(clock) = clock_of_id(context, part.field) {
        return Some(clock);
    }
    let is_time = field.time().is_some() || is_beginning_of_time(context, part.field);
    match context.design.layout()[index].order {
        OrderKept::Ascending if is_time => Some(Clock::Rising),
        OrderKept::Descending if is_time => Some(Clock::Falling),
        // Instants before 1970 sort last; current ones are ascending.
        OrderKept::No if is_time && part.steps.encoding == Encoding::Be => Some(Clock::Rising),
        _ if begins_with_a_minute(context, part.field) => Some(Clock::Shared),
        _ => None,
    }
}

/// Returns the clock that an identifier, or the beginning of one, begins with.
fn clock_of_id(context: &Context<'_>, field: usize) -> Option<Clock> {
    let id = match &context.field(field).from {
        Some(Expr { field, function: Some(Function::Left(_) | Function::Lower) }) => context.field(*field),
        Some(_) => return None,
        None => context.field(field),
    };
    match &id.kind {
        FieldKind::Uuid { version: Some(version @ (1 | 6 | 7)) } => Some(Clock::Uuid(*version)),
        FieldKind::String(_) | FieldKind::Bytes { .. } => {
            is_named(&id.name, &TIMED_IDS).then_some(Clock::NamedId)
        }
        _ => None,
    }
}

/// Whether the text that a part begins with changes at most once a minute.
fn begins_with_a_minute(context: &Context<'_>, field: usize) -> bool {
    let from = context.field(field).from.as_ref();
    let Some(time) = context.field(context.design.source_of(field)).time() else { return false };
    let TimeText::Pattern(pattern) = &time.text else { return false };
    match from.and_then(|from| from.function.as_ref()) {
        Some(Function::Right(_)) => is_slow(context, &Expr { field, function: None }),
        _ => pattern.first_grain().is_some_and(|grain| grain <= Grain::Minute),
    }
}

/// Whether a bucket is computed from the clock alone, and changes at most once a minute.
pub(super) fn follows_clock(context: &Context<'_>, part: &BucketPart) -> bool {
    let items = part.of.items();
    let is_spread = part.is_computed() && part.count.get() > 1;
    is_spread && !items.is_empty() && items.iter().all(|item| is_slow(context, item))
}

/// Whether an expression of a time changes at most once a minute.
fn is_slow(context: &Context<'_>, expr: &Expr) -> bool {
    // A bit more than a second apart, so that digits below a second change, too.
    const STEP_NS: i128 = 1_001_001_001;
    let mut values: Vec<_> = (0..60).map(|step| value_after(context, expr, step * STEP_NS)).collect();
    values.dedup();
    values.len() <= 2 && !values.contains(&None)
}

/// Returns the value of an expression of a time so many nanoseconds after some instant; `None` for other expressions.
pub(super) fn value_after(context: &Context<'_>, expr: &Expr, nanos: i128) -> Option<Literal> {
    let source = context.design.source_of(expr.field);
    let time = context.field(source).time()?;
    // A pattern may have no text for times that are not of the field.
    let number = time.number_of_nanos(i128::from(INSTANT_MS) * 1_000_000).ok()?;
    let start_ns = match number.clamp(time.min, time.max) {
        clamped if clamped == number => i128::from(INSTANT_MS) * 1_000_000,
        _ => time.min * time.unit().nanos(),
    };
    let epoch_ns = start_ns + nanos;
    let mut row = Row::new(context.design.fields().len());
    row.set(source, Value::Int(time.number_of_nanos(epoch_ns).ok()?));
    literal_of(expr, context.design, &row)
}

/// Whether a derived field holds the leading digits of a time whose text keeps its order.
fn is_beginning_of_time(context: &Context<'_>, field: usize) -> bool {
    let Some(from) = &context.field(field).from else { return false };
    matches!(from.function, Some(Function::Left(_)))
        && context.field(from.field).time().is_some_and(TimeKind::text_keeps_order)
}

/// Returns the first part that varies, if it follows the clock.
pub(super) fn leading_clock(context: &Context<'_>) -> Option<(usize, Clock)> {
    let lead = context.lead()?;
    clock(context, lead).map(|clock| (lead, clock))
}

/// Returns the part after a leading bucket, if it follows the clock.
pub(super) fn clock_after_bucket(context: &Context<'_>) -> Option<(usize, Clock)> {
    let spreads = |part: &&BucketPart| part.count.get() > 1 && !follows_clock(context, part);
    context.design.leading_bucket().filter(spreads)?;
    let varies = |index: &usize| !matches!(context.design.parts()[*index], Part::Text(_));
    let next = (1..context.design.parts().len()).find(varies)?;
    clock(context, next).map(|clock| (next, clock))
}
