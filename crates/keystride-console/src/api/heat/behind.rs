use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use keystride::KeyRange;
use keystride::escape::to_escaped;
use keystride_app::heat::{Behind, HeatArea};
use keystride_app::key_text::read_hex;
use keystride_app::shell_word::quoted;
use keystride_store::TableName;
use keystride_table::Table;
use serde::{Deserialize, Serialize};

use super::MetricName;
use crate::api::{ApiError, time_style};
use crate::served::Shared;

/// A part of a map.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct BehindRequest {
    #[serde(default)]
    metric: MetricName,
    from_ms: i64,
    to_ms: i64,
    /// The first key in hexadecimal; empty is the first of all.
    #[serde(default)]
    start: String,
    /// The key to stop before; without it, all keys to the last one.
    stop: Option<String>,
}

/// Who is behind a part of a map, and how to look at what is there.
#[derive(Serialize)]
pub(in crate::api) struct BehindAnswer {
    behind: Behind,
    commands: Commands,
}

#[derive(Serialize)]
struct Commands {
    keystride: String,
    hbase_shell: String,
}

/// Tells who is behind a part of a map, as far as it passed through this program.
pub(in crate::api) async fn behind(
    State(served): State<Shared>,
    Path(name): Path<String>,
    query: Result<Query<BehindRequest>, QueryRejection>,
) -> Result<Json<BehindAnswer>, ApiError> {
    let Query(request) = query?;
    let name = TableName::new(&name)?;
    let table = served.designed_table(&name).await?;
    let stop = request.stop.as_deref().map(read_hex).transpose()?;
    let area = HeatArea {
        metric: request.metric.into(),
        times_ms: request.from_ms..request.to_ms,
        keys: KeyRange::new(read_hex(&request.start)?, stop),
    };
    let keys = served.heat.keys_behind(&name, &area);
    let codec = table.as_ref().map(Table::codec);
    Ok(Json(BehindAnswer {
        behind: Behind::of(&keys, codec, &time_style()),
        commands: Commands::of(&name, &area),
    }))
}

impl Commands {
    fn of(name: &TableName, area: &HeatArea) -> Self {
        let (start, stop) = (area.keys.start(), area.keys.stop());
        let mut keystride = format!("keystride scan {}", quoted(&name.to_string()));
        let mut bounds = Vec::new();
        if !start.is_empty() {
            keystride.push_str(&format!(" --raw-start {}", quoted(&to_escaped(start))));
            bounds.push(format!("STARTROW => {}", in_ruby(start)));
        }
        if let Some(stop) = stop {
            keystride.push_str(&format!(" --raw-stop {}", quoted(&to_escaped(stop))));
            bounds.push(format!("STOPROW => {}", in_ruby(stop)));
        }
        keystride.push_str(" --limit 100");
        bounds.push("LIMIT => 100".to_owned());
        Self { keystride, hbase_shell: format!("scan '{name}', {{{}}}", bounds.join(", ")) }
    }
}

/// Writes bytes as a string of HBase's shell, in double quotes, in which Ruby reads `\x00`, and `#` begins a value.
fn in_ruby(key: &[u8]) -> String {
    format!("\"{}\"", to_escaped(key).replace('"', "\\x22").replace('#', "\\x23"))
}
