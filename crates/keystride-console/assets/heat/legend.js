// What colours mean: rates from the coldest to the hottest, and what each region has on average.
import { html, useLayoutEffect, useRef } from '../lib/preact.js';
import { t } from '../lib/i18n.js';
import { palette } from './scale.js';

const WIDTH = 160;

/** `unit` writes a rate; `even` is the even share of the column under the cursor; `planned` is the highest planned rate, if there is a plan. */
export function Legend({ map: { scale }, mode, theme, brightness, unit, even, planned }) {
  const canvas = useRef(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const image = context.createImageData(WIDTH, 1);
    const colours = palette(theme);
    const pixels = new Uint32Array(image.data.buffer);
    for (let x = 0; x < WIDTH; x += 1) pixels[x] = colours[Math.round((x * (colours.length - 1)) / (WIDTH - 1))];
    context.putImageData(image, 0, 0);
  }, [theme, mode]);
  return html`<p class="heat-legend quiet">
    ${mode !== 'server' && html`<span>${unit(0)} <canvas ref=${canvas} width=${WIDTH} height="1" aria-hidden="true"></canvas> ${t('heat.hottest', { rate: unit(Math.max(scale.max, scale.floor) / brightness) })}</span>`}
    <span>${t('heat.even', { rate: unit(even) })}</span>
    ${planned > 0 && html`<span class="wide-only">${t('heat.legend.planned', { most: unit(planned) })}</span>`}</p>`;
}
