// A load of a file into a table: a file that is dropped, or one of the machine, with its first rows as the design reads
// them.
import { html, useState } from '../lib/preact.js';
import { ask, send, tablePath } from '../lib/api.js';
import { useAnswer } from '../lib/load.js';
import { t } from '../lib/i18n.js';
import { translated } from '../lib/messages.js';
import { to } from '../lib/route.js';
import { Failure, Field, Note, Unanswered } from '../parts/common.js';
import { FileChooser } from '../parts/file-chooser.js';
import { TableHead } from '../parts/table-head.js';

const ENCODINGS = ['', 'utf-8', 'gb18030', 'gbk', 'latin1'];
const FORMATS = ['', 'csv', 'json', 'parquet'];

export function LoadPage({ session, table }) {
  const [file, setFile] = useState(undefined);
  const [input, setInput] = useState({ format: '', encoding: '', delimiter: '', headerless: false });
  const [resume, setResume] = useState(false);
  const [anew, setAnew] = useState(false);
  const [state, setState] = useState({});
  const trial = useAnswer((signal) => (file ? send('POST', tablePath(table, '/loads/trial'), { file: file.name, input }, signal) : undefined), [JSON.stringify([file, input])]);
  const described = useAnswer((signal) => ask(tablePath(table), signal), [table]);
  const begin = async () => {
    setState({ busy: true });
    try {
      await send('POST', tablePath(table, '/loads'), { file: file.name, input, resume, load_id: anew ? `console-${Date.now()}` : undefined });
      location.hash = to(['jobs']);
    } catch (error) {
      setState({ error });
    }
  };
  if (described.error && !described.last) {
    return html`<div class="stack"><${TableHead} table=${table} section="load" /><${Unanswered} error=${described.error} again=${described.again} /></div>`;
  }
  const put = (changed) => setInput((before) => ({ ...before, ...changed }));
  const select = (id, options) => html`<${Field} label=${t(`load.${id}`)}><select value=${input[id]} onChange=${(event) => put({ [id]: event.target.value })}>${options.map((option) => html`<option value=${option} selected=${option === input[id]}>${option || t(id === 'encoding' ? 'load.by-design' : 'load.by-name')}</option>`)}</select></${Field}>`;
  return html`<div class="stack">
    <${TableHead} table=${table} section="load" />
    <${FileChooser} session=${session} chosen=${file} onChoose=${setFile} />
    ${!file && described.answer && html`<p class="quiet">${described.answer.key ? t('load.fields', { names: described.answer.key.fields.join(', ') }) : t('load.no-design')}</p>`}
    ${file && html`
      <div class="row">
        ${select('format', FORMATS)}${select('encoding', ENCODINGS)}
        <${Field} label=${t('load.delimiter')}><input class="mono" size="4" value=${input.delimiter} onInput=${(event) => put({ delimiter: event.target.value })} /></${Field}>
        <label><input type="checkbox" checked=${input.headerless} onChange=${(event) => put({ headerless: event.target.checked })} />${t('load.headerless')}</label>
      </div>
      <${Failure} error=${trial.error} />
      ${trial.answer && !trial.error && html`<${Trial} trial=${trial.answer} />`}
      <div class="row">
        <button class="primary" disabled=${!session.allow_write || state.busy || trial.error || !trial.answer} title=${session.allow_write ? undefined : t('writes.none.hint')} onClick=${begin}>${t('load.begin', { file: file.shown })}</button>
        <label><input type="checkbox" checked=${resume} onChange=${(event) => setResume(event.target.checked)} />${t('load.resume')}</label>
        <label title=${t('load.anew.hint')}><input type="checkbox" checked=${anew} onChange=${(event) => setAnew(event.target.checked)} />${t('load.anew')}</label>
        ${!session.allow_write && html`<span class="quiet">${t('writes.none.hint')}</span>`}
      </div>
      <${Failure} error=${state.error} />`}
  </div>`;
}

/** The first rows of a file. */
function Trial({ trial: { columns, rows, rejected, others } }) {
  return html`<section class="stack"><h2>${t('load.first-rows', { n: rows.length })}</h2>
    ${rejected.map((reason) => html`<${Note} kind="warning" word=${t('rejected')}>${translated(reason)}</${Note}>`)}
    ${others.length > 0 && html`<p class="quiet">${t('load.others', { names: others.join(', ') })}</p>`}
    <div class="scroll results" tabindex="0" role="region" aria-label=${t('load.first-rows', { n: rows.length })}><table>
      <thead><tr><th scope="col">${t('key')}</th>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows.map(({ key, values, message }) => html`<tr><td class="mono">${message ? html`<span class="tag error">${translated(message)}</span>` : key}</td>${values.map((value) => html`<td class=${typeof value === 'number' ? 'number' : ''}>${value === null ? html`<span class="quiet">∅</span>` : String(value)}</td>`)}</tr>`)}</tbody>
    </table></div></section>`;
}
