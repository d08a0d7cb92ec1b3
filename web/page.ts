// The playground: an editor, the engine in a worker, and the report's own parts. Nothing leaves the browser.

import { graphViewers } from '../src/report/html/client/graph-viewer.ts';
import {
  copyButtons,
  foldedParts,
  linesToGraphs,
  openTargets,
  scrollToMarks,
  searchBoxes,
  themeSwitch,
} from '../src/report/html/client/page-parts.ts';
import { runViewer } from '../src/report/html/client/run-viewer.ts';
import type { ModelReport } from '../src/verdict/verdict.ts';
import { createEditor } from './editor.ts';
import { EXAMPLES } from './examples.ts';
import { BadLink, isName, linkOf, MOST_CHARACTERS, modelOf } from './link.ts';
import type { Answer, Model, Request } from './messages.ts';
import { Service } from './service.ts';

const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const status = element('status');
const result = element('result');
const live = element('live');
const cancel = element<HTMLButtonElement>('cancel');
const run = element<HTMLButtonElement>('check');
const examples = element<HTMLSelectElement>('examples');

let model: Model = { path: 'model.pml', files: { 'model.pml': '' } };
let worker: Worker | null = null;
let isBusy = false;
let began = 0;
let isTouched = false;
let reading = 0;

const READ_AFTER = 150;

const service = new Service();
const editor = createEditor(element('editor'), {
  onChange: onEdit,
  onCheck: () => check(),
  complete: async (offset) => (await service.complete(model, offset))?.list ?? [],
  hover: (offset) => service.hover(model, offset),
});

function onEdit(): void {
  model = { ...model, files: { ...model.files, [model.path]: editor.text() } };
  window.clearTimeout(reading);
  reading = window.setTimeout(() => void read(), READ_AFTER);
}

/** What is wrong with the text, unless it has gone on meanwhile. */
async function read(): Promise<void> {
  const asked = model;
  const said = await service.read(asked);
  if (said !== null && model === asked) editor.diagnose(model.path, said.diagnostics);
}

function ask(request: Request): void {
  if (worker === null) {
    worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => hear(data));
    worker.addEventListener('error', (event) => failed(event.message || 'the engine could not be started'));
  }
  worker.postMessage(request);
}

function check(): void {
  if (isBusy) stop('');
  isBusy = true;
  began = performance.now();
  run.disabled = true;
  cancel.disabled = false;
  result.replaceChildren();
  live.replaceChildren();
  say('checking …');
  const timeout = Number(element<HTMLSelectElement>('timeout').value);
  ask({ kind: 'check', model, limits: { timeout, exact: element<HTMLInputElement>('exact').checked } });
}

/** The engine looks at nothing while it works: it is ended, and started again by the next question. */
function stop(words: string): void {
  worker?.terminate();
  worker = null;
  done(words);
}

function done(words: string): void {
  isBusy = false;
  run.disabled = false;
  cancel.disabled = true;
  say(words);
}

const say = (text: string): void => {
  status.textContent = text;
};
const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;

function failed(message: string): void {
  stop(`the engine failed: ${message}`);
}

function hear(answer: Answer): void {
  if (answer.kind === 'diagnostics') editor.diagnose(model.path, answer.diagnostics);
  else if (answer.kind === 'questions')
    live.replaceChildren(...answer.properties.map((property) => badge(property, null)));
  else if (answer.kind === 'verdict') tellVerdict(answer.property, answer.verdict);
  else if (answer.kind === 'progress') isBusy && say(`${answer.text} · ${seconds()}`);
  else if (answer.kind === 'report') show(answer);
  else if (answer.kind === 'audited') audited(answer);
  else if (answer.kind === 'failed') failed(answer.message);
}

function tellVerdict(property: string, verdict: string): void {
  const waiting = [...live.children].find((one) => (one as HTMLElement).dataset['property'] === property);
  waiting?.replaceWith(badge(property, verdict));
  document.documentElement.dataset['firstVerdict'] ??= String(Math.round(performance.now()));
}

function badge(property: string, verdict: string | null): HTMLElement {
  const made = document.createElement('span');
  made.className = `badge ${verdict ?? 'open'}`;
  made.dataset['property'] = property;
  made.textContent = `${property}: ${verdict ?? '…'}`;
  return made;
}

type Shown = Extract<Answer, { kind: 'report' }>;

function show(answer: Shown): void {
  if (!answer.isFirst) {
    // Whoever has begun to read must not lose the place.
    if (isTouched) offerGraphs(answer);
    else put(answer);
    return;
  }
  isTouched = false;
  put(answer);
  const { diagnostics } = answer.report;
  service.know(model, answer.report);
  const wrong = diagnostics.filter(({ severity }) => severity === 'error').length;
  if (isBusy)
    done(wrong > 0 ? `${wrong} error${wrong === 1 ? '' : 's'} in the model` : `done in ${seconds()}`);
}

