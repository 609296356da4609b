//! The table of ratios that a bench ends with.

use std::fs;

use crate::Size;

/// Figures of one run, each beside what it is held to.
#[derive(Debug)]
pub struct Figures {
    size: Size,
    lines: Vec<String>,
}

/// What a ratio is held to: first the gate, which holds on a busy machine too, then the goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// Theirs ÷ ours is at least so much: how many times faster.
    AtLeast(f64, f64),
    /// Ours ÷ theirs is at most so much: how many times dearer.
    AtMost(f64, f64),
    /// Ours ÷ theirs, told and held to nothing.
    Told,
}

impl Figures {
    /// None yet.
    pub fn new(size: Size) -> Self {
        Self { size, lines: Vec::new() }
    }

    /// Adds what `ours` and `peer` cost, in the same unit: the less the better.
    pub fn add(&mut self, id: &str, what: &str, ours: f64, peer: f64, bound: Bound) {
        let (ratio, gate, goal, met) = match bound {
            Bound::AtLeast(gate, goal) => {
                let ratio = peer / ours;
                (ratio, format!("≥ {gate}"), format!("≥ {goal}"), met(ratio >= gate, ratio >= goal))
            }
            Bound::AtMost(gate, goal) => {
                let ratio = ours / peer;
                (ratio, format!("≤ {gate:.4}"), format!("≤ {goal:.4}"), met(ratio <= gate, ratio <= goal))
            }
            Bound::Told => (ours / peer, "-".to_owned(), "-".to_owned(), "-"),
        };
        let met = self.size.pick("tiny", met);
        self.lines.push(format!(
            "{id:<4} {what:<64} {ours:>10.1} {peer:>10.1} {ratio:>8.3} {gate:>10} {goal:>10}  {met}"
        ));
    }

    /// Adds what could not be measured, and why.
    pub fn skip(&mut self, id: &str, why: &str) {
        self.lines.push(format!("{id:<4} not run: {why}"));
    }

    /// Prints the table.
    pub fn print(&self) {
        say(&format!("\nload average {}", load_average()));
        say(&format!(
            "{:<4} {:<64} {:>10} {:>10} {:>8} {:>10} {:>10}  met",
            "id", "what", "ours", "peer", "ratio", "gate", "goal"
        ));
        self.lines.iter().for_each(|line| say(line));
    }
}

fn met(gate: bool, goal: bool) -> &'static str {
    match (gate, goal) {
        (_, true) => "goal",
        (true, false) => "gate",
        (false, false) => "MISSED",
    }
}

/// How many processes wanted a processor over the last minutes, as Linux tells it.
fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// Prints a line.
#[expect(clippy::print_stdout, reason = "a table of figures is what these programs are for")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}
