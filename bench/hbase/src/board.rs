//! Figures of one run, and the ratios that it ends with.

use std::fs;

use crate::say;

/// Figures by what they are and whose, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Board {
    series: Vec<Series>,
    ratios: Vec<String>,
    skipped: Vec<String>,
    tiny: bool,
}

/// A figure of one side, once a round: the less the better.
#[derive(Debug)]
struct Series {
    what: String,
    side: &'static str,
    rounds: Vec<f64>,
}

/// What a ratio is held to: first the gate, which holds on a busy machine too, then the goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    /// Ours ÷ theirs is at most so much: how many times dearer.
    AtMost(f64, f64),
    /// Theirs ÷ ours is at least so much: how many times cheaper.
    AtLeast(f64, f64),
    /// Ours ÷ theirs, told and held to nothing.
    Told,
}

impl Board {
    /// An empty one; `tiny` says that its figures say nothing.
    pub(crate) fn new(tiny: bool) -> Self {
        Self { tiny, ..Self::default() }
    }

    /// Adds what a round cost.
    pub(crate) fn add(&mut self, what: &str, side: &'static str, figure: f64) {
        match self.series.iter_mut().find(|series| series.what == what && series.side == side) {
            Some(series) => series.rounds.push(figure),
            None => self.series.push(Series { what: what.to_owned(), side, rounds: vec![figure] }),
        }
    }

    /// Notes what could not be measured, and why.
    pub(crate) fn skip(&mut self, why: &str) {
        self.skipped.push(format!("not run: {why}"));
    }

    /// The median of all rounds.
    pub(crate) fn median(&self, what: &str, side: &str) -> Option<f64> {
        median(self.rounds(what, side)?.to_vec())
    }

    /// Holds one side to another: the median of the ratios of each round. Nothing where one of them was not measured.
    pub(crate) fn compare(&mut self, id: &str, what: &str, ours: &str, peer: &str, bound: Bound) {
        let Some((mine, theirs)) = self.rounds(what, ours).zip(self.rounds(what, peer)) else { return };
        let ratios = mine.iter().zip(theirs).map(|(mine, theirs)| match bound {
            Bound::AtLeast(..) => theirs / mine,
            _ => mine / theirs,
        });
        if let Some(ratio) = median(ratios.collect()) {
            self.judge(id, &format!("{what}: {ours} / {peer}"), ratio, bound);
        }
    }

    /// Holds one side to a number.
    pub(crate) fn compare_with(&mut self, id: &str, what: &str, ours: &str, peer: f64, bound: Bound) {
        if let Some(mine) = self.median(what, ours) {
            self.judge(id, &format!("{what}: {ours} / {peer}"), mine / peer, bound);
        }
    }

    fn judge(&mut self, id: &str, what: &str, ratio: f64, bound: Bound) {
        let (gate, goal, met) = match bound {
            Bound::AtMost(gate, goal) => {
                (format!("≤ {gate}"), format!("≤ {goal}"), met(ratio <= gate, ratio <= goal))
            }
            Bound::AtLeast(gate, goal) => {
                (format!("≥ {gate}"), format!("≥ {goal}"), met(ratio >= gate, ratio >= goal))
            }
            Bound::Told => ("-".to_owned(), "-".to_owned(), "-"),
        };
        let met = if self.tiny { "tiny" } else { met };
        self.ratios.push(format!("{id:<3} {what:<76} {ratio:>8.3} {gate:>8} {goal:>8}  {met}"));
    }

    fn rounds(&self, what: &str, side: &str) -> Option<&[f64]> {
        let found = self.series.iter().find(|series| series.what == what && series.side == side);
        found.map(|series| &series.rounds[..])
    }

    /// Prints all of it.
    pub(crate) fn print(&self) {
        say(&format!("\nload average {}", load_average()));
        say(&format!("{:<48} {:<18} {:>10} {:>10} {:>10}", "what", "whose", "median", "least", "most"));
        for Series { what, side, rounds } in &self.series {
            let [least, most] = [f64::min, f64::max].map(|of| rounds.iter().copied().reduce(of));
            let [middle, least, most] =
                [median(rounds.clone()), least, most].map(|figure| figure.unwrap_or(f64::NAN));
            say(&format!("{what:<48} {side:<18} {middle:>10.3} {least:>10.3} {most:>10.3}"));
        }
        say(&format!(
            "\n{:<3} {:<76} {:>8} {:>8} {:>8}  met",
            "id", "what: ours / theirs", "ratio", "gate", "goal"
        ));
        self.ratios.iter().chain(&self.skipped).for_each(|line| say(line));
    }
}

fn met(gate: bool, goal: bool) -> &'static str {
    match (gate, goal) {
        (_, true) => "goal",
        (true, false) => "gate",
        (false, false) => "MISSED",
    }
}

fn median(mut figures: Vec<f64>) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    let (low, high) = (figures.len().checked_sub(1)? / 2, figures.len() / 2);
    Some(f64::midpoint(figures[low], figures[high]))
}

/// How many processes wanted a processor over the last minutes, as Linux tells it.
pub(crate) fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// Microseconds a row.
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
pub(crate) fn micros_per(nanos: u64, rows: u64) -> f64 {
    nanos as f64 / 1e3 / rows.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![]), None);
    }

    #[test]
    fn a_ratio_is_the_median_of_the_ratios_of_each_round() {
        let mut board = Board::new(false);
        for (ours, theirs) in [(1.0, 10.0), (2.0, 5.0), (1.0, 4.0)] {
            board.add("load", "ours", ours);
            board.add("load", "java", theirs);
        }
        board.compare("H3", "load", "ours", "java", Bound::AtMost(0.25, 0.1));
        board.compare("H3", "load", "ours", "go", Bound::AtMost(0.5, 0.2));
        assert_eq!(board.ratios.len(), 1);
        assert!(board.ratios[0].contains("0.250") && board.ratios[0].ends_with("gate"), "{:?}", board.ratios);
    }
}
