// The design file itself, with the lines of its mistakes marked.
import { html, useEffect, useRef } from '../lib/preact.js';
import { t } from '../lib/i18n.js';

/** `place`: a line and column to go to, another object each time. */
export function DesignText({ text, mistakes, place, onText }) {
  const area = useRef(null);
  const lines = text.split('\n');
  const wrong = new Set(mistakes.map(({ line }) => line ?? 1));
  useEffect(() => {
    if (!place) return;
    const start = lines.slice(0, place.line - 1).reduce((sum, before) => sum + before.length + 1, 0);
    area.current.focus();
    area.current.setSelectionRange(start + place.column - 1, start + (lines[place.line - 1]?.length ?? 0));
  }, [place]);
  return html`<div class="code"><div class="line-numbers" aria-hidden="true">${lines.map((_, index) => html`<span class=${wrong.has(index + 1) ? 'wrong' : ''}>${index + 1}</span>`)}</div>
    <textarea ref=${area} aria-label=${t('design')} aria-invalid=${mistakes.length > 0} wrap="off" spellcheck=${false} rows=${lines.length + 1} value=${text} onInput=${(event) => onText(event.target.value)}></textarea></div>`;
}
