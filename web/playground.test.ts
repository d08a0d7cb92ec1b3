// The playground in a real browser: built once, served on localhost.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkModel } from '../src/check/check.ts';
import { complaintsOf, DARK_PHONE, DESK, launch, newPage } from '../src/testing/browser.ts';
import { findChromium } from '../src/testing/programs.ts';

const executablePath = findChromium();
const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'spillway-web-'));

interface Example {
  readonly group: string;
  readonly title: string;
  readonly file: string;
}
const EXAMPLES = JSON.parse(readFileSync(join(root, 'web/examples.json'), 'utf8')) as Example[];

/** One for each machinery that a browser needs for it: the search, the sandbox for scripts, machines as data, the SMT solver. All of them with SPILLWAY_FUZZ. */
const GROUPS = ['Promela', 'Statecharts (SCXML)', 'XState', 'C'];
const isChecked = (index: number): boolean => {
  const { group } = EXAMPLES[index]!;
  return (
    process.env['SPILLWAY_FUZZ'] !== undefined ||
    (GROUPS.includes(group) && group !== EXAMPLES[index - 1]?.group)
  );
};
const left = EXAMPLES.filter((_, index) => !isChecked(index)).map(({ title }) => title);
if (left.length > 0)
  console.log(`left out: ${left.join('; ')}; SPILLWAY_FUZZ=1 checks them in the browser, too`);

const fragmentOf = (document: unknown): string =>
  `#m=${deflateRawSync(JSON.stringify(document)).toString('base64url')}`;
const model = (text: string, path = 'model.pml'): unknown => ({ path, files: { [path]: text } });

/** No proof without a search, and every step of that takes long: what is tested here is over long before. */
const ENDLESS = `int a, b, c;
chan link = [2] of { byte };
active [3] proctype p() {
  int i;
  do
  :: d_step { i = 0; do :: i < 2000 -> i++ :: else -> break od; a++ }
  :: b++
  :: c++
  :: assert(a * a + b * b + c * c != 7)
  od
}
`;

/** The middle of the word `link` in the line that declares it. */
const PLACE_OF_LINK = `(() => {
  const line = [...document.querySelectorAll('.cm-line')].find((one) => one.textContent.startsWith('chan link'));
  const text = [...line.childNodes].find((node) => node.textContent.includes('link'));
  const range = document.createRange();
  const node = text.firstChild ?? text;
  range.setStart(node, node.textContent.indexOf('link'));
  range.setEnd(node, node.textContent.indexOf('link') + 4);
  const { x, y, width, height } = range.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})()`;

