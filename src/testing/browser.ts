// A real browser for the tests of pages: started once per test file, each page opened from a file of its own and asked for problems.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

export interface OpenPage {
  readonly page: Page;
  readonly problems: string[];
}

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });

/** A page that waits as long as it takes: tests do not depend on the clock. */
export async function newPage(
  place: Browser | BrowserContext,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await ('newContext' in place ? place.newPage(options) : place.newPage());
  page.setDefaultTimeout(1_200_000);
  return page;
}

/** Sizes and colours in which a page must do: what is true of a light phone is seen on one of these. */
export const DESK = { viewport: { width: 1280, height: 720 }, colorScheme: 'light' } as const;
export const DARK_PHONE = { viewport: { width: 390, height: 800 }, colorScheme: 'dark' } as const;

/** What axe-core complains about, one line each. */
export async function complaintsOf(page: Page): Promise<string[]> {
  const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(script);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}

/**
 * To be called inside a `describe`. `open` writes the page and shows it; `problems` collects what the console complains about. What was shown before is gone:
 * a profile and a window of its own for each page would take five times the processor.
 */
export function browserFor(
  executablePath: string | null,
): (name: string, content: string, options?: BrowserContextOptions) => Promise<OpenPage> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-page-'));
  let browser: Browser | undefined;
  const windows = new Map<string, { readonly page: Page; problems: string[] }>();
  const windowFor = async (options: BrowserContextOptions) => {
    const key = JSON.stringify(options);
    const known = windows.get(key);
    if (known !== undefined) return known;
    const made = { page: await newPage(browser!, options), problems: [] as string[] };
    made.page.on(
      'console',
      (message) => void (message.type() === 'error' && made.problems.push(message.text())),
    );
    made.page.on('pageerror', (error) => void made.problems.push(String(error)));
    windows.set(key, made);
    return made;
  };
  beforeAll(async () => {
    browser = await launch(executablePath!);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (name, content, options = {}) => {
    const window = await windowFor(options);
    window.problems = [];
    writeFileSync(join(folder, name), content);
    await window.page.goto(`file://${join(folder, name)}`);
    return { page: window.page, problems: window.problems };
  };
}
