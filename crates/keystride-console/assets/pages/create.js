// The form for a pre-split table: name, families or a design, a rule for split points, and the regions that they make.
import { html, useEffect, useState } from '../lib/preact.js';
import { ask, send, tablePath } from '../lib/api.js';
import { currentLanguage, t } from '../lib/i18n.js';
import { useAnswer } from '../lib/load.js';
import { translated } from '../lib/messages.js';
import { set, to } from '../lib/route.js';
import { Choices, Failure, Field, Marked, Mistake, Note, Texts } from '../parts/common.js';
import { handedOver } from '../parts/design-state.js';
import { FamiliesField } from '../parts/families.js';
import { RegionPreview } from '../parts/region-preview.js';
import { SplitFields, splitChoice, SPLITS } from '../parts/split-fields.js';
import { TextFile } from '../parts/text-file.js';

/** A preview is asked for when nothing was typed for this long. */
const WAIT_MS = 150;

export function Create({ session, settings }) {
  const [form, setForm] = useState(() => ({
    name: settings.name ?? '', by: SPLITS.includes(settings.by) ? settings.by : 'hex', regions: Number(settings.regions) || 16,
    families: [{ name: 'f', attributes: {} }], ...ofDesigner(), pointForm: 'escaped', points: '', sample: '', sampleForm: 'escaped',
    first: '', last: '', start: '', end: '', width: '', suffix: '',
  }));
  const change = (changed) => {
    setForm((before) => ({ ...before, ...changed }));
    const { name, by, regions } = { ...form, ...changed };
    set({ name, by, regions });
  };
  const request = requestOf(form);
  const missing = missingFor(form);
  const preview = useAnswer((signal) => (missing ? undefined : send('POST', '/splits', { ...request, language: currentLanguage() }, signal)), [JSON.stringify(request)], WAIT_MS);
  const design = useAnswer((signal) => (form.design ? send('POST', '/design', { design: form.design }, signal) : undefined), [form.design], WAIT_MS);
  const shown = preview.error || missing ? undefined : preview.answer;
  const tables = useAnswer((signal) => ask('/tables', signal), []).answer?.tables;
  return html`<div class="stack">
    <h1>${t('page.create')}</h1>
    <div class="create">
      <div class="stack">
        <div class="row"><${Field} label=${t('create.name')} hint=${t('create.name.hint')}><input class="mono" size="36" value=${form.name} spellcheck=${false} onInput=${(event) => change({ name: event.target.value.trim() })} /></${Field}></div>
        <${Schema} form=${form} change=${change} judged=${design.answer} tables=${tables} />
        <section class="stack">
          <h2>${t('create.split')}</h2>
          <${Choices} label=${t('create.split.by')} name="by" value=${form.by} onChange=${(by) => change({ by })} options=${SPLITS.filter((id) => id !== 'design' || design.answer?.design).map((id) => ({ id, text: t(`split.${id}`), title: t(`split.${id}.hint`) }))} />
          <p class="quiet">${t(`split.${form.by}.hint`)}</p>
          <${SplitFields} form=${form} change=${change} />
          ${missing && html`<p class="quiet" aria-live="polite">${missing}</p>`}
          <${RegionHint} session=${session} preview=${shown} />
          <${Sample} form=${form} change=${change} />
        </section>
      </div>
      <div class="stack outcome">
        ${!missing && preview.error?.code !== 'design' && html`<${Failure} error=${preview.error} />`}
        ${shown && html`<${Problems} preview=${shown} change=${change} />
          ${shown.region_count === 1 && html`<p class="quiet">${t('create.one-region')}</p>`}
          <${RegionPreview} preview=${shown} hasDesign=${form.design !== '' && !design.error} servers=${session.servers} />`}
      </div>
      ${shown && html`<${Make} session=${session} form=${form} request=${request} preview=${shown} isThere=${tables?.includes(form.name)} />`}
    </div>
  </div>`;
}

