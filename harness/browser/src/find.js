// Finds one element, for find.rs: returns it as `element`, or what is in the way as `problem`.
// The body of a function, run by WebDriver. `computedRole` and `computedName` are what assistive technology is told.
const [kind, name, selector, option] = arguments;

const pressed = ['button', 'link', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'checkbox',
  'radio', 'switch', 'treeitem'];
const chosen = ['combobox', 'listbox', 'group', 'radiogroup', 'toolbar', 'tablist', 'menu'];
const written = ['textbox', 'searchbox', 'spinbutton', 'combobox', 'slider'];
const notWritten = ['button', 'checkbox', 'hidden', 'image', 'radio', 'reset', 'submit'];
const notTyped = ['color', 'date', 'datetime-local', 'month', 'range', 'select-one', 'time', 'week'];

const isField = (e) => (e.localName === 'input' ? !notWritten.includes(e.type)
  : ['textarea', 'select'].includes(e.localName) || e.isContentEditable || written.includes(e.computedRole));
const kinds = {
  press: {
    words: 'button, link or the like',
    among: 'a, button, input, summary, [role]',
    fits: (e) => e.localName === 'summary' || pressed.includes(e.computedRole),
  },
  field: { words: 'field', among: 'input, textarea, select, [contenteditable], [role]', fits: isField },
  choice: { words: 'list or group', among: 'select, fieldset, [role]', fits: (e) => chosen.includes(e.computedRole) },
  any: { words: 'element', among: '*', fits: () => true },
};

const clean = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
const quoted = (names) => names.map((name) => JSON.stringify(name)).join(', ');

const nameOf = (e) => {
  if (!('computedName' in e)) throw new Error('this Chromium has no ComputedAccessibilityInfo');
  // A file field's name goes on with its file: "Rows: No file chosen".
  return clean(e.type === 'file' ? e.computedName.replace(/: [^:]*$/, '') : e.computedName);
};
const isVisible = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('[inert], [aria-hidden="true"]');
const isDisabled = (e) => e.matches(':disabled') || e.closest('[aria-disabled="true"]') !== null;

// A modal dialog shuts off all that is behind it.
const everywhere = () => [...document.querySelectorAll('dialog:modal, [aria-modal="true"]')].filter(isVisible).at(-1)
  ?? document;

// Boxes that are drawn by their label are too small to click, or can't be seen.
const clickable = (e) => {
  if (!['checkbox', 'radio'].includes(e.type) || !e.labels?.length) return e;
  const { width, height } = e.getBoundingClientRect();
  const isDrawn = width > 1 && height > 1 && getComputedStyle(e).opacity !== '0';
  return isDrawn ? e : e.labels[0];
};

const theOne = (elements, words, described) => {
  if (elements.length > 1) {
    const tags = elements.slice(0, 5).map((e) => e.cloneNode(false).outerHTML);
    return { problem: `${elements.length} are there; say which by css or within: ${tags.join(', ')}` };
  }
  const [element] = elements;
  if (!element) return { problem: described };
  if (kind !== 'any' && isDisabled(element)) return { problem: `the ${words} is disabled` };
  const takes = element.type === 'file' ? 'file' : notTyped.includes(element.type) ? 'value' : 'keys';
  return { element, takes };
};

const named = (root, { words, among, fits }, name) => {
  const all = [...root.querySelectorAll(among)].filter((e) => fits(e) && isVisible(e));
  const names = [...new Set(all.map(nameOf))].filter((known) => known !== '');
  const others = names.length ? `there are ${quoted(names.slice(0, 40))}` : 'there is none with a name';
  return theOne(all.filter((e) => nameOf(e) === clean(name)), words, `no ${words} is named so; ${others}`);
};

const optionOf = (owner) => {
  if (owner.localName !== 'select') return named(owner, { ...kinds.press, words: 'option' }, option);
  const all = [...owner.options];
  const fits = all.filter((e) => clean(e.label) === clean(option));
  return theOne(fits, 'option', `no option is named ${quoted([option])}; there are ${quoted(all.map((e) => e.label))}`);
};

const selected = () => theOne([...document.querySelectorAll(selector)].filter(isVisible), kinds[kind].words,
  `no visible element matches ${selector}`);
let found = selector === null ? { element: everywhere() } : selected();
if (found.element && name !== null) found = named(found.element, kinds[kind], name);
if (found.element && option !== null) found = optionOf(found.element);
if (found.element && kind !== 'any') found.element = clickable(found.element);
return found;
