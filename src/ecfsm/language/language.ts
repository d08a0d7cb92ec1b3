// Languages as complete minimal automata, numbered canonically so that equal languages have equal keys.

import type { Regex } from './regex.ts';
import { acceptsEmpty, derivative } from './regex.ts';

/** A complete deterministic automaton: state 0 is initial, `next[state][letter]`. Minimal, states in breadth-first order. */
export interface Language {
  readonly next: readonly (readonly number[])[];
  readonly accepting: readonly boolean[];
  /** Equal exactly for equal languages over the same alphabet. */
  readonly key: string;
}

/** Null when the expression needs more than `maxStates` states. */
export function languageOf(regex: Regex, letters: number, maxStates = 2000): Language | null {
  const index = new Map<string, number>([[regex.key, 0]]);
  const expressions: Regex[] = [regex];
  const next: number[][] = [];
  for (let state = 0; state < expressions.length; state++) {
    const row: number[] = [];
    for (let by = 0; by < letters; by++) {
      const target = derivative(expressions[state]!, by);
      let known = index.get(target.key);
      if (known === undefined) {
        known = expressions.length;
        if (known >= maxStates) return null;
        index.set(target.key, known);
        expressions.push(target);
      }
      row.push(known);
    }
    next.push(row);
  }
  return minimal(next, expressions.map(acceptsEmpty), letters);
}

/** Moore's partition refinement, then breadth-first numbering from the initial state. */
function minimal(next: readonly number[][], accepting: readonly boolean[], letters: number): Language {
  let block: number[] = accepting.map((accepts) => (accepts ? 1 : 0));
  for (let count = 0; ; ) {
    const ids = new Map<string, number>();
    const refined = block.map((own, state) => {
      const signature = `${own},${next[state]!.map((target) => block[target]).join(',')}`;
      const known = ids.get(signature) ?? ids.size;
      ids.set(signature, known);
      return known;
    });
    block = refined;
    if (ids.size === count) break;
    count = ids.size;
  }
  const order: number[] = [0];
  const position = new Map<number, number>([[block[0]!, 0]]);
  const rows: number[][] = [];
  for (let i = 0; i < order.length; i++) {
    const row: number[] = [];
    for (let by = 0; by < letters; by++) {
      const target = next[order[i]!]![by]!;
      let known = position.get(block[target]!);
      if (known === undefined) {
        known = order.length;
        position.set(block[target]!, known);
        order.push(target);
      }
      row.push(known);
    }
    rows.push(row);
  }
  const accepts = order.map((state) => accepting[state]!);
  return {
    next: rows,
    accepting: accepts,
    key: rows.map((row, i) => `${accepts[i] ? '!' : ''}${row.join(',')}`).join(';'),
  };
}

export const containsEmpty = (language: Language): boolean => language.accepting[0]!;

export function contains(language: Language, word: readonly number[]): boolean {
  let state = 0;
  for (const symbol of word) state = language.next[state]![symbol]!;
  return language.accepting[state]!;
}

const aliveOf = new WeakMap<Language, readonly boolean[]>();

/** States from which some word is accepted; minimal automata have at most one state outside. */
export function aliveStates(language: Language): readonly boolean[] {
  let known = aliveOf.get(language);
  if (known === undefined) {
    known = findAlive(language);
    aliveOf.set(language, known);
  }
  return known;
}

function findAlive(language: Language): readonly boolean[] {
  const alive = [...language.accepting];
  for (let changed = true; changed; ) {
    changed = false;
    language.next.forEach((row, state) => {
      if (!alive[state] && row.some((target) => alive[target])) changed = alive[state] = true;
    });
  }
  return alive;
}

export const isNone = (language: Language): boolean => !language.accepting.some((accepts) => accepts);
/** The language of the empty word alone. */
export const isOnlyEmpty = (language: Language): boolean =>
  containsEmpty(language) && !language.next[0]!.some((target) => aliveStates(language)[target]);

/** The language of the empty word alone: state 0 accepts, everything leads to the dead state 1. */
export function onlyEmptyLanguage(letters: number): Language {
  const row = Array.from({ length: letters }, () => 1);
  return { next: [row, row], accepting: [true, false], key: `!${row.join(',')};${row.join(',')}` };
}

/** The words that are not empty: a new initial state, which does not accept. */
export function nonEmptyLanguage(language: Language): Language {
  if (!containsEmpty(language)) return language;
  const next = [
    language.next[0]!.map((target) => target + 1),
    ...language.next.map((row) => row.map((one) => one + 1)),
  ];
  return { next, accepting: [false, ...language.accepting], key: `+${language.key}` };
}

/** Words of the language, shortest first. */
export function* words(language: Language, maxLength: number): Generator<readonly number[]> {
  const alive = aliveStates(language);
  if (!alive[0]) return;
  let layer: { state: number; word: readonly number[] }[] = [{ state: 0, word: [] }];
  for (let length = 0; length <= maxLength && layer.length > 0; length++) {
    const following: typeof layer = [];
    for (const { state, word } of layer) {
      if (language.accepting[state]) yield word;
      if (following.length > 4000) continue;
      language.next[state]!.forEach((target, symbol) => {
        if (alive[target]) following.push({ state: target, word: [...word, symbol] });
      });
    }
    layer = following;
  }
}
