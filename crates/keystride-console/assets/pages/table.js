// One table: its regions with decoded bounds, bars, families, design, and what changes it.
import { html, useState } from '../lib/preact.js';
import { ask, tablePath } from '../lib/api.js';
import { command } from '../lib/command.js';
import { useAnswer } from '../lib/load.js';
import { bytes, number, t, times } from '../lib/i18n.js';
import { translated } from '../lib/messages.js';
import { set, to } from '../lib/route.js';
import { Bar, Choices, Copy, Failure, Figures, Note, Unanswered } from '../parts/common.js';
import { DataTable } from '../parts/data-table.js';
import { Findings, isProblem } from '../heat/findings.js';
import { Tabs } from '../parts/tabs.js';
import { TableHead } from '../parts/table-head.js';
import { Changes } from '../parts/changes.js';

export function TablePage({ session, table, settings }) {
  const described = useAnswer((signal) => ask(tablePath(table), signal), [table]);
  const found = useAnswer((signal) => ask(tablePath(table, '/regions'), signal), [table]);
  const seen = useAnswer((signal) => ask(tablePath(table, '/findings'), signal), [table]);
  const again = () => { described.again(); found.again(); seen.again(); };
  const [by, setBy] = useState(settings.by ?? 'region');
  const choose = (chosen) => { setBy(chosen); set({ by: chosen }); };
  const error = described.error ?? found.error;
  const isShown = described.last && found.last && error?.code !== 'unknown-table';
  if (error && !isShown) return html`<div class="stack"><h1>${table}</h1><${Unanswered} error=${error} again=${again} /><p><a href=${to([])}>${t('page.overview')}</a></p></div>`;
  if (!isShown) return html`<h1>${table}</h1><p class="quiet" aria-live="polite">${t('loading')}</p>`;
  const { regions, by_bucket: byBucket, by_server: byServer, balance, uncounted, never_written: neverWritten } = found.last;
  const groups = [{ id: 'region', text: t('by-region') }, byBucket && { id: 'bucket', text: t('by-bucket') }, byServer.some(({ server }) => server !== '(none)') && { id: 'server', text: t('by-server') }].filter(Boolean);
  return html`<div class="stack">
    <${TableHead} table=${table}><${Changes} session=${session} table=${table} regions=${regions} onDone=${again} /></${TableHead}>
    <${Unanswered} error=${error} again=${again} />
    <${KeyLine} design=${described.last.key} />
    <${Figures} figures=${[
      { label: t('regions'), value: number(regions.length) },
      { label: t('rows-written'), value: number(balance?.row_count ?? 0) },
      { label: t('bytes-written'), value: bytes(total(regions, 'bytes_written')) },
      { label: t('rows-read'), value: number(total(regions, 'rows_read')) },
      { label: t('hottest'), value: times(balance?.imbalance), note: balance && t('chance-alone', { chance: times(balance.chance) }) },
    ]} />
    ${session.kind !== 'hbase' && !(balance?.row_count > 0) && html`<${Note}>${t('table.no-rows')} <a href=${to(['t', table, 'load'])}>${t('table.to-load')}</a></${Note}>`}
    ${uncounted > 0 && html`<${Note} kind="warning">${t('table.uncounted', { n: uncounted })}</${Note}>`}
    ${balance && neverWritten > 0 && balance.row_count > 1000 * regions.length && html`<${Note} kind="warning">${t('table.never-written', { n: neverWritten, all: regions.length })}</${Note}>`}
    ${seen.last && html`<${Findings} findings=${seen.last.findings.filter(isProblem)} unit=${perSecond} servers=${seen.last.servers} onLook=${() => { location.hash = to(['t', table, 'heat'], { span: '1h' }); }} />`}
    <section>
      <div class="between"><h2>${t('regions')}</h2><div class="row">${groups.length > 1 && html`<${Choices} label=${t('shown-by')} name="by" options=${groups} value=${by} onChange=${choose} />`}<button onClick=${again}>${t('refresh')}</button></div></div>
      ${by === 'region' ? html`<${RegionTable} regions=${regions} isHBase=${session.kind === 'hbase'} hasDesign=${described.last.key != null} />`
        : html`<${GroupTable} groups=${by === 'bucket' ? byBucket : byServer} what=${by} />`}
    </section>
    <${About} session=${session} table=${table} described=${described.last} regions=${regions} />
  </div>`;
}

const perSecond = (rate) => `${number(Math.round(rate))}/s`;

const total = (regions, what) => regions.reduce((all, region) => (region[what] == null ? all : (all ?? 0) + region[what]), undefined);

/** The parts of the key, in their order. */
const KeyLine = ({ design }) => (design
  ? html`<p>${t('key')}${t('colon')}${design.parts.map((part, index) => html`${index > 0 ? html` <span class="quiet">+</span> ` : ''}<span class="tag ${part.kind}" title=${partTitle(part)}>${part.name}</span>`)}</p>`
  : html`<${Note}>${t('table.no-design')}</${Note}>`);

const partTitle = (part) => [t(`part.${part.kind}`), part.bytes != null && t('bytes', { n: part.bytes }), part.order && t(`part.order.${part.order}`)].filter(Boolean).join(' · ');

