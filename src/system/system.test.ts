import { describe, expect, test } from 'vitest';
import { liveness } from '../process/liveness.ts';
import type { ScalarType } from '../process/program.ts';
import { placeStorage, type Storage } from '../process/storage.ts';
import { programOf } from '../promela/testing.ts';
import { Choices } from './choices.ts';
import { singleInstances } from './instances.ts';
import { instantiate, type System } from './instantiate.ts';
import { Layout } from './layout.ts';
import { ANY, binary, channelValue, mayEqual, stored, ValueSet } from './value.ts';

const systemOf = (text: string, options = {}): System => instantiate(programOf(text), options);

/** Which queues each class sends to. */
const sendsOf = ({ graphs }: System): Record<string, string[]> =>
  Object.fromEntries(
    graphs.map(({ process, steps }) => {
      const sent = steps.flatMap(({ effects }) => effects.filter(({ kind }) => kind === 'send'));
      return [process.name, [...new Set(sent.map(({ queue }) => queue.name))].sort()];
    }),
  );

describe('values', () => {
  const same = (): boolean => true;
  test('arithmetic wraps at 32 bits, and is not guessed where C leaves it open', () => {
    expect(binary('+', 2147483647, 1, same)).toBe(-2147483648);
    expect(binary('*', 65536, 65536, same)).toBe(0);
    expect(binary('/', -7, 2, same)).toBe(-3);
    expect(binary('%', -7, 2, same)).toBe(-1);
    expect(binary('/', 1, 0, same)).toBe(ANY);
    expect(binary('<<', 1, 32, same)).toBe(ANY);
    expect(binary('+', ANY, 1, same)).toBe(ANY);
  });

  test('channels are equal only to themselves, and only where there is one of them', () => {
    const [a, b] = [channelValue(0), channelValue(1)];
    expect(binary('==', a, a, same)).toBe(1);
    expect(binary('==', a, a, () => false)).toBe(ANY);
    expect(binary('!=', a, b, same)).toBe(1);
    expect(binary('==', a, 0, same)).toBe(0);
    expect(binary('==', a, 3, same)).toBe(ANY);
    expect(mayEqual(a, 3)).toBe(true);
    expect(mayEqual(a, b)).toBe(false);
  });

  test('stores cut numbers to the type; a channel fits a byte but not a bit', () => {
    const keeps = (type: ScalarType): Storage => placeStorage(type, { isElement: false });
    expect(stored(keeps({ kind: 'byte' }), 257)).toBe(1);
    expect(stored(keeps({ kind: 'short' }), 40000)).toBe(-25536);
    expect(stored(keeps({ kind: 'mtype', set: '' }), channelValue(3))).toBe(channelValue(3));
    expect(stored(keeps({ kind: 'bit' }), channelValue(3))).toBe(ANY);
  });

  test('a set gives up beyond its limit, but never loses a channel before', () => {
    const set = new ValueSet();
    for (const value of [1, 2, 2]) set.add(value, 2);
    expect([...set.known!]).toEqual([1, 2]);
    expect(set.add(channelValue(0), 2)).toBe(true);
    expect(set.known).not.toBeNull();
    set.add(3, 2);
    expect(set.known).toBeNull();
  });
});

test('choices: every sequence of answers, once', () => {
  const choices = new Choices();
  const seen: string[] = [];
  do {
    const first = choices.choose(2);
    const second = first === 0 ? choices.choose(3) : choices.choose(1);
    seen.push(`${first}${second}`);
  } while (choices.next());
  expect(seen).toEqual(['00', '01', '02', '10']);
});

test('layout: elements and fields are cells with the names users write', () => {
  const program = programOf(`
    typedef In { bit a[2]; byte b };
    typedef Out { In one; In many[2] };
    Out x[2]; byte y;
    active proctype p() { x[1].many[0].a[1] = 1; y = 0 }
  `);
  const layout = new Layout(program);
  const [x, y] = program.globals;
  expect(layout.size[x!]).toBe(18);
  const cells = Array.from({ length: 18 }, (_, offset) => layout.cell(layout.base[x!]! + offset));
  expect(cells[0]!.name).toBe('x[0].one.a[0]');
  expect(cells[13]!.name).toBe('x[1].many[0].a[1]');
  expect(cells[13]!.storage).toEqual({ bits: 8, signed: false });
  expect(layout.cell(layout.base[y!]!).name).toBe('y');
  const edge = program.proctypes[0]!.edges[0]!.statement;
  if (edge.kind !== 'assign') throw new Error('the first statement is an assignment');
  const { cell, strides } = layout.locate(edge.target);
  const offset = strides.map(({ stride }, index) => stride * [1, 0, 1][index]!).reduce((a, b) => a + b, cell);
  expect(layout.cell(offset).name).toBe('x[1].many[0].a[1]');
});

test('liveness: a scalar is dead before it is overwritten, an array is not', () => {
  const program = programOf('active proctype p() { byte x, a[2]; x = 1; a[0] = 1; x = 2; x == a[1] }');
  const [proctype] = program.proctypes;
  const names = (location: number): string[] =>
    [...liveness(proctype!).at[location]!].map((variable) => program.variables[variable]!.name);
  expect(names(proctype!.initial)).toEqual(['a']);
});

