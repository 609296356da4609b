//! Words of accesses, workload, cluster and lints.

use super::seconds_doc;
use crate::design::Design;
use crate::design::access::{
    Access, AccessBound, AccessOrder, DEFAULT_PUTS_PER_S, DEFAULT_REGIONS_PER_SERVER,
};
use crate::design::print::{Doc, int, list, number, table, text};

impl Design {
    pub(super) fn access_doc(&self, access: &Access) -> Doc {
        let mut words = Vec::new();
        if !access.by.is_empty() {
            words.push(("by", list(access.by.iter().map(|by| text(&by.to_text(&self.fields))))));
        }
        match access.order {
            AccessOrder::Key => {}
            AccessOrder::Newest => words.push(("order", text("newest"))),
            AccessOrder::Oldest => words.push(("order", text("oldest"))),
        }
        words.extend(access.limit.map(|limit| ("limit", int(limit.into()))));
        words.extend(access.bound.map(|bound| match bound {
            AccessBound::Range(field) => ("range", text(&self.fields[field].name)),
            AccessBound::Prefix(field) => ("prefix", text(&self.fields[field].name)),
        }));
        words.extend(access.span_s.map(|seconds| ("span", seconds_doc(seconds))));
        words.extend(access.rate.map(|rate| ("rate", number(rate))));
        words.extend(access.recent.map(|recent| ("recent", number(recent))));
        table(words)
    }

    pub(super) fn workload_doc(&self) -> Option<Doc> {
        let workload = self.workload.as_ref()?;
        let mut words = Vec::new();
        words.extend(workload.rows_per_s.map(|rate| ("rows_per_s", number(rate))));
        words.extend(workload.peak.map(|peak| {
            ("peak", table(vec![("rows_per_s", number(peak.rows_per_s)), ("for", seconds_doc(peak.for_s))]))
        }));
        words.extend(workload.retention_s.map(|seconds| ("retention", seconds_doc(seconds))));
        words.extend(workload.deletes.map(|share| ("deletes", number(share))));
        words.extend(workload.row_bytes.map(|bytes| ("row_bytes", int(bytes.into()))));
        Some(table(words))
    }

    pub(super) fn cluster_doc(&self) -> Option<Doc> {
        let cluster = self.cluster.as_ref()?;
        let mut words = vec![("servers", int(cluster.servers.into()))];
        let said = cluster.puts_per_s.to_bits() != DEFAULT_PUTS_PER_S.to_bits();
        words.extend(said.then(|| ("puts_per_s", number(cluster.puts_per_s))));
        let said = cluster.regions_per_server != DEFAULT_REGIONS_PER_SERVER;
        words.extend(said.then(|| ("regions_per_server", int(cluster.regions_per_server.into()))));
        Some(table(words))
    }

    pub(super) fn lint_doc(&self) -> Option<Doc> {
        let allow = list(self.silences.iter().map(|silence| text(&silence.to_text())));
        (!self.silences.is_empty()).then(|| table(vec![("allow", allow)]))
    }
}
