// The strongest inductive formula of given atoms (Flanagan, Leino 2001): begin with all candidates, throw out every atom that some step from the formula
// does not lead to, until nothing changes. The shapes of the channels come from abstract reachability (`infer.ts`), the candidates from states that were seen.
//
// A place (control states and shapes) where no state was seen begins as empty; a step that leads nowhere else opens it, with what abstract reachability
// knows of it. Where a word fits several shapes, one of them has to hold: the one that loses least.
//
// The result is a candidate like any other: the induction decides whether it is an invariant, and safe.

import type { Budget } from '../../base/budget.ts';
import type { GlobalState } from '../concrete/state.ts';
import { contains, containsEmpty } from '../language/language.ts';
import type { Comparison, Disjunct, Protocol, SequenceAtom, StateVariable } from '../model.ts';
import { controlAfter, eventOf, keyOf, needsHead } from '../model.ts';
import { initialReadings } from '../safety/basis.ts';
import { prepare } from '../safety/formula.ts';
import { canBeginWith, Induction, takes } from '../safety/induction.ts';
import type { Reading } from '../safety/reading.ts';
import { relationOf } from '../safety/reading.ts';
import type { Context } from '../sequence/views.ts';
import type { Decider, Problem } from '../solver/decider.ts';
import type { Formula } from '../solver/linear.ts';
import { and, not } from '../solver/linear.ts';
import type { Vocabulary } from './candidates.ts';
import { candidatesFor } from './candidates.ts';

/** Short sequences are told apart up to this length. */
const CAP = 2;

/** Null when the shapes are not closed, or no time is left. */
export async function strengthen(
  protocol: Protocol,
  templates: readonly Disjunct[],
  seen: readonly GlobalState[],
  vocabulary: Vocabulary,
  decider: Decider,
  budget: Budget,
): Promise<Disjunct[] | null> {
  const places = templates.map((template): Place => {
    const here = seen.filter((state) => fits(template, state));
    const more = candidatesFor(protocol, template, here, vocabulary);
    const { predicates, relations } = template;
    return {
      template,
      open: here.length > 0,
      predicates: [...predicates, ...more.predicates.filter((atom) => !predicates.some(sameAs(atom)))],
      relations: [...relations, ...more.relations],
    };
  });
  const houdini = new Houdini(protocol, places, decider, budget);
  return (await houdini.run()) ? places.filter(({ open }) => open).map(disjunctOf) : null;
}

const sameAs =
  (atom: SequenceAtom) =>
  ({ predicate, of }: SequenceAtom): boolean =>
    predicate === atom.predicate && keyOf(of) === keyOf(atom.of);

const fits = ({ control, languages }: Disjunct, state: GlobalState): boolean =>
  control.every((where, side) => where === state.control[side]) &&
  languages.every((language, channel) =>
    contains(
      language,
      state.channels[channel]!.map(({ type }) => type),
    ),
  );

interface Place {
  readonly template: Disjunct;
  open: boolean;
  predicates: readonly SequenceAtom[];
  relations: readonly Comparison<StateVariable>[];
}

const disjunctOf = ({ template, predicates, relations }: Place): Disjunct => ({
  ...template,
  predicates,
  relations,
});

class Houdini {
  private readonly protocol: Protocol;
  private readonly places: readonly Place[];
  private readonly decider: Decider;
  private readonly budget: Budget;
  private readonly induction: Induction;
  private readonly work = new Set<number>();

  constructor(protocol: Protocol, places: readonly Place[], decider: Decider, budget: Budget) {
    this.protocol = protocol;
    this.places = places;
    this.decider = decider;
    this.budget = budget;
    this.induction = new Induction(prepare(protocol, places.map(disjunctOf)), decider);
    places.forEach(({ open }, index) => {
      if (open) this.work.add(index);
    });
  }

  async run(): Promise<boolean> {
    if (!(await this.begin())) return false;
    for (const index of this.work) {
      this.work.delete(index);
      if (!(await this.stepsFrom(index))) return false;
    }
    return true;
  }

  private at(control: readonly number[]): number[] {
    return this.places.flatMap(({ template }, index) =>
      template.control.every((where, side) => where === control[side]) ? [index] : [],
    );
  }

  private async begin(): Promise<boolean> {
    for (const { control, context, known, reading } of initialReadings(this.induction.formula)) {
      const targets = this.at(control).filter((index) =>
        this.places[index]!.template.languages.every(containsEmpty),
      );
      if (!(await this.enter(targets, context, and(known), reading))) return false;
    }
    return true;
  }