/** What the designer hands over, if it does. */
function ofDesigner() {
  const handed = handedOver();
  return handed ? { design: handed.design, name: handed.name, by: handed.splits ? 'design' : 'none' } : { design: '' };
}

/** What the interface is asked for a form. */
function requestOf(form) {
  const request = { name: form.name, split: splitChoice(form) };
  if (form.design) request.design = form.design; else request.families = form.families;
  if (form.sample.trim()) request.sample = { form: form.sampleForm, keys: form.sample };
  return request;
}

/** What a rule needs that was not given yet, in words. */
function missingFor({ by, start, end, sample }) {
  if (by === 'range' && (start === '' || end === '')) return t('create.needs-ends');
  if (by === 'sample' && !sample.trim()) return t('create.needs-sample');
  return undefined;
}

/** Families, or a design that has them. */
function Schema({ form, change, judged, tables }) {
  const [kind, setKind] = useState(form.design ? 'design' : 'families');
  const choose = (chosen) => { setKind(chosen); if (chosen === 'families') change({ design: '', by: form.by === 'design' ? 'hex' : form.by }); };
  // The first design that is typed or pasted says how it is split, too.
  const typed = (design) => change(form.design === '' ? { design, by: 'design' } : { design });
  const take = async (table) => change({ design: (await ask(tablePath(table))).design ?? '', by: 'design' });
  const name = judged?.design?.table;
  useEffect(() => { if (name && !form.name && tables?.includes(name) === false) change({ name }); }, [name, tables]);
  return html`<section class="stack">
    <${Choices} label=${t('create.schema')} name="schema" value=${kind} onChange=${choose} options=${[{ id: 'families', text: t('create.families') }, { id: 'design', text: t('create.design') }]} />
    ${kind === 'families' ? html`<${FamiliesField} families=${form.families} onChange=${(families) => change({ families })} />` : html`
      <p class="quiet">${t('create.design.hint')}</p>
      <div class="row">
        <${TextFile} label=${t('create.design.open')} accept=".toml,.json" onText=${(design) => change({ design, by: 'design' })} />
        ${tables?.length > 0 && html`<${Field} label=${t('create.design.of')}><select onChange=${(event) => event.target.value && take(event.target.value)}><option value="">…</option>${tables.map((name) => html`<option>${name}</option>`)}</select></${Field}>`}
      </div>
      <${Field} label=${t('design')}><textarea rows="8" spellcheck=${false} value=${form.design} onInput=${(event) => typed(event.target.value)}></textarea></${Field}>
      ${judged?.mistakes.map((mistake) => html`<${Note} kind="error"><code>${mistake.line ?? 1}:${mistake.column ?? 1}</code> <${Mistake} mistake=${mistake} /></${Note}>`)}
      ${judged?.design && html`<p>${t('families')}${t('colon')}${judged.design.families.join(', ')} · ${t('key')}${t('colon')}${judged.design.parts.map((part) => part.name).join(' + ')}</p>`}`}
  </section>`;
}

/** How many regions suit the servers. */
function RegionHint({ session, preview }) {
  const servers = session.servers.length;
  const each = servers && preview ? preview.region_count / servers : undefined;
  return html`<p class="quiet">${t('create.regions.hint')} ${servers > 0 && t('create.regions.servers', { n: servers, from: 20 * servers, to: 30 * servers })}
    ${each !== undefined && html` ${t('create.regions.each', { each: each < 10 ? each.toFixed(1) : Math.round(each) })}`}</p>`;
}

function Sample({ form, change }) {
  const [open, setOpen] = useState(form.by === 'sample');
  return html`<details open=${open || form.by === 'sample'} onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${t('create.sample')}</summary>
    <div class="stack"><p class="quiet">${t('create.sample.hint')}</p>
      <div class="row"><${TextFile} label=${t('create.sample.open')} accept=".txt,.csv" onText=${(sample) => change({ sample })} />
      <${Choices} label=${t('form')} name="sample-form" value=${form.sampleForm} onChange=${(sampleForm) => change({ sampleForm })} options=${['text', 'escaped', 'hex'].map((id) => ({ id, text: t(`form.${id}`) }))} /></div>
      <${Field} label=${t('design.keys')}><textarea spellcheck=${false} value=${form.sample} onInput=${(event) => change({ sample: event.target.value })}></textarea></${Field}>
    </div>
  </details>`;
}

