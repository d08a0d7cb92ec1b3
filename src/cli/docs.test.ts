// Every command shown in README.md and docs/ is run, and what it prints is what the page shows.

// `SPILLWAY_UPDATE_DOCS=1 npx vitest run src/cli/docs.test.ts` writes the new outputs into the pages; read the difference before committing.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  blocksOf,
  type LooseCommand,
  looseCommands,
  matches,
  withOutputs,
  withoutTimes,
} from '../testing/documentation.ts';
import { scratchIo } from '../testing/memory-io.ts';
import { runCli } from './run.ts';
import { VERBS } from './verbs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const candidates = [
  'README.md',
  'CONTRIBUTING.md',
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

describe.each(candidates)('%s', (page) => {
  const { tool, other } = looseCommands(readFileSync(`${root}/${page}`, 'utf8'));
  const executed = new Set(
    pages
      .find((one) => one.page === page)
      ?.blocks.flatMap((block) => (block.kind === 'commands' ? block.commands : []))
      .map(({ words }) => words.join(' ')),
  );

  test('shows no command that is not run', () => {
    const missed = tool.filter(({ words, inText, isPattern }) => {
      if (inText || isPattern) return false;
      // Running text may be repeated in a block; the same model and verb with fewer options counts as run.
      return ![...executed].some((command) => command.startsWith(words.join(' ')));
    });
    expect(missed.map(({ words, line }) => `${page}:${line}: spillway ${words.join(' ')}`)).toEqual([]);
    expect(other.map(({ words, line }) => `${page}:${line}: ${words.join(' ')}`)).toEqual([]);
  });

  test('mentions only verbs and options that exist', () => mentionsWhatExists(page, tool));
});

test('the example workflow calls what exists', async () => {
  const page = 'docs/examples/github-workflow.yml';
  const { tool } = looseCommands(readFileSync(`${root}/${page}`, 'utf8'));
  expect(tool).toHaveLength(1);
  await mentionsWhatExists(page, tool);
});

async function mentionsWhatExists(page: string, tool: readonly LooseCommand[]): Promise<void> {
  const problems: string[] = [];
  for (const { words, line } of tool) {
    const entry = VERBS.find(({ name }) => name === words[0]);
    const options = entry === undefined ? {} : (await entry.load()).options;
    const wrong =
      entry === undefined
        ? words.slice(0, 1)
        : words.filter(
            (word) => /^--[a-z]/.test(word) && !Object.hasOwn(options, word.slice(2).split('=')[0]!),
          );
    problems.push(...wrong.map((word) => `${page}:${line}: ${word}`));
  }
  expect(problems).toEqual([]);
}

test('commands outside of the blocks that are run are found', () => {
  const text = [
    'Say `spillway bounds MODEL` or `npx spillway check a.pml --exact`.',
    '    npm ci && npx spillway check b.pml     # a comment',
    '    spillway graph MODEL                   process graphs',
    '```sh',
    'spillway check c.pml',
    '```',
    '```console',
    '$ spillway check d.pml',
    '$ ls',
    '```',
  ].join('\n');
  const { tool, other } = looseCommands(text);
  expect(tool.map(({ words, inText, isPattern }) => [words.join(' '), inText, isPattern])).toEqual([
    ['bounds MODEL', true, true],
    ['check a.pml --exact', true, false],
    ['check b.pml', false, false],
    ['graph MODEL', false, true],
    ['check c.pml', false, false],
  ]);
  expect(other.map(({ words }) => words)).toEqual([['ls']]);
});

test('the harness notices a wrong output', () => {
  expect(matches('a 3 ms\n…\nz', 'a 4.5 ms\nb\nc\nz\n')).toBe(true);
  expect(matches('a\nz', 'a\nb\nz')).toBe(false);
  expect(matches('a.c', 'abc')).toBe(false);
});
