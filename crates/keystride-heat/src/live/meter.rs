//! From counters to rates.

use std::collections::{BTreeMap, BTreeSet};

use super::reading::{Tile, tiles};
use super::{APPROX, Axis, AxisError, Cell, Cells, Column, Metric, NO_SERVER, Reading, RegionReading};
use crate::number::float;

/// Makes a [`Column`] of each two readings of counters that follow each other.
///
/// - The first reading makes none: it is what the second is compared with.
/// - A reading more than 2.5 periods after the last one makes a gap. What was counted meanwhile is left out.
/// - A region whose server has not counted anew since the last reading keeps its last rate, for as much as
///   [`MOST_REPEATS`](Self::MOST_REPEATS) columns; then its cell is unknown.
/// - If a counter went down, or the server is another one or was started anew, it counts from 0, and the cell is
///   marked [`APPROX`].
/// - The cell of a region seen for the first time is unknown. A region made by a split that was seen has the last
///   rate of its parent for one column, marked [`APPROX`].
/// - Where no region is listed, or several are, the cell is unknown.
///
/// ```
/// # use keystride_heat::live::{Counters, Meter, Metric, Reading, RegionReading};
/// let region = |rows_written| RegionReading {
///     id: "r1".into(),
///     start: Vec::new(),
///     stop: None,
///     server: None,
///     server_start: 0,
///     reported_ms: 0,
///     counters: Some(Counters { rows_written, ..Counters::default() }),
/// };
/// let reading = |at_ms, rows| Reading {
///     at_ms,
///     regions: vec![RegionReading { reported_ms: at_ms, ..region(rows) }],
/// };
/// let mut meter = Meter::new(10_000);
/// assert!(meter.observe(&reading(0, 500))?.is_none());
/// let column = meter.observe(&reading(10_000, 1500))?.expect("there are two readings");
/// let written = column.cells.expect("it is no gap").total(Metric::RowsWritten);
/// assert!((written - 100.0).abs() < 0.1);
/// # Ok::<(), keystride_heat::live::AxisError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Meter {
    period_ms: i64,
    servers: Vec<Box<str>>,
    /// When the last column ended: that of a reading, or of a failed poll.
    ended_ms: Option<i64>,
    /// When the last reading was taken.
    read_ms: Option<i64>,
    regions: BTreeMap<Box<str>, Known>,
    axis: Axis,
}

/// What is known of a region from earlier readings.
#[derive(Debug, Clone)]
struct Known {
    last: RegionReading,
    rates: Option<[f64; Metric::COUNT]>,
    flags: u8,
    repeats: u32,
    /// Whether the last reading had its counters.
    is_fresh: bool,
}

impl Meter {
    /// How many columns in a row a rate is repeated for which no server says anything new.
    pub const MOST_REPEATS: u32 = 6;

    /// Creates a meter for readings every `period_ms`.
    pub fn new(period_ms: u32) -> Self {
        Self::resumed(period_ms, Vec::new(), None)
    }

    /// Creates a meter that goes on after stored columns: with the servers to which they refer, and from the end of the
    /// last one, after which the first reading makes a gap.
    pub fn resumed(period_ms: u32, servers: Vec<Box<str>>, ended_ms: Option<i64>) -> Self {
        let period_ms = i64::from(period_ms.max(1));
        Self { period_ms, servers, ended_ms, read_ms: None, regions: BTreeMap::new(), axis: Axis::whole() }
    }

    /// Returns the names of the servers so far, to which cells refer by index.
    pub fn servers(&self) -> &[Box<str>] {
        &self.servers
    }

    /// Takes a reading, and returns the column that ends with it; `None` for the first one, and for one that is not
    /// later than the last.
    ///
    /// # Errors
    ///
    /// [`AxisError`] when boundaries are too large together; the reading is left out then.
    pub fn observe(&mut self, reading: &Reading) -> Result<Option<Column>, AxisError> {
        let (axis, tiles) = tiles(&reading.regions)?;
        // Columns share their boundaries while these stay.
        if self.axis != axis {
            self.axis = axis;
        }
        let (read_ms, ended_ms) = (self.read_ms.replace(reading.at_ms), self.ended_ms.replace(reading.at_ms));
        let period_ms = self.period_ms;
        let mut cells = self.take(&tiles, &reading.regions);
        let Some(t0_ms) = ended_ms.filter(|&ended_ms| ended_ms < reading.at_ms) else { return Ok(None) };
        let is_late = |read_ms: i64| 2 * reading.at_ms.saturating_sub(read_ms) > 5 * period_ms;
        let Some(read_ms) = read_ms.filter(|&read_ms| !is_late(read_ms)) else {
            return Ok(Some(Column::gap(t0_ms, reading.at_ms)));
        };
        if read_ms < t0_ms {
            // A poll failed in between: these are means of a longer time.
            cells.iter_mut().filter(|cell| cell.is_known()).for_each(|cell| cell.flags |= APPROX);
        }
        let counted = |region: &RegionReading| region.counters.is_some_and(|c| c.bytes_written.is_some());
        let counted = [true, true, reading.regions.iter().any(counted)];
        let cells = Some(Cells::new(self.axis.clone(), counted, &cells));
        Ok(Some(Column { t0_ms, t1_ms: reading.at_ms, cells }))
    }

