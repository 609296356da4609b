// Which part of a map is seen: rows from `row` on, and `ms` milliseconds from `from` on. Columns are as wide as their time. A map of
// few columns has empty time before them, so that it grows from the right and no column is as wide as the screen.

const LEAST_COLUMNS = 60;

/** The time that a map can show, from and to: what was asked for, or less. A gap may have begun long before. */
function extent({ columns, seconds }) {
  if (columns.length === 0) return [0, 1];
  const end = columns[columns.length - 1].t1;
  const finest = Math.min(...columns.map(({ t0, t1 }) => t1 - t0));
  return [Math.min(Math.max(columns[0].t0, end - 1000 * seconds), end - LEAST_COLUMNS * finest), end];
}

/** All of a map. */
export function whole(map) {
  const [start, end] = extent(map);
  return { row: 0, rows: map.rows, from: start, ms: end - start };
}

/** A part that lies within the map, and is not less than a cell. */
export function within(map, { row, rows, from, ms }) {
  const [start, end] = extent(map);
  const last = map.columns[map.columns.length - 1];
  const count = Math.max(1, Math.min(Math.round(rows), map.rows));
  const span = Math.max(last ? last.t1 - last.t0 : 1, Math.min(ms, end - start));
  return { row: Math.max(0, Math.min(Math.round(row), map.rows - count)), rows: count, from: Math.max(start, Math.min(from, end - span)), ms: span };
}

/** The part around a cell, larger or smaller by a factor. */
export function zoomed(map, part, { row, column }, factor) {
  const { t0, t1 } = map.columns[column];
  const [rows, ms, at] = [part.rows * factor, part.ms * factor, (t0 + t1) / 2];
  return within(map, { rows, ms, row: row + 0.5 - (rows * (row + 0.5 - part.row)) / part.rows, from: at - (ms * (at - part.from)) / part.ms });
}

/** The part moved just so far that a cell is seen. */
export function following(map, part, { row, column }) {
  const { t0, t1 } = map.columns[column];
  const first = row < part.row ? row : row >= part.row + part.rows ? row - part.rows + 1 : part.row;
  const from = t0 < part.from ? t0 : t1 > part.from + part.ms ? t1 - part.ms : part.from;
  return within(map, { ...part, row: first, from });
}

/** The cell moved by a step, within the map. */
export const moved = (map, { row, column }, [rows, columns]) => ({
  row: Math.max(0, Math.min(map.rows - 1, row + rows)),
  column: Math.max(columnAt(map, extent(map)[0]), Math.min(map.columns.length - 1, column + columns)),
});

/** The index of the column at a time; the next one where there is none, and the last after all. */
export function columnAt({ columns }, ms) {
  let [low, high] = [0, columns.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns[middle].t1 > ms) high = middle; else low = middle + 1;
  }
  return low;
}
