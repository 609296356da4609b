// The sample of the designer: a file, what its columns are, and the design that is made from it.
import { html, useEffect, useState } from '../lib/preact.js';
import { send } from '../lib/api.js';
import { number, t } from '../lib/i18n.js';
import { useAnswer } from '../lib/load.js';
import { translated } from '../lib/messages.js';
import { set } from '../lib/route.js';
import { Failure, Field, Note } from './common.js';
import { DataTable } from './data-table.js';
import { sampleOf } from './design-state.js';
import { FileChooser } from './file-chooser.js';

const ENCODINGS = ['', 'utf-8', 'gb18030', 'gbk', 'latin1'];
const FORMATS = ['', 'csv', 'json', 'parquet'];
const ZONES = ['Asia/Shanghai', 'Asia/Hong_Kong', 'Asia/Tokyo', 'Asia/Singapore', 'Asia/Kolkata', 'Europe/London', 'Europe/Berlin', 'America/New_York', 'America/Los_Angeles', 'Australia/Sydney'];

/** `onBroken` is told the sample that can't be read, so that the design is shown without it. */
export function Sample({ session, state, preview, onBroken }) {
  const { draft, change } = state;
  const [isChoosing, setChoosing] = useState(false);
  const sample = sampleOf(draft);
  const about = useAnswer((signal) => (sample ? send('POST', '/design/sample', sample, signal) : undefined), [JSON.stringify(sample)]);
  useEffect(() => onBroken(about.error ? JSON.stringify(sample) : undefined), [about.error]);
  const choose = (file) => { set({ sample: file.name.path }); change({ sample: file, input: { format: '', encoding: '', delimiter: '' } }); setChoosing(false); };
  const drop = () => { set({ sample: undefined }); change({ sample: undefined }); };
  if (!sample || isChoosing) {
    return html`<section class="stack">
      ${!sample && !draft.text && html`<p class="quiet">${t('design.begin')}</p>`}
      <${FileChooser} session=${session} chosen=${draft.sample} onChoose=${choose} />
      ${isChoosing && html`<button onClick=${() => setChoosing(false)}>${t('cancel')}</button>`}
    </section>`;
  }
  return html`<section class="stack">
    <div class="row sample-head">
      <p><span class="quiet">${t('design.sample')}</span> <strong class="mono">${draft.sample.shown}</strong>
        <span class="quiet" aria-live="polite">${about.error ? '' : about.answer ? ` · ${factsOf(about.answer, draft.input).join(' · ')}` : ` · ${t('loading')}`}</span></p>
      <button onClick=${() => setChoosing(true)}>${t('design.sample.other')}</button>
      <button class="plain" onClick=${drop}>${t('design.sample.drop')}</button>
    </div>
    <${Failure} error=${about.error} />
    ${about.answer && !about.error && html`<${Columns} sampled=${about.answer} state=${state} preview=${preview} />`}
  </section>`;
}

/** How much of a file was read, and as what. */
const factsOf = ({ rows, format, columns: { length: n }, found_encoding: found }, { encoding }) => [
  t('design.sample.rows', { n: rows }), format, format !== 'Parquet' && (encoding || found || 'utf-8').toUpperCase(), t('design.sample.columns', { n }),
].filter(Boolean);

function Columns({ sampled, state, preview }) {
  const { draft, change } = state;
  const put = (changed) => change({ input: { ...draft.input, ...changed } });
  const select = (id, options) => html`<${Field} label=${t(`load.${id}`)}><select value=${draft.input[id]} onChange=${(event) => put({ [id]: event.target.value })}>${options.map((option) => html`<option value=${option} selected=${option === draft.input[id]}>${option || t(id === 'encoding' ? 'design.encoding.found' : 'load.by-name')}</option>`)}</select></${Field}>`;
  return html`
    ${sampled.found_encoding && html`<${Note}>${t('design.sample.found-encoding', { encoding: sampled.found_encoding.toUpperCase() })}</${Note}>`}
    ${sampled.rejected > 0 && html`<${Note} kind="warning" word=${t('rejected')}>${t('design.sample.rejected', { n: sampled.rejected })} ${translated(sampled.first_reject ?? '')}</${Note}>`}
    <details open=${!draft.text}><summary>${t('design.sample.show')}</summary>
      <div class="stack"><div class="row">${select('format', FORMATS)}${select('encoding', ENCODINGS)}
        <${Field} label=${t('load.delimiter')}><input class="mono" size="4" value=${draft.input.delimiter} onInput=${(event) => put({ delimiter: event.target.value })} /></${Field}></div>
      <${DataTable} label=${t('design.sample.columns', { n: sampled.columns.length })} columns=${columns(sampled)} rows=${sampled.columns} empty="" /></div>
    </details>
    <${NewDesign} sampled=${sampled} state=${state} preview=${preview} />`;
}