describe.skipIf(executablePath === null)('the playground', () => {
  let server: Server;
  let browser: Browser;
  /** One profile for nearly all pages: what was loaded and compiled for one of them serves the next. */
  let profile: BrowserContext;
  let address = '';

  beforeAll(async () => {
    const { buildWeb, serve } = await import(`${root}scripts/web.mjs`);
    await buildWeb(folder);
    // The pages under test take as long as the machine needs.
    const index = join(folder, 'index.html');
    const patient = readFileSync(index, 'utf8').replace('value="60" selected', 'value="86400" selected');
    expect(patient).toContain('value="86400"');
    writeFileSync(index, patient);
    server = await serve(folder, 0);
    address = `http://localhost:${(server.address() as AddressInfo).port}/`;
    browser = await launch(executablePath!);
    profile = await browser.newContext();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) for (const page of context.pages()) await page.close();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function visit(
    fragment = '',
    place: Browser | BrowserContext = profile,
  ): Promise<{ page: Page; problems: string[] }> {
    const page = await newPage(place);
    const problems: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    page.on('pageerror', (error) => void problems.push(String(error)));
    page.on('dialog', (dialog) => void problems.push(`dialog: ${dialog.message()}`));
    await page.goto(`${address}${fragment}`);
    return { page, problems };
  }
  const settled = (page: Page): Promise<void> =>
    page.locator('#status', { hasText: /^(done|\d+ error|stopped)/ }).waitFor();
  const verdicts = (page: Page): Promise<string[]> => page.locator('#live .badge').allTextContents();

  test('examples have the verdicts of the command line', { timeout: 0 }, async () => {
    const { page, problems } = await visit();
    const files = { read: (path: string) => (path.includes('/') ? readFileSync(path, 'utf8') : null) };
    for (const [index, { title, file }] of EXAMPLES.entries()) {
      if (!isChecked(index)) continue;
      if (index > 0) await page.locator('#examples').selectOption(String(index));
      await settled(page);
      const { properties } = await checkModel({
        paths: [join(root, file)],
        files,
        options: { explain: true },
      });
      const expected = properties.map(({ id, verdict }) => `${id}: ${verdict}`);
      await expect.poll(() => verdicts(page), { message: title }).toEqual(expected);
    }
    expect(problems).toEqual([]);
  });

  test('spillway/browser is bundled again by a plain bundler, without stubs', async () => {
    const target = mkdtempSync(join(tmpdir(), 'spillway-bundle-'));
    const { withoutNode } = await import(`${root}scripts/without-node.mjs`);
    const common = {
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    } as const;
    const first = join(target, 'package');
    await build({
      ...common,
      entryPoints: [join(root, 'src/browser.ts')],
      outdir: first,
      plugins: [withoutNode()],
    });
    const user = { contents: "export { check } from './browser.js';", resolveDir: first };
    const again = await build({ ...common, stdin: user, outdir: join(target, 'user'), metafile: true });
    const outside = Object.values(again.metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external),
    );
    expect(outside).toEqual([]);
    rmSync(target, { recursive: true, force: true });
  });

  test('a server that does not isolate the page: what needs the solver is unknown, all else as before', async () => {
    const { serve } = await import(`${root}scripts/web.mjs`);
    const plain: Server = await serve(folder, 0, {});
    const page = await newPage(profile);
    const text = readFileSync(join(root, 'corpus/c/small/locks.c'), 'utf8');
    await page.goto(
      `http://localhost:${(plain.address() as AddressInfo).port}/${fragmentOf(model(text, 'locks.c'))}`,
    );
    await settled(page);
    expect(await verdicts(page)).toContain('assertions: unknown');
    expect(await page.locator('#no-solver').isVisible()).toBe(true);
    await page.locator('#examples').selectOption('0');
    await page.locator('#live .badge', { hasText: 'bounded: refuted' }).waitFor();
    plain.close();
  });

  test('what is transferred without the SMT solver is under 5 MB compressed', () => {
    // The solver is a folder of its own, and loaded when it is asked for.
    const sizes = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => gzipSync(readFileSync(join(folder, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000);
  });

  test('the report steps, the certificate is audited, and axe finds nothing, on a desk and on a phone', async () => {
    const { page, problems } = await visit(
      fragmentOf(model(readFileSync(join(root, 'corpus/quickstart/ring.pml'), 'utf8'))),
    );
    await settled(page);
    await page.locator('button.audit').first().click();
    await page.locator('.audited').waitFor();
    expect(await page.locator('.audited').textContent()).toContain('audited:');
    for (const { viewport, colorScheme } of [DESK, DARK_PHONE]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      expect(await complaintsOf(page)).toEqual([]);
      const [wide, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
        number,
        number,
      ];
      expect(wide).toBeLessThanOrEqual(window);
    }
    expect(problems).toEqual([]);
  });

  test('a link made by the page opens the same model and verdicts in a fresh profile', async () => {
    const { page } = await visit();
    await settled(page);
    await page.locator('#share').click();
    await expect.poll(() => page.url()).toContain('#m=');
    const { page: other, problems } = await visit(new URL(page.url()).hash, browser);
    await settled(other);
    expect(await other.locator('.cm-content').textContent()).toBe(
      await page.locator('.cm-content').textContent(),
    );
    expect(await verdicts(other)).toEqual(await verdicts(page));
    expect(problems).toEqual([]);
  });

  test('keyboard only: edit, check, step', async () => {
    const { page, problems } = await visit();
    await settled(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('/* mine */ ');
    await page.keyboard.press('Control+Enter');
    // The status is still the one of the check before.
    await expect.poll(() => page.locator('#result').textContent()).toContain('/* mine */');
    await settled(page);
    await page.locator('.run-viewer').first().focus();
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('.caption').first().textContent()).toBe('before the first step');
    expect(problems).toEqual([]);
  });

  test('errors are shown where they are, as one types', async () => {
    const { page, problems } = await visit(fragmentOf(model('active proctype p() {\n  undeclared = 1\n}\n')));
    await settled(page);
    expect(await page.locator('#status').textContent()).toContain('1 error');
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await page.locator('#result').textContent()).toContain("'undeclared' is not declared");
    expect(problems).toEqual([]);
  });

  test('the language service: diagnostics while a check runs, completions, words about names', async () => {
    const { page, problems } = await visit(fragmentOf(model(ENDLESS)));
    await page.locator('#cancel:not([disabled])').waitFor();
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('active proctype q() { byte got; lin');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'link' }).first().waitFor();
    expect(await page.locator('.cm-tooltip-autocomplete').textContent()).toContain('chan');
    // The editor takes no key for a choice that has just come up (75 ms): one who types on does not mean it.
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await page.keyboard.type('?gott }');
    await page.locator('.cm-lintRange-error').first().waitFor();
    // The check has not ended meanwhile.
    expect(await page.locator('#cancel').isEnabled()).toBe(true);
    await page.locator('#cancel').click();
    // Wherever the line is now: it moves when what was found is no longer shown.
    const words = page.locator('.cm-tooltip-hover .hover pre');
    for (let patience = 1000; (await words.count()) === 0; patience *= 2) {
      const [x, y] = (await page.evaluate(PLACE_OF_LINK)) as [number, number];
      await page.mouse.move(0, 0);
      await page.mouse.move(x, y);
      await words.waitFor({ timeout: patience }).catch(() => {});
    }
    expect(await page.locator('.hover').textContent()).toContain('received from by q');
    expect(problems).toEqual([]);
  });

  test('a dropped file is checked', async () => {
    const { page, problems } = await visit();
    await settled(page);
    await page.locator('#file').setInputFiles({
      name: 'stuck.pml',
      mimeType: 'text/plain',
      buffer: Buffer.from('chan c = [0] of { byte };\nactive proctype p() { c?_ }\n'),
    });
    await expect.poll(() => verdicts(page)).toContain('deadlock-free: refuted');
    expect(await page.locator('#name').textContent()).toBe('stuck.pml');
    expect(problems).toEqual([]);
  });

  describe('hostile links', () => {
    test.each([
      ['not base64', '#m=%%%'],
      ['not packed', `#m=${Buffer.from('hello').toString('base64url')}`],
      ['no model', fragmentOf(['x'])],
      ['a path outside', fragmentOf({ path: '../../etc/passwd', files: { '../../etc/passwd': 'x' } })],
      ['a bomb of 50 MB', fragmentOf(model('x'.repeat(50_000_000)))],
      ['5 MB', fragmentOf(model('byte x;\n'.repeat(650_000)))],
    ])('%s: an error, and nothing else', async (_, fragment) => {
      const { page, problems } = await visit(fragment);
      await expect.poll(() => page.locator('#status').getAttribute('class')).toContain('bad');
      expect(await page.locator('#result').textContent()).toBe('');
      expect(problems).toEqual([]);
    });

    test('script in names is text', async () => {
      const text =
        '/* <img src=x onerror=alert(1)> </script><script>alert(2)</script> */\nchan c = [0] of { byte };\nactive proctype p() { c?_ }\n';
      const { page, problems } = await visit(fragmentOf(model(text, 'img src x onerror.pml')));
      await settled(page);
      expect(await page.locator('#result').textContent()).toContain('<img src=x onerror=alert(1)>');
      expect(await page.locator('#result img, #result script').count()).toBe(0);
      expect(problems).toEqual([]);
    });

    test('an endless model can be stopped', async () => {
      const { page, problems } = await visit(fragmentOf(model(ENDLESS)));
      await page.locator('#cancel:not([disabled])').click();
      await expect.poll(() => page.locator('#status').textContent()).toContain('stopped');
      await page.locator('#examples').selectOption('0');
      await expect.poll(() => verdicts(page)).toContain('bounded: refuted');
      expect(problems).toEqual([]);
    });
  });
});
