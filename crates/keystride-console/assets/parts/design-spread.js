// How the keys of a sample are spread over the regions of the design, next to what chance alone gives.
import { html } from '../lib/preact.js';
import { number, t, times } from '../lib/i18n.js';
import { translated } from '../lib/messages.js';
import { Figures, Note } from './common.js';

/** In a hot table, regions of more than this many times the mean are shown as hot. */
const HOT = 1.5;

export function Spread({ preview: { spread, unsplit, points_unknown: unknown, time } }) {
  if (!spread) return null;
  const { region_count: regions, counts, whole, windows, verdict } = spread;
  if (!whole && !unsplit && !unknown) return null;
  return html`<section class="stack">
    <h2>${t('design.spread', { regions })}</h2>
    ${unsplit && html`<${Note} kind="error">${translated(unsplit)}</${Note}>`}
    ${unknown && html`<${Note}>${t('design.spread.unknown')}</${Note}>`}
    ${whole && html`<${Figures} figures=${[
      { label: t('design.spread.whole', { n: whole.row_count }), value: times(whole.imbalance), note: t('chance-alone', { chance: times(whole.chance) }) },
      windows && { label: t('design.spread.window', { window: span(windows.ms) }), value: times(windows.imbalance), note: t('chance-alone', { chance: times(windows.chance) }) },
      { label: t('design.spread.empty'), value: number(whole.empty_count), note: t('design.spread.of-regions', { n: regions }) },
    ].filter(Boolean)} />
    ${regions > 1 && html`<${Sticks} counts=${counts} mean=${whole.row_count / regions} isHot=${verdict === 'hot'} />`}
    ${windows && html`<p class="quiet">${t('design.spread.windows', { n: windows.window_count, rows: windows.row_count, field: time ?? '', hot: times(windows.hottest.imbalance), of: windows.hottest.row_count, chance: times(windows.hottest.chance) })}</p>`}
    ${meaning(spread)}`}
  </section>`;
}

/** What the figures mean, in words. */
function meaning({ region_count: regions, whole, windows, verdict }) {
  const figures = (measure) => ({ hot: times(measure.imbalance), chance: times(measure.chance) });
  switch (verdict) {
    case 'one': return html`<p class="quiet">${t('design.spread.one')}</p>`;
    case 'few': return html`<p class="quiet">${t('design.spread.few', { n: whole.row_count, regions })}</p>`;
    case 'moves': return html`<${Note} kind="warning">${t('design.spread.moves', { hot: times(windows.imbalance) })}</${Note}>`;
    case 'hot': return html`<${Note} kind="warning">${t('design.spread.hot', { region: whole.hottest, hot: times(whole.imbalance) })}</${Note}>`;
    case 'uneven': return html`<${Note}>${t('design.spread.uneven', { region: whole.hottest, ...figures(whole) })}</${Note}>`;
    case 'window-uneven': return html`<${Note}>${t('design.spread.window-uneven', { window: span(windows.ms), ...figures(windows) })}</${Note}>`;
    default: return html`<${Note} kind="good">${t('design.spread.even', figures(whole))}</${Note}>`;
  }
}

/** The length of a window in words. */
export function span(ms) {
  const units = [['day', 86400000], ['hour', 3600000], ['minute', 60000], ['second', 1000]];
  const [unit, size] = units.find(([, length]) => ms >= length) ?? units[3];
  return t(`design.window.${unit}`, { n: ms / size });
}

/** The rows of each region, side by side; the line is the mean. */
function Sticks({ counts, mean, isHot: isUneven }) {
  const most = Math.max(1, mean, ...counts);
  return html`<div class="regions" role="img" aria-label=${t('design.spread.counts', { counts: counts.slice(0, 64).join(', ') })}>
    <span class="mean" ref=${(line) => line && (line.style.bottom = `${(100 * mean) / most}%`)}></span>
    ${counts.map((count, region) => html`<span class=${count === 0 ? 'empty' : isUneven && count > HOT * mean ? 'hot' : ''} title=${t('design.spread.region', { region, n: count })}><span ref=${(stick) => stick && (stick.style.height = `${(100 * count) / most}%`)}></span></span>`)}
  </div>`;
}
