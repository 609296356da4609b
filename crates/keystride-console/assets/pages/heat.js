// The heat of a table by key and time, as it happens.
import { html, useEffect, useMemo, useState } from '../lib/preact.js';
import { tablePath, watchEvents } from '../lib/api.js';
import { Behind, keysOf } from '../heat/behind.js';
import { Findings } from '../heat/findings.js';
import { evenShare, readView, withColumns } from '../heat/data.js';
import { Legend } from '../heat/legend.js';
import { between, cellText, HeatMap } from '../heat/map.js';
import { usePlanned, usePlannedRates } from '../heat/planned.js';
import { rateOf } from '../heat/scale.js';
import { Servers } from '../heat/servers.js';
import { clock } from '../heat/times.js';
import { bytes, number, t } from '../lib/i18n.js';
import { translated } from '../lib/messages.js';
import { isLoss } from '../lib/reach.js';
import { set } from '../lib/route.js';
import { Choices, Failure, Note } from '../parts/common.js';
import { DataTable } from '../parts/data-table.js';
import { FileChooser } from '../parts/file-chooser.js';
import { useKeys } from '../parts/keys.js';
import { TableHead } from '../parts/table-head.js';

const METRICS = ['rows-written', 'rows-read', 'bytes-written'];
const MODES = ['region', 'keys', 'folded', 'density', 'server'];
const SPANS = { '10m': 600, '1h': 3600, '6h': 21600, '4d': 345600, '28d': 2419200 };
/** So many columns are kept while one looks. */
const MOST_COLUMNS = 720;

export function HeatPage({ session, table, settings }) {
  const [look, setLook] = useState({ metric: METRICS.includes(settings.metric) ? settings.metric : METRICS[0], mode: MODES.includes(settings.mode) ? settings.mode : MODES[0], span: settings.span in SPANS ? settings.span : '10m' });
  const [brightness, setBrightness] = useState(Number(settings.brightness) || 1);
  const [cell, setCell] = useState(undefined);
  const [marked, setMarked] = useState(undefined);
  const [asTable, setAsTable] = useState(false);
  const [area, setArea] = useState(undefined);
  const { map, findings, failure, error, isLive } = useMap(table, look);
  const theme = useTheme();
  const plan = usePlanned(table);
  const shownColumn = map?.columns[cell?.column ?? map.columns.length - 1];
  const even = shownColumn && !shownColumn.isGap ? evenShare(shownColumn) : 0;
  const byRegion = look.mode === 'region' || look.mode === 'server';
  const planned = usePlannedRates(map, byRegion && look.metric === 'rows-written' ? plan : {}, even * ((plan.bounds?.length ?? 0) + 1));
  const ask = (rows) => { setArea(look.mode === 'folded' ? undefined : { ...rows, ...keysOf(map, rows) }); setMarked([rows]); };
  useKeys({ t: () => setAsTable((before) => !before) });
  const change = (changed) => { const next = { ...look, ...changed }; setLook(next); set(next); setCell(undefined); setMarked(undefined); setArea(undefined); };
  const bright = (next) => { const kept = Math.max(1 / 64, Math.min(64, next)); setBrightness(kept); set({ brightness: kept === 1 ? undefined : kept }); };
  const unit = unitOf(look);
  const modes = MODES.filter((mode) => (mode !== 'folded' || map?.bucket_count > 0) && (mode !== 'server' || session.kind === 'hbase'));
  const metrics = METRICS.filter((metric) => metric !== 'bytes-written' || session.kind !== 'hbase');
  return html`<div class="stack">
    <${TableHead} table=${table} section="heat"><span class="tag ${isLive ? 'good' : ''}">${isLive ? t('heat.live') : t('heat.waiting')}</span></${TableHead}>
    <div class="row">
      <${Choices} label=${t('heat.metric')} name="metric" value=${look.metric} onChange=${(metric) => change({ metric })} options=${metrics.map((id) => ({ id, text: t(id) }))} />
      <${Choices} label=${t('heat.mode')} name="mode" value=${look.mode} onChange=${(mode) => change({ mode })} options=${modes.map((id) => ({ id, text: t(`heat.mode.${id}`), title: t(`heat.mode.${id}.hint`) }))} />
      <${Choices} label=${t('heat.span')} name="span" value=${look.span} onChange=${(span) => change({ span })} options=${Object.keys(SPANS).map((id) => ({ id, text: t(`heat.span.${id}`) }))} />
      <fieldset><legend>${t('heat.brightness')}</legend><div class="row"><button type="button" onClick=${() => bright(brightness / 2)} aria-label=${t('heat.darker')}>− <kbd>[</kbd></button><button type="button" onClick=${() => bright(brightness * 2)} aria-label=${t('heat.brighter')}>+ <kbd>]</kbd></button></div></fieldset>
      <label><input type="checkbox" checked=${asTable} onChange=${(event) => setAsTable(event.target.checked)} />${t('heat.as-table')}</label>
    </div>
    <${Failure} error=${error} />
    ${failure && html`<${Note} kind="warning">${translated(failure)}</${Note}>`}
    <${Findings} findings=${findings} unit=${unit} servers=${map?.servers ?? []} end=${map?.columns.at(-1)?.t1} onLook=${(finding) => setMarked(map && areasOf(finding).map((area) => rectangle(map, area)).filter(Boolean))} />
    ${map && map.columns.length > 0 ? html`
      ${map.scale.max <= 1 && html`<p class="quiet">${t('heat.nothing')}</p>`}
      <${HeatMap} map=${map} mode=${look.mode} theme=${theme} brightness=${brightness} onBrightness=${bright} unit=${unit} onCell=${setCell} onArea=${ask} marked=${marked} planned=${planned} />
      <div class="between"><p id="heat-cell" aria-live="polite">${cell ? cellText(map, cell, unit) : html`<span class="keyed">${t('heat.hint')}</span><span class="touched">${t('heat.hint.touch')}</span>`}</p><p class="quiet">${look.mode !== 'folded' && html`<button class="plain" disabled=${!cell || map.columns[cell.column]?.isGap} onClick=${() => ask(between(map, cell, cell))}>${t('behind.ask')}</button>`}</p></div>
      <${Legend} map=${map} mode=${look.mode} theme=${theme} brightness=${brightness} unit=${unit} even=${even} planned=${planned && Math.max(...planned)} />
      ${look.mode === 'keys' && html`<p class="quiet">${t('heat.mode.keys.hint')}</p>`}
      ${look.mode === 'server' && html`<${Servers} map=${map} theme=${theme} unit=${unit} />`}
      ${area && html`<${Behind} table=${table} metric=${look.metric} area=${area} onClose=${() => { setArea(undefined); setMarked(undefined); }} />`}
      ${byRegion && html`<${Planned} session=${session} plan=${plan} />`}
      ${asTable && html`<${AsTable} map=${map} unit=${unit} column=${cell?.column ?? map.columns.length - 1} />`}`
    : !error && html`<p class="quiet" aria-live="polite">${t('heat.first')}</p>`}
  </div>`;
}