    /// Takes notice that there is no reading at that time, and returns the gap; `None` before the first reading.
    pub fn miss(&mut self, at_ms: i64) -> Option<Column> {
        let t0_ms = self.ended_ms.filter(|&ended_ms| ended_ms < at_ms)?;
        self.ended_ms = Some(at_ms);
        Some(Column::gap(t0_ms, at_ms))
    }

    /// Keeps what the regions say, and returns their cells.
    fn take(&mut self, tiles: &[Tile<'_>], listed: &[RegionReading]) -> Vec<Cell> {
        let mut before = std::mem::take(&mut self.regions);
        let listed: BTreeSet<&str> = listed.iter().map(|region| &*region.id).collect();
        // Those that are gone may be the parents of new ones.
        let is_gone = |known: &&Known| !listed.contains(&*known.last.id);
        let mut gone: Vec<Known> = before.values().filter(is_gone).cloned().collect();
        gone.sort_by(|one, two| one.last.start.cmp(&two.last.start));

        let mut cells = Vec::with_capacity(tiles.len());
        for tile in tiles {
            let Some(region) = tile else {
                cells.push(Cell::unknown(NO_SERVER));
                continue;
            };
            let known = match before.remove(&region.id) {
                Some(known) => known.followed_by(region, self.period_ms),
                None => Known::new(region, &gone),
            };
            cells.push(known.cell(self.server(region)));
            self.regions.insert(region.id.clone(), known);
        }
        // Regions that others overlap will be compared with what they were before.
        let hidden = before.into_values().filter(|known| listed.contains(&*known.last.id));
        let hidden = hidden.map(|known| (known.last.id.clone(), Known { is_fresh: false, ..known }));
        self.regions.extend(hidden);
        cells
    }

    /// Returns the index of a region's server, after giving it one.
    fn server(&mut self, region: &RegionReading) -> u16 {
        let Some(name) = &region.server else { return NO_SERVER };
        let index = self.servers.iter().position(|known| known == name).unwrap_or_else(|| {
            if self.servers.len() < usize::from(NO_SERVER) {
                self.servers.push(name.clone());
            }
            self.servers.len() - 1
        });
        u16::try_from(index).unwrap_or(NO_SERVER)
    }
}

impl Known {
    /// A region seen for the first time, by the rates of its parent if there is one among those that are gone.
    fn new(region: &RegionReading, gone: &[Self]) -> Self {
        let before = &gone[..gone.partition_point(|parent| parent.last.start <= region.start)];
        let parent = before.last().filter(|parent| parent.last.is_more_than(region));
        let is_fresh = region.counters.is_some();
        let rates = parent.filter(|_| is_fresh).and_then(|parent| parent.rates);
        Self { last: region.clone(), rates, flags: APPROX, repeats: 0, is_fresh }
    }

    /// The region after the next reading.
    fn followed_by(self, region: &RegionReading, period_ms: i64) -> Self {
        let (Some(counters), Some(earlier)) = (region.counters, self.last.counters) else {
            return self.uncounted(region);
        };
        let is_same_start =
            region.server == self.last.server && region.server_start == self.last.server_start;
        let elapsed_ms = region.reported_ms.saturating_sub(self.last.reported_ms);
        if elapsed_ms < 0 && is_same_start {
            // Its clock was set back.
            return Self::new(region, &[]);
        }
        if elapsed_ms == 0 && is_same_start {
            return self.repeated();
        }
        // The clocks of two servers may differ.
        let elapsed_ms = if is_same_start { elapsed_ms } else { elapsed_ms.max(period_ms / 2) };
        let (earlier, now) = (earlier.values(), counters.values());
        let is_exact = is_same_start && earlier.iter().zip(&now).all(|(earlier, now)| earlier <= now);
        let seconds = float(elapsed_ms.max(1).unsigned_abs()) / 1000.0;
        let mut rates = [0.0; Metric::COUNT];
        for (rate, (earlier, now)) in rates.iter_mut().zip(earlier.into_iter().zip(now)) {
            let from = if is_same_start && earlier <= now { earlier } else { 0 };
            *rate = float(now - from) / seconds;
        }
        let flags = if is_exact && self.is_fresh { 0 } else { APPROX };
        Self { last: region.clone(), rates: Some(rates), flags, repeats: 0, is_fresh: true }
    }