const columns = ({ rows }) => [
  { id: 'name', label: t('design.column.name'), kind: 'mono', value: (row) => row.header },
  { id: 'type', label: t('design.column.type'), value: (row) => row.type, show: (row) => html`<code>${row.type}</code>${row.time && html` <code class="quiet">${row.time}</code>`}` },
  { id: 'length', label: t('design.column.length'), kind: 'number', value: (row) => row.longest, show: (row) => (row.shortest === row.longest ? row.longest : `${row.shortest}–${row.longest}`) },
  { id: 'distinct', label: t('design.column.distinct'), kind: 'number', value: (row) => row.distinct },
  { id: 'missing', label: t('design.column.missing'), kind: 'number', value: (row) => row.missing, show: (row) => (row.missing ? number(row.missing) : html`<span class="quiet">0</span>`) },
  { id: 'first', label: t('design.column.first'), value: (row) => row.first_bytes.length, show: (row) => html`<${FirstBytes} row=${row} rows=${rows} />` },
  { id: 'trend', label: t('design.column.trend'), value: (row) => row.trend, show: (row) => (row.trend === 'rising' ? html`<span class="tag warning">${t('design.trend.rising')}</span>` : html`<span class="quiet">${t(`design.trend.${row.trend}`)}</span>`) },
  { id: 'examples', label: t('design.column.examples'), kind: 'text', show: (row) => html`<code title=${row.examples.join('\n')}>${row.examples.join(' · ')}</code>` },
];

const shownByte = (byte) => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`);

/** How many values begin with each byte, as bars in the order of the bytes. */
function FirstBytes({ row: { first_bytes: found } }) {
  if (found.length === 0) return null;
  const most = Math.max(...found.map(([, count]) => count));
  const all = found.reduce((sum, [, count]) => sum + count, 0);
  const shown = found.length > 24 ? [...found].sort((a, b) => b[1] - a[1]).slice(0, 24).sort((a, b) => a[0] - b[0]) : found;
  const words = found.length === 1 ? t('design.first.one', { byte: shownByte(found[0][0]) }) : t('design.first.many', { n: found.length, share: Math.round((100 * most) / all) });
  const title = shown.map(([byte, count]) => `${shownByte(byte)} ${number(count)}`).join('   ');
  return html`<span class="first-bytes" title=${title}><span class="sticks" aria-hidden="true">${shown.map(([, count]) => html`<span ref=${(stick) => stick && (stick.style.height = `${Math.max(8, (100 * count) / most)}%`)}></span>`)}</span> <span class="quiet">${words}</span></span>`;
}

/** Whether the key is still the one that was guessed, and gives rows what was said of it. */
function isGuess({ key, key_tells_apart: tellsApart }, preview) {
  const parts = preview?.words?.key?.parts;
  if (!Array.isArray(parts)) return false;
  const fields = parts.map(({ field }) => field).filter((field) => field !== undefined);
  return JSON.stringify(fields) === JSON.stringify(key) && !(tellsApart && preview.tried?.doubled > 0);
}

/** The settings of a new design, and the button that makes it; the first one is made by itself. */
function NewDesign({ sampled, state, preview }) {
  const { draft, change, setText } = state;
  const [failed, setFailed] = useState(undefined);
  const [made, setMade] = useState(undefined);
  const make = async (changed = {}) => {
    change(changed);
    const { tz, buckets, sample, input } = { ...draft, ...changed };
    try {
      const answer = await send('POST', '/design/new', { sample: { file: sample.name, input }, tz: tz || undefined, local_tz: here(), buckets: Number(buckets) > 1 ? Number(buckets) : undefined });
      setText(answer.design);
      setMade(answer);
      change({ command: answer.command, made: answer.design });
      setFailed(undefined);
    } catch (error) {
      setFailed(error);
    }
  };
  useEffect(() => { if (!draft.text) make(); }, [JSON.stringify(draft.sample)]);
  // What was not touched since it was made can be made anew at once.
  const again = (changed) => (draft.text === '' || draft.text === (made?.design ?? draft.made) ? make(changed) : change(changed));
  return html`<div class="stack">
    <div class="row">
      <${Field} label=${t('design.new.tz')}><input list="zones" size="18" placeholder=${sampled.columns.some((column) => column.has_local_times) ? here() : 'UTC'} value=${draft.tz} onChange=${(event) => again({ tz: event.target.value.trim() })} /><datalist id="zones">${ZONES.map((zone) => html`<option value=${zone}></option>`)}</datalist></${Field}>
      <${Field} label=${t('design.new.buckets')}><input type="number" min="0" max="65536" value=${draft.buckets} onChange=${(event) => again({ buckets: event.target.value })} /></${Field}>
      <button onClick=${() => make()}>${t('design.new.again')}</button>
      ${isGuess(sampled, preview) && html`<p class="quiet">${t(sampled.key_tells_apart ? 'design.new.guess' : 'design.new.guess-doubled', { key: sampled.key.join(', ') || '—', n: sampled.rows })}</p>`}
    </div>
    <${LocalTimes} sampled=${sampled} words=${preview?.words} />
    <${Failure} error=${failed} />
  </div>`;
}

/** The zone of this browser, which times without an offset are of unless another one is named. */
const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Of which zone the times are that say none themselves. */
function LocalTimes({ sampled, words }) {
  const declared = (column) => words?.fields?.[column.name];
  const local = sampled.columns.filter((column) => column.has_local_times && declared(column)?.type === 'time');
  if (local.length === 0) return null;
  const zones = [...new Set(local.map((column) => declared(column).zone ?? 'UTC'))];
  return html`<p class="quiet">${t('design.new.local', { n: local.length, fields: local.map(({ name }) => name).join(', '), zone: zones.join(', ') })}</p>`;
}