function put({ report, html, runs }: Shown): void {
  // Escaped by the report's own templates, as in the HTML file.
  result.innerHTML = html;
  const page = document as never;
  for (const one of runs) runViewer(page, one);
  scrollToMarks(page);
  searchBoxes(page);
  foldedParts(page);
  linesToGraphs(page);
  graphViewers(page);
  copyButtons(page, (text) => navigator.clipboard.writeText(text));
  addAuditButtons(report);
}

function offerGraphs(answer: Shown): void {
  const button = document.createElement('button');
  button.textContent = 'show the process graphs';
  button.addEventListener('click', () => put(answer));
  result.append(button);
}

function addAuditButtons(report: ModelReport): void {
  report.properties.forEach((property, index) => {
    const heading = document.getElementById(`m0-p${index}`);
    if (heading === null || property.evidence?.kind !== 'certificate') return;
    const { certificate } = property.evidence;
    const button = document.createElement('button');
    button.className = 'audit';
    button.dataset['property'] = property.id;
    button.textContent = 'audit the certificate';
    button.addEventListener('click', () => {
      button.disabled = true;
      ask({ kind: 'audit', model, property: property.id, certificate });
    });
    heading.after(button);
  });
}

function audited({ property, audited: found }: Extract<Answer, { kind: 'audited' }>): void {
  const button = [...document.querySelectorAll<HTMLButtonElement>('button.audit')].find(
    (one) => one.dataset['property'] === property,
  );
  if (button === undefined) return;
  const words = document.createElement('p');
  words.className = 'audited';
  words.setAttribute('role', 'status');
  words.textContent =
    found.kind === 'accepted'
      ? `audited: ${found.says.join(' ')}`
      : found.kind === 'errors'
        ? 'not audited: the model has errors'
        : `${found.kind}: ${found.reason}`;
  button.replaceWith(words);
}

function openModel(next: Model): void {
  window.clearTimeout(reading);
  if (isBusy) stop('');
  model = next;
  service.know(next, null);
  editor.open(next.path, next.files[next.path]!);
  element('name').textContent = next.path;
  check();
}

function openExample(index: number): void {
  const { path, files } = EXAMPLES[index]!;
  openModel({ path, files });
}

async function share(): Promise<void> {
  const link = await linkOf(model);
  history.replaceState(null, '', link);
  const copied = await navigator.clipboard.writeText(location.href).then(
    () => true,
    () => false,
  );
  say(
    `${copied ? 'the link is copied' : 'the link is in the address bar'}: ${location.href.length.toLocaleString('en')} characters; the model is in the link itself`,
  );
}

async function openFiles(list: Iterable<File>): Promise<void> {
  const chosen = [...list].slice(0, 20);
  const files: Record<string, string> = {};
  for (const file of chosen) {
    const name = isName(file.name)
      ? file.name
      : `model${file.name.slice(file.name.lastIndexOf('.')).replace(/[^.\w]/g, '')}`;
    if (file.size > MOST_CHARACTERS)
      return say(`${file.name} is larger than ${MOST_CHARACTERS.toLocaleString('en')} bytes`);
    files[name] = await file.text();
  }
  const [first] = Object.keys(files);
  if (first !== undefined) openModel({ path: first, files });
}

/** A model from the link, or the first example. */
async function start(): Promise<void> {
  try {
    const linked = await modelOf(location.hash);
    if (linked === null) openExample(0);
    else {
      examples.selectedIndex = -1;
      openModel(linked);
    }
  } catch (error) {
    if (!(error instanceof BadLink)) throw error;
    examples.selectedIndex = -1;
    say(error.message);
    status.classList.add('bad');
  }
}

document.querySelector<HTMLElement>('#no-solver')!.hidden = crossOriginIsolated;
for (const [index, { title, group }] of EXAMPLES.entries()) {
  const option = document.createElement('option');
  option.value = String(index);
  option.textContent = title;
  let parent = [...examples.querySelectorAll('optgroup')].find(({ label }) => label === group);
  if (parent === undefined) {
    parent = document.createElement('optgroup');
    parent.label = group;
    examples.append(parent);
  }
  parent.append(option);
}
examples.addEventListener('change', () => {
  history.replaceState(null, '', location.pathname + location.search);
  openExample(Number(examples.value));
});
run.addEventListener('click', check);
cancel.addEventListener('click', () => stop(`stopped after ${seconds()}; what was known by then is shown`));
element('share').addEventListener('click', () => void share());
element<HTMLInputElement>('file').addEventListener(
  'change',
  (event) => void openFiles((event.target as HTMLInputElement).files ?? []),
);
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  void openFiles(event.dataTransfer?.files ?? []);
});
window.addEventListener('hashchange', () => {
  if (location.hash.startsWith('#m=')) void start();
});
for (const kind of ['pointerdown', 'keydown'])
  result.addEventListener(kind, () => {
    isTouched = true;
  });
// A place of the model, twice: in the report, and in the editor.
result.addEventListener('dblclick', (event) => {
  const line = (event.target as Element).closest('.source .line');
  if (line !== null) editor.goTo(Number(line.id.slice(line.id.lastIndexOf('-') + 1)));
});
openTargets(document as never);
themeSwitch(document as never);
void start();
