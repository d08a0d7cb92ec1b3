// Reduction by direct simulation, with signatures (after Babiak, Badie, Duret-Lutz, Křetínský, Strejček: "Compositional
// approach to suspension and other improvements to LTL translation", SPIN'13).
//
// The signature of a state is a boolean function: for each edge its guard, a variable for every mark it lacks, and the
// variables of the target's class and of all classes that simulate it. When one signature implies another, the second
// state can do whatever the first can, with at least its marks. Repeating this from "all states are alike" reaches
// the simulation; states with equal signatures are merged, and edges dominated by better ones disappear, because
// they are not prime implicants of the signature.

import type { Automaton, AutomatonEdge } from './automaton.ts';
import { mergeEdges, reachablePart } from './automaton.ts';
import { TooManyNodes } from './bdd.ts';

/** Past this many states the quadratic comparison of signatures is not worth its time. */
const MAX_STATES = 600;
const MAX_TERMS = 20_000;
const MAX_NODES = 100_000;

/** Optional work: where it would cost too much, the automaton stays as it is. */
export function reduceBySimulation(automaton: Automaton): Automaton {
  if (automaton.edges.length > MAX_STATES) return automaton;
  automaton.guards.allow(MAX_NODES);
  try {
    return new Simulation(automaton).run();
  } catch (error) {
    if (error instanceof TooManyNodes) return automaton;
    throw error;
  } finally {
    automaton.guards.allow(MAX_NODES);
  }
}

interface Classes {
  /** Per state. */
  readonly of: readonly number[];
  /** Per class: itself and the classes that simulate it, ascending. */
  readonly above: readonly (readonly number[])[];
}

class Simulation {
  private readonly automaton: Automaton;
  private readonly markBase: number;
  private readonly classBase: number;

  constructor(automaton: Automaton) {
    this.automaton = automaton;
    this.markBase = automaton.atoms.length;
    this.classBase = this.markBase + automaton.marks;
  }

  run(): Automaton {
    let classes: Classes = { of: this.automaton.edges.map(() => 0), above: [[0]] };
    for (;;) {
      const signatures = this.signatures(classes);
      const refined = this.classify(signatures);
      if (size(refined) === size(classes)) return this.quotient(classes, signatures);
      classes = refined;
    }
  }

  private signatures(classes: Classes): number[] {
    const { guards } = this.automaton;
    const ofClass = classes.above.map((list) =>
      guards.andAll(list.map((each) => guards.variable(this.classBase + each))),
    );
    return this.automaton.edges.map((edges) =>
      guards.orAll(
        edges.map((edge) =>
          guards.andAll([edge.guard, this.lacking(edge.marks), ofClass[classes.of[edge.target]!]!]),
        ),
      ),
    );
  }

  private lacking(marks: number): number {
    const { guards } = this.automaton;
    let result = 1;
    for (let mark = 0; mark < this.automaton.marks; mark++) {
      if (((marks >> mark) & 1) === 0) result = guards.and(result, guards.variable(this.markBase + mark));
    }
    return result;
  }

  private classify(signatures: readonly number[]): Classes {
    const distinct = [...new Set(signatures)];
    const numberOf = new Map(distinct.map((signature, index) => [signature, index]));
    return {
      of: signatures.map((signature) => numberOf.get(signature)!),
      above: distinct.map((signature) =>
        distinct.flatMap((other, index) => (this.automaton.guards.implies(signature, other) ? [index] : [])),
      ),
    };
  }

  private quotient(classes: Classes, signatures: readonly number[]): Automaton {
    const { automaton } = this;
    const byVariables = new Map(classes.above.map((list, index) => [list.join(' '), index]));
    const edges = classes.above.map((_, index) => {
      const signature = signatures[classes.of.indexOf(index)]!;
      return mergeEdges(automaton.guards, this.edgesOf(signature, byVariables));
    });
    return reachablePart({ ...automaton, initial: classes.of[automaton.initial]!, edges });
  }

  private *edgesOf(signature: number, byVariables: ReadonlyMap<string, number>): Generator<AutomatonEdge> {
    const { guards, marks: count } = this.automaton;
    for (const [leaf, guard] of guards.leaves(signature, this.markBase)) {
      for (const term of guards.monotoneTerms(leaf, MAX_TERMS)) {
        const above = term.filter((variable) => variable >= this.classBase);
        const missing = term.filter((variable) => variable < this.classBase);
        const marks = missing.reduce(
          (bits, variable) => bits & ~(1 << (variable - this.markBase)),
          2 ** count - 1,
        );
        // A prime implicant of a sum of such products is one of the products, so its classes are those of one target.
        const target = byVariables.get(above.map((variable) => variable - this.classBase).join(' '))!;
        yield { guard, target, marks };
      }
    }
  }
}

/** Grows with every refinement: classes, then pairs that are no longer related. */
function size(classes: Classes): number {
  const count = classes.above.length;
  const related = classes.above.reduce((sum, list) => sum + list.length, 0);
  return count * 2 ** 20 + (count * count - related);
}