/** The lints that prove that regions stay empty. */
const PROVE_EMPTY = ['SPL04', 'SPL05', 'SPL06'];
const ERRORS = ['unreadable', 'empty', 'doubled'];

/** What is wrong with the points, each with what mends it. */
function Problems({ preview, change }) {
  const { problems, mended, findings, empty_count: empty, region_count: all, without_empty: without } = preview;
  const proof = findings.find(({ id }) => PROVE_EMPTY.includes(id))?.id;
  const useMended = () => change({ points: mended });
  const useWithout = () => change({ by: 'list', pointForm: 'escaped', points: `${without.join('\n')}\n` });
  const mend = without && without.length + 1 < all && html`<button onClick=${useWithout}>${t('create.empty.mend', { points: range(without), regions: without.length + 1 })}</button>`;
  return html`<div class="stack" aria-live="polite">
    ${problems.length > 0 && html`<${Note} kind=${problems.some(({ problem }) => ERRORS.includes(problem)) ? 'error' : 'warning'}>
      ${problems.slice(0, 8).map((problem) => html`<br />${t(`problem.${problem.problem}`, facts(problem))}`)}
      ${problems.length > 8 && html`<br />${t('problem.more', { n: problems.length - 8 })}`}
      <br /><button onClick=${useMended}>${t('problem.mend')}</button></${Note}>`}
    ${empty > 0 && !proof && html`<${Note} kind="warning">${t('create.empty', { n: empty, all })} ${mend}</${Note}>`}
    ${findings.map(({ id, severity, message, help }) => html`<${Note} kind=${severity}><span class="tag">${id}</span> <${Marked} text=${message} /> ${id === proof && mend}${help && html`<br /><span class="quiet"><${Marked} text=${help} /></span>`}</${Note}>`)}
  </div>`;
}

/** What is told of a point: spaces at its end are made visible. */
const facts = (problem) => ({ ...problem, text: problem.text?.replace(/ +$/, (spaces) => '␣'.repeat(spaces.length)), message: translated(problem.message ?? '') });

const range = (points) => (points.length > 2 ? `${points[0]} … ${points[points.length - 1]}` : points.join(', '));

function Make({ session, form, request, preview, isThere }) {
  const [state, setState] = useState({});
  const { statements } = preview;
  const isBroken = preview.problems.some(({ problem }) => ERRORS.includes(problem));
  const make = async () => {
    setState({ busy: true });
    try {
      const made = await send('POST', '/tables', { ...request, language: currentLanguage() });
      location.hash = to(['t', made.table]);
    } catch (error) {
      setState({ error });
    }
  };
  const why = !session.allow_write ? t('writes.none.hint') : !form.name ? t('create.needs-name') : isThere ? t('create.exists', { name: form.name }) : isBroken ? t('create.needs-points') : undefined;
  return html`<section class="stack">
    <h2>${t('create.make')}</h2>
    ${statements ? html`<p class="quiet">${t('create.dry-run')}</p><${Texts} label=${t('create.statements')} texts=${texts(statements, preview)} />` : ''}
    <${Failure} error=${state.error} />
    <div class="row"><button class="primary" disabled=${why !== undefined || state.busy || !statements} title=${why} onClick=${make}>${t('create.make.button', { regions: preview.region_count })}</button>${why && html`<p class="quiet">${why}</p>`}</div>
  </section>`;
}

const texts = ({ hbase_shell: shell, java, phoenix, command }, { splits_command: splits }) => [
  { name: 'HBase shell', text: shell }, { name: 'Java', text: java }, phoenix && { name: 'Phoenix', text: phoenix },
  { name: 'keystride', text: splits ? `keystride splits ${splits} > points.txt\n${command}` : command },
].filter(Boolean);
