// Every command shown in README.md and docs/ is run, and what it prints is what the page shows.

// `SPILLWAY_UPDATE_DOCS=1 npx vitest run src/cli/docs.test.ts` writes the new outputs into the pages; read the difference before committing.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { blocksOf, matches, withOutputs, withoutTimes } from '../testing/documentation.ts';
import { scratchIo } from '../testing/memory-io.ts';
import { runCli } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const candidates = [
  'README.md',
  ...readdirSync(`${root}/docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const pages = candidates
  .map((page) => ({ page, blocks: blocksOf(readFileSync(`${root}/${page}`, 'utf8')) }))
  .filter(({ blocks }) => blocks.some((block) => block.kind === 'commands'));

describe.each(pages)('$page', ({ page, blocks }) => {
  test('shows what the commands print', async () => {
    const scratch = scratchIo();
    const outputs: string[] = [];
    const update = process.env['SPILLWAY_UPDATE_DOCS'] !== undefined;
    try {
      for (const block of blocks) {
        if (block.kind === 'file') {
          scratch.io.writeFile(block.name, block.content);
          continue;
        }
        let code = 0;
        for (const command of block.commands) {
          code = await runCli(command.words, scratch.io);
          const printed = scratch.takeOutput() + scratch.takeErrors();
          outputs.push(matches(command.output, printed) ? command.output : printed);
          if (!update && !matches(command.output, printed)) {
            expect(withoutTimes(printed), `${page}:${block.line}: spillway ${command.words.join(' ')}`).toBe(
              withoutTimes(command.output),
            );
          }
        }
        if (block.exit !== null && !update) expect(code, `${page}:${block.line}: exit code`).toBe(block.exit);
      }
      if (update)
        writeFileSync(`${root}/${page}`, withOutputs(readFileSync(`${root}/${page}`, 'utf8'), outputs));
    } finally {
      scratch.remove();
    }
  });
});

test('the harness notices a wrong output', () => {
  expect(matches('a 3 ms\n…\nz', 'a 4.5 ms\nb\nc\nz\n')).toBe(true);
  expect(matches('a\nz', 'a\nb\nz')).toBe(false);
  expect(matches('a.c', 'abc')).toBe(false);
});
