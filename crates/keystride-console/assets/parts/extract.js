// An extract of a query's rows to files, as a job.
import { html, useState } from '../lib/preact.js';
import { send, tablePath } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { to } from '../lib/route.js';
import { Choices, Failure, Field, Note } from './common.js';

export function Extract({ session, table, design, where }) {
  const [form, setForm] = useState({ to: table.replace(/[^\w.-]/g, '_'), day: '', partition_column: '', partition_format: '', format: 'parquet', by_day: false, existing: 'refuse' });
  const [state, setState] = useState({});
  const change = (changed) => setForm((before) => ({ ...before, ...changed }));
  const begin = async (event) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      await send('POST', tablePath(table, '/extracts'), { ...form, where });
      location.hash = to(['jobs']);
    } catch (error) {
      setState({ error });
    }
  };
  const time = design?.time;
  const dayHint = html`${t('extract.day.hint')}${time && html`<br />${t('extract.day.zone', { field: time, zone: design.zones[time] })}`}`;
  const text = (id, hint, size = 16) => html`<${Field} label=${t(`extract.${id}`)} hint=${hint}><input class="mono" size=${size} value=${form[id]} spellcheck=${false} onInput=${(event) => change({ [id]: event.target.value })} /></${Field}>`;
  return html`<details class="extract"><summary>${t('extract')}</summary>
    ${session.files ? html`<form class="stack" onSubmit=${begin}>
      <p class="quiet">${t('extract.hint')}</p>
      <div class="row">${text('to', t('extract.to.hint'), 24)}${text('day', dayHint)}${text('partition_column', t('extract.partition_column.hint'))}${text('partition_format', t('extract.partition_format.hint'))}</div>
      <div class="row">
        <${Choices} label=${t('extract.format')} name="format" value=${form.format} onChange=${(format) => change({ format })} options=${['parquet', 'csv', 'json'].map((id) => ({ id, text: id === 'parquet' ? 'Parquet' : id.toUpperCase() }))} />
        <${Choices} label=${t('extract.existing')} name="existing" value=${form.existing} onChange=${(existing) => change({ existing })} options=${['refuse', 'overwrite', 'resume'].map((id) => ({ id, text: t(`extract.existing.${id}`) }))} />
        <label><input type="checkbox" checked=${form.by_day} onChange=${(event) => change({ by_day: event.target.checked })} />${t('extract.by_day')}</label>
        <button class="primary" disabled=${state.busy || !form.to}>${t('extract.begin')}</button>
      </div>
      <${Failure} error=${state.error} />
    </form>` : html`<${Note}>${t('extract.no-files')}</${Note}>`}
  </details>`;
}
