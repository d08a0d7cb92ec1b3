// Do the states of a proof cover what a component can do? [MAGIC] section 10 read backwards: nothing is computed, only checked.
//   start  every initial state of the program lies in one of the initial states;
//   step   from every state, every stretch of code leads into one of the states it names (or cannot be taken at all);
//   label  a state has a proposition exactly when the proposition's test is true in it.

import type { Expr } from '../program/expr.ts';
import type { Program } from '../program/program.ts';
import { Execution, startOf } from './execute.ts';
import type { Formula } from './formula.ts';
import { Formulas } from './formula.ts';
import { Obligations } from './obligations.ts';
import type { ComponentProof } from './proof.ts';
import { readTest } from './proof.ts';
import type { Stretch } from './stretches.ts';
import { stretchesOf } from './stretches.ts';

/** What the property sees of the component. */
export interface Observation {
  readonly isStop: (location: number) => boolean;
  readonly tests: readonly { readonly name: string; readonly test: Expr }[];
  /** Propositions that hold at locations. */
  readonly places: readonly { readonly name: string; readonly locations: ReadonlySet<number> }[];
}

export interface ComponentClaim {
  readonly obligations: Obligations;
  readonly states: readonly ClaimedState[];
  readonly initial: readonly number[];
}

/** When the obligations are met: what the thread can do from here. */
export interface ClaimedState {
  readonly location: number;
  readonly labels: readonly string[];
  readonly steps: readonly { readonly event: string | null; readonly to: readonly number[] }[];
  /** It can wait here for an event, or must wait for ever. */
  readonly waits: boolean;
}

interface Region {
  readonly location: number;
  readonly known: ReadonlyMap<number, Formula>;
  readonly tests: readonly Formula[];
}

/** A text says why the proof is refused at once; else the obligations remain to be met. */
export function claimOf(
  program: Program,
  proof: ComponentProof,
  observation: Observation,
  watch: () => void,
): ComponentClaim | string {
  const formulas = new Formulas(watch);
  const tests = proof.tests.map((text) => readTest(text, program, formulas));
  const bad = tests.indexOf(null);
  if (bad >= 0) return `the test '${proof.tests[bad]}' is not understood`;
  const regions = proof.states.map(([location, values, held]): Region => {
    const known = new Map<number, Formula>();
    for (let i = 0; i < values.length; i += 2) {
      const cell = Number(values[i]);
      known.set(cell, formulas.constant(BigInt(values[i + 1]!), program.cells[cell]!.width));
    }
    return { location, known, tests: held.map((test) => tests[test]!) };
  });
  return new Claims(program, proof, observation, formulas, regions).all();
}

class Claims {
  private readonly program: Program;
  private readonly proof: ComponentProof;
  private readonly observation: Observation;
  private readonly formulas: Formulas;
  private readonly regions: readonly Region[];
  private readonly obligations: Obligations;

  constructor(
    program: Program,
    proof: ComponentProof,
    observation: Observation,
    formulas: Formulas,
    regions: readonly Region[],
  ) {
    this.program = program;
    this.proof = proof;
    this.observation = observation;
    this.formulas = formulas;
    this.regions = regions;
    this.obligations = new Obligations(formulas);
  }

  all(): ComponentClaim | string {
    const { program, proof, observation } = this;
    const observed = new Set(
      observation.tests.flatMap(({ test }) => test.symbols.map((symbol) => Number(symbol.value) - 1)),
    );
    const stretches = stretchesOf(program, observed, observation.isStop);
    this.start();
    const successors = this.successors();
    if (typeof successors === 'string') return successors;
    const states: ClaimedState[] = [];
    for (const [i, region] of this.regions.entries()) {
      const own = stretches[region.location]!;
      for (const edge of successors[i]!.keys())
        if (!own.has(edge)) return `state ${i} has a step that the program has not`;
      const before = this.assumptions(region);
      for (const [edge, stretch] of own) this.step(i, before, stretch, successors[i]!.get(edge) ?? []);
      const labels = this.labels(i);
      if (labels === null) return `state ${i} has other propositions than its place`;
      states.push({
        location: region.location,
        labels,
        waits:
          program.locations[region.location]!.waitsForNothing === true ||
          [...own.values()].some(({ event }) => event !== null),
        steps: [...own].map(([edge, { event }]) => ({ event, to: successors[i]!.get(edge) ?? [] })),
      });
    }
    return { obligations: this.obligations, states, initial: proof.initial };
  }

