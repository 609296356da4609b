// The console: its frame, and which page an address shows.
import { html, render, useEffect, useLayoutEffect, useState } from './lib/preact.js';
import { ask } from './lib/api.js';
import { look, useLoss } from './lib/reach.js';
import { chooseLanguage, otherLanguage, t, useLanguage } from './lib/i18n.js';
import { route, to } from './lib/route.js';
import { Note, Unanswered } from './parts/common.js';
import { KeyList, useKeys } from './parts/keys.js';
import { Create } from './pages/create.js';
import { Design } from './pages/design.js';
import { HeatPage } from './pages/heat.js';
import { Jobs } from './pages/jobs.js';
import { KeyTool } from './pages/key.js';
import { LoadPage } from './pages/load.js';
import { Overview } from './pages/overview.js';
import { QueryPage } from './pages/query.js';
import { TablePage } from './pages/table.js';

/** A page is made anew when somebody goes to its address, unless it is kept: then it follows its settings itself. */
const PAGES = [
  { path: '', name: 'overview', page: Overview },
  { path: 'create', name: 'create', page: Create },
  { path: 'design', name: 'design', page: Design, isKept: true },
  { path: 'key', name: 'key', page: KeyTool },
  { path: 'jobs', name: 'jobs', page: Jobs },
];

/** Pages of one table, by the last word of their address. */
const TABLE_PAGES = { heat: HeatPage, query: QueryPage, load: LoadPage };

function App({ session }) {
  const [address, setAddress] = useState({ ...route(), visit: 0 });
  const [keysShown, showKeys] = useState(false);
  const loss = useLoss();
  useLayoutEffect(() => {
    const moved = () => setAddress((before) => ({ ...route(), visit: before.visit + 1 }));
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  const [first = '', ...rest] = address.parts;
  const found = first === 't' && rest.length > 0
    ? { name: 'overview', page: TABLE_PAGES[rest[1]] ?? TablePage, table: rest[0], section: rest[1] }
    : PAGES.find(({ path }) => path === first);
  useKeys({
    '?': () => showKeys(true),
    'g t': () => { location.hash = to([]); },
    'g h': () => goToSection('heat'),
    'g k': () => { location.hash = to(['key']); },
    'g j': () => { location.hash = to(['jobs']); },
    'g q': () => goToSection('query'),
    'g d': () => { location.hash = to(['design']); },
    'g c': () => { location.hash = to(['create']); },
    '/': () => document.querySelector('input[type="search"]')?.focus(),
  });
  useEffect(() => {
    document.title = `${found?.table ?? t(`page.${found?.name ?? 'none'}`)} · keystride`;
  }, [found?.name, found?.table]);
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); document.getElementById('main').focus(); }}>${t('skip')}</a>
    <header class="top">
      <a class="brand" href="#/">keystride</a>
      <nav aria-label=${t('pages')}>
        ${PAGES.map(({ path, name }) => html`<a href=${to([path].filter(Boolean))} aria-current=${found?.name === name ? 'page' : undefined}>${t(`page.${name}`)}</a>`)}
      </nav>
      <div class="store">
        <code title=${session.store}>${session.store}</code>
        <span class="tag ${session.allow_write ? 'warning' : ''}" title=${t(session.allow_write ? 'writes.allowed.hint' : 'writes.none.hint')}>${t(session.allow_write ? 'writes.allowed' : 'writes.none')}</span>
        <button class="plain" onClick=${turnTheme}>${t('theme')}</button>
        <button class="plain" lang=${otherLanguage()} onClick=${() => { chooseLanguage(otherLanguage()); location.reload(); }}>${t('language.other')}</button>
        <button class="plain" onClick=${() => showKeys(true)} aria-label=${t('keys.title')}>?</button>
      </div>
    </header>
    <div class="loss" aria-live="assertive">${loss && html`<${Note} kind="error">${t('loss.again', { why: loss.message })} <button onClick=${look}>${t('ask-again')}</button></${Note}>`}</div>
    <main id="main" tabindex="-1">
      ${found ? html`<${found.page} key=${`${found.table ?? found.name}/${found.section ?? ''}/${found.isKept ? '' : address.visit}`} session=${session} settings=${address.settings} table=${found.table} section=${found.section} />` : html`<div class="stack"><h1>${t('page.none')}</h1><p>${t('none.text')} <a href="#/">${t('page.overview')}</a></p></div>`}
    </main>
    ${keysShown && html`<${KeyList} onClose=${() => showKeys(false)} />`}`;
}

/** Of the table in the address, which may be ahead of what is drawn. */
function goToSection(section) {
  const [first, table] = route().parts;
  if (first === 't' && table) location.hash = to(['t', table, section]);
}

function turnTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
  try { localStorage.setItem('keystride.theme', root.dataset.theme); } catch { /* Then it is not kept. */ }
}

async function start() {
  try {
    const theme = localStorage.getItem('keystride.theme');
    if (theme) document.documentElement.dataset.theme = theme;
  } catch { /* The system's it is. */ }
  // A token in the address has been used by now.
  if (location.search) history.replaceState(null, '', location.pathname + location.hash);
  const root = document.getElementById('app');
  await useLanguage();
  try {
    const session = await ask('/session');
    if (session.language) await useLanguage(session.language);
    render(html`<${App} session=${session} />`, root);
  } catch (error) {
    render(html`<main><h1>keystride</h1><${Unanswered} error=${error} again=${start} /></main>`, root);
  }
}

start();
