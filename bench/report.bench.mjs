// The HTML report of models with many processes, and of many models: how large it is, and how long Chromium takes to open it and to show a step.
// Run: node bench/report.bench.mjs
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { importSource } from './source.mjs';

const { checkModel, findChromium, languageOf, renderReports, ringOfStations } = await importSource(
  'check/check.ts',
  'check/languages.ts',
  'report/formats.ts',
  'testing/stations.ts',
  'testing/programs.ts',
);
const LEADER = new URL('../corpus/protocols/leader.pml', import.meta.url).pathname;
const ROUNDS = 7;

const models = [
  { name: 'leader.pml -DN=50 (proved)', path: LEADER, text: readFileSync(LEADER, 'utf8'), defines: ['N=50'] },
  { name: '50 different processes (refuted)', path: 'stations.pml', text: ringOfStations(50), defines: [] },
  {
    name: '200 processes (simulated deadlock)',
    path: 'ring.pml',
    text: ringOf(200),
    defines: [],
    simulated: true,
  },
  { name: '50 models', path: 'stations.pml', text: ringOfStations(5), defines: [], copies: 50 },
];

/** Two hundred processes that all wait for each other in the end; every one of them is in the run. */
function ringOf(count) {
  return `#define N ${count}
chan link[N] = [1] of { byte };
chan log[N] = [1] of { byte };
active [N] proctype node() {
  byte seen;
  seen = _pid;
  log[_pid]!seen;
  link[_pid]?seen;
  link[(_pid + 1) % N]!seen
}
`;
}

const executablePath = findChromium();
const folder = mkdtempSync(join(tmpdir(), 'spillway-report-'));
const browser =
  executablePath === null
    ? null
    : await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
      });

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const row = (name, columns) =>
  console.log(name.padEnd(34) + columns.map((column) => String(column).padStart(15)).join(''));

async function timesOf(file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`file://${file}`);
  // As the page's own clock has it: first paint, the document ready, and a step or a search carried out and painted.
  const times = await page.evaluate(`(async () => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    do await painted(); while (performance.getEntriesByName('first-contentful-paint').length === 0);
    const ready = performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd;
    const paint = performance.getEntriesByName('first-contentful-paint')[0].startTime;
    const usable = performance.now();
    const begin = performance.now();
    const back = document.querySelector('.back');
    if (back !== null) back.click();
    else {
      const box = document.querySelector('input[type=search]');
      box.value = '49';
      box.dispatchEvent(new Event('input'));
    }
    await painted();
    return { paint, ready, usable, action: performance.now() - begin };
  })()`);
  // Processor time of the page's main thread: the same on a busy machine.
  const { metrics } = await session.send('Performance.getMetrics');
  const cpu = metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  await page.close();
  return { ...times, cpu };
}

/** A report with one random run, where finding one by search would be a bench of its own. */
async function simulatedReport({ paths, files, options }) {
  const language = await languageOf(paths[0]).load();
  const budget = { timeLeft: () => true };
  const request = { paths, files, options, budget, observer: { stage() {}, now: () => 0 }, unlimited: false };
  const { model, sources } = await language.simulate(request);
  const graphs = await language.graphs(request);
  const { run } = model.random(3, 3000);
  const reproduce = { verb: 'check', paths, property: 'deadlock-free', options: [] };
  const property = { id: 'deadlock-free', verdict: 'refuted', method: 'run', stats: {}, reproduce };
  return {
    version: 2,
    files: paths,
    language: 'promela',
    diagnostics: [],
    sources: Object.fromEntries(sources),
    graphs: graphs.model,
    properties: [{ ...property, evidence: { kind: 'run', run } }],
  };
}

row(`median of ${ROUNDS} openings`, [
  'written in',
  'size',
  'first paint',
  'usable',
  'step or search',
  'processor',
]);
try {
  for (const { name, path, text, defines, copies = 1, simulated = false } of models) {
    const files = {
      read: (asked) => (asked === path ? text : existsSync(asked) ? readFileSync(asked, 'utf8') : null),
    };
    const input = { paths: [path], files, options: { explain: true, defines } };
    const report = simulated
      ? await simulatedReport(input)
      : await checkModel({ ...input, properties: ['bounded'] });
    const before = process.cpuUsage();
    const page = await renderReports(Array(copies).fill(report), 'html', {});
    const { user } = process.cpuUsage(before);
    const written = `${Math.round(user / 1000)} ms`;
    const size = `${(Buffer.byteLength(page) / 1e6).toFixed(2)} MB`;
    if (browser === null) {
      row(name, [written, size]);
      continue;
    }
    const file = join(folder, 'report.html');
    writeFileSync(file, page);
    const runs = [];
    for (let i = 0; i < ROUNDS; i++) runs.push(await timesOf(file));
    const of = (key) => `${Math.round(median(runs.map((times) => times[key])))} ms`;
    row(name, [written, size, of('paint'), of('usable'), of('action'), of('cpu')]);
  }
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
