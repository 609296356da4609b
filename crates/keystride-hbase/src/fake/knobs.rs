//! What a test can turn.

/// How servers behave when nothing is spoiled.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is turned by itself")]
pub(crate) struct Knobs {
    /// Most cells in an answer to a scan, where the client takes parts of rows.
    pub(crate) cells_per_answer: usize,
    /// So many answers of each scanner bring nothing but a sign of life before each that brings rows.
    pub(crate) heartbeats: u32,
    /// Whether a row whose last cell fills an answer is said to go on.
    pub(crate) vague_partials: bool,
    /// Whether a region that gave its last row says so at once; if not, the next answer is empty.
    pub(crate) knows_its_end: bool,
    /// Whether a region that went elsewhere is known to its old server.
    pub(crate) tells_where_it_moved: bool,
    /// Multis of more bytes are refused.
    pub(crate) largest_multi: usize,
    /// Whether servers are of HBase 1.2: scans take the first row in and leave the last out whatever they are told, count
    /// no rows and stay open behind a region's last row; a condition counts only where it stands beside all actions, and
    /// of groups nothing is said but that all were done.
    pub(crate) is_1_2: bool,
    /// Whether scanners begin at the first row whatever they are told.
    pub(crate) ignores_start: bool,
    /// A service that one of the servers does not have.
    pub(crate) lacks: Option<(usize, String)>,
}

impl Default for Knobs {
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
