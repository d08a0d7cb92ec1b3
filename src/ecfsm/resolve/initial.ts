// Initial states: `init` of each machine, combined, or joint ones.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { InitialStates, RegisterMachine } from '../model.ts';
import type { FileNode, InitNode, MachineNode } from '../syntax/ast.ts';
import { toConjunction } from './linear.ts';
import { indexOf, registerScope } from './names.ts';

/** What is needed of a machine here, with what it copies from another one. */
interface WithInits {
  readonly node: MachineNode;
  readonly inits: readonly InitNode[];
}

export function resolveInitial(
  file: FileNode,
  wholes: readonly WithInits[],
  machines: readonly RegisterMachine[],
  diagnostics: Diagnostic[],
): InitialStates[] {
  if (file.initial.length > 0)
    return file.initial.flatMap((node) => jointInitial(node, machines, diagnostics));
  const perMachine = wholes.map(({ inits, node }, side) => {
    if (inits.length === 0)
      diagnostics.push(
        problem('SPW4107', node.name.span, `the machine '${node.name.text}' has no initial state`, {
          help: "write 'init STATE where REGISTER = 0;'",
        }),
      );
    return inits.flatMap((init) => {
      const state = indexOf(init.state, machines[side]!.states, 'state', 'SPW4103', diagnostics);
      const relations = toConjunction(init.condition, registerScope(machines, side, diagnostics));
      return state === null ? [] : [{ state, relations }];
    });
  });
  return combinations(perMachine).map((parts) => ({
    control: parts.map(({ state }) => state),
    relations: parts.flatMap(({ relations }) => relations),
  }));
}

/** One of each list, in all ways. */
const combinations = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((soFar, list) => soFar.flatMap((parts) => list.map((one) => [...parts, one])), [[]]);

function jointInitial(
  node: FileNode['initial'][number],
  machines: readonly RegisterMachine[],
  diagnostics: Diagnostic[],
): InitialStates[] {
  const relations = toConjunction(node.condition, registerScope(machines, null, diagnostics));
  const states = machines.map((machine) => {
    const atoms = node.control.filter((atom) => atom.machine.text === machine.name);
    if (atoms.length !== 1)
      diagnostics.push(problem('SPW4107', node.span, `say once where ${machine.name} begins`));
    return atoms.flatMap((atom) =>
      atom.states.flatMap((state) => {
        const index = indexOf(state, machine.states, 'state', 'SPW4103', diagnostics);
        return index === null ? [] : [index];
      }),
    );
  });
  return combinations(states).map((control) => ({ control, relations }));
}
