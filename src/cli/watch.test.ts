import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeIo } from './io.ts';
import { InputError } from './verb.ts';
import { watchAndRepeat } from './watch.ts';

test('a change of any file that was read starts the check again; a broken file does not end the watch', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-watch-'));
  const model = join(folder, 'model.pml');
  const header = join(folder, 'header.h');
  writeFileSync(model, 'model 1');
  writeFileSync(header, 'header 1');
  const seen: string[] = [];
  let errors = '';
  const io = {
    ...nodeIo(),
    out: () => {},
    err: (text: string) => void (errors += text),
    stdoutIsTerminal: false,
  };
  // What happens after each round: the next change.
  const changes = [
    () => writeFileSync(header, 'header 2, longer'),
    () => writeFileSync(model, 'broken'),
    () => writeFileSync(model, 'model 3, longer still'),
  ];
  try {
    const code = await watchAndRepeat(
      io,
      async (recording) => {
        const text = recording.readFile(model)!;
        seen.push(`${text} ${recording.readFile(header)}`);
        setTimeout(() => changes.shift()?.(), 20);
        if (text === 'broken') throw new InputError('broken');
        return 1;
      },
      () => seen.length === 4,
    );
    expect(code).toBe(1);
    expect(seen).toEqual([
      'model 1 header 1',
      'model 1 header 2, longer',
      'broken header 2, longer',
      'model 3, longer still header 2, longer',
    ]);
    expect(errors).toContain('spillway: broken');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