describe('unfolding', () => {
  test('elements of a local array keep their values', () => {
    const system = systemOf(`
      chan q[3] = [1] of { bit };
      active proctype p() { byte a[2]; a[0] = 2; a[1] = 1; q[a[0]]!1 }
    `);
    expect(sendsOf(system)).toEqual({ p: ['q[2]'] });
  });

  test('a global that two instances write is not unfolded in either', () => {
    const text = (copies: number): string => `
      byte turn; chan q[2] = [1] of { bit };
      active [${copies}] proctype p() { turn = 1 - turn; q[turn]!1 }
    `;
    expect(sendsOf(systemOf(text(1)))).toEqual({ p: ['q[1]'] });
    expect(sendsOf(systemOf(text(2)))).toEqual({ p: ['q[0]', 'q[1]'] });
  });

  test('a received value can be the index of the next', () => {
    const system = systemOf(`
      chan in = [1] of { byte, byte }; chan q[3] = [1] of { bit };
      active proctype p() { byte i, a[2]; in!1,2; in?i,a[i]; q[a[1]]!1 }
    `);
    expect(sendsOf(system)).toEqual({ p: ['in', 'q[2]'] });
  });

  test('an initialiser that reads a changing global is not a constant', () => {
    const system = systemOf(`
      byte g; chan q[2] = [1] of { bit };
      proctype p() { byte x = g; q[x]!1 }
      init { g = 1; run p() }
    `);
    expect(sendsOf(system)['p']).toContain('q[1]');
  });

  test('an initialiser that depends on what is not known can be either branch', () => {
    const system = systemOf(`
      byte g; chan q[2] = [1] of { bit };
      proctype p() { byte x = (g -> 1 : 0); q[x]!1 }
      init { g = 1; run p() }
    `);
    expect(sendsOf(system)['p']).toEqual(['q[0]', 'q[1]']);
  });

  test('a channel variable may start as the element of an array that a parameter names', () => {
    const system = systemOf(`
      chan q[3] = [1] of { bit };
      proctype p(byte id) { chan mine = q[id + 1]; mine!1 }
      init { atomic { run p(0); run p(1) } }
    `);
    expect(sendsOf(system)).toMatchObject({ 'p(0)': ['q[1]'], 'p(1)': ['q[2]'] });
  });

  test('a class started twice, or in a loop, is not one instance', () => {
    const single = (init: string): string[] => {
      const system = systemOf(`proctype w() { skip } init { ${init} }`);
      const ids = singleInstances(system.graphs);
      return system.graphs.filter(({ process }) => ids.has(process.id)).map(({ process }) => process.name);
    };
    expect(single('run w()')).toEqual(['init', 'w']);
    expect(single('run w(); run w()')).toEqual(['init']);
    expect(single('do :: run w() od')).toEqual(['init']);
  });

  test('variables with too many values make way', () => {
    const system = systemOf(
      'chan q = [1] of { byte }; active proctype p() { byte n; do :: q!n; n++ :: q?5 od }',
    );
    expect(system.world.unknowns).toEqual([]);
    expect(system.graphs[0]!.states.length).toBeLessThan(300);
  });
});

describe('else', () => {
  test('looks at the edges before it only, as SPIN does', () => {
    const system = systemOf(`
      chan q[2] = [1] of { bit }; byte x, g;
      active proctype p() { do :: if :: x > 1 -> q[0]!1 :: else -> q[1]!1 fi :: g = 1 od }
    `);
    expect(sendsOf(system)).toEqual({ p: ['q[1]'] });
  });

  test('beside a send it is impossible, unless channels may be full', () => {
    const text = `
      chan q = [1] of { bit }; chan r = [1] of { bit };
      active proctype p() { byte i; do :: i == 0 -> i = 1 :: else -> break od; r!1 }
    `;
    expect(sendsOf(systemOf(text))).toEqual({ p: ['r'] });
  });
});

describe('limits', () => {
  test('a huge array of channels is one queue each, without hanging', () => {
    const system = systemOf('chan q[3000] = [1] of { bit }; active proctype p() { q[2999]!1 }');
    expect(sendsOf(system)).toEqual({ p: ['q[2999]'] });
  });

  test('too many locations give a reason, not a guess', () => {
    const system = systemOf('byte x; active proctype p() { do :: x = 1; x = 2; x = 3; x = 4; x = 5 od }', {
      limits: { locationsPerClass: 3 },
    });
    expect(system.world.unknowns.map(({ reasonCode }) => reasonCode)).toEqual(['too-large']);
  });

  test('out of time is said', () => {
    const budget = { timeLeft: () => false, remaining: () => 0, maxStates: 1, maxMemory: 1 };
    const system = systemOf('active proctype p() { skip }', { budget });
    expect(system.world.unknowns.map(({ reasonCode }) => reasonCode)).toEqual(['time-limit']);
  });

  test('a choice among 2^20 ways inside atomic is split into statements', () => {
    const choices = Array.from({ length: 20 }, (_, i) => `if :: x = ${i} :: x = ${i + 1} fi;`).join(' ');
    const system = systemOf(`byte x; active proctype p() { do :: atomic { skip; ${choices} } od }`);
    expect(system.world.unknowns).toEqual([]);
    expect(system.graphs[0]!.steps.length).toBeLessThan(2000);
  });
});

test('a local that is bounded only where a global says so is unfolded once the global is', () => {
  const program = programOf(`chan q = [1] of { bit }; bool ready = true;
    active proctype p() {
      byte left;
      do
      :: ready -> q!1; ready = false; left = 2
      :: !ready -> left--; if :: left == 0 -> ready = true :: else fi
      od
    }`);
  const also = ['left', 'ready'].map((name) => program.variables.find((one) => one.name === name)!.id);
  const system = instantiate(program, { also });
  expect(also.every((variable) => system.world.plan.unfolded.has(variable))).toBe(true);
  expect(system.graphs[0]!.states.length).toBeLessThan(40);
});
