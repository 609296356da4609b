// The plan of a query, drawn: which regions are read, which ranges in them, and why.
import { html, useState } from '../lib/preact.js';
import { bytes, number, percent, t } from '../lib/i18n.js';
import { Figures, Note } from './common.js';
import { DataTable } from './data-table.js';

const FULL = 'full';

export function PlanView({ plan }) {
  const { scan, ranges, buckets, regions, store_filters: pushed, reader_filters: kept, order, rows_written: rows, bytes_written: size, touched } = plan;
  const [open, setOpen] = useState(false);
  const isFull = scan === FULL;
  const share = rows[1] > 0 ? rows[0] / rows[1] : regions.all > 0 ? regions.read / regions.all : 0;
  const columns = [
    { id: 'range', label: '#', kind: 'number', show: (row) => row.index + 1 },
    { id: 'text', label: t('plan.range'), kind: 'text', show: (row) => html`<span title=${row.text}>${row.text}</span>` },
    { id: 'start', label: t('plan.start'), kind: 'mono', show: (row) => row.start || html`<span class="quiet">−∞</span>` },
    { id: 'stop', label: t('plan.stop'), kind: 'mono', show: (row) => row.stop ?? html`<span class="quiet">+∞</span>` },
    { id: 'regions', label: t('regions'), kind: 'number', show: (row) => (row.touched[0] === row.touched[1] ? row.touched[0] : `${row.touched[0]} … ${row.touched[1]}`) },
  ];
  return html`<section class="stack plan">
    <div class="between"><h2>${t('plan')}</h2><span class="tag ${isFull ? 'warning' : 'good'}">${t(`plan.${isFull ? 'full' : 'range-scan'}`, { n: ranges.length })}</span></div>
    <${RegionStrip} count=${regions.all} touched=${touched} />
    <${Figures} figures=${[
      { label: t('plan.ranges'), value: number(ranges.length) },
      buckets && { label: t('plan.buckets'), value: `${number(buckets.read)} / ${number(buckets.all)}`, note: buckets.reasons.map((reason) => t(`plan.reason.${reason}`)).join(', ') },
      { label: t('plan.regions'), value: `${number(regions.read)} / ${number(regions.all)}` },
      { label: t('plan.rows'), value: rows[1] > 0 ? `≤ ${number(rows[0])}` : '', note: rows[1] > 0 ? t('plan.of-table', { share: percent(share) }) : undefined },
      { label: t('plan.bytes'), value: size[1] > 0 ? `≤ ${bytes(size[0])}` : '' },
    ].filter(Boolean)} />
    <p>${t('plan.order')}${t('colon')}${t(`plan.order.${order.how}`, { ways: order.ways, by: order.by })}</p>
    ${pushed.length > 0 && html`<p>${t('plan.pushed')}${t('colon')}<code>${pushed.join(' and ')}</code></p>`}
    ${kept.length > 0 && html`<${Note} kind="info" word=${t('plan.kept')}><code>${kept.join(' and ')}</code></${Note}>`}
    ${ranges.length === 0 ? html`<${Note}>${t('plan.nothing')}</${Note}>` : html`<details open=${open} onToggle=${(event) => setOpen(event.target.open)}><summary>${t('plan.show-ranges', { n: ranges.length })}</summary>
      <${DataTable} label=${t('plan.ranges')} columns=${columns} rows=${ranges.map((range, index) => ({ ...range, index, touched: touched[index] }))} empty="" sortable=${false} /></details>`}
  </section>`;
}

/** All regions side by side, those that are read filled. */
function RegionStrip({ count, touched }) {
  const read = (index) => touched.some(([first, last]) => first <= index && index <= last);
  const most = 256;
  const cells = Math.min(count, most);
  const regionsOf = (cell) => [Math.floor((cell * count) / cells), Math.max(Math.floor(((cell + 1) * count) / cells) - 1, 0)];
  const isRead = (cell) => { const [first, last] = regionsOf(cell); return touched.some(([from, until]) => from <= last && until >= first); };
  const n = Array.from({ length: count <= 5000 ? count : 0 }, (_, index) => read(index)).filter(Boolean).length;
  return html`<div class="strip" role="img" aria-label=${t('plan.strip', { read: n, all: count })}>${Array.from({ length: cells }, (_, cell) => html`<span class=${isRead(cell) ? 'read' : ''} title=${t('plan.region', { region: regionsOf(cell)[0] })}></span>`)}</div>`;
}
