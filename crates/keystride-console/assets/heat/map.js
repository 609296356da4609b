// The map on the page: two canvases over each other, labels at the left, bars at the right. It is looked at with the mouse or
// with keys.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { APPROX, CONTINUES, evenShare, UNKNOWN } from './data.js';
import { draw } from './draw.js';
import { levels, palette, rateOf, serverPalette } from './scale.js';
import { clock, Times } from './times.js';
import { columnAt, following, moved, whole, within, zoomed } from './view.js';

const HEIGHT = 480;
const PER_SERVER = 256;
/** The page's own colours: where there is no column, there is nothing to see. */
const BLANK = { dark: 0xff1b1814, light: 0xffffffff };
/** A label is written where its band is at least so high. */
const LABEL_PX = 15;

/** `map`, `mode`, `unit`: how a rate is written; `onCell` is told the cell of the cursor, `onArea` a rectangle; `planned` has a rate for each row, if there is a plan. */
export function HeatMap({ map, mode, theme, brightness, onBrightness, unit, onCell, onArea, marked, planned }) {
  const canvas = useRef(null);
  const over = useRef(null);
  const [width, setWidth] = useState(800);
  const [shown, setShown] = useState(undefined);
  const [cell, setCell] = useState(undefined);
  const [pinned, setPinned] = useState(false);
  const past = useRef([]);
  const drag = useRef(undefined);
  // A rectangle of cells that keys have drawn, from one corner to the other.
  const [drawn, setDrawn] = useState(undefined);
  const part = shown ? within(map, shown) : whole(map);
  const frame = useRef(null);
  useLayoutEffect(() => {
    const measure = new ResizeObserver(([{ contentRect }]) => setWidth(Math.max(160, Math.floor(contentRect.width))));
    measure.observe(frame.current);
    return () => measure.disconnect();
  }, []);
  const colours = useMemo(() => (mode === 'server' ? serverPalette(theme, Math.max(1, map.servers.length), PER_SERVER) : palette(theme)), [mode, theme, map.servers.length]);
  const levelOf = useMemo(() => levels(map.scale, brightness), [map.scale.floor, map.scale.max, brightness]);
  useLayoutEffect(() => {
    const context = canvas.current.getContext('2d');
    const image = context.createImageData(canvas.current.width, canvas.current.height);
    const ink = theme === 'dark' ? 0xff5a5a5a : 0xffb0b0b0;
    draw(image, map, part, { levels: levelOf, colours, perServer: mode === 'server' ? PER_SERVER : undefined, ink, blank: BLANK[theme] });
    context.putImageData(image, 0, 0);
  }, [map, part.row, part.rows, part.from, part.ms, width, levelOf, colours]);
  useLayoutEffect(() => drawOver(over.current, map, part, cell, pinned, drag.current ?? drawn, marked, theme), [map, part.row, part.rows, part.from, part.ms, width, cell, pinned, drawn, marked, theme]);
  const look = (next) => { setCell(next); onCell?.(next, part); };
  const zoomTo = (next) => { past.current.push(part); setShown(next); };
  const at = (event) => {
    const box = canvas.current.getBoundingClientRect();
    const row = part.row + Math.floor(((event.clientY - box.top) * part.rows) / box.height);
    const ms = part.from + ((event.clientX - box.left) * part.ms) / box.width;
    return { row: Math.max(part.row, Math.min(part.row + part.rows - 1, row)), column: columnAt(map, ms) };
  };
  const zoomInto = (one, other) => { const { row, rows, t0, t1 } = between(map, one, other); setDrawn(undefined); zoomTo(within(map, { row, rows, from: t0, ms: t1 - t0 })); };
  const ask = (one, other) => onArea?.(between(map, one, other));
  const down = (event) => { if (event.shiftKey || event.altKey) { drag.current = { from: at(event), to: at(event), act: event.altKey ? ask : zoomInto }; event.preventDefault(); } };
  const over_ = (event) => {
    const place = at(event);
    if (drag.current) { drag.current = { ...drag.current, to: place }; setCell(place); } else if (!pinned) look(place);
  };
  const up = (event) => {
    setDrawn(undefined);
    if (!drag.current) { setPinned((before) => !before); look(at(event)); return; }
    const { from, to, act } = drag.current;
    drag.current = undefined;
    act(from, to);
  };
  const key = (event) => {
    const here = cell ?? { row: part.row, column: map.columns.length - 1 };
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-20, 0], PageDown: [20, 0], Home: [0, -1e9], End: [0, 1e9] }[event.key];
    const act = {
      '+': () => zoomTo(zoomed(map, part, here, 0.5)), '=': () => zoomTo(zoomed(map, part, here, 0.5)), '-': () => zoomTo(zoomed(map, part, here, 2)),
      Backspace: () => setShown(past.current.pop()), r: () => { past.current = []; setShown(undefined); setDrawn(undefined); }, Enter: () => (drawn ? zoomInto(drawn.from, drawn.to) : setPinned((before) => !before)),
      w: () => ask(drawn?.from ?? here, here), Escape: () => setDrawn(undefined),
      '[': () => onBrightness(brightness / 2), ']': () => onBrightness(brightness * 2), c: () => navigator.clipboard?.writeText(map.bounds[here.row - 1] ?? '').catch(() => { /* The browser does not let us. */ }),
    }[event.key];
    if (!step && !act) return;
    event.preventDefault();
    event.stopPropagation();
    if (act) { act(); return; }
    const next = moved(map, here, step);
    setDrawn(event.shiftKey ? { from: drawn?.from ?? here, to: next } : undefined);
    setPinned(true);
    if (shown) setShown(following(map, part, next));
    look(next);
  };
  const bars = { map, part, column: cell?.column ?? map.columns.length - 1, planned };
  return html`<div class="heat">
    <${Labels} map=${map} part=${part} />
    <div class="heat-frame" ref=${frame}>
      <canvas ref=${canvas} width=${width} height=${HEIGHT} role="application" tabindex="0" aria-label=${t('heat.map', { rows: map.rows, columns: map.columns.length })} aria-describedby="heat-cell"
        onMouseDown=${down} onMouseMove=${over_} onMouseUp=${up} onMouseLeave=${() => { if (!pinned) look(undefined); }} onKeyDown=${key}></canvas>
      <canvas ref=${over} class="over" width=${width} height=${HEIGHT} aria-hidden="true"></canvas>
      <${Times} part=${part} width=${width} />
    </div>
    <${Bars} ...${bars} />
  </div>`;
}

