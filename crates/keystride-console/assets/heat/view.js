// Which part of a map is seen, and where its cursor is. All numbers are whole; a part is never empty. A map of few columns has
// empty ones before them, so that it grows from the right and no column is as wide as the screen.

const LEAST_COLUMNS = 60;

const firstColumn = (map) => Math.min(0, map.columns.length - LEAST_COLUMNS);

/** All of a map. */
export const whole = (map) => ({ row: 0, rows: map.rows, column: firstColumn(map), columns: map.columns.length - firstColumn(map) });

/** A part that lies within the map. */
export function within(map, { row, rows, column, columns }) {
  const fit = (at, count, first, end) => {
    const n = Math.max(1, Math.min(Math.round(count), end - first));
    return [Math.max(first, Math.min(Math.round(at), end - n)), n];
  };
  const [r, rn] = fit(row, rows, 0, map.rows);
  const [c, cn] = fit(column, columns, firstColumn(map), map.columns.length);
  return { row: r, rows: rn, column: c, columns: cn };
}

/** The part around a cell, larger or smaller by a factor. */
export function zoomed(map, shown, cell, factor) {
  const rows = shown.rows * factor;
  const columns = shown.columns * factor;
  return within(map, { rows, columns, row: cell.row - (rows * (cell.row - shown.row + 0.5)) / shown.rows + 0.5, column: cell.column - (columns * (cell.column - shown.column + 0.5)) / shown.columns + 0.5 });
}

/** The part moved just so far that a cell is seen. */
export function following(map, shown, { row, column }) {
  const move = (at, count, cell) => (cell < at ? cell : cell >= at + count ? cell - count + 1 : at);
  return within(map, { ...shown, row: move(shown.row, shown.rows, row), column: move(shown.column, shown.columns, column) });
}

/** The cell moved by a step, within the map. */
export const moved = (map, { row, column }, [rows, columns]) => ({
  row: Math.max(0, Math.min(map.rows - 1, row + rows)),
  column: Math.max(0, Math.min(map.columns.length - 1, column + columns)),
});