    /// The region after a reading that has no counters of it. The last ones are kept for when it is back.
    fn uncounted(self, region: &RegionReading) -> Self {
        let (server, server_start) = (region.server.clone(), region.server_start);
        let last = match region.counters {
            Some(_) => region.clone(),
            None if self.last.counters.is_some() => self.last,
            None => RegionReading { server, server_start, ..self.last },
        };
        Self { last, rates: None, flags: APPROX, repeats: 0, is_fresh: region.counters.is_some() }
    }

    fn repeated(self) -> Self {
        let repeats = self.repeats + 1;
        let rates = self.rates.filter(|_| repeats <= Meter::MOST_REPEATS);
        Self { rates, repeats, ..self }
    }

    fn cell(&self, server: u16) -> Cell {
        match self.rates {
            Some(rates) => Cell { flags: self.flags, ..Cell::known(rates, server) },
            None => Cell::unknown(server),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::{Counters, UNKNOWN};

    const PERIOD_MS: i64 = 10_000;

    /// One region per text `id start stop rows`, with `-` for an open end and `?` for rows that are not told.
    fn reading(at_s: i64, regions: &[&str]) -> Reading {
        let region = |text: &&str| {
            let words: Vec<&str> = text.split(' ').collect();
            let key = |word: &str| word.trim_matches('-').as_bytes().to_vec();
            RegionReading {
                id: words[0].into(),
                start: key(words[1]),
                stop: (words[2] != "-").then(|| key(words[2])),
                server: Some(words.get(4).copied().unwrap_or("s").into()),
                server_start: 1,
                reported_ms: at_s * 1000,
                counters: words[3]
                    .parse()
                    .ok()
                    .map(|rows_written| Counters { rows_written, ..Counters::default() }),
            }
        };
        Reading { at_ms: at_s * 1000, regions: regions.iter().map(region).collect() }
    }

    fn meter() -> Meter {
        Meter::new(u32::try_from(PERIOD_MS).unwrap())
    }

    /// The rates of written rows, rounded, with `~` for approximate ones and `?` for unknown ones.
    fn shown(column: &Column) -> String {
        let Some(cells) = &column.cells else { return "gap".to_owned() };
        let cell = |cell: usize| {
            let cell = cells.cell(cell);
            match cell.flags {
                UNKNOWN => "?".to_owned(),
                flags => format!("{}{:.0}", if flags == APPROX { "~" } else { "" }, cell.rates[1]),
            }
        };
        (0..cells.len()).map(cell).collect::<Vec<_>>().join(" ")
    }

    /// The columns that readings make.
    fn columns(readings: &[Reading]) -> Vec<String> {
        let mut meter = meter();
        let columns = readings.iter().filter_map(|reading| meter.observe(reading).unwrap());
        columns.map(|column| shown(&column)).collect()
    }

    #[test]
    fn rates_are_differences_by_time_and_the_first_sight_is_unknown() {
        let readings = [
            reading(0, &["A - g 100", "B g - 7"]),
            reading(10, &["A - g 300", "B g - 7"]),
            reading(20, &["A - g 300", "B g p 57", "C p - 1000"]),
        ];
        assert_eq!(columns(&readings), ["20 0", "0 5 ?"]);
    }

    #[test]
    fn a_report_that_has_not_moved_repeats_the_last_rate_for_some_time() {
        let mut meter = meter();
        meter.observe(&reading(0, &["A - - 0"])).unwrap();
        let mut texts = Vec::new();
        for at_s in 1..10 {
            let mut next = reading(at_s * 10, &["A - - 500"]);
            next.regions[0].reported_ms = 10_000;
            texts.push(shown(&meter.observe(&next).unwrap().unwrap()));
        }
        assert_eq!(texts, ["50", "50", "50", "50", "50", "50", "50", "?", "?"]);
        // When it moves, the rate is that of the time since it last did.
        assert_eq!(shown(&meter.observe(&reading(100, &["A - - 950"])).unwrap().unwrap()), "5");
    }

    #[test]
    fn counters_that_began_anew_count_from_zero_and_are_approximate() {
        let moved =
            [reading(0, &["A - - 500 s1"]), reading(10, &["A - - 600 s2"]), reading(20, &["A - - 700 s2"])];
        assert_eq!(columns(&moved), ["~60", "10"]);
        let reopened = [reading(0, &["A - - 500"]), reading(10, &["A - - 40"]), reading(20, &["A - - 50"])];
        assert_eq!(columns(&reopened), ["~4", "1"]);
        let mut restarted = [reading(0, &["A - - 500"]), reading(10, &["A - - 600"])];
        restarted[1].regions[0].server_start = 2;
        assert_eq!(columns(&restarted), ["~60"]);
    }

    #[test]
    fn daughters_of_a_split_have_their_parents_rate_for_one_column() {
        let split = [
            reading(0, &["A - g 0", "B g - 0"]),
            reading(10, &["A - g 100", "B g - 10"]),
            reading(20, &["A - g 200", "B1 g p 90", "B2 p - 500"]),
            reading(30, &["A - g 300", "B1 g p 190", "B2 p - 700"]),
        ];
        assert_eq!(columns(&split), ["10 1", "10 ~1 ~1", "10 10 20"]);
        // A table that was emptied has new regions with the same keys: none of them is a daughter.
        let emptied = [reading(0, &["A - - 0"]), reading(10, &["A - - 100"]), reading(20, &["X - - 100"])];
        assert_eq!(columns(&emptied), ["10", "?"]);
        let listed_with_its_daughters = [
            reading(0, &["B - - 0"]),
            reading(10, &["B - - 50"]),
            reading(20, &["B - - 50", "B1 - g 0", "B2 g - 0"]),
            reading(30, &["B1 - g 10", "B2 g - 20"]),
        ];
        assert_eq!(columns(&listed_with_its_daughters), ["5", "?", "~5 ~5"]);
    }

    #[test]
    fn what_servers_do_not_tell_is_unknown_and_back_as_a_mean() {
        let silent = [
            reading(0, &["A - - 0"]),
            reading(10, &["A - - 100"]),
            reading(20, &["A - - ?"]),
            reading(30, &["A - - 500"]),
            reading(40, &["A - - 600"]),
        ];
        assert_eq!(columns(&silent), ["10", "?", "~20", "10"]);
    }

    #[test]
    fn late_and_failed_readings_make_gaps() {
        let mut meter = meter();
        assert_eq!(meter.miss(5), None, "nothing was read yet");
        assert_eq!(meter.observe(&reading(0, &["A - - 0"])).unwrap(), None);
        let late = meter.observe(&reading(26, &["A - - 100"])).unwrap().unwrap();
        assert_eq!(late, Column::gap(0, 26_000));
        assert_eq!(meter.miss(36_000), Some(Column::gap(26_000, 36_000)));
        let next = meter.observe(&reading(46, &["A - - 200"])).unwrap().unwrap();
        assert_eq!((next.t0_ms, &*shown(&next)), (36_000, "~5"));
        assert_eq!(shown(&meter.observe(&reading(56, &["A - - 300"])).unwrap().unwrap()), "10");
    }

    #[test]
    fn between_stored_columns_and_the_first_reading_is_a_gap() {
        let mut meter = Meter::resumed(10_000, vec!["r".into()], Some(5_000));
        let first = meter.observe(&reading(60, &["A - - 0"])).unwrap();
        assert_eq!(first, Some(Column::gap(5_000, 60_000)));
        let next = meter.observe(&reading(70, &["A - - 100"])).unwrap().unwrap();
        assert_eq!((&*shown(&next), next.cells.unwrap().cell(0).server), ("10", 1));
    }

    #[test]
    fn a_clock_that_is_set_back_begins_anew() {
        let back = [reading(100, &["A - - 0"]), reading(50, &["A - - 100"]), reading(60, &["A - - 300"])];
        assert_eq!(columns(&back), ["20"]);
    }

    #[test]
    fn neighbouring_columns_share_their_boundaries() {
        let mut meter = meter();
        let mut read = |at_s| meter.observe(&reading(at_s, &["A - g 0", "B g - 0"])).unwrap();
        assert_eq!(read(0), None);
        let (one, two) = (read(10).unwrap(), read(20).unwrap());
        assert!(one.axis().unwrap().is_shared_with(two.axis().unwrap()));
    }
}