/** The rectangle of two cells. */
export function between(map, one, other) {
  const [first, last] = [Math.min(one.column, other.column), Math.max(one.column, other.column)];
  const row = Math.min(one.row, other.row);
  return { row, rows: Math.max(one.row, other.row) - row + 1, t0: map.columns[first].t0, t1: map.columns[last].t1 };
}

/** The cursor, a rectangle that is drawn, and areas that are marked. */
function drawOver(canvas, map, part, cell, pinned, drag, marked, theme) {
  const context = canvas.getContext('2d');
  context.clearRect(0, 0, canvas.width, canvas.height);
  const [w, h] = [canvas.width / part.ms, canvas.height / part.rows];
  const box = ({ row, rows, t0, t1 }, colour, dash) => {
    context.setLineDash(dash);
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.strokeRect((t0 - part.from) * w, (row - part.row) * h, Math.max(3, (t1 - t0) * w), Math.max(3, rows * h));
  };
  const ink = theme === 'dark' ? '#ffffff' : '#1b2126';
  for (const area of marked ?? []) box(area, theme === 'dark' ? '#7fbade' : '#1f5f8b', [6, 4]);
  if (drag) box(between(map, drag.from, drag.to), ink, [3, 3]);
  if (cell && map.columns[cell.column]) {
    // All rows of the region under the cursor.
    const { flags, t0, t1 } = map.columns[cell.column];
    let [first, last] = [cell.row, cell.row];
    while (first > 0 && flags[first] & CONTINUES) first -= 1;
    while (last + 1 < map.rows && flags[last + 1] & CONTINUES) last += 1;
    box({ row: first, rows: last - first + 1, t0, t1 }, ink, pinned ? [] : [2, 2]);
  }
}

/** The labels of rows, in columns: equal neighbours are one band, and its text stands where there is room for a line. */
function Labels({ map, part }) {
  const columns = useMemo(() => labelColumns(fromStart(map.labels ?? [], part), part), [map.labels, part.row, part.rows]);
  return html`<div class="heat-labels" aria-hidden="true">${columns.map((bands) => html`<div class="heat-label-column">${bands.map(({ text, top, height }) => html`<span title=${text} ref=${(span) => span && (span.style.top = `${top}px`, span.style.height = `${height}px`)}>${text}</span>`)}</div>`)}</div>`;
}