function RegionTable({ regions, isHBase, hasDesign }) {
  const most = Math.max(1, ...regions.map((region) => region.rows_written ?? 0));
  const mean = regions.reduce((all, region) => all + (region.rows_written ?? 0), 0) / regions.length;
  const columns = [
    { id: 'region', label: '#', kind: 'number', value: (row) => row.region },
    { id: 'start', label: t('start'), kind: 'mono', value: (row) => row.start, show: (row) => row.start || html`<span class="quiet">−∞</span>` },
    { id: 'stop', label: t('stop'), kind: 'mono', value: (row) => row.stop ?? '\uffff', show: (row) => row.stop ?? html`<span class="quiet">+∞</span>` },
    hasDesign && { id: 'decoded', label: t('decoded'), kind: 'text', value: (row) => row.from ?? '', show: (row) => html`<span title=${row.from ?? ''}>${row.from ?? html`<span class="quiet">${t('from-start')}</span>`}</span>` },
    hasDesign && regions.some((region) => region.bucket) && { id: 'bucket', label: t('bucket'), value: (row) => row.bucket, show: (row) => row.bucket && html`<span class="tag bucket">${row.bucket}</span>` },
    { id: 'written', label: t('rows-written'), kind: 'number', value: (row) => row.rows_written },
    { id: 'bar', label: html`<span class="hidden">${t('share')}</span>`, show: (row) => html`<${Bar} share=${(row.rows_written ?? 0) / most} hot=${row.rows_written > 3 * mean} />` },
    { id: 'bytes', label: t('bytes-written'), kind: 'number', value: (row) => row.bytes_written, show: (row) => bytes(row.bytes_written) },
    { id: 'read', label: t('rows-read'), kind: 'number', value: (row) => row.rows_read },
    isHBase && { id: 'server', label: t('server'), value: (row) => row.server, show: (row) => (row.server ?? '').split(',').slice(0, 2).join(':') },
    { id: 'state', label: t('state'), value: (row) => row.state, show: (row) => (row.state === 'open' ? html`<span class="quiet">${row.state}</span>` : html`<span class="tag warning">${row.state}</span>`) },
  ].filter(Boolean);
  return html`<${DataTable} label=${t('regions')} columns=${columns} rows=${regions} empty="" />`;
}

function GroupTable({ groups, what }) {
  const most = Math.max(1, ...groups.map((group) => group.rows_written ?? 0));
  const columns = [
    { id: what, label: t(what), kind: 'mono', value: (row) => row[what], show: (row) => (row[what] === '(none)' ? html`<span class="quiet">${t('none')}</span>` : row[what]) },
    { id: 'written', label: t('rows-written'), kind: 'number', value: (row) => row.rows_written },
    { id: 'bar', label: html`<span class="hidden">${t('share')}</span>`, show: (row) => html`<${Bar} share=${(row.rows_written ?? 0) / most} />` },
    { id: 'bytes', label: t('bytes-written'), kind: 'number', value: (row) => row.bytes_written, show: (row) => bytes(row.bytes_written) },
    { id: 'read', label: t('rows-read'), kind: 'number', value: (row) => row.rows_read },
  ];
  return html`<${DataTable} label=${t(`by-${what}`)} columns=${columns} rows=${groups} empty="" />`;
}

/** Families, design, split points, and whether the design still fits. */
function About({ session, table, described, regions }) {
  const [section, choose] = useState('families');
  const sections = ['families', described.design && 'design', 'splits', described.key && 'check', 'command'].filter(Boolean);
  return html`<section><${Tabs} label=${t('about')} tabs=${sections.map((id) => ({ id, text: t(`about.${id}`) }))} chosen=${section} onChoose=${choose}>
    ${section === 'families' && html`<${Families} attributes=${described.family_attributes} />`}
    ${section === 'design' && html`<${Copy} text=${described.design} label=${t('about.design')} /><p><a href=${to(['design'], { table })}>${t('about.design.open')}</a></p>`}
    ${section === 'splits' && html`<${Copy} text=${regions.slice(1).map(({ start }) => start).join('\n') || t('splits.none')} label=${t('about.splits')} />`}
    ${section === 'check' && html`<${Check} table=${table} />`}
    ${section === 'command' && html`<${Copy} label=${t('about.command')} text=${commands(session, table).join('\n')} />`}
  </${Tabs}></section>`;
}

const commands = ({ store }, table) => [
  command`keystride table regions ${table} --backend ${store}`,
  command`keystride table describe ${table} --backend ${store}`,
  command`keystride table splits ${table} --backend ${store}`,
  command`keystride stats ${table} --backend ${store}`,
];

function Families({ attributes }) {
  const families = Object.entries(attributes).map(([name, settings]) => ({ name, ...settings }));
  const names = Object.keys(families[0] ?? {}).filter((name) => name !== 'name');
  const columns = [{ id: 'name', label: t('family'), value: (row) => row.name }, ...names.map((name) => ({ id: name, label: name, kind: 'text', value: (row) => row[name], show: (row) => setting(name, row[name]) }))];
  return html`<${DataTable} label=${t('about.families')} columns=${columns} rows=${families} empty="" sortable=${false} />`;
}

const FOREVER = '2147483647';
const setting = (name, value) => (name === 'TTL' && value === FOREVER ? html`<span class="quiet">${t('forever')}</span>` : value);

function Check({ table }) {
  const { answer, error, pending } = useAnswer((signal) => ask(tablePath(table, '/check'), signal), [table]);
  if (error) return html`<${Failure} error=${error} />`;
  if (pending && !answer) return html`<p class="quiet">${t('loading')}</p>`;
  const { differences = [], sampled_keys: keys } = answer;
  return differences.length === 0 ? html`<${Note} kind="good" word=${t('check.fits')}>${t(keys > 0 ? 'check.fits.text' : 'check.fits.empty', { n: keys })}</${Note}>`
    : html`<${Note} kind="warning" word=${t('check.differs')}>${differences.map((difference) => html`<br />${translated(difference)}`)}</${Note}>`;
}
