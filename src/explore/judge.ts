// An independent judge of counterexamples to formulas: the path is taken again, step by step, the truth of every atom is
// written down at each of its states, and the formula is evaluated on that word by the definition of the logic.
// The automaton and the search that found the path play no part in it.
//
// Atoms are read off with a claim of its own: one location per atom, reachable exactly where the atom is true.

import type { Word } from '../ltl/words.ts';
import { satisfies } from '../ltl/words.ts';
import type { Expression } from '../process/expression.ts';
import type { Formula, Program } from '../process/program.ts';
import type { ChoicePath } from './acceptance.ts';
import { type Choice, isSameChoice } from './choices.ts';
import type { CompileOptions, Model } from './compile.ts';
import { compileModel } from './compile.ts';
import type { FormulaCore } from './formula-claim.ts';
import { bareClaim } from './formula-claim.ts';
import { FRAME } from './layout.ts';

/** Does the path, as the model really runs it, violate the formula? */
export function pathViolates(
  program: Program,
  options: CompileOptions,
  formula: Formula,
  core: FormulaCore,
  path: ChoicePath,
): boolean {
  const claim = observerClaim(program, formula, core.expressions);
  const compiled = compileModel(program, { ...options, claim });
  if (!compiled.ok) return false;
  const word = wordAlong(compiled.value, core, path);
  return word !== null && !satisfies(core.formula, word);
}

/** Location 0 is always reachable, location i + 1 where atom i is true. */
function observerClaim(program: Program, formula: Formula, expressions: readonly Expression[]) {
  const { span } = formula;
  const yes: Expression = { kind: 'constant', value: 1, type: { kind: 'bool' }, span };
  const edges = [yes, ...expressions].map((expression, to) => ({ to, expression }));
  const states = edges.map(() => ({ isAccept: false, isFinal: false, edges }));
  return bareClaim(program, `${formula.name} observed`, span, states, 0);
}

/** Null when the path is not one of the model, or does not close its loop. */
function wordAlong(model: Model, core: FormulaCore, path: ChoicePath): Word | null {
  const { machine } = model;
  if (machine.initial() !== 0) return null;
  const letters: ReadonlySet<number>[] = [];
  let state: Int32Array = machine.copy();
  let loopState: Int32Array | null = null;
  let loopStart = 0;
  for (const [index, choices] of path.steps.entries()) {
    if (index === path.loopStart) {
      loopState = state;
      loopStart = letters.length;
    }
    // Where the claim ended the system has not moved any more: any step shows the atoms.
    const last = path.loopStart === null && index === path.steps.length - 1;
    const step = observe(model, state, last ? null : choices);
    if (step === null) return null;
    // Inside an atomic sequence nobody looks: the state has no letter.
    if (state[0]! >>> 16 === 0) letters.push(step.atoms);
    state = step.next;
  }
  if (path.loopStart !== null && !sameWords(state, loopState!)) return null;
  if (path.loopStart === null || loopStart === letters.length) loopStart = letters.length - 1;
  const atomIds = core.factory.atoms.map((atom) => atom.id);
  return {
    length: letters.length,
    loopStart,
    holds: (position, atom) => letters[position]!.has(atomIds[atom]!),
  };
}

/** Takes the step (any, for null); the atoms are those of the state it leaves. */
function observe(
  model: Model,
  state: Int32Array,
  choices: readonly Choice[] | null,
): { readonly atoms: ReadonlySet<number>; readonly next: Int32Array } | null {
  const { machine, layout } = model;
  const atoms = new Set<number>();
  let next: Int32Array | null = null;
  const cursor = machine.open({
    step: (words, length) => {
      if (choices !== null && !sameSteps(machine.choices().copy(), choices)) return;
      const location = machine.cells[layout.claimFrame + FRAME.location]!;
      if (location === 0) next ??= words.slice(0, length);
      else atoms.add(location - 1);
    },
  });
  machine.unpack(state, 0);
  cursor.expand();
  return next === null ? null : { atoms, next };
}

const sameSteps = (a: readonly Choice[], b: readonly Choice[]): boolean =>
  a.length === b.length && a.every((choice, i) => isSameChoice(choice, b[i]!));

function sameWords(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
