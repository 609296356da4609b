// The page of a lint: a title, then sections, each below its heading. It is written for terminals: here the window breaks
// the lines.
import { html } from '../lib/preact.js';
import { ask } from '../lib/api.js';
import { currentLanguage } from '../lib/i18n.js';
import { useAnswer } from '../lib/load.js';
import { Failure, Marked } from './common.js';

export function LintPage({ id }) {
  const { answer, error } = useAnswer((signal) => ask(`/explain/${id}?language=${currentLanguage()}`, signal), [id]);
  if (!answer) return html`<${Failure} error=${error} />`;
  const [title, ...sections] = answer.page.trim().split('\n\n');
  return html`<div class="lint-page"><h3>${title}</h3>
    ${sections.map((section) => section.split('\n')).map(([heading, ...lines]) => html`<h4>${heading}</h4><p><${Marked} text=${joined(lines)} /></p>`)}
  </div>`;
}

/** Lines as one: Chinese has no spaces between words. */
const joined = (lines) => lines.reduce((text, line) => text + (isChinese(text.at(-1)) && isChinese(line[0]) ? '' : ' ') + line, '').trim();

const isChinese = (letter = '') => /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(letter);