  private start(): void {
    const { program, formulas, proof } = this;
    const execution = new Execution(program, formulas, startOf(program, formulas));
    const places = proof.initial.filter((state) => this.regions[state]!.location === program.entry);
    this.covered([], execution, places, () => 'an initial state of the program lies in no initial state');
  }

  /** For each state: last edge of a stretch → states. */
  private successors(): Map<number, number[]>[] | string {
    const successors = this.regions.map(() => new Map<number, number[]>());
    for (const [from, edge, ...to] of this.proof.steps) {
      if (successors[from!]!.has(edge!)) return `state ${from} has the same step twice`;
      if (edge! >= this.program.edges.length) return `state ${from} has a step that the program has not`;
      const end = this.program.edges[edge!]!.to;
      if (to.some((state) => this.regions[state]!.location !== end))
        return `a step of state ${from} leads to another place`;
      successors[from!]!.set(edge!, to);
    }
    return successors;
  }

  /** What is true in a state, given the values it knows. */
  private assumptions({ known, tests }: Region): Formula[] {
    const { formulas } = this;
    return tests.map((test) =>
      formulas.substitute(test, (variable) => known.get(Number(variable.value)) ?? variable),
    );
  }

  private step(state: number, before: readonly Formula[], stretch: Stretch, to: readonly number[]): void {
    const { formulas, program } = this;
    const execution = new Execution(program, formulas, this.regions[state]!.known);
    for (const { operation } of stretch.edges) {
      execution.take(operation);
      if (execution.conditions.at(-1) === formulas.false) return void this.obligations.stated++;
    }
    this.covered(before, execution, to, () => `state ${state} is left for a state that the proof has not`);
  }

  /** Whenever the assumptions hold and the execution is possible, it ends in one of the states. */
  private covered(
    assumptions: readonly Formula[],
    execution: Execution,
    states: readonly number[],
    what: () => string,
  ): void {
    const { formulas } = this;
    const facts = new Set([...assumptions, ...execution.conditions]);
    const outside: Formula[] = [];
    for (const state of states) {
      const { known, tests } = this.regions[state]!;
      let inside = formulas.true;
      for (const test of [
        ...[...known].map(([cell, value]) => formulas.equal(execution.value(cell), value)),
        ...tests.map((test) => formulas.substitute(test, (v) => execution.value(Number(v.value)))),
      ])
        if (!facts.has(test)) inside = formulas.apply('conj', 0, [inside, test]);
      outside.push(formulas.not(inside));
    }
    this.obligations.impossible([...facts, ...outside], what);
  }

  /** The propositions of a state, as the proof has them; null where they are not those of the location. */
  private labels(state: number): readonly string[] | null {
    const { formulas, program, observation } = this;
    const labels = this.proof.states[state]![3];
    const { location, known } = this.regions[state]!;
    for (const { name, locations } of observation.places)
      if (locations.has(location) !== labels.includes(name)) return null;
    const names = new Set([...observation.places, ...observation.tests].map(({ name }) => name));
    if (labels.some((label) => !names.has(label))) return null;
    const execution = new Execution(program, formulas, known);
    const assumptions = this.assumptions(this.regions[state]!);
    for (const { name, test } of observation.tests) {
      const truth = execution.evaluate(test, false);
      const wrong = labels.includes(name) ? formulas.not(truth) : truth;
      this.obligations.impossible(
        [...assumptions, wrong],
        () => `the proposition '${name}' is not settled in state ${state}`,
      );
    }
    return labels;
  }
}
