// A real editor as the client: Debian's headless Neovim with the client it has built in.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleForTest } from '../testing/bundle.ts';
import { hasProgram } from '../testing/programs.ts';

const MODEL = `byte counter;
chan wire = [4] of { byte };
active proctype p() { countr = counter + 1; wire!counter }
active proctype q() { byte x; wire?x }
`;

test.skipIf(!hasProgram('nvim'))(
  'Neovim shows diagnostics, jumps, renames and shows the bound',
  { timeout: 0 },
  async () => {
    const bundle = await bundleForTest();
    const folder = mkdtempSync(join(tmpdir(), 'spillway-nvim-'));
    try {
      const path = join(folder, 'model.pml');
      writeFileSync(path, MODEL);
      const script = fileURLToPath(new URL('./neovim.lua', import.meta.url));
      const { stdout, stderr } = spawnSync(
        'nvim',
        ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-S', script],
        {
          encoding: 'utf8',
          timeout: 1_200_000,
          env: {
            ...process.env,
            HOME: folder,
            XDG_STATE_HOME: folder,
            XDG_CACHE_HOME: folder,
            SPILLWAY_CLI: join(bundle, 'cli.js'),
            SPILLWAY_NODE: process.execPath,
            SPILLWAY_MODEL: path,
          },
        },
      );
      const line = stdout.split('\n').find((one) => one.startsWith('{'));
      const seen = JSON.parse(line ?? `{ "problem": ${JSON.stringify(stdout + stderr)} }`) as {
        problem?: string;
        diagnostics?: string[];
        definition?: number[];
        lenses?: string[];
      };
      expect(seen.problem).toBeUndefined();
      expect(seen.diagnostics![0]).toContain("'countr' is not declared");
      expect(seen.definition).toEqual([1, 5]);
      expect(seen.lenses).toContain('✓ deadlock-free proved');
      expect(readFileSync(path, 'utf8')).toBe(
        MODEL.replaceAll('countr ', 'total ').replaceAll('counter', 'total'),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
