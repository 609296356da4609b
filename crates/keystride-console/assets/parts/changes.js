// What changes a table: split, compact, truncate, drop. Removing takes the table's name, typed.
import { html, useState } from '../lib/preact.js';
import { send, tablePath } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { to } from '../lib/route.js';
import { Choices, Dialog, Failure, Field } from './common.js';

export function Changes({ session, table, onDone }) {
  const [open, setOpen] = useState(undefined);
  const why = session.allow_write ? undefined : t('writes.none.hint');
  const close = () => setOpen(undefined);
  const done = () => { close(); onDone(); };
  return html`<div class="row buttons">
    ${['split', 'compact', 'truncate', 'drop'].map((what) => html`<button disabled=${!session.allow_write} title=${why} class=${what === 'drop' || what === 'truncate' ? 'danger' : ''} onClick=${() => setOpen(what)}>${t(`change.${what}`)}</button>`)}
    ${open === 'split' && html`<${Split} table=${table} onClose=${close} onDone=${done} />`}
    ${open === 'compact' && html`<${Compact} table=${table} onClose=${close} onDone=${done} />`}
    ${(open === 'truncate' || open === 'drop') && html`<${Remove} what=${open} table=${table} onClose=${close} onDone=${open === 'drop' ? () => { location.hash = to([]); } : done} />`}
  </div>`;
}

function useRequest(request, onDone) {
  const [error, setError] = useState(undefined);
  const [busy, setBusy] = useState(false);
  const run = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await request();
      onDone();
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return { error, busy, run };
}

const Buttons = ({ text, busy, disabled, danger, onClose }) => html`
  <div class="row"><button class=${danger ? 'danger' : 'primary'} disabled=${busy || disabled} type="submit">${text}</button><button type="button" onClick=${onClose}>${t('cancel')}</button></div>`;

function Split({ table, onClose, onDone }) {
  const [at, setAt] = useState('');
  const [form, setForm] = useState('escaped');
  const [force, setForce] = useState(false);
  const { error, busy, run } = useRequest(() => send('POST', tablePath(table, '/split'), { at, form, force }), onDone);
  return html`<${Dialog} title=${t('change.split.title', { table })} onClose=${onClose}>
    <form class="stack" onSubmit=${run}>
      <p>${t('change.split.text')}</p>
      <${Field} label=${t('key')}><input class="mono" autofocus value=${at} onInput=${(event) => setAt(event.target.value)} /></${Field}>
      <${Choices} label=${t('form')} name="split-form" value=${form} onChange=${setForm} options=${['escaped', 'hex', 'int', 'long'].map((id) => ({ id, text: t(`form.${id}`) }))} />
      ${error?.code === 'empty-region' && html`<label><input type="checkbox" checked=${force} onChange=${(event) => setForce(event.target.checked)} />${t('change.split.force')}</label>`}
      <${Failure} error=${error} />
      <${Buttons} text=${t('change.split')} busy=${busy} disabled=${at === ''} onClose=${onClose} />
    </form>
  </${Dialog}>`;
}

function Compact({ table, onClose, onDone }) {
  const { error, busy, run } = useRequest(() => send('POST', tablePath(table, '/compact')), onDone);
  return html`<${Dialog} title=${t('change.compact.title', { table })} onClose=${onClose}>
    <form class="stack" onSubmit=${run}><p>${t('change.compact.text')}</p><${Failure} error=${error} /><${Buttons} text=${t('change.compact')} busy=${busy} onClose=${onClose} /></form>
  </${Dialog}>`;
}

function Remove({ what, table, onClose, onDone }) {
  const [confirm, setConfirm] = useState('');
  const [keepSplits, setKeepSplits] = useState(true);
  const request = () => (what === 'drop' ? send('DELETE', tablePath(table), { confirm }) : send('POST', tablePath(table, '/truncate'), { confirm, keep_splits: keepSplits }));
  const { error, busy, run } = useRequest(request, onDone);
  return html`<${Dialog} title=${t(`change.${what}.title`, { table })} onClose=${onClose}>
    <form class="stack" onSubmit=${run}>
      <p>${t(`change.${what}.text`)}</p>
      ${what === 'truncate' && html`<label><input type="checkbox" checked=${keepSplits} onChange=${(event) => setKeepSplits(event.target.checked)} />${t('change.truncate.keep')}</label>`}
      <${Field} label=${t('change.confirm', { table })}><input class="mono" autofocus autocomplete="off" value=${confirm} onInput=${(event) => setConfirm(event.target.value)} /></${Field}>
      <${Failure} error=${error} />
      <${Buttons} danger text=${t(`change.${what}`)} busy=${busy} disabled=${confirm !== table} onClose=${onClose} />
    </form>
  </${Dialog}>`;
}
