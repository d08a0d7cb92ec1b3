// The page's script. Each function is written into the page as its own text (toString), so it must be self-contained: it may use
// its parameters and the browser, nothing imported. The page works without it; it adds stepping, search and the theme switch.

export interface RunData {
  readonly id: string;
  readonly actors: readonly string[];
  readonly loopStart: number | null;
  readonly steps: readonly {
    readonly text: string;
    readonly actors: readonly number[];
    readonly file: string | null;
    readonly line: number | null;
  }[];
  /** Before the first step. */
  readonly start: StateData;
  /** For each step, the queues and variables that it changes. */
  readonly changes: readonly StateData[];
}

export interface StateData {
  /** How many messages there are, and the first of them. */
  readonly queues: Readonly<Record<string, { readonly length: number; readonly front: readonly string[] }>>;
  readonly values: Readonly<Record<string, string>>;
}

/* The browser's types are not part of this project's library: the few members used are named here. */
interface PageElement {
  textContent: string | null;
  innerHTML: string;
  disabled: boolean;
  value: string;
  max: string;
  hidden: boolean;
  dataset: Record<string, string | undefined>;
  classList: { toggle(name: string, on: boolean): void; add(name: string): void; remove(name: string): void };
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  scrollIntoView(options: object): void;
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string | null;
  append(child: PageElement): void;
  closest(selector: string): PageElement | null;
  previousElementSibling: PageElement | null;
  nextElementSibling: PageElement | null;
  readonly offsetTop: number;
  scrollTop: number;
}
interface PageEvent {
  key: string;
  target: PageElement;
  preventDefault(): void;
}
export interface Page {
  readonly documentElement: PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  createElement(tag: string): PageElement;
}

