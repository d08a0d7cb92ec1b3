// Initial states: `init` of each machine, combined, or joint ones.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { InitialStates, Machine } from '../model.ts';
import { SIDES } from '../model.ts';
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
  pair: readonly [WithInits, WithInits],
  machines: readonly [Machine, Machine],
  diagnostics: Diagnostic[],
): InitialStates[] {
  if (file.initial.length > 0)
    return file.initial.flatMap((node) => jointInitial(node, machines, diagnostics));
  const perSide = SIDES.map((side) => {
    const { inits, node } = pair[side];
    if (inits.length === 0)
      diagnostics.push(
        problem('SPW4107', node.name.span, `the machine '${node.name.text}' has no initial state`, {
          help: "write 'init STATE where REGISTER = 0;'",
        }),
      );
    return inits.flatMap((init) => {
      const state = indexOf(init.state, machines[side].states, 'state', 'SPW4103', diagnostics);
      const relations = toConjunction(init.condition, registerScope(machines, side, diagnostics));
      return state === null ? [] : [{ state, relations }];
    });
  });
  return perSide[0]!.flatMap((a) =>
    perSide[1]!.map((b) => ({
      control: [a.state, b.state] as const,
      relations: [...a.relations, ...b.relations],
    })),
  );
}

function jointInitial(
  node: FileNode['initial'][number],
  machines: readonly [Machine, Machine],
  diagnostics: Diagnostic[],
): InitialStates[] {
  const relations = toConjunction(node.condition, registerScope(machines, null, diagnostics));
  const states = SIDES.map((side) => {
    const atoms = node.control.filter((atom) => atom.machine.text === machines[side].name);
    if (atoms.length !== 1)
      diagnostics.push(problem('SPW4107', node.span, `say once where ${machines[side].name} begins`));
    return atoms.flatMap((atom) =>
      atom.states.flatMap((state) => {
        const index = indexOf(state, machines[side].states, 'state', 'SPW4103', diagnostics);
        return index === null ? [] : [index];
      }),
    );
  });
  return states[0]!.flatMap((a) => states[1]!.map((b) => ({ control: [a, b] as const, relations })));
}