/** The labels, with one for the keys before all boundaries if there is room. */
const fromStart = ([first, ...others], { rows }) => [first?.length || rows * LABEL_PX > HEIGHT ? first ?? [] : ['−∞'], ...others];

const MOST_LABEL_COLUMNS = 3;

/** The texts of each column and where they stand. Behind a column in which there is no room for all, others would say nothing. */
function labelColumns(labels, part) {
  const px = HEIGHT / part.rows;
  const columns = [];
  for (const bands of bandsOf(labels, part)) {
    let room = 0;
    const shown = bands.filter(({ text }) => text).map(({ text, from, count }) => ({ text, top: (from - part.row) * px, height: Math.max(LABEL_PX, count * px) }))
      .filter(({ top, height }) => { const fits = top >= room && top + LABEL_PX <= HEIGHT + 1; if (fits) room = top + height; return fits; });
    if (shown.length > 0) columns.push(shown);
    if (shown.length < bands.length - 1) break;
  }
  return columns;
}

function bandsOf(labels, { row, rows }) {
  const depth = Math.min(MOST_LABEL_COLUMNS, Math.max(0, ...labels.map((texts) => texts.length)));
  return Array.from({ length: depth }, (_, level) => {
    const bands = [];
    for (let at = row; at < row + rows && at < labels.length; at += 1) {
      const text = labels[at][level] ?? '';
      const whole = labels[at].slice(0, level + 1).join('\n');
      const before = bands[bands.length - 1];
      if (before && before.whole === whole) before.count += 1;
      else bands.push({ text, whole, from: at, count: 1 });
    }
    return bands;
  });
}


/** The rates of the column under the cursor, or of the last one, with a dotted line at the even share and a line at what is planned. */
function Bars({ map, part, column, planned }) {
  const canvas = useRef(null);
  useEffect(() => {
    const context = canvas.current.getContext('2d');
    const { width, height } = canvas.current;
    const style = getComputedStyle(canvas.current);
    context.clearRect(0, 0, width, height);
    const cells = map.columns[column];
    if (!cells || cells.isGap) return;
    const share = evenShare(cells);
    let most = share;
    for (let row = part.row; row < part.row + part.rows; row += 1) most = Math.max(most, rateOf(cells.codes[row]), planned?.[row] ?? 0);
    for (let y = 0; y < height; y += 1) {
      const row = part.row + Math.floor((y * part.rows) / height);
      const rate = cells.flags[row] & UNKNOWN ? 0 : rateOf(cells.codes[row]);
      context.fillStyle = rate > 3 * share ? style.getPropertyValue('--bar-hot') : style.getPropertyValue('--bar');
      context.fillRect(0, y, most > 0 ? (width * rate) / most : 0, 1);
      if (planned && most > 0) {
        context.fillStyle = style.getPropertyValue('--accent');
        context.fillRect(Math.max(0, (width * planned[row]) / most - 2), y, 2, 1);
      }
    }
    const even = most > 0 ? (width * share) / most : 0;
    context.fillStyle = style.getPropertyValue('--text');
    for (let y = 0; y < height; y += 6) context.fillRect(even, y, 1, 3);
  });
  return html`<div class="heat-bars"><canvas ref=${canvas} width="120" height=${HEIGHT} aria-hidden="true"></canvas><span class="quiet">${map.columns[column] ? clock(map.columns[column].t0) : ''}</span></div>`;
}

/** What a cell is, in words. */
export function cellText(map, { row, column }, unit) {
  const cells = map.columns[column];
  if (!cells) return '';
  if (cells.isGap) return `${clock(cells.t0)} · ${t('heat.gap')}`;
  const flags = cells.flags[row];
  const rate = flags & UNKNOWN ? t('heat.unknown') : unit(rateOf(cells.codes[row]));
  const server = cells.servers && map.servers[cells.servers[row]];
  const label = map.labels?.[row]?.join(' · ');
  return [`${clock(cells.t0)} – ${clock(cells.t1)}`, label || (row === 0 && t('from-start')), server, rate, flags & APPROX && t('heat.approx')].filter(Boolean).join(' · ');
}
