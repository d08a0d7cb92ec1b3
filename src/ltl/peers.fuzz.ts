// The peers of this room, for tests and benchmarks: SPIN's and lbt's automata, read into ours.

import { runProgram } from '../testing/run-program.ts';
import type { Automaton, AutomatonEdge } from './automaton.ts';
import { Bdd } from './bdd.ts';
import type { Formula } from './formula.ts';
import { FormulaFactory } from './formula.ts';
import { parseText } from './parser.ts';
import type { Vocabulary } from './syntax.ts';
import { toFormula } from './syntax.ts';

export function available(program: string): boolean {
  return runProgram(program, ['-V']).status !== 127;
}

/** `spin -f`; null when it takes too long or fails. */
export function spinNeverClaim(formula: string, seconds = 5): string | null {
  const run = runProgram('spin', ['-f', formula], { seconds });
  return run.status === 0 && run.stdout.startsWith('never') ? run.stdout : null;
}

/** Labels that stand at one place are one state. */
export function countSpinStates(claim: string): number {
  return [...claim.matchAll(STATE)].length;
}

const STATE = /^((?:\w+:\n)+)((?:\t.*\n)*)/gm;

/** lbt reads prefix notation with propositions p0, p1, … and answers with a generalised automaton: states, then acceptance sets. */
export function lbtSize(
  formula: Formula,
  seconds = 5,
): { readonly states: number; readonly sets: number } | null {
  const run = runProgram('lbt', [], { input: prefix(formula), seconds });
  const match = /^(\d+) (\d+)/.exec(run.stdout);
  return run.status === 0 && match !== null ? { states: Number(match[1]), sets: Number(match[2]) } : null;
}

function prefix(formula: Formula): string {
  const [left, right] = formula.operands;
  switch (formula.kind) {
    case 'true':
      return 't';
    case 'false':
      return 'f';
    case 'literal':
      return `${formula.positive ? '' : '! '}p${formula.atom}`;
    case 'and':
    case 'or': {
      const operator = formula.kind === 'and' ? '&' : '|';
      return formula.operands.map(prefix).reduce((all, part) => `${operator} ${all} ${part}`);
    }
    case 'next':
      return `X ${prefix(left!)}`;
    case 'until':
      return left!.kind === 'true' ? `F ${prefix(right!)}` : `U ${prefix(left!)} ${prefix(right!)}`;
    case 'release':
      return left!.kind === 'false' ? `G ${prefix(right!)}` : `V ${prefix(left!)} ${prefix(right!)}`;
  }
}

/** A never claim as SPIN prints it. A failing assertion is the end of the claim: everything after it is accepted. */
export function readNeverClaim(text: string, names: readonly string[]): Automaton {
  const guards = new Bdd();
  const blocks = [...text.matchAll(STATE)].map(([, labels, body]) => ({
    labels: labels!.split(/:\n/).filter((label) => label !== ''),
    body: body!,
  }));
  const all = blocks.length;
  const edges = blocks.map(({ labels, body }): AutomatonEdge[] => {
    const marks = labels.some((label) => label.startsWith('accept')) ? 1 : 0;
    if (/^\tskip/m.test(body)) return [{ guard: 1, target: all, marks }];
    const choices = [...body.matchAll(/:: (?:atomic \{ )?(\(.*?\)) -> (?:goto (\w+)|assert\()/g)];
    return choices.map(([, guard, target]) => ({
      guard: guardOf(guards, guard!, names),
      target: target === undefined ? all : blocks.findIndex((block) => block.labels.includes(target)),
      marks,
    }));
  });
  edges.push([{ guard: 1, target: all, marks: 1 }]);
  const atoms = names.map((name, id) => ({ kind: 'proposition' as const, id, name }));
  return { atoms, guards, letters: 1, initial: 0, marks: 1, edges };
}

function guardOf(guards: Bdd, text: string, names: readonly string[]): number {
  const vocabulary: Vocabulary = {
    find: (kind, name) => (kind === 'event' || !names.includes(name) ? null : names.indexOf(name)),
    names: () => names,
  };
  const factory = new FormulaFactory();
  const formula = toFormula(factory, parseText(text, vocabulary).formula!);
  const build = (part: Formula): number => {
    switch (part.kind) {
      case 'true':
        return 1;
      case 'false':
        return 0;
      case 'literal':
        return guards.literal(factory.atoms[part.atom]!.id, part.positive);
      case 'and':
        return guards.andAll(part.operands.map(build));
      case 'or':
        return guards.orAll(part.operands.map(build));
      default:
        throw new Error(`no guard: ${text}`);
    }
  };
  return build(formula);
}
