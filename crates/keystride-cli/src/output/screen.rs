//! What a terminal shows of many rows: as many as fit it.

use std::io::IsTerminal as _;

/// A terminal on which rows are drawn.
#[derive(Debug)]
pub(super) struct Screen {
    /// Its lines, without those for what is said below the rows and for the prompt.
    lines: usize,
    /// What a row is, in the plural.
    unit: &'static str,
    has_more: bool,
}

/// So many lines are shown on the lowest of terminals.
const LEAST_LINES: usize = 10;

impl Screen {
    /// Returns the terminal that stdout is; `None` if it is none, or its size is not known.
    pub(super) fn of_stdout(unit: &'static str) -> Option<Self> {
        let stdout = std::io::stdout();
        let size = stdout.is_terminal().then(|| terminal_size::terminal_size_of(&stdout)).flatten();
        size.map(|(_, lines)| Self::new(lines.0.into(), unit))
    }

    fn new(lines: usize, unit: &'static str) -> Self {
        Self { lines: lines.saturating_sub(2).max(LEAST_LINES), unit, has_more: false }
    }

    /// Whether another row is taken, if so many are. Each takes a line at least.
    pub(super) fn takes_another(&mut self, taken: usize) -> bool {
        self.has_more |= taken >= self.lines;
        !self.has_more
    }

    /// Whether a row was not taken.
    pub(super) fn is_full(&self) -> bool {
        self.has_more
    }

    /// Draws as many of the rows as fit, at least one, and below them says that there are more.
    pub(super) fn fitted<R>(&mut self, rows: &[R], draw: impl Fn(&[R]) -> String) -> String {
        let mut count = rows.len();
        let mut text = draw(rows);
        while count > 1 && text.lines().count() > self.lines {
            // About as many as have room, by the height of those that are drawn.
            let with_room = count * self.lines / text.lines().count();
            count = with_room.clamp(1, count - 1);
            text = draw(&rows[..count]);
            self.has_more = true;
        }
        if self.has_more {
            let unit = self.unit;
            text.push_str(&format!("\nfirst {count} {unit} shown; all: --all, or pipe the output"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws rows of so many lines each, between two borders.
    fn shown(screen: &mut Screen, rows: &[usize]) -> Vec<String> {
        let mut taken = Vec::new();
        for row in rows {
            if screen.takes_another(taken.len()) {
                taken.push(*row);
            }
        }
        let draw = |rows: &[usize]| {
            let lines = rows.iter().flat_map(|lines| (0..*lines).map(|line| line.to_string()));
            ["top".to_owned()]
                .into_iter()
                .chain(lines)
                .chain(["bottom".to_owned()])
                .collect::<Vec<_>>()
                .join("\n")
        };
        screen.fitted(&taken, draw).lines().map(str::to_owned).collect()
    }

    #[test]
    fn rows_that_fit_are_all_shown_and_others_are_cut_with_a_last_line() {
        for (rows, count) in [
            (vec![1; 20], None),
            (vec![1; 21], Some(20)),
            (vec![1; 23], Some(20)),
            (vec![5; 10], Some(4)),
            (vec![90, 1], Some(1)),
        ] {
            let mut screen = Screen::new(24, "rows");
            let lines = shown(&mut screen, &rows);
            let said = lines.last().filter(|line| line.starts_with("first ")).cloned();
            let wanted =
                count.map(|count| format!("first {count} rows shown; all: --all, or pipe the output"));
            assert_eq!(said, wanted, "{rows:?}");
            assert_eq!(screen.is_full(), count.is_some());
            assert!(rows[0] > 20 || lines.len() <= 23, "{rows:?}");
        }
    }
}
