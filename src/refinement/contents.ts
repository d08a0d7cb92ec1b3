// Can unknowns within their ranges make all these terms true? The question behind "can this message satisfy that condition"
// ([CycleDeps] section 5: is Post(p) ∧ B[x←d] satisfiable), over Promela's wrapping integers.
//
// Conditions that share no unknown are looked at apart. Few combinations are all tried; of many, some likely ones: an answer
// of `yes` needs no more. What is left open is collected, and decided by an SMT solver (contents-smt.ts) before it is asked again.

import { Random } from '../base/random.ts';
import type { Interval } from './intervals.ts';
import { type Arena, apply, coneOf, type SymbolicTerm, type TermId } from './symbols.ts';

/** Satisfiable, or not? Renumbered, so that equal questions have equal keys. */
export interface Question {
  readonly terms: readonly SymbolicTerm[];
  readonly inputs: readonly Interval[];
  /** None of these may be zero. */
  readonly constraints: readonly TermId[];
}

const MOST_COMBINATIONS = 1 << 16;
const MOST_SAMPLES = 1500;

export class ContentsTable {
  /** Questions nobody has answered yet. */
  readonly open = new Map<string, Question>();
  private readonly answers = new Map<string, boolean>();
  /** How many answers of the SMT solver the results so far rest on. */
  solved = 0;

  /** True while it is not known to be impossible. */
  mayHold(arena: Arena, constraints: readonly TermId[]): boolean {
    return partsOf(arena, constraints).every((part) => {
      const key = JSON.stringify(part);
      const known = this.answers.get(key);
      if (known !== undefined) return known;
      const answer = decide(part);
      if (answer === null) {
        this.open.set(key, part);
        return true;
      }
      this.answers.set(key, answer);
      return answer;
    });
  }

  settle(key: string, satisfiable: boolean): void {
    this.open.delete(key);
    this.answers.set(key, satisfiable);
    if (!satisfiable) this.solved++;
  }
}

/** The constraints in groups that share no unknown, each a question of its own. */
function partsOf({ terms, inputs }: Arena, constraints: readonly TermId[]): Question[] {
  const groups: { inputs: Set<number>; constraints: TermId[] }[] = [];
  for (const constraint of constraints) {
    const merged = { inputs: new Set<number>(), constraints: [constraint] };
    for (const id of coneOf(terms, [constraint])) {
      const term = terms[id]!;
      if (term.op === 'input') merged.inputs.add(term.input);
    }
    for (let at = groups.length - 1; at >= 0; at--) {
      const group = groups[at]!;
      if (![...group.inputs].some((input) => merged.inputs.has(input))) continue;
      for (const input of group.inputs) merged.inputs.add(input);
      merged.constraints.push(...group.constraints);
      groups.splice(at, 1);
    }
    groups.push(merged);
  }
  return groups.map((group) => renumbered(terms, inputs, group.constraints));
}

function renumbered(
  terms: readonly SymbolicTerm[],
  inputs: readonly Interval[],
  constraints: readonly TermId[],
): Question {
  const kept = coneOf(terms, constraints);
  const number = new Map(kept.map((id, index) => [id, index]));
  const ranges: Interval[] = [];
  const moved = (id: TermId): TermId => number.get(id)!;
  const rebuild = (term: SymbolicTerm): SymbolicTerm => {
    switch (term.op) {
      case 'constant':
        return term;
      case 'input':
        return { op: 'input', input: ranges.push(inputs[term.input]!) - 1 };
      case 'unary':
      case 'truncate':
        return { ...term, a: moved(term.a) };
      case 'binary':
        return { ...term, a: moved(term.a), b: moved(term.b) };
      case 'choice':
        return { ...term, test: moved(term.test), a: moved(term.a), b: moved(term.b) };
    }
  };
  const rebuilt = kept.map((id) => rebuild(terms[id]!));
  const sorted = [...new Set(constraints.map(moved))].sort((a, b) => a - b);
  return { terms: rebuilt, inputs: ranges, constraints: sorted };
}

/** Null: too many combinations to try, and none of those tried did it. */
function decide(question: Question): boolean | null {
  const holds = tester(question);
  const sizes = question.inputs.map(({ least, most }) => most - least + 1);
  const combinations = sizes.reduce((product, size) => product * size, 1);
  if (combinations <= MOST_COMBINATIONS) {
    const domains = question.inputs.map(({ least }, input) =>
      Array.from({ length: sizes[input]! }, (_, offset) => least + offset),
    );
    return someCombination(domains, holds);
  }
  return someSample(question, holds) ? true : null;
}

/** Does this choice of values make every constraint true? */
function tester({ terms, constraints }: Question): (inputs: readonly number[]) => boolean {
  const values = new Array<number>(terms.length).fill(0);
  const at = (id: TermId): number => values[id]!;
  return (inputs) => {
    for (let id = 0; id < terms.length; id++) values[id] = apply(terms[id]!, at, inputs);
    return constraints.every((constraint) => values[constraint] !== 0);
  };
}

function someCombination(
  domains: readonly (readonly number[])[],
  holds: (inputs: readonly number[]) => boolean,
): boolean {
  const chosen: number[] = domains.map(([first]) => first!);
  const choose = (at: number): boolean => {
    if (at === domains.length) return holds(chosen);
    return domains[at]!.some((value) => {
      chosen[at] = value;
      return choose(at + 1);
    });
  };
  return choose(0);
}

/** The ends of the ranges, the question's constants and their neighbours, in many combinations. */
function someSample(question: Question, holds: (inputs: readonly number[]) => boolean): boolean {
  const constants = question.terms.flatMap((term) => (term.op === 'constant' ? [term.value] : []));
  const near = [...new Set([0, ...constants].flatMap((value) => [value - 1, value, value + 1]))];
  const domains = question.inputs.map(({ least, most }) => [
    ...new Set([least, most, ...near.filter((value) => value >= least && value <= most)]),
  ]);
  const combinations = domains.reduce((product, { length }) => product * length, 1);
  if (combinations <= MOST_SAMPLES) return someCombination(domains, holds);
  const random = new Random(1);
  for (let sample = 0; sample < MOST_SAMPLES; sample++)
    if (holds(domains.map((domain) => random.pick(domain)))) return true;
  return false;
}
