// Stepping through a run in the page. The function is written into the report as its own text, so it uses its parameters and the
// browser, nothing imported; the playground calls it as it is.

import type { Page, PageElement } from './dom.ts';

export interface RunData {
  readonly id: string;
  readonly actors: readonly string[];
  readonly loopStart: number | null;
  /** How many steps before the first one are left out. */
  readonly dropped: number;
  readonly steps: readonly {
    readonly text: string;
    readonly actors: readonly number[];
    /** Id of the line in the listing. */
    readonly place: string | null;
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

/** Buttons, slider, keys, a click into the diagram, a line of the listing, an edge of a graph: all move the same step. */
export function runViewer(page: Page, run: RunData): void {
  const root = page.querySelector(`#${run.id}`);
  if (root === null) return;
  const find = (selector: string): PageElement => root.querySelector(selector)!;
  // Of several models in one page, only the run's own.
  const model = root.closest('section.model') ?? page;
  const slider = find('.slider');
  const diagram = find('.diagram');
  const waiting = diagram.querySelector('noscript');
  if (waiting !== null) diagram.innerHTML = waiting.textContent ?? '';
  const count = run.steps.length;
  let now = count;
  let zoom = 1;

  const element = (className: string, content: string): PageElement => {
    const made = page.createElement('div');
    if (className !== '') made.classList.add(className);
    made.textContent = content;
    return made;
  };
  const markEdges = (step: RunData['steps'][number] | null): void => {
    if (step === null) return;
    const names = step.actors.map((actor) => run.actors[actor]!.replace(/[[(].*$/, ''));
    for (const edge of model.querySelectorAll(`.graph a[href="#${step.place}"]`)) {
      const owner = edge.closest('.graph')!.dataset['process']!.replace(/[[(].*$/, '');
      if (names.includes(owner)) edge.classList.add('current');
    }
  };
  /** The line in the listing below, the lines around it beside the diagram, and the edge in the process graph. */
  const showPlace = (step: RunData['steps'][number] | null): void => {
    for (const marked of model.querySelectorAll('.source .line.current, .graph .current'))
      marked.classList.remove('current');
    const excerpt = find('.excerpt');
    excerpt.innerHTML = '';
    const source = step === null || step.place === null ? null : page.querySelector(`#${step.place}`);
    if (step === null || source === null) return;
    source.classList.add('current');
    markEdges(step);
    let number = Number(step.place!.slice(step.place!.lastIndexOf('-') + 1));
    const middle = number;
    let first = source;
    while (number > middle - 3 && first.previousElementSibling !== null) {
      first = first.previousElementSibling;
      number--;
    }
    for (
      let at: PageElement | null = first;
      at !== null && number <= middle + 3;
      at = at.nextElementSibling
    ) {
      const text = at.querySelector('.text')?.textContent ?? '';
      const row = element('line', `${String(number).padStart(4)}  ${text}`);
      if (number === middle) row.classList.add('current');
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
      const row = element('', `${name} (${length}) `);
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
    if (empty > 0) panel.append(element('soft', `${empty} other queues are empty`));
    const others = Object.entries(values).filter(([name]) => !Object.hasOwn(latest.values, name));
    for (const [name, value] of Object.entries(latest.values))
      panel.append(element('changed', `${name} = ${value}`));
    for (const [name, value] of others.slice(0, 60)) panel.append(element('same', `${name} = ${value}`));
    if (others.length > 60)
      panel.append(element('soft', `${others.length - 60} more variables, unchanged by this step`));
    if (panel.innerHTML === '') panel.append(element('soft', 'nothing has changed yet'));
  };
  const show = (scrolls: boolean): void => {
    const step = now === 0 ? null : run.steps[now - 1]!;
    const repeats = step !== null && run.loopStart !== null && now > run.loopStart;
    const who = step === null ? '' : step.actors.map((actor) => run.actors[actor]).join(' + ');
    const number = `step ${run.dropped + now} of ${run.dropped + count}`;
    find('.caption').textContent =
      step === null
        ? 'before the first step'
        : `${number}${repeats ? ' (repeats for ever)' : ''}: ${who}: ${step.text}`;
    slider.value = String(now);
    slider.setAttribute(
      'aria-valuetext',
      step === null ? 'before the first step' : `${number}, ${step.text}`,
    );
    find('.back').disabled = now === 0;
    find('.forward').disabled = now === count && run.loopStart === null;
    root.classList.toggle('at-end', now === count);
    for (const group of root.querySelectorAll('.step')) {
      const index = Number(group.dataset['step']);
      group.classList.toggle('later', index >= now);
      group.classList.toggle('now', index === now - 1);
      if (index !== now - 1) continue;
      // Inside the diagram only: the page stays where the reader is.
      const box = diagram.getBoundingClientRect();
      const row = group.getBoundingClientRect();
      const dot = (group.querySelector('.dot, .head') ?? group).getBoundingClientRect();
      if (row.top < box.top + 40) diagram.scrollTop -= box.top + 40 - row.top;
      else if (row.top + row.height > box.top + box.height)
        diagram.scrollTop += row.top + row.height - box.top - box.height + 40;
      if (dot.left < box.left + 30 || dot.left > box.left + box.width - 120)
        diagram.scrollLeft += dot.left - box.left - box.width / 3;
    }
    if (!scrolls) diagram.scrollTop = diagram.clientHeight * 1000;
    showPlace(step);
    showState();
  };
  const go = (target: number): void => {
    // Beyond the end the loop begins again.
    now = target > count && run.loopStart !== null ? run.loopStart + 1 : Math.max(0, Math.min(count, target));
    show(true);
  };
  const setZoom = (value: number): void => {
    zoom = Math.max(0.2, Math.min(3, value));
    diagram.style.setProperty('--zoom', String(zoom));
    find('.zoom').textContent = `${Math.round(zoom * 100)} %`;
  };
  const fitWidth = (): void => {
    const width = Number(diagram.dataset['width']);
    setZoom((diagram.clientWidth - 2) / width);
  };
  const fullScreen = (): void => {
    if (page.fullscreenElement !== null) void page.exitFullscreen();
    else void root.requestFullscreen?.().catch(() => {});
  };
  /** The next of these steps after the present one, or the first. */
  const goToOneOf = (steps: readonly number[]): void => {
    const next = steps.find((index) => index + 1 > now) ?? steps[0];
    if (next !== undefined) go(next + 1);
  };
  const actions: Readonly<Record<string, () => void>> = {
    first: () => go(0),
    back: () => go(now - 1),
    forward: () => go(now + 1),
    last: () => go(count),
    larger: () => setZoom(zoom * 1.25),
    smaller: () => setZoom(zoom / 1.25),
    fit: fitWidth,
    full: fullScreen,
  };
  for (const [name, action] of Object.entries(actions)) find(`.${name}`).addEventListener('click', action);
  slider.addEventListener('input', () => go(Number(slider.value)));
  const keys: Readonly<Record<string, string>> = {
    ArrowRight: 'forward',
    j: 'forward',
    ArrowLeft: 'back',
    k: 'back',
    Home: 'first',
    End: 'last',
    '+': 'larger',
    '-': 'smaller',
    '0': 'fit',
    f: 'full',
  };
  root.addEventListener('keydown', (event) => {
    const name = keys[event.key];
    if (name === undefined || event.target === slider || event.ctrlKey || event.metaKey || event.altKey)
      return;
    actions[name]!();
    event.preventDefault();
  });
  diagram.addEventListener('click', (event) => {
    const group = event.target.closest('.step');
    const lane = event.target.closest('[data-actor]');
    if (group !== null) go(Number(group.dataset['step']) + 1);
    else if (lane !== null) {
      const name = run.actors[Number(lane.dataset['actor'])]!;
      const graph = [...model.querySelectorAll('details.process')].find(
        (one) => one.dataset['process'] === name || one.dataset['process'] === name.replace(/[[(].*$/, ''),
      );
      graph?.setAttribute('open', '');
      graph?.scrollIntoView({ block: 'start' });
      graph?.querySelector('summary')?.focus({ preventScroll: true });
    }
  });
  // From the listing, from the graph of a process, and from its name.
  for (const link of model.querySelectorAll(`a[data-run="${run.id}"]`)) {
    link.addEventListener('click', () => {
      goToOneOf((link.dataset['steps'] ?? '').split(' ').map(Number));
      root.focus({ preventScroll: true });
    });
  }
  const connect = (): void => {
    for (const link of model.querySelectorAll('.graph a')) {
      const place = (link.getAttribute('href') ?? '').slice(1);
      const process = link.closest('.graph')!.dataset['process']!.replace(/[[(].*$/, '');
      const steps = [...run.steps.keys()].filter((index) => {
        const step = run.steps[index]!;
        return (
          step.place === place &&
          step.actors.some((actor) => run.actors[actor]!.replace(/[[(].*$/, '') === process)
        );
      });
      if (steps.length === 0 || link.dataset['taken'] !== undefined) continue;
      link.dataset['taken'] = run.id;
      link.addEventListener('click', (event) => {
        event.preventDefault();
        goToOneOf(steps);
        root.scrollIntoView({ block: 'start' });
        root.focus({ preventScroll: true });
      });
    }
  };
  connect();
  // Graphs are drawn when they are unfolded.
  model.addEventListener('drawn', () => {
    connect();
    markEdges(now === 0 ? null : run.steps[now - 1]!);
  });
  root.classList.add('live');
  if (
    Number(diagram.dataset['width']) > diagram.clientWidth &&
    Number(diagram.dataset['width']) < diagram.clientWidth * 1.6
  )
    fitWidth();
  show(false);
}
