// A file that is read in the browser as text: chosen, or dropped on the button.
import { html, useRef, useState } from '../lib/preact.js';
import { t } from '../lib/i18n.js';

/** More than any list of split points that a table can have. */
const MOST_BYTES = 18 * 2 ** 20;

export function TextFile({ label, accept, onText }) {
  const input = useRef(null);
  const [said, say] = useState('');
  const read = async (file) => {
    if (!file) return;
    if (file.size > MOST_BYTES) { say(t('file.too-large', { name: file.name })); return; }
    say(file.name);
    onText(await file.text());
  };
  const dropped = (event) => { event.preventDefault(); read(event.dataTransfer.files[0]); };
  return html`<div onDragOver=${(event) => event.preventDefault()} onDrop=${dropped}>
    <input ref=${input} type="file" hidden accept=${accept} onChange=${(event) => { read(event.target.files[0]); event.target.value = ''; }} />
    <button type="button" onClick=${() => input.current.click()}>${label}</button> <span class="quiet" aria-live="polite">${said}</span>
  </div>`;
}
