// Who is behind a part of the map: what the keys that were seen there have in common.
import { html } from '../lib/preact.js';
import { ask, tablePath } from '../lib/api.js';
import { useAnswer } from '../lib/load.js';
import { number, percent, t } from '../lib/i18n.js';
import { Bar, Failure, Note, Texts } from '../parts/common.js';
import { clock } from './times.js';

/** The keys of an area of the map: its first one, and the one behind the last, in hexadecimal. */
export const keysOf = (map, { row, rows }) => ({ start: map.bounds[row - 1] ?? '', stop: map.bounds[row + rows - 1] });

export function Behind({ table, metric, area, onClose }) {
  const { start, stop, t0, t1 } = area;
  const query = new URLSearchParams({ metric, from_ms: t0, to_ms: t1, start, ...(stop === undefined ? {} : { stop }) });
  const { answer, error } = useAnswer((signal) => ask(tablePath(table, `/heat/behind?${query}`), signal), [table, String(query)]);
  return html`<section class="stack heat-behind" aria-label=${t('behind.title')}>
    <div class="between"><h2>${t('behind.title')} <span class="quiet">${clock(t0)} – ${clock(t1)}</span></h2><button onClick=${onClose}>${t('close')}</button></div>
    <${Failure} error=${error} />
    ${answer && html`<${Found} ...${answer} />`}
  </section>`;
}

function Found({ behind: { key_count: count, rows, parts, keys }, commands }) {
  return html`
    ${count === 0 ? html`<${Note}>${t('behind.none')}</${Note}>` : html`<p class="quiet">${t('behind.from', { keys: number(count), rows: number(Math.round(rows)) })}</p>
      <div class="behind">${parts.map((part) => html`<${Values} ...${part} />`)}${keys.length > 0 && html`<${Values} name=${t('behind.keys')} values=${keys} />`}</div>`}
    <${Texts} label=${t('behind.look')} texts=${[{ name: 'keystride', text: commands.keystride }, { name: 'HBase shell', text: commands.hbase_shell }]} />`;
}

/** The most frequent values of a part of the keys, or where they begin and end if each is seen once. */
const Values = ({ name, values, value_count: count, ends }) => html`<div>
  <h3>${name} ${count > 0 && html`<span class="quiet">${t('behind.values', { n: count })}</span>`}</h3>
  ${values.length > 0 ? html`<dl>${values.map(({ text, share }) => html`<dt class="mono" title=${text}>${text}</dt><dd><${Bar} share=${share} hot=${share > 0.5 && count !== 1} /> ${percent(share)}</dd>`)}</dl>`
    : html`<p class="mono">${ends[0]}<br />… ${ends[1]}</p>`}
</div>`;
