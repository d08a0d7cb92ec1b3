// A real browser for the tests of pages: started once per test file, each page opened from a file of its own and asked for problems.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** To be called inside a `describe`. `open` writes the page and shows it; `problems` collects what the console complains about. */
export function browserFor(
  executablePath: string | null,
): (name: string, content: string) => Promise<{ page: Page; problems: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-page-'));
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: executablePath!,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (name, content) => {
    const page = await browser!.newPage();
    const problems: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    page.on('pageerror', (error) => void problems.push(String(error)));
    writeFileSync(join(folder, name), content);
    await page.goto(`file://${join(folder, name)}`);
    return { page, problems };
  };
}
