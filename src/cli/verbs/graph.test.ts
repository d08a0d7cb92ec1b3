import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchIo } from '../../testing/memory-io.ts';
import { runCli } from '../run.ts';

let scratch: ReturnType<typeof scratchIo>;
beforeEach(() => {
  scratch = scratchIo();
});
afterEach(() => scratch.remove());

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const code = await runCli(['graph', ...argv], scratch.io);
  return { code, out: scratch.takeOutput(), err: scratch.takeErrors() };
}

const MODEL = 'chan q = [1] of { byte }; active proctype a() { q!N } active proctype b() { byte x; q?x }';

test('formats, a choice of processes, definitions', async () => {
  const model = 'm.pml';
  scratch.io.writeFile(model, MODEL);
  const dot = await run(model, '-DN=7', '--process', 'a');
  expect(dot.code).toBe(0);
  expect(dot.out).toContain('label=" q!7 "');
  expect(dot.out).not.toContain('q?x');
  expect((await run(model, '-DN=7', '--format', 'mermaid')).out).toContain('|"q?x"|');
});

test('errors in the model and in the usage', async () => {
  const model = 'm.pml';
  scratch.io.writeFile(model, MODEL);
  const undefinedName = await run(model);
  expect(undefinedName.code).toBe(3);
  expect(undefinedName.err).toContain("'N' is not declared");
  expect((await run(model, '-DN=1', '--process', 'aa')).err).toContain("did you mean 'a'?");
  expect((await run(model, '--format', 'png')).code).toBe(64);
  expect((await run()).code).toBe(64);
});
