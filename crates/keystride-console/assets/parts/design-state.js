// What the designer works on: a design's text, a sample, and the design it is compared with. A reload loses none of it.
import { useEffect, useRef, useState } from '../lib/preact.js';
import { send } from '../lib/api.js';

const KEPT = 'keystride.design';
const HANDED = 'keystride.design.handed';
const MOST_STEPS = 100;
/** What is typed within this time is undone in one step. */
const STEP_MS = 1000;

const NONE = { text: '', kept: undefined, sample: undefined, input: { format: '', encoding: '', delimiter: '' }, tz: '', buckets: '16' };

function stored() {
  try { return { ...NONE, ...JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') }; } catch { return NONE; }
}

function store(draft) {
  try { sessionStorage.setItem(KEPT, JSON.stringify(draft)); } catch { /* Then a reload begins anew. */ }
}

/** The draft with the sample of this path below the folder of --files, if it has another one. */
const withSample = (draft, path) => (path && draft.sample?.name.path !== path ? { ...draft, sample: { name: { path }, shown: path }, input: NONE.input } : draft);

/** `settings` are those of the address, which may name a sample; they are other ones each time that it leads here. */
export function useDraft(settings) {
  const [draft, setDraft] = useState(() => withSample(stored(), settings.sample));
  const [error, setError] = useState(undefined);
  const latest = useRef(draft);
  const steps = useRef([]);
  const turn = useRef(Promise.resolve());
  const change = (changed) => {
    latest.current = { ...latest.current, ...changed };
    store(latest.current);
    setDraft(latest.current);
  };
  useEffect(() => change(withSample(latest.current, settings.sample)), [settings]);
  const setText = (text, isTyped = false) => {
    const last = steps.current.at(-1);
    const isSameStep = isTyped && last?.isTyped && Date.now() - last.at < STEP_MS;
    if (isSameStep) last.at = Date.now();
    else if (latest.current.text && text !== latest.current.text) steps.current = [...steps.current, { text: latest.current.text, isTyped, at: Date.now() }].slice(-MOST_STEPS);
    change({ text });
  };
  const undo = () => { const step = steps.current.pop(); if (step) change({ text: step.text }); };
  // One after the other, each on the text that the one before made.
  const edit = (edits) => {
    turn.current = turn.current.then(async () => {
      try {
        setText((await send('POST', '/design/edit', { design: latest.current.text, edits })).design);
        setError(undefined);
      } catch (refused) {
        setError(refused);
      }
    });
    return turn.current;
  };
  return { draft, change, setText, undo, canUndo: steps.current.length > 0, edit, error, fail: setError };
}

/** What a request says about the sample; nothing without one. */
export const sampleOf = ({ sample, input }) => (sample ? { file: sample.name, input } : undefined);

/** Hands a design over to the form for a table. */
export function handOver(design, name, splits) {
  try { sessionStorage.setItem(HANDED, JSON.stringify({ design, name, splits })); } catch { /* Then the form is empty. */ }
}

/** What was handed over, once. */
export function handedOver() {
  try {
    const handed = JSON.parse(sessionStorage.getItem(HANDED) ?? 'null');
    sessionStorage.removeItem(HANDED);
    return handed ?? undefined;
  } catch { return undefined; }
}
