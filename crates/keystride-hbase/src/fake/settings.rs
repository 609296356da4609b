//! Settings of the servers.

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is turned by itself")]
pub(crate) struct Settings {
    /// Maximum number of cells in an answer to a scan, if the client accepts partial rows.
    pub(crate) cells_per_answer: usize,
    /// Number of heartbeats that each scanner sends before each answer with rows.
    pub(crate) heartbeats: u32,
    /// Whether a row that ends exactly at the end of an answer is marked as partial.
    pub(crate) vague_partials: bool,
    /// Whether the answer with a region's last row says that it is the last. Otherwise an empty answer follows.
    pub(crate) knows_its_end: bool,
    /// Whether the old server of a moved region knows the new one.
    pub(crate) tells_where_it_moved: bool,
    /// Larger Multis are refused, in bytes.
    pub(crate) largest_multi: usize,
    /// Whether servers run HBase 1.2. Scans include the start row and exclude the stop row regardless of the request,
    /// ignore row limits, and stay open after a region's last row. A condition counts only if it is outside the list of
    /// actions. The answer about an atomic group only says whether all was processed.
    pub(crate) is_1_2: bool,
    /// Whether scanners start at the first row whatever the request says.
    pub(crate) ignores_start: bool,
    /// A service that one of the servers does not have.
    pub(crate) lacks: Option<(usize, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cells_per_answer: usize::MAX,
            heartbeats: 0,
            vague_partials: false,
            knows_its_end: true,
            tells_where_it_moved: true,
            largest_multi: usize::MAX,
            is_1_2: false,
            ignores_start: false,
            lacks: None,
        }
    }
}
