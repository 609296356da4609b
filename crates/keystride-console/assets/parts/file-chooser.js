// A file: dropped or chosen in the browser, or one below the folder of --files.
import { html, useRef, useState } from '../lib/preact.js';
import { ask, upload } from '../lib/api.js';
import { useAnswer } from '../lib/load.js';
import { bytes, t } from '../lib/i18n.js';
import { Failure } from './common.js';

/** `onChoose` gets the file's name for the interface, and how it is shown. */
export function FileChooser({ session, chosen, onChoose }) {
  const input = useRef(null);
  const [state, setState] = useState({});
  const [isOver, setOver] = useState(false);
  const take = async (file) => {
    if (!file) return;
    setState({ sending: file.name });
    try {
      const { upload: id } = await upload(file);
      setState({});
      onChoose({ name: { upload: id }, shown: file.name });
    } catch (error) {
      setState({ error });
    }
  };
  const dropped = (event) => { event.preventDefault(); setOver(false); take(event.dataTransfer.files[0]); };
  return html`<div class="stack">
    <div class="drop ${isOver ? 'over' : ''}" onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${dropped}>
      <input ref=${input} type="file" hidden onChange=${(event) => { take(event.target.files[0]); event.target.value = ''; }} />
      <button type="button" onClick=${() => input.current.click()}>${t('file.choose')}</button> <span class="quiet">${t('file.drop')}</span>
      <p aria-live="polite">${state.sending ? t('file.sending', { name: state.sending }) : chosen ? t('file.chosen', { name: chosen.shown }) : ''}</p>
    </div>
    <${Failure} error=${state.error} />
    ${session.files && html`<${Browse} onChoose=${onChoose} />`}
  </div>`;
}

function Browse({ onChoose }) {
  const [path, setPath] = useState('');
  const { answer, error } = useAnswer((signal) => ask(`/files?path=${encodeURIComponent(path)}`, signal), [path]);
  const at = (name) => (path ? `${path}/${name}` : name);
  const details = useRef(null);
  const choose = (name) => { details.current.open = false; onChoose({ name: { path: at(name) }, shown: at(name) }); };
  return html`<details ref=${details}><summary>${t('file.of-machine')}</summary>
    <${Failure} error=${error} />
    ${path && html`<p class="mono"><button class="plain" onClick=${() => setPath(path.split('/').slice(0, -1).join('/'))}>↑ ..</button> ${path}</p>`}
    <ul class="files">${answer?.entries.map(({ name, is_folder: isFolder, bytes: size }) => html`<li>${isFolder
      ? html`<button class="plain" onClick=${() => setPath(at(name))}>${name}/</button>`
      : html`<button class="plain" onClick=${() => choose(name)}>${name}</button> <span class="quiet number">${bytes(size)}</span>`}</li>`)}</ul>
    ${answer?.entries.length === 0 && html`<p class="quiet">${t('file.none')}</p>`}
  </details>`;
}
