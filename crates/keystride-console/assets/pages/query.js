// Rows of a table: a question from the design's fields, its plan before it runs, rows as they are read, and the way to an
// extract.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { ask, send, stream, tablePath } from '../lib/api.js';
import { escaped } from '../lib/bytes.js';
import { command } from '../lib/command.js';
import { useAnswer } from '../lib/load.js';
import { bytes, number, t } from '../lib/i18n.js';
import { translated } from '../lib/messages.js';
import { set, to } from '../lib/route.js';
import { Choices, Copy, Failure, Field, Note, Unanswered } from '../parts/common.js';
import { PlanView } from '../parts/plan.js';
import { Conditions, predicateOf } from '../parts/conditions.js';
import { Extract } from '../parts/extract.js';
import { TableHead } from '../parts/table-head.js';

const WAIT_MS = 250;
/** As many as are shown. */
const MOST_ROWS = 1000;

export function QueryPage({ session, table, settings }) {
  const described = useAnswer((signal) => ask(tablePath(table), signal), [table]);
  const [question, setQuestion] = useState({ where: settings.where ?? '', order: Object.hasOwn(ORDER_OPTIONS, settings.order) ? settings.order : 'any', limit: settings.limit ?? '100' });
  const [conditions, setConditions] = useState([]);
  // What was typed stays when conditions are added.
  const [typed, setTyped] = useState(question.where);
  const change = (changed) => {
    const next = { ...question, ...changed };
    setQuestion(next);
    set(next);
  };
  const take = (next) => { setConditions(next); change({ where: joined(typed, predicateOf(next)) }); };
  const request = { where: question.where, order: question.order, limit: Number(question.limit) || undefined };
  const plan = useAnswer((signal) => (described.answer?.key ? send('POST', tablePath(table, '/plan'), request, signal) : undefined), [table, described.answer?.key != null, JSON.stringify(request)], WAIT_MS);
  const rows = useRows(table);
  const run = (event) => { event?.preventDefault(); rows.run(request); };
  const byKey = (event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(event); };
  if (described.answer && !described.answer.key) {
    return html`<div class="stack"><${TableHead} table=${table} section="query" /><${Note}>${t('query.needs-design')}</${Note}></div>`;
  }
  if (described.error && !described.last) {
    return html`<div class="stack"><${TableHead} table=${table} section="query" /><${Unanswered} error=${described.error} again=${described.again} /></div>`;
  }
  return html`<div class="stack">
    <${TableHead} table=${table} section="query" />
    <${Failure} error=${described.error} />
    <form class="stack" onSubmit=${run} onKeyDown=${byKey}>
      ${described.answer && html`<${Conditions} fields=${keyFirst(described.answer.key)} zones=${described.answer.key.zones} conditions=${conditions} onChange=${take} />`}
      <${Field} label=${t('query.where')} hint=${described.answer && whereHint(described.answer.key)}><input class="mono wide" value=${question.where} spellcheck=${false} onInput=${(event) => { setConditions([]); setTyped(event.target.value); change({ where: event.target.value }); }} /></${Field}>
      <div class="row">
        <${Choices} label=${t('query.order')} name="order" value=${question.order} onChange=${(order) => change({ order })} options=${Object.keys(ORDER_OPTIONS).map((id) => ({ id, text: t(`order.${id}`) }))} />
        <${Field} label=${t('query.limit')}><input type="number" min="1" max=${MOST_ROWS} value=${question.limit} onInput=${(event) => change({ limit: event.target.value })} /></${Field}>
        <button class="primary" type="submit" disabled=${plan.error !== undefined}>${t('query.run')} <kbd>Ctrl ↵</kbd></button>
        ${rows.running && html`<button type="button" onClick=${rows.cancel}>${t('cancel')}</button>`}
      </div>
    </form>
    <${Failure} error=${plan.error} />
    ${plan.answer && !plan.error && html`<${PlanView} plan=${plan.answer} />`}
    <${Rows} rows=${rows} isStale=${rows.columns !== undefined && rows.of !== JSON.stringify(request)} />
    <${Extract} session=${session} table=${table} design=${described.answer?.key} where=${question.where} />
    <section><h2>${t('as-command')}</h2><${Copy} label=${t('as-command')} text=${commandOf(session, table, question)} /></section>
  </div>`;
}

/** A typed predicate and conditions, all of which hold. */
function joined(typed, conditions) {
  if (!typed.trim() || !conditions) return conditions || typed;
  return `${/\bor\b/i.test(typed) ? `(${typed.trim()})` : typed.trim()} and ${conditions}`;
}