const unitOf = ({ metric, mode }) => (rate) => {
  const shown = rate >= 100 ? Math.round(rate) : Number(rate.toPrecision(2));
  const what = metric === 'bytes-written' ? `${bytes(rate)}/s` : `${number(shown)}/s`;
  return mode === 'density' ? t('heat.per-gib', { rate: what }) : what;
};

/** Where what is planned comes from, and a file with rows like those that come. */
const Planned = ({ session, plan: { planned, sample, setSample, error } }) => html`<details class="wide-only"><summary>${t('planned')}: ${t(`planned.by.${planned?.by ?? 'nothing'}`)}</summary>
  <div class="stack"><p class="quiet">${t('planned.hint')}</p><${FileChooser} session=${session} chosen=${sample} onChoose=${setSample} /><${Failure} error=${error} /></div>
</details>`;

/** The map as it is sent: the whole of it first, then column by column. */
function useMap(table, { metric, mode, span }) {
  const [state, setState] = useState({ findings: [] });
  useEffect(() => {
    setState((before) => ({ ...before, isLive: false, map: undefined }));
    const path = tablePath(table, `/heat?metric=${metric}&mode=${mode}&seconds=${SPANS[span]}`);
    return watchEvents(path, {
      view: (sent) => setState((before) => ({ ...before, isLive: true, error: undefined, failure: sent.failure, map: { ...readView(sent, sent.block), seconds: SPANS[span] } })),
      column: (sent) => setState((before) => (before.map ? { ...before, failure: sent.failure, map: withColumns(before.map, sent, MOST_COLUMNS) } : before)),
      findings: ({ findings }) => setState((before) => ({ ...before, findings })),
      lost: (error) => setState((before) => ({ ...before, isLive: false, error: isLoss(error) ? undefined : error })),
    });
  }, [table, metric, mode, span]);
  return state;
}

/** The theme that is shown, also when it is changed. */
function useTheme() {
  const dark = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
  const now = () => document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light');
  const [theme, setTheme] = useState(now());
  useEffect(() => {
    const look = () => setTheme(now());
    const changes = new MutationObserver(look);
    changes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    dark.addEventListener('change', look);
    return () => { changes.disconnect(); dark.removeEventListener('change', look); };
  }, []);
  return theme;
}

const areasOf = ({ area, areas }) => areas ?? (area ? [area] : []);

/** An area as rows and columns of the map. */
function rectangle(map, { t0_ms: t0, t1_ms: t1, start, stop }) {
  const rowOf = (key) => { let row = 0; while (row < map.bounds.length && map.bounds[row] <= key) row += 1; return row; };
  const row = start === '' ? 0 : rowOf(start);
  const last = stop === null || stop === undefined ? map.rows : Math.max(row + 1, rowOf(stop) + (map.bounds.includes(stop) ? 0 : 1));
  return map.columns.length > 0 ? { row, rows: last - row, t0: Math.max(t0, map.columns[0].t0), t1 } : undefined;
}

/** The numbers of one column, for those who do not see the picture. */
function AsTable({ map, unit, column }) {
  const cells = map.columns[column];
  if (!cells) return null;
  const rows = Array.from(cells.codes, (code, row) => ({ row, code, start: map.bounds[row - 1] ?? '', label: map.labels[row]?.join(' · ') ?? '' }));
  const columns = [
    { id: 'row', label: '#', kind: 'number', value: (row) => row.row },
    { id: 'label', label: t('decoded'), kind: 'text', value: (row) => row.label, show: (row) => row.label || html`<span class="quiet">${row.row === 0 ? t('from-start') : ''}</span>` },
    { id: 'start', label: `${t('start')} (${t('shown-as.hex')})`, kind: 'mono', value: (row) => row.start },
    { id: 'rate', label: clock(cells.t0), kind: 'number', value: (row) => row.code, show: (row) => unit(rateOf(row.code)) },
  ];
  return html`<${DataTable} label=${t('heat.as-table')} columns=${columns} rows=${rows} empty="" /><p><button onClick=${() => save(rows)}>${t('heat.csv')}</button></p>`;
}

function save(rows) {
  const text = ['row,start_hex,per_second', ...rows.map(({ row, start, code }) => `${row},${start},${rateOf(code)}`)].join('\n');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/csv' }));
  link.download = 'heat.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
