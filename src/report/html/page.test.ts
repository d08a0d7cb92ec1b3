import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';
import { browserFor, complaintsOf, DARK_PHONE, DESK } from '../../testing/browser.ts';
import { findChromium } from '../../testing/programs.ts';
import { ringOfStations } from '../../testing/stations.ts';
import { renderReports } from '../formats.ts';
import { FLOODING_RUN, PROVED_AND_UNKNOWN, REFUTED, refutedBy } from '../testing/fixtures.ts';
import { reportHtml } from './page.ts';

test('of a long run the end is shown, with the state it really has', () => {
  const [send] = FLOODING_RUN.steps;
  const run = { ...FLOODING_RUN, steps: Array.from({ length: 1000 }, () => send!), loopStart: null };
  const page = reportHtml([refutedBy(run)]);
  expect(page).toContain('The first 400 steps are left out here.');
  expect(page).toContain('"start":{"queues":{"q":{"length":400,');
});

test('the page escapes what users wrote and loads nothing', () => {
  const page = reportHtml([REFUTED]);
  expect(page).toContain('the queue q grows &lt;without&gt; limit');
  expect(page).not.toContain('<without>');
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(page).toContain('flood &amp; co.pml');
});

const root = fileURLToPath(new URL('../../..', import.meta.url));

async function htmlOf(
  model: string,
  defines: readonly string[],
  properties: readonly string[] = ['bounded'],
): Promise<string> {
  const files = { read: (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null) };
  const options = { explain: true, defines };
  const report = await checkModel({ paths: [`${root}/${model}`], files, properties, options });
  return renderReports([report], 'html', {});
}

/** A model that only exists here. */
async function htmlOfText(path: string, text: string, properties: readonly string[] = []): Promise<string> {
  const files = { read: (asked: string) => (asked === path ? text : null) };
  const report = await checkModel({ paths: [path], files, properties, options: { explain: true } });
  return renderReports([report], 'html', {});
}

const RETRY = `#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int tries = 0;
  while (__VERIFIER_nondet_int()) {
    tries++;
    assert(tries < 3);
  }
  return 0;
}
`;

const executablePath = findChromium();

