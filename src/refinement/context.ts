// A program beside its net: what each transition does to variables, who writes which variable, how many instances there are.

import { instanceLimits } from '../net/acyclic.ts';
import { type ClassGraph, classGraphs, cyclicTransitions, growingClasses } from '../net/cycles.ts';
import type { Net } from '../net/net.ts';
import type { Program, ScalarType, Variable, VariableId } from '../process/program.ts';
import { type Operation, operationsOf } from './operations.ts';

export interface CodeContext {
  readonly program: Program;
  readonly net: Net;
  readonly graphs: readonly ClassGraph[];
  /** Per transition; empty where nothing is known to be done and nothing can be. */
  readonly operations: readonly (readonly Operation[])[];
  /** Variable → the transitions that may change it. */
  readonly writers: ReadonlyMap<VariableId, ReadonlySet<number>>;
  /** Instances of each class there can be at most; Infinity for classes that grow. */
  readonly instances: readonly number[];
  readonly growing: ReadonlySet<number>;
  /** As the papers have it: an `int` never wraps. To look at only; no verdict may rest on it. */
  readonly idealIntegers: boolean;
  /** Transitions that receive what is never sent. */
  readonly impossible?: ReadonlySet<number>;
}

/** Null when the program does something that cannot be seen through. */
export function codeContext(program: Program, net: Net, idealIntegers = false): CodeContext | null {
  const operations: (readonly Operation[])[] = [];
  const writers = new Map<VariableId, Set<number>>();
  for (const [number, transition] of net.transitions.entries()) {
    const found = operationsOf(program, net.classes[transition.class]!.proctype, transition);
    if (found === null) return null;
    operations.push(found);
    for (const operation of found) {
      if (operation.kind !== 'assign') continue;
      const known = writers.get(operation.variable);
      if (known === undefined) writers.set(operation.variable, new Set([number]));
      else known.add(number);
    }
  }
  const graphs = classGraphs(net);
  const growing = growingClasses(net, graphs);
  const instances = instanceLimits(net, growing, cyclicTransitions(net, graphs));
  return { program, net, graphs, operations, writers, instances, growing, idealIntegers };
}

/** A variable that holds one number. */
export function scalarType(variable: Variable): ScalarType | null {
  return variable.length !== null || variable.type.kind === 'struct' ? null : variable.type;
}

/**
 * Does the variable belong to one instance of the class alone: its own local, or a global that only this class writes, of which
 * there is one instance?
 */
export function isOwn(context: CodeContext, netClass: number, variable: VariableId): boolean {
  const { owner } = context.program.variables[variable]!;
  const { proctype } = context.net.classes[netClass]!;
  if (owner !== null) return owner === proctype;
  if (context.instances[netClass]! > 1) return false;
  for (const writer of context.writers.get(variable) ?? [])
    if (context.net.transitions[writer]!.class !== netClass) return false;
  return true;
}
