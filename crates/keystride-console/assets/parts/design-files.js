// Where designs of the designer come from and go to: files, tables, the clipboard, and the form for a table.
import { html, useState } from '../lib/preact.js';
import { ask, send, tablePath } from '../lib/api.js';
import { command } from '../lib/command.js';
import { t } from '../lib/i18n.js';
import { useAnswer } from '../lib/load.js';
import { to } from '../lib/route.js';
import { Copy, Dialog, Failure, Field, Note } from './common.js';
import { handOver } from './design-state.js';
import { TextFile } from './text-file.js';

export function DesignFiles({ session, state, preview }) {
  const { draft, setText, undo, canUndo } = state;
  const [shown, show] = useState(undefined);
  const [failed, setFailed] = useState(undefined);
  const design = preview?.design;
  // A design in JSON becomes one in TOML.
  const take = async (text) => {
    try {
      setText((await send('POST', '/design/edit', { design: text })).design);
      setFailed(undefined);
      show(undefined);
    } catch (error) { setFailed(error); }
  };
  const create = () => { handOver(draft.text, design.table, design.splits); location.hash = to(['create']); };
  return html`<div class="row buttons">
    <button onClick=${() => show('open')}>${t('design.open')}</button>
    <button disabled=${!draft.text} onClick=${() => show('save')}>${t('design.save')}</button>
    <button disabled=${!canUndo} onClick=${undo}>${t('design.undo')}</button>
    <button disabled=${!draft.text} onClick=${() => show('commands')}>${t('design.commands')}</button>
    <button class="primary" disabled=${!design} title=${design ? undefined : t('design.create.needs')} onClick=${create}>${t('design.create')}</button>
    ${shown === 'open' && html`<${Dialog} title=${t('design.open')} onClose=${() => show(undefined)}><${Open} take=${take} failed=${failed} /></${Dialog}>`}
    ${shown === 'save' && html`<${Dialog} title=${t('design.save')} onClose=${() => show(undefined)}><${Save} session=${session} draft=${draft} name=${fileName(preview)} /></${Dialog}>`}
    ${shown === 'commands' && html`<${Dialog} title=${t('design.commands')} onClose=${() => show(undefined)}><${Commands} draft=${draft} name=${fileName(preview)} /></${Dialog}>`}
  </div>`;
}

const fileName = (preview) => `${String(preview?.words?.table?.name ?? 'design').replace(/[^\w.-]/g, '_')}.toml`;

const CloseButton = () => html`<form method="dialog"><button>${t('close')}</button></form>`;

function Open({ take, failed }) {
  const [pasted, setPasted] = useState('');
  const tables = useAnswer((signal) => ask('/tables', signal), []);
  const ofTable = async (table) => {
    const { design } = await ask(tablePath(table));
    take(design ?? '');
  };
  return html`<div class="stack">
    <p class="quiet">${t('design.open.hint')}</p>
    <${TextFile} label=${t('create.design.open')} accept=".toml,.json" onText=${take} />
    ${tables.answer?.tables.length > 0 && html`<${Field} label=${t('create.design.of')}><select onChange=${(event) => event.target.value && ofTable(event.target.value)}><option value="">…</option>${tables.answer.tables.map((name) => html`<option>${name}</option>`)}</select></${Field}>`}
    <${Field} label=${t('design.open.paste')}><textarea spellcheck=${false} value=${pasted} onInput=${(event) => setPasted(event.target.value)}></textarea></${Field}>
    <${Failure} error=${failed} />
    <div class="row"><button class="primary" disabled=${!pasted.trim()} onClick=${() => take(pasted)}>${t('design.open.pasted')}</button><${CloseButton} /></div>
  </div>`;
}

function Save({ session, draft, name }) {
  const [path, setPath] = useState(name);
  const [state, setState] = useState({});
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([draft.text], { type: 'application/toml' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const save = async (replace) => {
    try {
      setState({ saved: (await send('POST', '/design/save', { design: draft.text, path, replace })).path });
    } catch (error) { setState({ error }); }
  };
  return html`<div class="stack">
    <div class="row"><button class="primary" onClick=${download}>${t('design.save.download', { name })}</button></div>
    ${session.files && html`<div class="row"><${Field} label=${t('design.save.path')}><input class="mono" size="32" value=${path} onInput=${(event) => { setPath(event.target.value); setState({}); }} /></${Field}><button onClick=${() => save(false)}>${t('design.save.here')}</button></div>`}
    ${state.saved && html`<${Note} kind="good">${t('design.save.saved', { path: state.saved })}</${Note}>`}
    <${Failure} error=${state.error} />
    ${state.error?.code === 'file-exists' && html`<button class="danger" onClick=${() => save(true)}>${t('design.save.replace', { path })}</button>`}
    <${CloseButton} />
  </div>`;
}

function Commands({ draft, name }) {
  const made = draft.command?.replace(/ -o design\.toml$/, () => command` -o ${name}`);
  const commands = [made, command`keystride design lint ${name}`, command`keystride table create -d ${name}`].filter(Boolean);
  return html`<div class="stack">
    ${made && draft.made !== draft.text && html`<p class="quiet">${t('design.commands.changed')}</p>`}
    <${Copy} text=${commands.join('\n')} label=${t('as-command')} />
    <${CloseButton} />
  </div>`;
}
