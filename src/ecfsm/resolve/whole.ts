// A machine with what it copies from another one: `machine B like A with B = C;`.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { ActionNode, DeferNode, InitNode, MachineNode, Name } from '../syntax/ast.ts';

export interface WholeMachine {
  readonly node: MachineNode;
  readonly states: readonly Name[];
  readonly registers: readonly Name[];
  readonly finals: readonly Name[];
  readonly defers: readonly DeferNode[];
  readonly actions: readonly ActionNode[];
  readonly inits: readonly InitNode[];
}

export function wholeMachine(
  node: MachineNode,
  all: readonly MachineNode[],
  diagnostics: Diagnostic[],
): WholeMachine {
  const { states, registers, finals, defers, actions, inits } = node;
  const own = { node, states, registers, finals, defers, actions, inits };
  if (node.like === null) return own;
  const original = all.find((machine) => machine.name.text === node.like!.text);
  if (original === undefined || original === node || original.like !== null) {
    diagnostics.push(
      problem('SPW4114', node.like.span, `'${node.like.text}' is not a machine that can be copied here`, {
        help: 'it must be another machine, written out',
      }),
    );
    return own;
  }
  for (const { old } of node.renamed) checkRenamed(old, original, diagnostics);
  const renamed = <T extends Name | null>(name: T): T | Name =>
    node.renamed.find(({ old }) => old.text === name?.text)?.now ?? name;
  return {
    node,
    states: [...original.states, ...states],
    registers: [...original.registers, ...registers],
    finals: [...original.finals, ...finals],
    defers: [...original.defers.map((one) => ({ ...one, peer: renamed(one.peer) })), ...defers],
    actions: [...original.actions.map((one) => ({ ...one, peer: renamed(one.peer) })), ...actions],
    inits: inits.length > 0 ? inits : original.inits,
  };
}

function checkRenamed(old: Name, original: MachineNode, diagnostics: Diagnostic[]): void {
  const peers = [...original.actions, ...original.defers].flatMap(({ peer }) =>
    peer === null ? [] : [peer.text],
  );
  if (peers.includes(old.text)) return;
  const help =
    peers.length === 0 ? 'it names no other machine' : `it names ${[...new Set(peers)].join(', ')}`;
  diagnostics.push(
    problem('SPW4106', old.span, `${original.name.text} has no action with '${old.text}'`, { help }),
  );
}