describe.skipIf(executablePath === null)('in a browser', () => {
  const open = browserFor(executablePath);

  test('a run is stepped through, with queue contents, by buttons and by keys', async () => {
    const { page, problems } = await open('refuted.html', reportHtml([REFUTED]));
    // It opens at its end, with what is in the queues there.
    await expect
      .poll(() => page.locator('.caption').textContent())
      .toContain('step 3 of 3 (repeats for ever)');
    expect(await page.locator('.state-body .queue-cells span').allTextContents()).toEqual(['1']);
    await page.locator('.first').click();
    expect(await page.locator('.caption').textContent()).toBe('before the first step');
    await page.locator('.forward').click();
    expect(await page.locator('.caption').textContent()).toContain('step 1 of 3: producer: q!1');
    expect(await page.locator('.state-body .queue-cells span').allTextContents()).toEqual(['1']);
    expect(await page.locator('.source .line.current').textContent()).toContain('q!1');
    await page.locator('.run-viewer').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.state-body .queue-cells span').count()).toBe(0);
    await page.keyboard.press('End');
    expect(await page.locator('.caption').textContent()).toContain('repeats for ever');
    // The loop begins again after the last step.
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.caption').textContent()).toContain('step 3 of 3');
    await page.locator('.diagram .step[data-step="1"]').click();
    expect(await page.locator('.caption').textContent()).toContain('step 2 of 3');
    expect(problems).toEqual([]);
  });

  test('a deadlock, on a light desk and on a dark phone: axe finds nothing, nothing is cut off', async () => {
    const text = await htmlOfText(
      'philosophers.pml',
      readFileSync(`${root}/web/examples/philosophers.pml`, 'utf8'),
    );
    for (const options of [DESK, DARK_PHONE]) {
      const { page, problems } = await open('philosophers.html', text, options);
      expect(await complaintsOf(page)).toEqual([]);
      const wide = 'document.documentElement.scrollWidth - innerWidth';
      expect(await page.evaluate(wide)).toBeLessThanOrEqual(0);
      expect(problems).toEqual([]);
    }
  });

  test('without a script the verdict, the whole diagram, the last state and the source are there', async () => {
    const { page } = await open('plain.html', reportHtml([REFUTED]), { javaScriptEnabled: false });
    expect(await page.locator('.card.refuted').isVisible()).toBe(true);
    expect(await page.locator('.diagram .step').count()).toBe(3);
    expect(await page.locator('.controls').isVisible()).toBe(false);
    expect(await page.locator('.state-body .queue-cells span').allTextContents()).toEqual(['1']);
    expect(await page.locator('a.steps-at').first().getAttribute('href')).toBe('#m0-p0-run');
  });

  test('from step to line, from line to step, from line to graph, from graph to step, from lane to graph', async () => {
    const { page, problems } = await open('links.html', await htmlOf('corpus/quickstart/flood.pml', []));
    await page.locator('a.steps-at').first().click();
    expect(await page.locator('.caption').textContent()).toContain('requests!request');
    const place = await page.locator('.source .line.current').getAttribute('id');
    await page.locator(`#${place} a.edges`).click();
    expect(await page.locator('.graph a.current').first().isVisible()).toBe(true);
    await page.locator('.first').click();
    await page.locator('.graph a[data-taken]').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.caption').textContent()).toContain('step 1 of 1');
    await page.locator('.diagram .names [data-actor]').first().click();
    expect(await page.locator('details.process[open]').count()).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });

  test('what is folded away is built when it is unfolded; without a script it is there', async () => {
    const text = await htmlOf('corpus/quickstart/flood.pml', []);
    const { page, problems } = await open('later.html', text);
    expect(await page.locator('.graph svg').count()).toBe(0);
    await page.locator('details.process > summary').first().click();
    await expect.poll(() => page.locator('.graph svg').count()).toBe(1);
    expect(problems).toEqual([]);
    const plain = await open('later-plain.html', text, { javaScriptEnabled: false });
    expect(await plain.page.locator('.graph svg').count()).toBe(2);
    await plain.page.locator('details.process > summary').first().click();
    expect(await plain.page.locator('.graph svg').first().isVisible()).toBe(true);
  });

  test('of fifty models only the first runs are built; printing builds them all', async () => {
    const report = { ...REFUTED, graphs: [] };
    const { page, problems } = await open('print.html', reportHtml(Array(50).fill(report)));
    const drawn = (): Promise<number> => page.locator('.diagram svg.lanes').count();
    expect(await drawn()).toBeLessThan(10);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await drawn()).toBe(50);
    expect(problems).toEqual([]);
  });

  test('fifty models: what is wrong comes first, and the overview filters and searches', async () => {
    const reports = Array.from({ length: 50 }, (_, i) => (i % 7 === 3 ? REFUTED : PROVED_AND_UNKNOWN));
    const { page, problems } = await open(
      'many.html',
      reportHtml(reports, new Map(), { command: 'spillway check *.pml' }),
    );
    expect(await page.locator('section.model').first().locator('h2').textContent()).toBe('flood & co.pml');
    expect(await page.locator('header').textContent()).toContain('spillway check *.pml');
    await page.locator('#overview input[value="unknown"]').uncheck();
    await page.locator('#overview input[value="proved"]').uncheck();
    expect(await page.locator('#overview tbody tr:visible').count()).toBe(7);
    expect(await page.locator('section.model:visible').count()).toBe(7);
    await page.locator('#overview input[type="search"]').fill('nothing like this');
    expect(await page.locator('section.model:visible').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('two hundred processes: lanes that are drawn, and a diagram that fits', async () => {
    const actors = Array.from({ length: 200 }, (_, i) => `station[${i}]`);
    const steps = actors.flatMap((_, i) => [
      { ...FLOODING_RUN.steps[0]!, actors: [i] },
      { ...FLOODING_RUN.steps[1]!, actors: [(i + 1) % 200] },
    ]);
    const run = { ...FLOODING_RUN, actors, steps, loopStart: null };
    const { page, problems } = await open('two-hundred.html', reportHtml([refutedBy(run)]));
    expect(await page.locator('.diagram .lane').count()).toBe(200);
    await page.locator('.fit').click();
    expect(await page.locator('.zoom').textContent()).toBe('20 %');
    await page.locator('.back').click();
    expect(await page.locator('.caption').textContent()).toContain('step 399 of 400');
    expect(problems).toEqual([]);
  });

  test('a graph of 360 steps is drawn whole, one of 2,000 by its parts; states are found', async () => {
    const chain = (count: number) => ({
      name: `chain${count}`,
      initial: [0],
      locations: Array.from({ length: count + 1 }, (_, id) => ({
        id,
        label: '',
        at: { file: 'ring.pml', line: 1 + (id % 7), column: 1 },
      })),
      edges: Array.from({ length: count }, (_, i) => ({ from: i, to: i + 1, label: `step${i}` })),
    });
    const report = { ...PROVED_AND_UNKNOWN, graphs: [chain(360), chain(2000)] };
    const { page, problems } = await open('graphs.html', await renderReports([report], 'html', {}));
    await page.locator('details.process > summary').first().click();
    await page.locator('.graph-tools input').first().fill('step123');
    expect(await page.locator('.graph-tools .hits').first().textContent()).toBe('1 of 1');
    await page.locator('details.process > summary').nth(1).click();
    expect(await page.locator('details.process > summary').nth(1).textContent()).toContain('by parts');
    expect(problems).toEqual([]);
  });

  test('the proof of a real model with twenty processes opens, and the file stays small', async () => {
    const text = await htmlOf('corpus/protocols/leader.pml', ['N=20']);
    expect(text.length).toBeLessThan(800_000);
    const { page, problems } = await open('leader20.html', text);
    expect(await page.locator('.card.proved').count()).toBe(1);
    expect(await page.locator('#m0-p0-queues tbody tr').count()).toBe(20);
    await page.locator('input[data-filters="m0-p0-queues"]').fill('link[19]');
    expect(await page.locator('#m0-p0-queues tbody tr:visible').count()).toBe(1);
    await page.locator('details.proof > summary').first().click();
    const rows = page.locator('details.proof').first().locator('tbody tr');
    await expect.poll(() => rows.count()).toBeGreaterThan(20);
    expect(problems).toEqual([]);
  });

  test('a refutation with a dozen different processes stays small, and shows what matters', async () => {
    const text = await htmlOfText('stations.pml', ringOfStations(12), ['bounded']);
    expect(text.length).toBeLessThan(400_000);
    const { page, problems } = await open('stations.html', text);
    expect(await page.locator('#m0-p0-queues tbody tr').first().textContent()).toContain('log');
    expect(await page.locator('div.graph').count()).toBe(12);
    await page.locator('.last').click();
    expect(await page.locator('.state-body').textContent()).toMatch(/log \(\d+\)/);
    expect(await page.locator('.state-body').textContent()).toContain('other queues are empty');
    expect(await page.locator('.source .line.current').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  test('the loop of a real refutation is marked in the source and in the graph', async () => {
    const { page, problems } = await open('flood.html', await htmlOf('corpus/quickstart/flood.pml', []));
    expect(await page.locator('.line.loop').textContent()).toContain('requests!request');
    await page.locator('details:has(.graph) > summary').first().click();
    // Drawn when it is unfolded, which the browser tells a moment later.
    await page.locator('.graph svg').first().waitFor();
    expect(await page.locator('.graph').first().innerHTML()).toContain('#cf222e');
    expect(problems).toEqual([]);
  });

  test('proved and unknown models show their queues and loops; the theme can be switched', async () => {
    const { page, problems } = await open('ring.html', reportHtml([PROVED_AND_UNKNOWN]));
    expect(await page.locator('.card.proved').count()).toBe(1);
    expect(await page.locator('.card.unknown').count()).toBe(1);
    expect(await page.locator('table tbody tr').first().textContent()).toContain('link[0]');
    expect(await page.locator('.line.loop').count()).toBe(1);
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.locator('#theme').click();
    const light = await background();
    await page.locator('#theme').click();
    expect(await background()).not.toBe(light);
    expect(problems).toEqual([]);
  });

  test('a refutation of C is stepped through beside its source, and its path is marked in the graph', async () => {
    const { page, problems } = await open('retry.html', await htmlOfText('retry.c', RETRY));
    expect(await page.locator('.card.refuted').count()).toBe(1);
    await page.locator('.last').click();
    expect(await page.locator('.caption').textContent()).toContain('[!(tries < 3)]');
    expect(await page.locator('.excerpt .line.current').textContent()).toContain('assert(tries < 3);');
    expect(await page.locator('.state-body').textContent()).toContain('tries = 3');
    expect(await page.locator('pre.source .line.touched').count()).toBeGreaterThanOrEqual(3);
    expect(await page.locator('.legend').textContent()).toContain('on the way of a run');
    await page.locator('details:has(.graph) > summary').click();
    await page.locator('.graph svg').first().waitFor();
    expect(await page.locator('div.graph').textContent()).toContain('error');
    expect(await page.locator('div.graph').innerHTML()).toContain('#cf222e');
    expect(problems).toEqual([]);
  });

  test('the path of an unknown in C is marked and stepped through, without values', async () => {
    const outside =
      '#include <assert.h>\nint get(void);\nint main(void) {\n  int x = get();\n  assert(x != 7);\n  return 0;\n}\n';
    const { page, problems } = await open('outside.html', await htmlOfText('outside.c', outside));
    expect(await page.locator('.card.unknown').count()).toBe(1);
    expect(await page.locator('pre.source .line.touched .text').allTextContents()).toEqual([
      '  int x = get();',
      '  assert(x != 7);',
    ]);
    await page.locator('.first').click();
    await page.locator('.forward').click();
    expect(await page.locator('.excerpt .line.current').textContent()).toContain('int x = get();');
    expect(await page.locator('.state-body').isVisible()).toBe(false);
    expect(await page.locator('.run-viewer').textContent()).toContain('Nobody has run it');
    expect(problems).toEqual([]);
  });

  test('a large program in C is cut down to its path', async () => {
    const cases = Array.from(
      { length: 260 },
      (_, i) => `  case ${i}: if (x > ${i}) x = x - 1; else x = x + 1; break;`,
    );
    const program = `int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  switch (__VERIFIER_nondet_int()) {
${cases.join('\n')}
  default: x = 0;
  }
  if (x == 4) reach_error();
  return 0;
}
`;
    const text = await htmlOfText('large.c', program);
    expect(text.length).toBeLessThan(500_000);
    const { page, problems } = await open('large.html', text);
    await page.locator('details:has(.graph) > summary').click();
    expect(await page.locator('details:has(.graph) > summary').textContent()).toContain('only the path');
    await page.locator('.graph svg').first().waitFor();
    expect(await page.locator('div.graph').textContent()).toContain('other ways');
    expect(problems).toEqual([]);
  });
});
