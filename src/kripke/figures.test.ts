// The small structures of [MAGIC], Figs. 5 to 7, with the paths, failures and deadlocks the paper states.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkDeadlock } from '../deadlock/deadlock.ts';
import { abstractRefusals, refusals, refusesEvent } from '../deadlock/refusals.ts';
import { loadCorpus, loadText } from './corpus.fuzz.ts';
import { project } from './path.ts';
import { Product } from './product.ts';
import { coarsest, quotient, split } from './quotient.ts';
import { breadthFirst } from './search.ts';
import type { Kripke } from './structure.ts';
import { eachEdge, refuses, transitionCount } from './structure.ts';
import { compose } from './system.ts';

/** All finite paths of a structure without cycles, as texts: p a q b s. */
function paths(structure: Kripke): string[] {
  const found: string[] = [];
  const walk = (state: number, text: string): void => {
    found.push(text);
    eachEdge(structure, state, (event, target) =>
      walk(target, `${text} ${structure.events[event]} ${structure.stateNames[target]}`),
    );
  };
  for (const state of structure.initial) walk(state, structure.stateNames[state]!);
  return found.sort();
}

/** All failures (trace, refusal), as texts. */
function failures(structure: Kripke): string[] {
  const found = new Set<string>();
  const walk = (state: number, trace: string[]): void => {
    const refused = structure.events.filter((_, event) => refuses(structure, state, event));
    found.add(`<${trace.join(', ')}> {${refused.sort().join(', ')}}`);
    eachEdge(structure, state, (event, target) => walk(target, [...trace, structure.events[event]!]));
  };
  for (const state of structure.initial) walk(state, []);
  return [...found].sort();
}

test('Fig. 5: seven paths and four failures of M1, four and four of M2; both deadlock', async () => {
  const [m1, m2] = loadCorpus('fig5').system.components as [Kripke, Kripke];
  expect(paths(m1)).toEqual([
    'p',
    'p a q',
    'p a q b s',
    'p a q b s c t',
    'p a r',
    'p a r b s',
    'p a r b s c t',
  ]);
  expect(failures(m1)).toEqual(['<> {b, c}', '<a, b, c> {a, b, c}', '<a, b> {a, b}', '<a> {a, c}']);
  expect(paths(m2)).toHaveLength(4);
  expect(failures(m2)).toHaveLength(4);
  for (const structure of [m1, m2])
    expect((await checkDeadlock(compose([structure]), 'compositional', UNLIMITED, SILENT)).kind).toBe(
      'deadlock',
    );
});

test("Fig. 6: the composition's alphabet and its deadlock; projections are paths of the components", () => {
  const { system } = loadCorpus('fig5');
  expect([...system.events].sort()).toEqual(['a', 'b', 'bb', 'c']);
  const found = breadthFirst(new Product(system), UNLIMITED, (_, steps) => steps === 0);
  if (found.kind !== 'found') throw new Error('Fig. 6 has a deadlock');
  expect(found.states).toBe(8);
  expect(found.path.events).toHaveLength(4);
  const names = (component: number) =>
    project(system, found.path, component).states.map(
      (state) => system.components[component]!.stateNames[state],
    );
  expect(names(0)).toEqual(['p', expect.stringMatching(/[qr]/), 's', 't']);
  expect(names(1)).toEqual(['w', 'x', 'y', 'z']);
});

// Structures with the properties that the paper states of those in Fig. 7.
const M1 = 'component M1 { p = ( b -> p | a -> q ). q = STOP. alphabet c; }';
const M2 = 'component M2 { p = ( b -> p | c -> q ). q = STOP. alphabet a; }';
const M3 = 'component M3 { p = ( a -> p ). alphabet b; }';
const M4 = 'component M4 { p = ( b -> p ). alphabet a; }';
// r is there, but cannot be reached.
const M5 = 'component M5 { allow unreachable; p = ( a -> p ). q = ( a -> r ). r = STOP. }';

const deadlocks = async (...texts: string[]): Promise<boolean> =>
  (await checkDeadlock(loadText(texts.join('\n')).system, 'portfolio', UNLIMITED, SILENT)).kind ===
  'deadlock';

test('Fig. 7 (1) to (4): deadlock is not compositional', async () => {
  expect([await deadlocks(M1), await deadlocks(M2), await deadlocks(M1, M2)]).toEqual([true, true, false]);
  expect([await deadlocks(M3), await deadlocks(M4), await deadlocks(M3, M4)]).toEqual([false, false, true]);
  expect(await deadlocks(M1, M3)).toBe(true);
  expect(await deadlocks(M1, M4)).toBe(false);
});

test('Fig. 7 (5) and (6): quotients lose deadlocks and invent them; abstract refusals lose none', async () => {
  const m1 = loadText(M1).system.components[0]!;
  const one = coarsest(m1, []);
  const lumped = quotient(m1, one, []);
  expect((await checkDeadlock(compose([lumped]), 'portfolio', UNLIMITED, SILENT)).kind).toBe('free');
  expect(refusesEvent(abstractRefusals(refusals(m1), one), 0, 0)).toBe(true);
  const m5 = loadText(M5).system.components[0]!;
  expect(await deadlocks(M5)).toBe(false);
  const pq = quotient(m5, split(coarsest(m5, []), [2]), []);
  expect((await checkDeadlock(compose([pq]), 'portfolio', UNLIMITED, SILENT)).kind).toBe('deadlock');
});

test('Figs. 1 and 2: the sizes of the surge protectors', () => {
  const size = (name: string) => {
    const [structure] = loadCorpus(name, ['R=2']).system.components;
    return [structure!.stateNames.length, transitionCount(structure!)];
  };
  expect(size('surge-se')).toEqual([3, 9]);
  expect(size('surge-state')).toEqual([9, 39]);
  expect(size('surge-event')).toEqual([3, 9]);
});
