// Things that are asked for while a page is shown.
import { useEffect, useState, useRef } from './preact.js';
import { isLoss, watch } from './reach.js';

/**
 * Asks for something when `keys` change: what was found, or the error, and a function that asks again; `last` is what was
 * found last, also after an error. An answer that comes after the next question is dropped. While the console answers
 * nothing, the frame says so; the question is asked again as soon as it answers.
 */
export function useAnswer(question, keys, wait = 0) {
  const [state, setState] = useState({ pending: true });
  const [turn, setTurn] = useState(0);
  const shown = useRef(undefined);
  const turns = useRef(turn);
  const again = () => setTurn((before) => before + 1);
  useEffect(() => watch((loss) => { if (!loss) again(); }), []);
  useEffect(() => {
    const given = new AbortController();
    const asked = setTimeout(async () => {
      try {
        shown.current = await question(given.signal);
        if (!given.signal.aborted) setState({ answer: shown.current });
      } catch (error) {
        if (!given.signal.aborted && !isLoss(error)) setState({ error });
      }
    }, wait);
    // What went wrong stays until the same question is answered.
    const isAgain = turns.current !== turn;
    turns.current = turn;
    setState((before) => ({ pending: true, answer: shown.current, error: isAgain ? before.error : undefined }));
    return () => { clearTimeout(asked); given.abort(); };
  }, [...keys, turn]);
  return { ...state, last: shown.current, again };
}

/** Asks for something every so many milliseconds while the page is visible, and as soon as it is again. */
export function useEvery(ms, ask) {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const turn = () => { if (!document.hidden) latest.current(); };
    const timer = setInterval(turn, ms);
    document.addEventListener('visibilitychange', turn);
    return () => { clearInterval(timer); document.removeEventListener('visibilitychange', turn); };
  }, [ms]);
}
