import { defineConfig } from 'vitest/config';

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
    // There are as many processes as cores: what V8 does in further threads (collecting, compiling) only takes time from the other process.
    // Most of what runs here runs a few times: the baseline compiler at once saves a thirtieth of the time.
    execArgv: [
      '--single-threaded',
      '--always-sparkplug',
      '--min-semi-space-size=32',
      '--max-semi-space-size=64',
    ],
    // Files share their processes: a quarter of the time went into loading the same modules again. So no test may leave anything behind in one.
    isolate: false,
    maxWorkers: 2,
  },
});
