// Things that are asked for while a page is shown.
import { useEffect, useState, useRef } from './preact.js';

/**
 * Asks for something when `keys` change: what was found, or the error, and a function that asks again. An answer that
 * comes after the next question is dropped.
 */
export function useAnswer(question, keys, wait = 0) {
  const [state, setState] = useState({ pending: true });
  const [turn, setTurn] = useState(0);
  const shown = useRef(undefined);
  useEffect(() => {
    const given = new AbortController();
    const asked = setTimeout(async () => {
      try {
        shown.current = await question(given.signal);
        if (!given.signal.aborted) setState({ answer: shown.current });
      } catch (error) {
        if (!given.signal.aborted) setState({ error });
      }
    }, wait);
    setState({ pending: true, answer: shown.current });
    return () => { clearTimeout(asked); given.abort(); };
  }, [...keys, turn]);
  return { ...state, again: () => setTurn((before) => before + 1) };
}
