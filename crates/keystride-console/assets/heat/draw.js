// The picture of a map: pixels of columns and rows, without any element of the page per cell.
import { APPROX, UNKNOWN } from './data.js';
import { columnAt } from './view.js';

/**
 * Fills an image. `part` is the part of the map that is seen, see view.js. `levels` has the level of each code, `colours` the colour of each level; with servers, `perServer` of them for each. `blank` is the colour of what is not there.
 */
export function draw(image, map, part, { levels, colours, perServer, ink, blank }) {
  const { width, height } = image;
  const pixels = new Uint32Array(image.data.buffer);
  const rowOf = new Int32Array(height);
  for (let y = 0; y < height; y += 1) rowOf[y] = part.row + Math.floor((y * part.rows) / height);
  const line = new Uint32Array(height);
  let drawn = -1;
  for (let x = 0; x < width; x += 1) {
    const ms = part.from + ((x + 0.5) * part.ms) / width;
    const index = columnAt(map, ms);
    const column = map.columns[index]?.t0 <= ms ? map.columns[index] : undefined;
    if (!column || column.isGap) {
      for (let y = 0; y < height; y += 1) pixels[y * width + x] = (x + y) % 8 < 2 && column ? ink : blank;
      continue;
    }
    if (index !== drawn) {
      fill(line, column, rowOf, { levels, colours, perServer });
      drawn = index;
    }
    for (let y = 0; y < height; y += 1) {
      const isUnknown = column.flags[rowOf[y]] & UNKNOWN;
      pixels[y * width + x] = isUnknown ? (x % 4 === 0 && y % 4 === 0 ? ink : blank) : line[y];
    }
  }
}

function fill(line, { codes, flags, servers }, rowOf, { levels, colours, perServer }) {
  for (let y = 0; y < line.length; y += 1) {
    const row = rowOf[y];
    const level = levels[codes[row]];
    const colour = colours[perServer && servers ? (servers[row] % (colours.length / perServer)) * perServer + level : level];
    line[y] = flags[row] & APPROX ? dimmed(colour) : colour;
  }
}

/** A colour that is a little nearer to grey. */
function dimmed(colour) {
  const half = (colour >>> 1) & 0x7f7f7f;
  return (0xff000000 | (half + 0x303030)) >>> 0;
}
