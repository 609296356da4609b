//! What a store says of its regions, as the model of heat takes it.

use keystride_heat::live::view::Sizes;
use keystride_heat::live::{Axis, Counters, Reading, RegionReading};
use keystride_store::Region;

/// Returns the counters of regions that were read at a time.
pub(super) fn reading_of(at_ms: i64, regions: &[Region]) -> Reading {
    Reading { at_ms, regions: regions.iter().map(|region| region_reading(at_ms, region)).collect() }
}

fn region_reading(at_ms: i64, region: &Region) -> RegionReading {
    let (server, server_start) = match &region.server {
        Some(server) => server_of(server),
        None => (None, 0),
    };
    RegionReading {
        id: region.id.as_str().into(),
        start: region.range.start().to_vec(),
        stop: region.range.stop().map(<[u8]>::to_vec),
        server,
        server_start,
        reported_ms: region.load.and_then(|load| load.reported_ms).unwrap_or(at_ms),
        counters: counters(region),
    }
}

/// Returns the name of a server, as `host:port`, and what tells its starts apart, from `host,port,start code`.
fn server_of(server: &str) -> (Option<Box<str>>, u64) {
    match server.rsplit_once(',') {
        Some((name, start)) => (Some(name.replace(',', ":").into()), start.parse().unwrap_or(0)),
        None => (Some(server.into()), 0),
    }
}

/// Returns the counters of all clients. On a cluster, nobody counts the bytes that all of them write.
fn counters(region: &Region) -> Option<Counters> {
    let counts = region.known_counts()?;
    match (&region.server, region.load) {
        (None, _) => Some(Counters {
            rows_read: counts.rows_read,
            rows_written: counts.rows_written,
            bytes_written: Some(counts.bytes_written),
        }),
        (Some(_), Some(load)) => Some(Counters {
            rows_read: load.rows_read,
            rows_written: counts.rows_written,
            bytes_written: None,
        }),
        (Some(_), None) => None,
    }
}

/// Returns the sizes of regions: what their servers say, else the bytes written to them so far. `None` if the regions do
/// not lie side by side, as while one is moved.
pub(super) fn sizes_of(regions: &[Region]) -> Option<Sizes> {
    let axis = Axis::new(regions.iter().skip(1).map(|region| region.range.start())).ok()?;
    let size = |region: &Region| region.load.map_or(region.counts.bytes_written, |load| load.bytes);
    Sizes::new(axis, &regions.iter().map(size).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use keystride::KeyRange;
    use keystride_store::{RegionCounts, RegionId, RegionLoad, RegionState};

    use super::*;

    fn region(server: Option<&str>, load: Option<RegionLoad>) -> Region {
        Region {
            id: RegionId::new("r"),
            range: KeyRange::new("b", Some(b"c".to_vec())),
            server: server.map(str::to_owned),
            state: RegionState::Open,
            counts: RegionCounts {
                rows_written: 7,
                bytes_written: 70,
                rows_read: 3,
                ..RegionCounts::default()
            },
            load,
        }
    }

    #[test]
    fn reads_of_a_cluster_are_those_of_all_clients() {
        let load = RegionLoad { rows_read: 500, bytes: 1 << 20, reported_ms: Some(40) };
        let read = region_reading(50, &region(Some("host,16020,99"), Some(load)));
        assert_eq!(
            (read.server.as_deref(), read.server_start, read.reported_ms),
            (Some("host:16020"), 99, 40)
        );
        assert_eq!(read.counters, Some(Counters { rows_read: 500, rows_written: 7, bytes_written: None }));
        let own = region_reading(50, &region(None, None));
        assert_eq!((own.server, own.reported_ms), (None, 50));
        assert_eq!(own.counters, Some(Counters { rows_read: 3, rows_written: 7, bytes_written: Some(70) }));
    }

    #[test]
    fn what_a_server_does_not_tell_is_not_counted_as_nothing() {
        assert_eq!(region_reading(0, &region(Some("host,16020,99"), None)).counters, None);
        let silent = Region { state: RegionState::ServerSilent, ..region(None, None) };
        assert_eq!(region_reading(0, &silent).counters, None);
        assert_eq!(server_of("odd"), (Some("odd".into()), 0));
    }
}
