import { spawnSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';

// There are as many processes as cores: what V8 does in further threads (collecting, compiling) only takes time from the other process.
// Most of what runs here runs a few times: the baseline compiler at once, the optimizing one late, save a sixth of the time.
const WISHED = [
  '--single-threaded',
  '--always-sparkplug',
  '--interrupt-budget=800000',
  // What is not optimized takes more room on the stack.
  '--stack-size=1900',
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
];
const known = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).stdout ?? '';
const execArgv = WISHED.filter((flag) => known.includes(`${flag.split('=')[0]} (`));

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/*.test.ts'],
    // A net for what hangs, not a measure: tests must pass on a machine with ten times the load.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 1_200_000 } },
    // What a test checks is checked, and nothing is left in the folders of whoever runs it.
    env: { SPILLWAY_CACHE: 'off' },
    // Removes what was built for all.
    globalSetup: ['src/testing/around-all.ts'],
    pool: 'forks',
    execArgv,
    // Files share their processes: a quarter of the time went into loading the same modules again. So no test may leave anything behind in one.
    isolate: false,
    maxWorkers: 2,
  },
});