/** A predicate on the first field that is no time, and on the first time. */
function example(fields, zones) {
  const [field, time] = [fields.find((name) => !(name in zones)), fields.find((name) => name in zones)];
  return [field && `${field} = '…'`, time && `${time} >= '2024-01-31'`].filter(Boolean).join(' and ');
}

/** How a predicate is written, and the zones that days in it are of. */
function whereHint({ zones, ...key }) {
  const times = Object.entries(zones).map(([field, zone]) => t('query.zone', { field, zone }));
  return html`${t('query.where.hint', { example: example(keyFirst(key), zones) })}${times.length > 0 && html`<br />${t('query.zones', { zones: times.join(', ') })}`}`;
}

/** The names of all fields, those of the key in front: they are asked for most. */
function keyFirst({ parts, fields }) {
  const keyed = parts.filter(({ kind }) => kind === 'field').map(({ name }) => name);
  return [...new Set([...keyed, ...fields])];
}

/** The options of an order, with the number of rows. */
const ORDER_OPTIONS = {
  any: (rows) => command` --limit ${rows}`,
  newest: (rows) => command` --newest ${rows}`,
  oldest: (rows) => command` --oldest ${rows}`,
  key: (rows) => command` --ordered --limit ${rows}`,
  'key-reversed': (rows) => command` --reverse --limit ${rows}`,
};

function commandOf({ store }, table, { where, order, limit }) {
  const condition = where.trim() ? command` --where ${where.trim()}` : '';
  return command`keystride query ${table}` + condition + ORDER_OPTIONS[order](Number(limit) || MOST_ROWS) + command` --backend ${store}`;
}

/** Rows as they arrive; a new question, or a page that is left, ends the one before. */
function useRows(table) {
  const [state, setState] = useState({ lines: [] });
  const running = useRef(undefined);
  useEffect(() => () => running.current?.abort(), [table]);
  const cancel = () => { running.current?.abort(); setState((before) => ({ ...before, running: false, cancelled: true })); };
  const run = async (request) => {
    running.current?.abort();
    const given = new AbortController();
    running.current = given;
    const lines = [];
    const began = performance.now();
    const of = JSON.stringify(request);
    setState({ lines, running: true, of });
    try {
      let columns; let end;
      await stream(tablePath(table, '/rows'), request, given.signal, (line) => {
        if (line.columns) columns = line.columns;
        else if (line.row) lines.push(line);
        else end = line;
      }, () => setState({ columns, lines, running: true, of }));
      if (!given.signal.aborted) setState({ columns, lines, end, took: performance.now() - began, of });
    } catch (error) {
      if (!given.signal.aborted) setState({ error, lines });
    }
  };
  return { ...state, run, cancel };
}

const KEY_FORMS = ['escaped', 'hex'];

function Rows({ rows, isStale }) {
  const [form, setForm] = useState('escaped');
  const { columns, lines, end, error, running, cancelled, took } = rows;
  if (error) return html`<${Failure} error=${error} />`;
  if (!columns) return html`<p class="quiet" aria-live="polite">${running ? t('loading') : cancelled ? t('query.cancelled') : ''}</p>`;
  const isNumber = columns.map((_, index) => lines.some(({ row }) => typeof row[index] === 'number'));
  return html`<section class=${isStale ? 'stale' : ''}>
    ${isStale && html`<${Note}>${t('query.stale')}</${Note}>`}
    <div class="between"><h2 aria-live="polite">${t('rows', { n: lines.length })}${running ? ' …' : ''}</h2><${Choices} label=${t('query.keys-as')} name="key-form" value=${form} onChange=${setForm} options=${KEY_FORMS.map((id) => ({ id, text: t(`shown-as.${id}`) }))} /></div>
    ${end && html`<p class="quiet">${t('query.read', { rows: end.rows_read, ms: Math.round(took) })} ${end.is_cut && t('query.cut')}</p>`}
    ${cancelled && html`<p class="quiet">${t('query.cancelled')}</p>`}
    ${end?.error && html`<${Note} kind="error">${translated(end.error)}</${Note}>`}
    ${(lines.length > 0 || !end) && html`<div class="scroll results" tabindex="0" role="region" aria-label=${t('rows', { n: lines.length })}><table>
      <thead><tr><th scope="col">${t('key')}</th>${columns.map((name, index) => html`<th scope="col" class=${isNumber[index] ? 'number' : ''}>${name}</th>`)}</tr></thead>
      <tbody>${lines.map(({ key, row }) => html`<tr><td class="mono">${form === 'hex' ? key : escaped(key)}</td>${row.map((value, index) => html`<td class=${isNumber[index] ? 'number' : ''}>${value === null ? html`<span class="quiet">∅</span>` : String(value)}</td>`)}</tr>`)}</tbody>
    </table></div>`}
  </section>`;
}
