// The same text as WebAssembly and as JavaScript: the same states under the same numbers, the same steps, errors and flags.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomModels } from '../testing/random-models.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import type { Model } from './compile.ts';
import type { Engine, EngineEvents } from './engine.ts';
import { modelOf } from './model-of.fuzz.ts';
import { Moves } from './moves.ts';
import { NativeEngine } from './native.ts';
import { ScriptEngine } from './script.ts';

const COUNT = Math.max(8, Number(process.env['SPILLWAY_FUZZ'] ?? 0));
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
const MOST = 1000;
/** From this state on the store is compressed. */
const COMPACT_AT = 50;

interface Told {
  readonly events: EngineEvents;
  readonly told: string[];
}

function listener(): Told {
  const told: string[] = [];
  return {
    told,
    events: {
      step: (state, isNew) => void told.push(`step ${state} ${isNew}`),
      claim: () => void told.push('claim'),
      fault: (code, choices) => void told.push(`fault ${code} ${choices.copy()}`),
      still: () => void told.push('still'),
    },
  };
}

const moves = new Moves();
const movesIn = (found: Moves): string[] =>
  Array.from(
    { length: found.length },
    (_, i) => `${found.edge(i)} ${found.partner(i)} ${found.partnerEdge(i)}`,
  );

/** Expands up to MOST states; everything that was told and seen on the way. */
function explored(engine: Engine, told: string[], compact: () => void = () => {}): string[] {
  engine.tell(true);
  told.push(`initial ${engine.begin()}`);
  for (let state = 0; state < Math.min(engine.count, MOST); state++) {
    if (state === COMPACT_AT) compact();
    engine.load(state);
    const { machine } = engine;
    told.push(`flags ${machine.flags()} steps ${engine.expand()} parent ${engine.parentOf(state)}`);
    for (let pid = 0; pid < machine.cells[0]!; pid++)
      told.push(`could ${movesIn(machine.movesOf(pid, moves))}`);
  }
  const { transitions, states } = engine.takeCounts();
  told.push(`${transitions} transitions, ${states} states`);
  return told;
}

function compare(model: Model, text: string): void {
  const script = listener();
  const scriptEngine = new ScriptEngine(model.machine, script.events, 'both');
  const expected = explored(scriptEngine, script.told);
  const peaks = Array.from(model.machine.peaks());
  const native = listener();
  const engine = NativeEngine.of(model, native.events, 2 ** 30);
  if (engine === null) throw new Error('there is no WebAssembly');
  expect(
    explored(engine, native.told, () => engine.compact()),
    text,
  ).toEqual(expected);
  expect(Array.from(engine.peaks), text).toEqual(peaks);
  for (let state = 0; state < engine.count; state++) {
    scriptEngine.loadInto(model.machine, state);
    const words = model.machine.copy();
    expect(engine.equals(state, words, words.length), `${text}\nstate ${state}`).toBe(true);
    if (state > 0) expect(engine.equals(state - 1, words, words.length)).toBe(false);
  }
}

describe('WebAssembly does what JavaScript does', () => {
  test(`${COUNT} random models`, { timeout: 3_600_000 }, () => {
    const wild = fc.sample(randomModels({ wild: true }), { numRuns: COUNT, seed: SEED });
    for (let i = 0; i < COUNT; i++) {
      const text = i % 2 === 0 ? wild[i]! : randomSemanticsModel(seededPick(SEED + i));
      let model: Model;
      try {
        model = modelOf(text);
      } catch {
        continue;
      }
      compare(model, text);
    }
  });

  test.each([
    [
      'long arrays',
      'byte a[100]; bit b[70]; active proctype P() { byte i; do :: i < 20 -> a[i] = 200; b[i] = 1; i++ :: else -> i = 0 od }',
    ],
    [
      'processes that start and end',
      'proctype Q(byte x; chan c) { chan d = [2] of { byte, int }; d!x,-x; d?_,_; c!x } chan c = [1] of { byte }; active proctype P() { byte i; do :: i < 3 -> run Q(i, c); i++ :: c?_ od }',
    ],
    [
      'many words',
      'int a[40]; active [2] proctype P() { byte i; do :: i < 40 -> a[i]++; i++ :: a[i] > 1 -> break od }',
    ],
    [
      'sorted and random messages',
      'chan c = [4] of { byte, short }; active proctype P() { do :: c!!3,-1 :: c!!1,5 :: c??1,_ :: c?_,_ od }',
    ],
    [
      'long queues',
      'chan c = [300] of { bit }; active proctype P() { byte i; do :: i < 250 -> c!i; i++ :: else -> break od; do :: c?_ od }',
    ],
  ])('%s', (_, text) => compare(modelOf(text), text));
});
