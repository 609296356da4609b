use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use data_encoding::HEXLOWER;
use keystride::KeyCodec;
use keystride::codec::{DescribedPrefix, PartKind};
use keystride::escape::to_shown;
use keystride_app::designer::read_design;
use keystride_app::key_text::KeyForm;
use keystride_store::TableName;
use keystride_table::{KeyLocation, Table};
use serde::{Deserialize, Serialize};

use super::{ApiError, time_style};
use crate::served::Shared;

/// A key in any form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyRequest {
    key: String,
    form: KeyForm,
    /// The table that it is of.
    table: Option<String>,
    /// The text of a design, without a table.
    design: Option<String>,
}

/// What a key is.
#[derive(Serialize)]
pub(super) struct KeyAnswer {
    bytes: usize,
    text: Option<String>,
    escaped: String,
    hex: String,
    int: Option<i32>,
    long: Option<String>,
    decoded: Option<Decoded>,
    location: Option<KeyLocation>,
}

/// A key, or the beginning of one, split into the parts of a design.
#[derive(Serialize)]
struct Decoded {
    parts: Vec<PartOfKey>,
    /// The part that it ends within, with what is there of it.
    begun: Option<[String; 2]>,
    /// Bytes behind all parts, in hex.
    beyond: Option<String>,
    /// Why it is not a whole key.
    message: Option<String>,
}

/// Some bytes of a key.
#[derive(Serialize)]
struct PartOfKey {
    name: String,
    kind: &'static str,
    /// The bytes, from and to.
    span: [usize; 2],
    text: String,
    hex: String,
    value: Option<String>,
}

pub(super) async fn read(
    State(served): State<Shared>,
    body: Result<Json<KeyRequest>, JsonRejection>,
) -> Result<Json<KeyAnswer>, ApiError> {
    let Json(request) = body?;
    let key = request.form.read(&request.key)?;
    let table = match &request.table {
        Some(name) => served.designed_table(&TableName::new(name)?).await?,
        None => None,
    };
    let design = request.design.as_deref().map(read_design).transpose()?.map(KeyCodec::new);
    let codec = table.as_ref().map(Table::codec).or(design.as_ref());
    let location = match &table {
        Some(table) => location(table, &key).await?,
        None => None,
    };
    Ok(Json(KeyAnswer {
        bytes: key.len(),
        text: std::str::from_utf8(&key).ok().map(str::to_owned),
        escaped: KeyForm::Escaped.write(&key),
        hex: HEXLOWER.encode(&key),
        int: key.as_slice().try_into().ok().map(i32::from_be_bytes),
        long: key.as_slice().try_into().ok().map(|key| i64::from_be_bytes(key).to_string()),
        decoded: codec.map(|codec| Decoded::new(codec, &key)),
        location,
    }))
}

async fn location(table: &Table, key: &[u8]) -> Result<Option<KeyLocation>, ApiError> {
    let regions = table.store().regions(table.name()).await?;
    let points = keystride_store::Region::split_points(&regions)?;
    let servers: Vec<_> = regions.into_iter().map(|region| region.server).collect();
    Ok(KeyLocation::find(table.codec(), &points, &servers, key, &time_style()))
}

impl Decoded {
    fn new(codec: &KeyCodec, key: &[u8]) -> Self {
        let (design, style) = (codec.design(), time_style());
        // Of a whole key, the last part is not one that is only begun.
        let described = match codec.describe(key) {
            Ok(parts) => DescribedPrefix { parts, begun: None },
            Err(_) => codec.describe_prefix(key),
        };
        let end = described.parts.last().map_or(0, |part| part.span.end);
        let part = |part: &keystride::codec::DescribedPart| PartOfKey {
            name: part.kind.name(design).to_owned(),
            kind: match part.kind {
                PartKind::Field(_) => "field",
                PartKind::Bucket => "bucket",
                PartKind::Text => "text",
            },
            span: [part.span.start, part.span.end],
            text: to_shown(&key[part.span.clone()]),
            hex: HEXLOWER.encode(&key[part.span.clone()]),
            value: part.value_text(design, &style),
        };
        let beyond = Some(&key[end..]).filter(|rest| described.begun.is_none() && !rest.is_empty());
        Self {
            parts: described.parts.iter().map(part).collect(),
            begun: described
                .begun
                .as_ref()
                .map(|(kind, bytes)| [kind.name(design).to_owned(), to_shown(bytes)]),
            beyond: beyond.map(|rest| HEXLOWER.encode(rest)),
            message: codec.decode(key).err().map(|error| error.to_string()),
        }
    }
}
