use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use keystride::design::{End, OrderKept, Part};
use keystride::escape::to_escaped;
use keystride::{Design, KeyCodec};
use keystride_app::designer::Draft;
use keystride_app::fields::time_named;
use keystride_app::findings::FindingDocument;
use serde::{Deserialize, Serialize};

use super::ApiError;
use crate::served::Shared;

/// A design as pages show it: the parts of its keys, and its families.
#[derive(Debug, Serialize)]
pub(super) struct DesignDocument {
    table: String,
    families: Vec<String>,
    fields: Vec<String>,
    /// The zone of each time, by the name of its field.
    zones: BTreeMap<String, String>,
    /// The time that days and orders by time refer to, if it is clear which.
    time: Option<String>,
    parts: Vec<PartDocument>,
    /// Whether the design says how tables are split.
    splits: bool,
    buckets: Option<u32>,
}

#[derive(Debug, Serialize)]
struct PartDocument {
    name: String,
    kind: &'static str,
    /// The number of bytes, if it is the same in all keys.
    bytes: Option<usize>,
    order: Option<&'static str>,
    /// Whether its value can be read back.
    is_decodable: bool,
    /// Whether different values give different bytes.
    is_injective: bool,
}

impl DesignDocument {
    pub(super) fn new(codec: &KeyCodec) -> Self {
        let design = codec.design();
        let part = |(index, part): (usize, &Part)| {
            let layout = &design.layout()[index];
            PartDocument {
                name: name(design, part),
                kind: match part {
                    Part::Text(_) => "text",
                    Part::Field(_) => "field",
                    Part::Bucket(_) => "bucket",
                },
                bytes: if let End::Fixed(width) = layout.end { Some(width) } else { None },
                order: match layout.order {
                    _ if !matches!(part, Part::Field(_)) => None,
                    OrderKept::Ascending => Some("kept"),
                    OrderKept::Descending => Some("turned"),
                    OrderKept::No => Some("lost"),
                },
                is_decodable: layout.decodable,
                is_injective: layout.injective,
            }
        };
        Self {
            table: design.table().name.clone(),
            families: design.table().families.iter().map(|family| family.name.clone()).collect(),
            fields: design.fields().iter().map(|field| field.name.clone()).collect(),
            zones: zones(design),
            time: time_named(design, None).ok().flatten().map(|time| design.fields()[time].name.clone()),
            parts: design.parts().iter().enumerate().map(part).collect(),
            splits: design.split().is_some(),
            buckets: design.leading_bucket().map(|bucket| bucket.count.get()),
        }
    }
}

fn zones(design: &Design) -> BTreeMap<String, String> {
    let times = design.fields().iter().filter_map(|field| Some((field, field.time()?)));
    times.map(|(field, time)| (field.name.clone(), time.zone.name().to_owned())).collect()
}

/// Returns the name of a field, a text in quotes, or `bucket`.
fn name(design: &Design, part: &Part) -> String {
    match part {
        Part::Text(part) => format!("\"{}\"", to_escaped(&part.bytes)),
        Part::Field(part) => design.fields()[part.field].name.clone(),
        Part::Bucket(_) => "bucket".to_owned(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DesignText {
    /// The text of a design file.
    design: String,
}

/// A design, or what is wrong with it.
#[derive(Serialize)]
pub(super) struct Judged {
    design: Option<DesignDocument>,
    mistakes: Vec<FindingDocument>,
}

/// Reads the text of a design.
pub(super) async fn read(
    State(_): State<Shared>,
    body: Result<Json<DesignText>, JsonRejection>,
) -> Result<Json<Judged>, ApiError> {
    let Json(DesignText { design: text }) = body?;
    let Draft { codec, mistakes, .. } = Draft::read(&text);
    Ok(Json(Judged { design: codec.as_ref().map(DesignDocument::new), mistakes }))
}
