// The HTML report of models with many processes, and of many models: how large it is, and how long Chromium takes to open it and to show a step.
// Run: node bench/report.bench.mjs
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { importSource } from './source.mjs';

const { checkModel, findChromium, renderReports, ringOfStations } = await importSource(
  'check/check.ts',
  'report/formats.ts',
  'testing/stations.ts',
  'testing/programs.ts',
);
const LEADER = new URL('../corpus/protocols/leader.pml', import.meta.url).pathname;
const ROUNDS = 7;

const models = [
  { name: 'leader.pml -DN=50 (proved)', path: LEADER, text: readFileSync(LEADER, 'utf8'), defines: ['N=50'] },
  { name: '50 different processes (refuted)', path: 'stations.pml', text: ringOfStations(50), defines: [] },
  { name: '50 models', path: 'stations.pml', text: ringOfStations(5), defines: [], copies: 50 },
];

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
  await page.close();
  return times;
}

row(`median of ${ROUNDS} openings`, ['size', 'first paint', 'ready', 'usable', 'step or search']);
try {
  for (const { name, path, text, defines, copies = 1 } of models) {
    const files = {
      read: (asked) => (asked === path ? text : existsSync(asked) ? readFileSync(asked, 'utf8') : null),
    };
    const report = await checkModel({
      paths: [path],
      files,
      properties: ['bounded'],
      options: { explain: true, defines },
    });
    const page = await renderReports(Array(copies).fill(report), 'html', {});
    const size = `${(Buffer.byteLength(page) / 1e6).toFixed(2)} MB`;
    if (browser === null) {
      row(name, [size]);
      continue;
    }
    const file = join(folder, 'report.html');
    writeFileSync(file, page);
    const runs = [];
    for (let i = 0; i < ROUNDS; i++) runs.push(await timesOf(file));
    const of = (key) => `${Math.round(median(runs.map((times) => times[key])))} ms`;
    row(name, [size, of('paint'), of('ready'), of('usable'), of('action')]);
  }
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
