// The map as it was sent: a head, and a block of numbers in base64. See docs/console.md.

import { rateOf } from './scale.js';

/** Flags of a cell. */
export const APPROX = 1;
export const UNKNOWN = 2;
export const CONTINUES = 4;

/** A map: its rows, and its columns from the earliest on. */
export function readView(head, block) {
  const { view } = head;
  return { ...head, rows: view.rows, bounds: view.bounds, scale: calm(view.scale), servers: view.servers, columns: readColumns(view, bytesOf(block)) };
}

/** The same map with later columns; the earliest go when there are more than `most`. */
export function withColumns(map, { view, block, by_server }, most) {
  const columns = [...map.columns, ...readColumns(view, bytesOf(block))];
  const scale = calm({ ...view.scale, max: Math.max(map.scale.max, view.scale.max), floor: map.scale.floor });
  return { ...map, scale, by_server, servers: view.servers.length ? view.servers : map.servers, columns: columns.slice(Math.max(0, columns.length - most)) };
}

/** What each region of a column has on average. */
export function evenShare({ codes, flags }) {
  let [sum, count] = [0, 0];
  for (let row = 0; row < codes.length; row += 1) {
    if (!(flags[row] & (UNKNOWN | CONTINUES))) { sum += rateOf(codes[row]); count += 1; }
  }
  return count > 0 ? sum / count : 0;
}

/** A map whose regions are all even is not to look as if all were hot. */
const calm = (scale) => ({ ...scale, max: Math.max(scale.max, 5 * scale.even_share) });

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new DataView(bytes.buffer);
}

function readColumns({ columns, gaps, rows, block }, data) {
  const isGap = new Set(gaps);
  return columns.map(([t0, t1], index) => {
    const cells = { t0, t1, isGap: isGap.has(index), codes: new Uint16Array(rows), flags: new Uint8Array(rows), servers: block.servers === null ? undefined : new Uint16Array(rows) };
    for (let row = 0; row < rows; row += 1) {
      const cell = index * rows + row;
      cells.codes[row] = data.getUint16(block.codes + 2 * cell);
      cells.flags[row] = data.getUint8(block.flags + cell);
      if (cells.servers) cells.servers[row] = data.getUint16(block.servers + 2 * cell);
    }
    return cells;
  });
}
