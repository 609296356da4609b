//! How the hottest region moves from window to window.

use serde::Serialize;

/// Fewer windows say nothing about the movement of heat: two regions chosen at random look like a front too
/// often.
const LEAST_WINDOWS: usize = 10;

/// How the hottest region changes from window to window.
///
/// It is meaningful only if windows are hotter than chance makes them; for even windows it describes which of
/// the equal regions came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// One region is the hottest in at least nine of ten windows.
    Static {
        /// The region, from 0 in key order.
        region: usize,
    },
    /// The hottest region only moves in one direction: the diagonal of a key that begins with a time.
    Moving(Direction),
    /// Neither, as for evenly spread rows.
    Flicker,
}

/// The direction in which the heat moves through the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To larger keys: the key begins with a time.
    Up,
    /// To smaller keys: the key begins with a reversed time.
    Down,
}

impl Movement {
    /// Classifies the hottest region of each window, in the order of the windows; `None` for fewer than ten
    /// windows.
    ///
    /// ```
    /// # use keystride_heat::{Direction, Movement};
    /// assert_eq!(Movement::of(&[0, 0, 1, 1, 1, 2, 2, 5, 5, 6]), Some(Movement::Moving(Direction::Up)));
    /// assert_eq!(Movement::of(&[3, 3, 3, 3, 3, 0, 3, 3, 3, 3]), Some(Movement::Static { region: 3 }));
    /// ```
    pub fn of(hottest_regions: &[usize]) -> Option<Self> {
        if hottest_regions.len() < LEAST_WINDOWS {
            return None;
        }
        let (region, window_count) = most_frequent(hottest_regions)?;
        Some(if window_count * 10 >= hottest_regions.len() * 9 {
            Self::Static { region }
        } else if hottest_regions.is_sorted() {
            Self::Moving(Direction::Up)
        } else if hottest_regions.is_sorted_by(|left, right| left >= right) {
            Self::Moving(Direction::Down)
        } else {
            Self::Flicker
        })
    }
}

/// Returns the most frequent region, and how often it occurs.
fn most_frequent(regions: &[usize]) -> Option<(usize, usize)> {
    let mut sorted = regions.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(PartialEq::eq).map(|run| (run[0], run.len())).max_by_key(|&(_, count)| count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_of_ten_windows_make_heat_static_and_eight_do_not() {
        let mut regions = [4; 20];
        (regions[3], regions[9]) = (1, 7);
        assert_eq!(Movement::of(&regions), Some(Movement::Static { region: 4 }));
        regions[12] = 2;
        assert_eq!(Movement::of(&regions), Some(Movement::Flicker));
    }

    #[test]
    fn a_front_moves_up_or_down() {
        let up: Vec<usize> = (0..30).map(|window| window / 3).collect();
        let down: Vec<usize> = up.iter().rev().copied().collect();
        assert_eq!(Movement::of(&up), Some(Movement::Moving(Direction::Up)));
        assert_eq!(Movement::of(&down), Some(Movement::Moving(Direction::Down)));
    }

    #[test]
    fn one_step_back_is_no_front() {
        let mut regions: Vec<usize> = (0..30).collect();
        regions.swap(10, 11);
        assert_eq!(Movement::of(&regions), Some(Movement::Flicker));
    }

    #[test]
    fn nine_windows_say_nothing() {
        assert_eq!(Movement::of(&[1; 9]), None);
        assert_eq!(Movement::of(&[]), None);
    }
}
