import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../testing/programs.ts';
import { PROVED_AND_UNKNOWN, REFUTED } from '../fixtures.ts';
import { reportHtml } from './page.ts';

test('the page escapes what users wrote and loads nothing', () => {
  const page = reportHtml([REFUTED]);
  expect(page).toContain('the queue q grows &lt;without&gt; limit');
  expect(page).not.toContain('<without>');
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(page).toContain('flood &amp; co.pml');
});

const executablePath = findChromium();

describe.skipIf(executablePath === null)('in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-page-'));
  let browser: Browser;
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

  async function open(name: string, content: string) {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    page.on('pageerror', (error) => void problems.push(String(error)));
    writeFileSync(join(folder, name), content);
    await page.goto(`file://${join(folder, name)}`);
    return { page, problems };
  }

  test('a run is stepped through, with queue contents, by buttons and by keys', async () => {
    const { page, problems } = await open('refuted.html', reportHtml([REFUTED]));
    await expect.poll(() => page.locator('.caption').textContent()).toBe('before the first step');
    await page.locator('.forward').click();
    expect(await page.locator('.caption').textContent()).toContain('step 1 of 3: producer: q!1');
    expect(await page.locator('.state-body .queue-cells span').allTextContents()).toEqual(['1']);
    expect(await page.locator('.line.current').textContent()).toContain('q!1');
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
});
