// All tables, with what passed through them.
import { html, useEffect, useState } from '../lib/preact.js';
import { ask, tablePath } from '../lib/api.js';
import { command } from '../lib/command.js';
import { useAnswer } from '../lib/load.js';
import { isLoss } from '../lib/reach.js';
import { number, t, times } from '../lib/i18n.js';
import { set, to } from '../lib/route.js';
import { isProblem, kindOf } from '../heat/findings.js';
import { Copy, Figures, Unanswered } from '../parts/common.js';
import { DataTable } from '../parts/data-table.js';

/** How many tables are asked about at a time, and at most. */
const AT_ONCE = 4;
const MOST_ASKED = 200;
/** The first tables are asked about again and again, for their rates. */
const MOST_WATCHED = 50;
const WATCHED_EVERY_MS = 5000;

export function Overview({ session, settings }) {
  const { last: answer, error, again } = useAnswer((signal) => ask('/tables', signal), []);
  const [search, setSearch] = useState(settings.search ?? '');
  const names = (answer?.tables ?? []).filter((name) => name.includes(search));
  const known = useTables(names);
  const columns = [
    { id: 'table', label: t('table'), kind: 'text', value: (row) => row.name, show: (row) => html`<a href=${to(['t', row.name])} title=${row.name}>${row.name}</a>` },
    { id: 'key', label: t('key'), kind: 'text', value: (row) => row.key, show: (row) => (row.error ? html`<span class="tag error">${row.error}</span>` : (row.key && html`<span title=${row.key}>${row.key}</span>`) ?? html`<span class="quiet">${row.regions === undefined ? '' : t('overview.no-design')}</span>`) },
    { id: 'regions', label: t('regions'), kind: 'number', value: (row) => row.regions },
    { id: 'written', label: t('rows-written'), kind: 'number', value: (row) => row.written, show: (row) => withRate(row.written, row.writtenRate) },
    { id: 'read', label: t('rows-read'), kind: 'number', value: (row) => row.read, show: (row) => withRate(row.read, row.readRate) },
    { id: 'hottest', label: t('hottest'), kind: 'number', value: (row) => row.imbalance, show: (row) => hottest(row) },
    { id: 'findings', label: t('findings'), value: (row) => row.empty, show: (row) => findings(row) },
  ];
  return html`<div class="stack">
    <div class="between"><h1>${t('page.overview')}</h1><a class="button" href=${to(['create'])}>${t('page.create')}</a></div>
    <${Unanswered} error=${error} again=${again} />
    ${session.kind === 'hbase' && html`<${Figures} figures=${[{ label: t('servers'), value: number(session.servers.length) }, { label: t('tables'), value: number(answer?.tables.length) }]} />`}
    ${answer && answer.tables.length === 0
      ? html`<${FirstSteps} session=${session} />`
      : answer && html`
        <label class="field"><span class="hidden">${t('overview.search')}</span><input type="search" placeholder=${t('overview.search')} value=${search} onInput=${(event) => { setSearch(event.target.value); set({ search: event.target.value }); }} /></label>
        <${DataTable} label=${t('tables')} columns=${columns} rows=${names.map((name) => ({ name, ...known[name] }))} empty=${t('overview.no-match')} />`}
  </div>`;
}

/** The way from nothing to a table whose heat one watches. */
const FirstSteps = ({ session }) => html`<section class="stack">
  <h2>${t('overview.none')}</h2>
  <ol class="steps">
    <li><a href=${to(['design'])}>${t('first.design')}</a> <span class="quiet">${t('first.design.hint')}</span></li>
    <li><a href=${to(['create'])}>${t('first.create')}</a> <span class="quiet">${t('first.create.hint')}</span></li>
    <li>${t('first.load')} <span class="quiet">${t('first.load.hint')}</span></li>
  </ol>
  ${!session.allow_write && html`<p>${t('first.read-only')}</p><${Copy} label=${t('as-command')} text=${command`keystride serve --allow-write --backend ${session.store}`} />`}
</section>`;

const withRate = (count, rate) => html`${rate > 0 && html`<span class="quiet">${number(Math.round(rate))}/s</span> `}${number(count)}`;

const hottest = ({ imbalance, chance }) => imbalance !== undefined && html`${times(imbalance)} <span class="quiet">${t('chance-alone', { chance: times(chance) })}</span>`;

function findings({ name, regions, neverWritten, written, uncounted, found = [] }) {
  const words = found.map((finding) => html`<a class="tag ${kindOf(finding)}" href=${to(['t', name, 'heat'], { span: '1h' })}>${t(`found.${finding.finding}`)}</a>`);
  if (neverWritten > 0 && written > 1000 * regions) words.push(html`<span class="tag warning">${t('overview.never-written', { n: neverWritten })}</span>`);
  if (uncounted > 0) words.push(html`<span class="tag">${t('overview.uncounted', { n: uncounted })}</span>`);
  return words.length > 0 || regions === undefined ? words : html`<span class="quiet">${t('none')}</span>`;
}

/** Asks about tables, about new ones first and then again; what is known so far, by name. */
function useTables(names) {
  const [known, setKnown] = useState({});
  useEffect(() => {
    const given = new AbortController();
    const put = (name, about) => setKnown((before) => ({ ...before, [name]: { ...about, ...rates(before[name], about) } }));
    const watch = async () => {
      await askAll(names.filter((name) => !(name in known)).slice(0, MOST_ASKED), given.signal, put);
      while (!given.signal.aborted) {
        await new Promise((done) => { setTimeout(done, WATCHED_EVERY_MS); });
        if (!document.hidden) await askAll(names.slice(0, MOST_WATCHED), given.signal, put);
      }
    };
    watch();
    return () => given.abort();
  }, [names.join('\n')]);
  return known;
}

/** Asks about tables, a few at a time. */
async function askAll(names, signal, put) {
  const waiting = [...names];
  const next = async () => {
    for (let name = waiting.shift(); name !== undefined && !signal.aborted; name = waiting.shift()) {
      const about = await aboutTable(name, signal);
      if (about && !signal.aborted) put(name, about);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Rates since the last answer; none after counters began anew. */
function rates(before, now) {
  const rate = (what) => (before && now[what] >= before[what] ? (1000 * (now[what] - before[what])) / (now.at - before.at) : undefined);
  return { writtenRate: rate('written'), readRate: rate('read') };
}

async function aboutTable(name, signal) {
  try {
    const [described, found, heat] = await Promise.all(['', '/regions', '/findings'].map((what) => ask(tablePath(name, what), signal)));
    const sum = (what) => found.regions.reduce((all, region) => all + (region[what] ?? 0), 0);
    return {
      at: performance.now(),
      key: described.key && described.key.parts.map((part) => part.name).join(' + '),
      regions: found.regions.length,
      written: sum('rows_written'),
      read: sum('rows_read'),
      imbalance: found.balance?.imbalance,
      chance: found.balance?.chance,
      neverWritten: found.never_written,
      uncounted: found.uncounted,
      found: heat.findings.filter(isProblem),
    };
  } catch (error) {
    // What was known stays while the console answers nothing.
    return isLoss(error) ? undefined : { error: error.message };
  }
}