  private async stepsFrom(index: number): Promise<boolean> {
    const source = disjunctOf(this.places[index]!);
    for (const [side, { actions, registers }] of this.protocol.machines.entries()) {
      for (const action of actions) {
        if (action.from !== source.control[side]!) continue;
        const event = eventOf(action);
        if (needsHead(event) && !canBeginWith(source, event.channel, event.type)) continue;
        const targets = this.at(controlAfter(source.control, action));
        const disjuncts = targets.map((target) => disjunctOf(this.places[target]!));
        const situations = this.induction.situations(source, event, disjuncts, CAP);
        if (situations === null) return false;
        for (const { situation, members } of situations) {
          if (!this.budget.timeLeft()) return false;
          const taken = takes(source, action, situation, registers.length);
          const reached = targets.filter((_, j) => members[j]);
          if (!(await this.enter(reached, situation.context, taken, situation.after(action)))) return false;
        }
      }
    }
    return true;
  }

  /** What happened must be described by one of the places: it loses what does not hold. False when there is none. */
  private async enter(
    targets: readonly number[],
    context: Context,
    happened: Formula,
    reading: Reading,
  ): Promise<boolean> {
    // Reading atoms adds to what the context knows: all of them first.
    const atoms = new Map(targets.map((index) => [index, atomsAt(this.places[index]!, reading)]));
    const problem = this.decider.problem([...context.facts, happened], context.variables);
    if ((await problem.solve(and([]))).kind === 'unsatisfiable') return true;
    let best: { readonly index: number; readonly failing: Failing } | null = null;
    for (const index of this.opened(targets)) {
      const failing = await failingOf(atoms.get(index)!, problem);
      if (failing.size === 0) return true;
      if (best === null || failing.size < best.failing.size) best = { index, failing };
    }
    if (best === null) return false;
    const { index, failing } = best;
    const place = this.places[index]!;
    place.predicates = place.predicates.filter((atom) => !failing.has(atom));
    place.relations = place.relations.filter((atom) => !failing.has(atom));
    this.work.add(index);
    return true;
  }

  /** Those that are open; the first is opened when none is. */
  private opened(targets: readonly number[]): readonly number[] {
    const open = targets.filter((index) => this.places[index]!.open);
    const [first] = targets;
    if (open.length > 0 || first === undefined) return open;
    this.places[first]!.open = true;
    this.work.add(first);
    return [first];
  }
}

type Atom = SequenceAtom | Comparison<StateVariable>;
type Read = readonly (readonly [Atom, Formula])[];

const atomsAt = ({ predicates, relations }: Place, reading: Reading): Read => [
  ...predicates.map((atom) => [atom, reading.view(atom.of).holds(atom.predicate)] as const),
  ...relations.map((atom) => [atom, relationOf(atom, reading)] as const),
];

/** A solution says at once which atoms it breaks; asked again without these, until the rest follows. */
async function failingOf(atoms: Read, problem: Problem): Promise<Failing> {
  const failing: Failing = new Set();
  for (;;) {
    const left = atoms.filter(([atom]) => !failing.has(atom));
    const answer = await problem.solve(not(and(left.map(([, formula]) => formula))));
    if (answer.kind === 'unsatisfiable') return failing;
    const broken =
      answer.kind === 'satisfiable'
        ? left.filter(([, formula]) => truth(formula, answer.values) === false)
        : [];
    for (const [atom] of broken) failing.add(atom);
    if (broken.length > 0) continue;
    for (const [atom, formula] of left)
      if ((await problem.solve(not(formula))).kind !== 'unsatisfiable') failing.add(atom);
    return failing;
  }
}

/** Null where it depends on what the values do not say. */
function truth(formula: Formula, values: readonly number[]): boolean | null {
  switch (formula.kind) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'atMost': {
      const { variables, coefficients, constant } = formula.sum;
      const sum = variables.reduce(
        (total, one, i) => total + coefficients[i]! * (values[one] ?? 0),
        constant,
      );
      return Number.isNaN(sum) ? null : sum <= 0;
    }
    case 'proposition':
      return null;
    case 'and':
    case 'or': {
      const parts = formula.parts.map((part) => truth(part, values));
      const decisive = formula.kind === 'or';
      if (parts.includes(decisive)) return decisive;
      return parts.includes(null) ? null : !decisive;
    }
  }
}

type Failing = Set<Atom>;