/** Stepping through one run: buttons, slider, keys, a click into the diagram; shows queues and variables at each step. */
export function runViewer(page: Page, run: RunData): void {
  const root = page.querySelector(`#${run.id}`);
  if (root === null) return;
  const find = (selector: string): PageElement => root.querySelector(selector)!;
  const slider = find('.slider');
  let now = 0;

  const line = (className: string, content: string): PageElement => {
    const element = page.createElement('div');
    if (className !== '') element.classList.add(className);
    element.textContent = content;
    return element;
  };
  /** The line in the listing below, and the lines around it beside the diagram. */
  const showPlace = (step: RunData['steps'][number] | null): void => {
    for (const marked of page.querySelectorAll('.source .line.current')) marked.classList.remove('current');
    const excerpt = find('.excerpt');
    excerpt.innerHTML = '';
    if (step === null || step.file === null) return;
    const place = `${step.file}:${step.line}`.replace(/["\\]/g, '\\$&');
    const source = page.querySelector(`[data-place="${place}"]`);
    if (source === null) return;
    source.classList.add('current');
    let first = source;
    let number = step.line!;
    while (number > step.line! - 3 && first.previousElementSibling !== null) {
      first = first.previousElementSibling;
      number--;
    }
    for (
      let at: PageElement | null = first;
      at !== null && number <= step.line! + 3;
      at = at.nextElementSibling
    ) {
      const row = line('line', `${String(number).padStart(4)}  ${at.textContent}`);
      if (number === step.line) row.classList.add('current');
      excerpt.append(row);
      number++;
    }
  };
  const showState = (): void => {
    const queues = { ...run.start.queues };
    const values = { ...run.start.values };
    for (const change of run.changes.slice(0, now)) {
      Object.assign(queues, change.queues);
      Object.assign(values, change.values);
    }
    const latest: StateData = now === 0 ? { queues: {}, values: {} } : run.changes[now - 1]!;
    const panel = find('.state-body');
    panel.innerHTML = '';
    let empty = 0;
    const many = Object.keys(queues).length > 12;
    for (const [name, { length, front }] of Object.entries(queues)) {
      if (many && length === 0 && !Object.hasOwn(latest.queues, name)) {
        empty++;
        continue;
      }
      const row = line('', `${name} (${length}) `);
      if (Object.hasOwn(latest.queues, name)) row.classList.add('changed');
      const cells = page.createElement('span');
      cells.classList.add('queue-cells');
      for (const message of length > front.length ? [...front, '…'] : front) {
        const cell = page.createElement('span');
        cell.textContent = message;
        cells.append(cell);
      }
      row.append(cells);
      panel.append(row);
    }
    if (empty > 0) panel.append(line('soft', `${empty} other queues are empty`));
    for (const [name, value] of Object.entries(values)) {
      panel.append(line(Object.hasOwn(latest.values, name) ? 'changed' : 'same', `${name} = ${value}`));
    }
    if (panel.innerHTML === '') panel.append(line('soft', 'nothing has changed yet'));
  };
  const show = (): void => {
    const step = now === 0 ? null : run.steps[now - 1]!;
    const repeats = step !== null && run.loopStart !== null && now > run.loopStart;
    const who = step === null ? '' : step.actors.map((actor) => run.actors[actor]).join(' + ');
    find('.caption').textContent =
      step === null
        ? 'before the first step'
        : `step ${now} of ${run.steps.length}${repeats ? ' (repeats for ever)' : ''}: ${who}: ${step.text}`;
    slider.value = String(now);
    find('.back').disabled = now === 0;
    find('.forward').disabled = now === run.steps.length && run.loopStart === null;
    for (const group of root.querySelectorAll('.step')) {
      const index = Number(group.dataset['step']);
      group.classList.toggle('done', index < now);
      group.classList.toggle('now', index === now - 1);
      if (index !== now - 1) continue;
      // The whole row, and of the row, which is as wide as the diagram, its point.
      group.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      (group.querySelector('circle, path') ?? group).scrollIntoView({ block: 'nearest', inline: 'center' });
    }
    showPlace(step);
    showState();
  };
  const go = (target: number): void => {
    // Beyond the end the loop begins again.
    now =
      target > run.steps.length && run.loopStart !== null
        ? run.loopStart + 1
        : Math.max(0, Math.min(run.steps.length, target));
    show();
  };
  find('.first').addEventListener('click', () => go(0));
  find('.back').addEventListener('click', () => go(now - 1));
  find('.forward').addEventListener('click', () => go(now + 1));
  find('.last').addEventListener('click', () => go(run.steps.length));
  slider.addEventListener('input', () => go(Number(slider.value)));
  root.addEventListener('keydown', (event) => {
    if (event.target === slider) return;
    if (event.key === 'ArrowRight' || event.key === 'j') go(now + 1);
    else if (event.key === 'ArrowLeft' || event.key === 'k') go(now - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(run.steps.length);
    else return;
    event.preventDefault();
  });
  find('.diagram').addEventListener('click', (event) => {
    const group = event.target.closest('.step');
    if (group !== null) go(Number(group.dataset['step']) + 1);
  });
  show();
}

/** A long listing opens at its first marked line. */
export function scrollToMarks(page: Page): void {
  for (const box of page.querySelectorAll('.scroll')) {
    const marked = box.querySelector('.line.loop, .line.touched');
    if (marked !== null) box.scrollTop = marked.offsetTop - box.offsetTop - 80;
  }
}

/** Search boxes filter the rows of the table they name. */
export function searchBoxes(page: Page): void {
  for (const box of page.querySelectorAll('input[data-filters]')) {
    box.addEventListener('input', () => {
      const wanted = box.value.toLowerCase();
      for (const row of page.querySelectorAll(`#${box.dataset['filters']} tbody tr`)) {
        row.classList.toggle('filtered', !(row.textContent ?? '').toLowerCase().includes(wanted));
      }
    });
  }
}

/** A link to something that is folded away or filtered out shows it. */
export function openTargets(page: Page): void {
  for (const link of page.querySelectorAll('a.jump')) {
    link.addEventListener('click', () => {
      const target = page.querySelector(link.getAttribute('href') ?? '');
      if (target === null) return;
      target.classList.remove('filtered');
      target.querySelector('details')?.setAttribute('open', '');
    });
  }
}

/** Light, dark, or as the reader's system has it. */
export function themeSwitch(page: Page): void {
  const order = ['auto', 'light', 'dark'];
  const button = page.querySelector('#theme');
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const current = page.documentElement.dataset['theme'] ?? 'auto';
    const next = order[(order.indexOf(current) + 1) % order.length]!;
    page.documentElement.dataset['theme'] = next;
    button.textContent = `theme: ${next}`;
  });
}
