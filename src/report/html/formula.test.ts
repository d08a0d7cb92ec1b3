// The proof of an .ecfsm model in the browser: folded disjuncts, search, links between them, the picture of the ways.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';
import { browserFor } from '../../testing/browser.ts';
import { findChromium } from '../../testing/programs.ts';
import { renderReports } from '../formats.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

async function htmlOf(model: string): Promise<string> {
  const files = { read: (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null) };
  const report = await checkModel({ paths: [`${root}/${model}`], files, options: { explain: true } });
  return renderReports([report], 'html', {});
}

const executablePath = findChromium();
const LARGE = 'a formula of more than a hundred disjuncts stays usable, and the file below two megabytes';
const IS_LONG = process.env['SPILLWAY_FUZZ'] !== undefined;
if (!IS_LONG) console.log(`left out: ${LARGE}; SPILLWAY_FUZZ=1 looks at it`);

describe.skipIf(executablePath === null)('a proof by induction in a browser', () => {
  const open = browserFor(executablePath);

  test('disjuncts are folded, linked, and say where each action leads; the picture marks goal and ways', async () => {
    const { page, problems } = await open('minor.html', await htmlOf('corpus/ecfsm/minor-sync.ecfsm'));
    const rows = page.locator('#m0-formula > tbody > tr');
    expect(await rows.count()).toBe(8);
    expect(await page.locator('#m0-d3 ul.actions').isVisible()).toBe(false);
    await page.locator('#m0-d3 summary').click();
    const about = (await page.locator('#m0-d3').textContent())!;
    expect(about).toContain('line 34: P4 = control, B->A: e, mips');
    expect(about).toContain('A->B then empty: → P2 by differences');
    // A link opens what it points to, even when it was filtered out.
    await page
      .locator('input[data-filters="m0-formula"]')
      .fill('mips, A.VA = B.VA, A.VM > A.VA, B.VM > B.VA');
    expect(await page.locator('#m0-formula > tbody > tr:visible').count()).toBe(1);
    await page.locator('#m0-d3 a.jump').first().click();
    await page.locator('#m0-d3 a.jump', { hasText: 'P2' }).click();
    expect(await page.locator('#m0-d1 ul.actions').isVisible()).toBe(true);
    // P1: its ways and their picture.
    await page.locator('#m0-p1 ~ details.proof > summary').first().click();
    expect(await page.locator('#m0-p1-ways tbody tr').count()).toBe(7);
    const picture = page.locator('details:has(div.graph)').first();
    await picture.locator('summary').click();
    await picture.locator('svg').first().waitFor();
    const svg = await picture.locator('div.graph').innerHTML();
    expect(svg).toContain('#dafbe1');
    expect(svg).toContain('#cf222e');
    expect(problems).toEqual([]);
  });

  test.runIf(IS_LONG)(LARGE, async () => {
    const text = await htmlOf('corpus/ecfsm/session.ecfsm');
    expect(text.length).toBeLessThan(2_000_000);
    const { page, problems } = await open('session.html', text);
    expect(await page.locator('.card.proved').count()).toBe(12);
    expect(await page.locator('#m0-formula > tbody > tr').count()).toBe(124);
    await page.locator('input[data-filters="m0-formula"]').fill('withdrawn');
    const found = await page.locator('#m0-formula > tbody > tr:visible').count();
    expect(found).toBeGreaterThan(10);
    expect(found).toBeLessThan(60);
    expect(await page.locator('#m0-formula-parts tbody tr').count()).toBe(287);
    expect(await page.locator('details:has(div.graph) > summary', { hasText: '287 disjuncts' }).count()).toBe(
      5,
    );
    expect(problems).toEqual([]);
  });
});
