// The W3C's tests of the recommendation and SCION's own, for tests: where they lie, and how one is run.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SourceFile } from '../source/source.ts';
import type { Chart } from './chart.ts';
import { plainEvent } from './event.ts';
import { Library } from './library.ts';
import { dataModels } from './models.ts';
import { type Engine, encode } from './sandbox.ts';
import { World } from './world.ts';

const require = createRequire(import.meta.url);
const SUITE = join(dirname(require.resolve('@scion-scxml/test-framework/package.json')), 'test');

export interface ScionTest {
  readonly name: string;
  readonly path: string;
  readonly script: Script;
}

export interface Script {
  readonly initialConfiguration: readonly string[];
  readonly events: readonly {
    readonly after?: number;
    readonly event: { readonly name: string; readonly data?: unknown };
    readonly nextConfiguration: readonly string[];
  }[];
  /** What SCION did earlier: in two tests that is what the recommendation says. */
  readonly legacySemantics?: Script;
}

/**
 * SCION takes the transition from a region to itself as one inside its <parallel>; the recommendation's transition domain is a compound state, so that the
 * <parallel> is left and entered again. The suite carries that expectation too, under another name.
 */
const AS_THE_RECOMMENDATION = ['more-parallel/test10', 'more-parallel/test10b'];

/** Every test of a folder of the suite that has an expectation. */
export function testsIn(folder: string): ScionTest[] {
  return readdirSync(join(SUITE, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: `${folder}/${file.replace(/(\.txml)?\.json$/, '')}`,
      path: join(SUITE, folder, file.replace(/json$/, 'scxml')),
      file,
    }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path, file }) => ({
      name,
      path,
      script: JSON.parse(readFileSync(join(SUITE, folder, file), 'utf8')) as Script,
    }));
}

export const folders = (): string[] => readdirSync(SUITE);

/** Ids of the W3C's tests by what its manifest says of them. */
export function manifest(): Map<string, { readonly mandatory: boolean; readonly manual: boolean }> {
  const text = readFileSync(join(SUITE, 'w3c-ecma', 'manifest.xml'), 'utf8');
  const found = text.matchAll(/<test\s+id="(\d+)"\s+conformance="(\w+)"\s+manual="(\w+)"/g);
  return new Map(
    [...found].map(([, id, conformance, manual]) => [
      id!,
      { mandatory: conformance === 'mandatory', manual: manual === 'true' },
    ]),
  );
}

function load(path: string): { library: Library; chart: Chart | null; problems: string[] } {
  const library = new Library({ read: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null) });
  const { chart, problems } = library.add(new SourceFile(path, readFileSync(path, 'utf8')));
  return {
    library,
    chart,
    problems: problems.list.filter(({ severity }) => severity === 'error').map(({ message }) => message),
  };
}

const leaves = (world: World): string[] => {
  const { chart, session } = world.members.get('main')!;
  return session.configuration
    .map((number) => chart.states[number]!)
    .filter(({ kind }) => kind === 'atomic' || kind === 'final')
    .map(({ name }) => name)
    .sort();
};

/** Runs the test's script with a clock of its own; the first difference, or null. */
export function runScript(engine: Engine, test: ScionTest): string | null {
  const { library, chart, problems } = load(test.path);
  if (chart === null) return problems.join('; ');
  const models = dataModels(engine);
  try {
    const world = new World(library, models.modelOf);
    world.start('main', chart);
    const { initialConfiguration, events } =
      (AS_THE_RECOMMENDATION.includes(test.name) ? test.script.legacySemantics : undefined) ?? test.script;
    const different = (expected: readonly string[], when: string): string | null => {
      const found = leaves(world).join(' ');
      return found === [...expected].sort().join(' ')
        ? null
        : `${when}: ${found} instead of ${expected.join(' ')}`;
    };
    let problem = different(initialConfiguration, 'at the start');
    if (problem !== null) {
      world.settle(0);
      problem = different(initialConfiguration, 'at the start');
    }
    for (const { after, event, nextConfiguration } of events) {
      if (problem !== null) return problem;
      world.settle(world.now + (after ?? 0));
      world.post('main', plainEvent(event.name, 'external', encode(event.data)));
      world.take('main');
      problem = different(nextConfiguration, `after ${event.name}`);
      if (problem !== null) {
        world.settle(world.now);
        problem = different(nextConfiguration, `after ${event.name}`);
      }
    }
    return problem;
  } finally {
    models.dispose();
  }
}

/** Lets a closed chart run to its end: the outcome, and every state it was ever in. */
export function runToEnd(
  engine: Engine,
  path: string,
): { end: readonly string[]; seen: ReadonlySet<string>; problem: string | null } {
  const { library, chart, problems } = load(path);
  if (chart === null) return { end: [], seen: new Set(), problem: problems.join('; ') };
  const models = dataModels(engine);
  try {
    const world = new World(library, models.modelOf);
    world.start('main', chart);
    const settled = world.settle(Number.POSITIVE_INFINITY);
    const seen = new Set<string>();
    for (const { session, outcome } of world.steps)
      if (session === 'main')
        for (const { entered } of outcome.steps)
          for (const number of entered) seen.add(chart.states[number]!.name);
    return { end: leaves(world), seen, problem: settled ? null : 'it does not come to rest' };
  } finally {
    models.dispose();
  }
}
