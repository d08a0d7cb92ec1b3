// Runs as vitest tests: each drives the real system by XState's own createActor, with time in the test's hands.

import type { Move } from '../actors/graph.ts';
import { advance, initialState } from '../actors/semantics.ts';
import { OFF, type SystemState } from '../actors/state.ts';
import type { ActorSystem } from '../actors/system.ts';

export interface RunToTest {
  readonly title: string;
  readonly moves: readonly Move[];
}

/** `module`: as the test file imports it; `exportName`: what the machine is called there. */
export function testText(
  system: ActorSystem,
  runs: readonly RunToTest[],
  { module, exportName }: { readonly module: string; readonly exportName: string | null },
): string {
  const machine =
    exportName === null || exportName === 'default'
      ? 'import machine'
      : `import { ${exportName} as machine }`;
  const tests = runs.flatMap((run) => ['', ...testOf(system, run)]);
  return `${[
    "import { drive } from 'spillway/vitest';",
    "import { expect, test } from 'vitest';",
    "import { createActor } from 'xstate';",
    `${machine} from ${JSON.stringify(module)};`,
    ...tests,
  ].join('\n')}\n`;
}

function testOf(system: ActorSystem, { title, moves }: RunToTest): string[] {
  const lines = [
    `test(${JSON.stringify(title)}, () => {`,
    '  const system = drive(machine, { createActor });',
  ];
  let state: SystemState | null = null;
  for (const { stimulus, choices } of moves) {
    let next = 0;
    const choose = (): number => choices[next++] ?? 0;
    if (state !== null && stimulus !== null && stimulus.kind !== 'message')
      lines.push(...stimulusLines(system, state, stimulus));
    const result: ReturnType<typeof advance> =
      state === null || stimulus === null
        ? initialState(system, 'in-process', choose)
        : advance(system, 'in-process', state, stimulus, choose);
    if (result.end !== 'quiet') {
      lines.push('  // From here on the actors keep each other busy for ever.');
      lines[lines.length - 2] =
        `  expect(() => ${lines.at(-2)!.trim().replace(/;$/, '')}).toThrow('never comes to rest');`;
      break;
    }
    state = result.state;
    lines.push(...expectations(system, state));
  }
  return [...lines, '});'];
}

type Driven = {
  readonly kind: 'offer' | 'timer';
  readonly actor: number;
  readonly member: number;
  readonly index: number;
};

function stimulusLines(system: ActorSystem, state: SystemState, stimulus: Driven): string[] {
  const actor = system.actors[stimulus.actor]!;
  const slot = state.slots[stimulus.actor]!;
  const own = actor.states[typeof slot === 'number' ? slot : slot[stimulus.member]!]!;
  const name = JSON.stringify(actor.name);
  if (stimulus.kind === 'timer') {
    const { type } = system.messages[own.timers[stimulus.index]!.message]!;
    return [`  system.fire(${name}, ${JSON.stringify(type)});`];
  }
  const offer = own.offers[stimulus.index]!;
  const event = JSON.stringify(
    system.messages[offer.message]!.data ?? { type: system.messages[offer.message]!.type },
  );
  return [`  system.${offer.kind === 'external' ? 'send' : 'settle'}(${name}, ${event});`];
}

function expectations(system: ActorSystem, state: SystemState): string[] {
  const expected = system.actors.flatMap((actor, id) => {
    const slot = state.slots[id]!;
    if (actor.logic === null || actor.family || typeof slot !== 'number' || slot === OFF) return [];
    return [[actor.name, [...actor.states[slot]!.active].sort()] as const];
  });
  return [`  expect(system.states()).toMatchObject(${JSON.stringify(Object.fromEntries(expected))});`];
}
