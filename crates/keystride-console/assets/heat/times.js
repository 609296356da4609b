// Times of a map, and the axis below it.
import { html } from '../lib/preact.js';

const DAY_S = 86400;
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, DAY_S, 2 * DAY_S, 7 * DAY_S];
/** A time on the axis has so much room at least. */
const ROOM_PX = 96;

/** The axis: round times of the browser's clock, each where it is on the map. */
export function Times({ part, width }) {
  const step = 1000 * (STEPS_S.find((seconds) => seconds * 1000 * width >= ROOM_PX * part.ms) ?? STEPS_S.at(-1));
  const zone = -60000 * new Date(part.from).getTimezoneOffset();
  const first = Math.ceil((part.from + zone) / step) * step - zone;
  const count = Math.max(0, Math.ceil((part.from + part.ms - first) / step));
  const ticks = Array.from({ length: count }, (_, tick) => first + tick * step).map((ms) => ({ ms, left: ((ms - part.from) * width) / part.ms }));
  return html`<div class="heat-times" aria-hidden="true">${ticks.filter(({ left }) => left + ROOM_PX / 2 < width).map(({ ms, left }) => html`<span ref=${(span) => span && (span.style.left = `${left}px`)}>${tickText(ms, step)}</span>`)}</div>`;
}

function tickText(ms, step) {
  const text = clock(ms);
  if (step >= 1000 * DAY_S) return dayOf(new Date(ms));
  return step >= 60000 ? text.slice(0, -3) : text;
}

/** A time of day, with its day if that is not today. */
export function clock(ms) {
  const time = new Date(ms);
  const isToday = time.toDateString() === new Date().toDateString();
  return `${isToday ? '' : `${dayOf(time)} `}${[time.getHours(), time.getMinutes(), time.getSeconds()].map(pad).join(':')}`;
}

const dayOf = (time) => `${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
const pad = (n) => String(n).padStart(2, '0');
