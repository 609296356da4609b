// A key in any form: its bytes, its fields by a table's design, and its region.
import { html, useState } from '../lib/preact.js';
import { ask, send } from '../lib/api.js';
import { spaced } from '../lib/bytes.js';
import { command } from '../lib/command.js';
import { useAnswer } from '../lib/load.js';
import { t } from '../lib/i18n.js';
import { translated } from '../lib/messages.js';
import { set, to } from '../lib/route.js';
import { Choices, Copy, Failure, Field, Note } from '../parts/common.js';
import { DataTable } from '../parts/data-table.js';

const WAIT_MS = 100;
const FORMS = ['text', 'escaped', 'hex', 'int', 'long'];

export function KeyTool({ session, settings }) {
  const [state, setState] = useState({ key: settings.key ?? '', form: settings.form ?? 'escaped', table: settings.table ?? '' });
  const change = (changed) => { const next = { ...state, ...changed }; setState(next); set(next); };
  const tables = useAnswer((signal) => ask('/tables', signal), []);
  const { key, form, table } = state;
  const { answer, error } = useAnswer((signal) => (key ? send('POST', '/key', { key, form, table: table || undefined }, signal) : undefined), [key, form, table], WAIT_MS);
  return html`<div class="stack">
    <h1>${t('page.key')}</h1>
    <p class="quiet">${t('key.text')}</p>
    <${Field} label=${t('key')}><input class="mono wide" value=${key} spellcheck=${false} onInput=${(event) => change({ key: event.target.value })} /></${Field}>
    <div class="row">
      <${Choices} label=${t('form')} name="form" value=${form} onChange=${(chosen) => change({ form: chosen })} options=${FORMS.map((id) => ({ id, text: t(`form.${id}`), title: id === 'text' ? undefined : t(`form.${id}.hint`) }))} />
      <${Field} label=${t('table')}><select value=${table} onChange=${(event) => change({ table: event.target.value })}><option value="">${t('key.no-table')}</option>${tables.answer?.tables.map((name) => html`<option selected=${name === table}>${name}</option>`)}</select></${Field}>
    </div>
    <${Failure} error=${error} />
    ${key && answer && !error && html`<${Bytes} answer=${answer} />
      ${answer.decoded && html`<${Decoded} decoded=${answer.decoded} />`}
      ${answer.location && html`<${Location} location=${answer.location} table=${table} />`}
      ${answer.location && html`<section><h2>${t('as-command')}</h2><${Copy} label=${t('as-command')} text=${command`keystride get ${table} --hex ${answer.hex} --backend ${session.store}`} /></section>`}`}
  </div>`;
}

function Bytes({ answer }) {
  const forms = FORMS.filter((form) => answer[form] !== null && answer[form] !== undefined);
  return html`<section><h2>${t('bytes', { n: answer.bytes })}</h2>
    <dl class="facts">${forms.map((form) => html`<dt>${t(`key.form.${form}`)}</dt><dd class="mono">${String(answer[form])}</dd>`)}</dl></section>`;
}

/** The parts, with their bytes; the colour of a part is that of its place. */
function Decoded({ decoded: { parts, begun, beyond, message } }) {
  const columns = [
    { id: 'part', label: t('key.part'), show: (row) => html`<span class="chip mono p${row.index % 8}">${row.name}</span>` },
    { id: 'value', label: t('conditions.value'), show: (row) => row.value ?? (row.kind === 'field' ? html`<span class="tag warning">${t('key.no-value')}</span>` : row.text) },
    { id: 'text', label: t('key.form.text'), kind: 'mono', show: (row) => row.text },
    { id: 'hex', label: t('key.form.hex'), kind: 'mono', show: (row) => spaced(row.hex) },
    { id: 'span', label: t('key.part.bytes'), kind: 'number', show: (row) => (row.span[1] - row.span[0] === 1 ? row.span[0] : `${row.span[0]}…${row.span[1] - 1}`) },
  ];
  return html`<section class="stack"><h2>${t('key.parts')}</h2>
    ${message ? html`<${Note} kind="warning">${t('key.not-decoded', { message: translated(message) })}</${Note}>` : html`<p class="quiet">${t('key.ok')}</p>`}
    <${DataTable} label=${t('key.parts')} columns=${columns} rows=${parts.map((part, index) => ({ ...part, index }))} empty="" sortable=${false} />
    ${begun && html`<p>${t('key.begun', { part: begun[0], bytes: begun[1] })}</p>`}
    ${beyond && html`<p>${t('key.beyond', { bytes: beyond })}</p>`}</section>`;
}

const Location = ({ location, table }) => html`<section><h2>${t('key.region', { region: location.region, of: location.of })}</h2>
  <dl class="facts">
    <dt>${t('table')}</dt><dd><a href=${to(['t', table])}>${table}</a></dd>
    <dt>${t('start')}</dt><dd>${location.start ? html`<code>${location.start}</code>` : '−∞'} ${location.from && html`<span class="quiet">${location.from}</span>`}</dd>
    <dt>${t('stop')}</dt><dd>${location.stop != null ? html`<code>${location.stop}</code>` : '+∞'} ${location.before && html`<span class="quiet">${location.before}</span>`}</dd>
    ${location.server && html`<dt>${t('server')}</dt><dd>${location.server}</dd>`}
  </dl></section>`;
