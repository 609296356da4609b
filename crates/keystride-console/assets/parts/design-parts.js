// The parts of a key as a list: moved by mouse and by keyboard, added, removed, and each with its settings.
import { html, useEffect, useRef, useState } from '../lib/preact.js';
import { number, t } from '../lib/i18n.js';
import { partName, stepsOf, toml } from '../lib/toml.js';
import { Mistake, Note } from './common.js';
import { PartForm } from './design-part-form.js';

const KINDS = ['field', 'text', 'bucket'];
const at = (index, ...rest) => ['key', 'parts', index, ...rest];

export function Parts({ preview: { words, design, mistakes, length }, findings, edit, onText }) {
  const parts = words?.key?.parts;
  const [open, setOpen] = useState(undefined);
  const [dragged, setDragged] = useState(undefined);
  const [over, setOver] = useState(undefined);
  const list = useRef(null);
  const focus = useRef(undefined);
  useEffect(() => {
    // A part that was added is there only after the answer.
    const row = list.current?.children[focus.current]?.querySelector('.key-row');
    if (row) { row.focus(); focus.current = undefined; }
  });
  if (!Array.isArray(parts)) {
    return html`<${Note} kind="error">${t('design.no-toml')} <button onClick=${onText}>${t('design.tab.text')}</button></${Note}>`;
  }
  const move = (from, to) => {
    if (to < 0 || to >= parts.length || from === to) return;
    if (open === from) setOpen(to);
    focus.current = to;
    edit([{ path: at(from), move_to: to }]);
  };
  const remove = (index) => {
    if (parts.length === 1) return;
    setOpen(undefined);
    focus.current = Math.max(0, index - 1);
    // A split between buckets goes with them.
    const isSplit = parts[index].bucket !== undefined && words.split?.by === 'bucket';
    edit([{ path: at(index), remove: true }, ...(isSplit ? [{ path: ['split'], remove: true }] : [])]);
  };
  const add = (kind) => {
    const index = kind === 'bucket' ? 0 : parts.length;
    setOpen(index);
    focus.current = index;
    edit([{ path: at(index), insert: toml(newPart(kind, words)) }]);
  };
  const dropped = (event, index) => { event.preventDefault(); if (dragged !== undefined) move(dragged, index); setDragged(undefined); setOver(undefined); };
  const pressed = (event, index) => {
    // Keys of the form below belong to the form.
    if (event.target !== event.currentTarget) return;
    const act = { Delete: () => remove(index), Enter: () => setOpen(open === index ? undefined : index), ArrowUp: () => (event.altKey ? move(index, index - 1) : neighbour(index - 1)), ArrowDown: () => (event.altKey ? move(index, index + 1) : neighbour(index + 1)) }[event.key];
    if (act) { event.preventDefault(); act(); }
  };
  const neighbour = (index) => list.current?.children[index]?.querySelector('.key-row')?.focus();
  const wrong = (index) => mistakes.filter(({ component }) => component === `key.parts[${index}]` || component.startsWith(`key.parts[${index}].`));
  const ids = (index) => [...new Set(findings.filter(({ component }) => component === `key.parts[${index}]` || component.startsWith(`key.parts[${index}].`)).map(({ id, severity }) => `${severity} ${id}`))];
  return html`<section class="stack">
    <p class="quiet" id="parts-keys">${t('design.parts.keys')}</p>
    <ol class="parts" ref=${list} aria-label=${t('design.parts')}>
      ${parts.map((part, index) => html`<li key=${index} class=${over === index ? 'over' : ''} onDragOver=${(event) => { if (dragged !== undefined) { event.preventDefault(); setOver(index); } }} onDrop=${(event) => dropped(event, index)}>
        <div class="key-row p${index % 8} ${dragged === index ? 'dragged' : ''}" tabindex="0" role="group" aria-label=${`${index + 1} ${partName(part)}`} aria-describedby="parts-keys" draggable onDragStart=${(event) => { event.dataTransfer.effectAllowed = 'move'; event.dataTransfer.setData('text/plain', partName(part)); setDragged(index); }} onDragEnd=${() => { setDragged(undefined); setOver(undefined); }} onKeyDown=${(event) => pressed(event, index)}>
          <span class="grip" aria-hidden="true">⠿</span>
          <span class="what"><span class="chip mono">${partName(part)}</span> <code class="steps">${stepsOf(part).join(' · ')}</code>
            ${design && html`<span class="costs quiet">${costs(design.parts[index], part)}</span>`}
            ${ids(index).map((found) => html`<span class="tag ${found.split(' ')[0]}">${found.split(' ')[1]}</span> `)}</span>
          <span class="bytes number">${design?.parts[index] ? (design.parts[index].bytes == null ? t('design.bytes.vary') : t('design.bytes', { n: design.parts[index].bytes })) : ''}</span>
          <span class="acts">
            <button class="plain" aria-label=${t('design.part.up', { part: partName(part) })} title="Alt+↑" disabled=${index === 0} onClick=${() => move(index, index - 1)}>↑</button>
            <button class="plain" aria-label=${t('design.part.down', { part: partName(part) })} title="Alt+↓" disabled=${index === parts.length - 1} onClick=${() => move(index, index + 1)}>↓</button>
            <button class="plain" aria-expanded=${open === index} aria-label=${t('design.part.settings', { part: partName(part) })} onClick=${() => setOpen(open === index ? undefined : index)}>${t('design.part.edit')}</button>
            <button class="plain" aria-label=${t('design.part.remove', { part: partName(part) })} title=${parts.length > 1 ? 'Del' : t('design.part.last')} disabled=${parts.length === 1} onClick=${() => remove(index)}>✕</button>
          </span>
        </div>
        ${wrong(index).map((mistake) => html`<${Note} kind="error"><${Mistake} mistake=${mistake} /></${Note}>`)}
        ${open === index && html`<${PartForm} part=${part} words=${words} put=${(changes) => edit(changes.map(({ word, value }) => ({ path: at(index, ...word.split('.')), ...(value === undefined ? { remove: true } : { set: toml(value) }) })))} />`}
      </li>`)}
    </ol>
    <div class="between">
      <div class="row">${KINDS.map((kind) => html`<button onClick=${() => add(kind)}>+ ${t(`design.kind.${kind}`)}</button>`)}</div>
      ${length && html`<p class="total">${length.is_fixed ? t('design.length.fixed', { n: length.most }) : length.least === length.most ? t('design.length.seen', { n: length.most }) : t('design.length.varies', { least: length.least, most: length.most })}</p>`}
    </div>
  </section>`;
}

/** What a part gives and what it costs, in words. */
function costs(layout, part) {
  if (!layout) return '';
  if (layout.kind === 'bucket') return t(/^(random|round-robin)$/.test(part.hash ?? '') ? 'design.cost.bucket-drawn' : 'design.cost.bucket', { n: number(part.bucket) });
  if (layout.kind === 'text') return t('design.cost.text');
  const words = [t(`design.order.${layout.order}`)];
  if (!layout.is_decodable) words.push(t('design.cost.not-decodable'));
  if (!layout.is_injective) words.push(t('design.cost.not-injective'));
  return words.join(' · ');
}

function newPart(kind, words) {
  if (kind === 'text') return { text: '_' };
  const fields = Object.keys(words.fields ?? {});
  const keyed = words.key.parts.map(({ field }) => field);
  if (kind === 'bucket') return { bucket: 16, of: [keyed.find(Boolean) ?? fields[0] ?? 'field'] };
  return { field: fields.find((name) => !keyed.includes(name)) ?? fields[0] ?? 'field' };
}
