// The regions that split points make, before the table is there.
import { html, useState } from '../lib/preact.js';
import { number, percent, t } from '../lib/i18n.js';
import { Bar, Choices } from './common.js';
import { DataTable } from './data-table.js';

const FORMS = ['escaped', 'text', 'hex'];

export function RegionPreview({ preview, hasDesign, servers }) {
  const [form, setForm] = useState('escaped');
  const { regions, points, region_count: count, sampled_count: sampled } = preview;
  const point = (index) => points[index] && (points[index][form] ?? points[index].escaped);
  const share = (row) => (sampled ? row.sampled / sampled : row.share);
  const most = Math.max(1e-9, ...regions.map((row) => share(row) ?? 0));
  const mean = 1 / count;
  const columns = [
    { id: 'region', label: '#', kind: 'number', value: (row) => row.region },
    { id: 'start', label: t('start'), kind: 'mono', show: (row) => point(row.region - 1) ?? html`<span class="quiet">−∞</span>` },
    { id: 'stop', label: t('stop'), kind: 'mono', show: (row) => point(row.region) ?? html`<span class="quiet">+∞</span>` },
    hasDesign && { id: 'decoded', label: t('decoded'), kind: 'text', show: (row) => row.from ?? html`<span class="quiet">${t('from-start')}</span>` },
    hasDesign && regions.some((row) => row.bucket) && { id: 'bucket', label: t('bucket'), show: (row) => !row.note && row.bucket && html`<span class="tag bucket">${row.bucket}</span>` },
    (sampled || hasDesign) && { id: 'share', label: sampled ? t('share-of-sample', { n: sampled }) : t('share-of-keys'), kind: 'number', value: share, show: (row) => (row.note ? html`<span class="tag warning">${t('stays-empty')}</span>` : percent(share(row))) },
    (sampled || hasDesign) && { id: 'bar', label: html`<span class="hidden">${t('share')}</span>`, show: (row) => !row.note && html`<${Bar} share=${share(row) / most} hot=${share(row) > 2 * mean} />` },
    servers.length > 0 && { id: 'server', label: t('expected-server'), show: (row) => html`<span class="quiet">${servers[row.region % servers.length].split(',')[0]}</span>` },
  ].filter(Boolean);
  return html`<section>
    <div class="between"><h2>${t('preview', { points: count - 1, regions: count })}</h2>
    <${Choices} label=${t('points-as')} name="points-as" value=${form} onChange=${setForm} options=${FORMS.map((id) => ({ id, text: t(`shown-as.${id}`) }))} /></div>
    <div class="limited"><${DataTable} label=${t('regions')} columns=${columns} rows=${regions} empty="" /></div>
    ${regions.length < count && html`<p class="quiet">${t('preview.cut', { shown: regions.length, all: count })}</p>`}
  </section>`;
}
