// Tabs, of which one is chosen: with the mouse, or with the arrow keys once one of them is focused.
import { html, useId } from '../lib/preact.js';

/** `tabs`: { id, text }; the children are what the chosen one shows. */
export function Tabs({ label, tabs, chosen, onChoose, children }) {
  const id = useId();
  const at = tabs.findIndex((tab) => tab.id === chosen);
  const turn = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (at + step + tabs.length) % tabs.length;
    onChoose(tabs[next].id);
    event.currentTarget.children[next].focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} onKeyDown=${turn}>
      ${tabs.map((tab, index) => html`<button type="button" role="tab" id=${`${id}-${index}`} aria-selected=${index === at} tabindex=${index === at ? 0 : -1} onClick=${() => onChoose(tab.id)}>${tab.text}</button>`)}
    </div>
    <div role="tabpanel" aria-labelledby=${`${id}-${at}`}>${children}</div>`;
}
