// Keeps unfolding affordable: while a class's locations are found, counts how many values each unfolded cell takes, and names the
// variable that should make way when there are too many locations or too much work.

import type { VariableId } from '../process/program.ts';
import type { ProcessClass } from './classes.ts';
import type { ClassState } from './transfer.ts';
import type { Value } from './value.ts';
import type { World } from './world.ts';

export class Variety {
  private tooMany: VariableId | null = null;
  private readonly world: World;
  private readonly values = new Map<number, Set<Value>>();
  private readonly mostForOptional: number;

  constructor(world: World, process: ProcessClass) {
    this.world = world;
    this.mostForOptional = 200 + world.limits.growth * process.proctype.locations.length;
  }

  note(state: ClassState): void {
    const { limits, layout, plan } = this.world;
    for (const [cell, value] of state.values) {
      const seen = this.values.get(cell);
      if (seen === undefined) this.values.set(cell, new Set([value]));
      else if (!seen.has(value)) {
        seen.add(value);
        const variable = layout.variableOf(cell);
        if (seen.size > limits.valuesPerUnfolded && !plan.deciders.has(variable)) this.tooMany = variable;
      }
    }
  }

  /** A variable that should not be unfolded; null when even without one there is too much; undefined when all is well. */
  makeWay(locations: number, work: number): VariableId | null | undefined {
    const { limits } = this.world;
    if (this.tooMany !== null) return this.tooMany;
    if (locations > this.mostForOptional || work > limits.workPerClass) {
      const optional = this.largest((variable) => !this.world.plan.deciders.has(variable));
      if (optional !== null) return optional;
    }
    const isTooMuch = locations > limits.locationsPerClass || this.world.work > limits.work;
    return isTooMuch ? this.largest(() => true) : undefined;
  }

  /** The variable that multiplies the locations most: the product of the values of its cells. */
  private largest(eligible: (variable: VariableId) => boolean): VariableId | null {
    const factors = new Map<VariableId, number>();
    for (const [cell, { size }] of this.values) {
      const variable = this.world.layout.variableOf(cell);
      if (size > 1 && eligible(variable))
        factors.set(variable, (factors.get(variable) ?? 0) + Math.log(size));
    }
    const [largest] = [...factors].sort(([, a], [, b]) => b - a);
    return largest?.[0] ?? null;
  }
}
