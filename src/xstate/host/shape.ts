// The shape of a machine for pictures and selectors. Positions are filled in later, from the source text.

import type { Logic, StateNode, Transition } from '../../actors/behaviour.ts';
import { ORIGINAL } from './instrument6.ts';
import type { LogicRecord } from './logics.ts';
import type { XMachine, XNode, XTransition } from './types.ts';
import { nodeName } from './words.ts';

export function shapeOf(record: LogicRecord, machine: XMachine): Logic {
  return {
    name: record.name,
    root: stateNode(machine.root),
    transitions: [...record.transitions].map(([transition, id]) => transitionOf(transition, id)),
    at: null,
  };
}

function stateNode(node: XNode): StateNode {
  return {
    name: nodeName(node),
    key: node.key,
    kind: node.type,
    initial: node.type === 'compound' ? (node.initial?.target[0]?.key ?? null) : null,
    tags: node.tags,
    lines: [
      ...actionNames(node.config['entry']).map((name) => `entry / ${name}`),
      ...actionNames(node.config['exit']).map((name) => `exit / ${name}`),
      ...node.invoke.map(({ id, src }) => `invoke ${src.startsWith('xstate.invoke.') ? id : src}`),
    ],
    states: Object.values(node.states).map(stateNode),
    at: null,
  };
}

function transitionOf(transition: XTransition, id: string): Transition {
  return {
    id,
    from: nodeName(transition.source),
    to: transition.target === undefined ? written(transition) : transition.target.map(nodeName),
    event: eventLabel(transition),
    guard: transition.guard === undefined ? null : partName(transition.guard, 'guard'),
    actions: actionNames(transition.actions),
    at: null,
  };
}

/** XState 6: the targets that the text of a function names. For pictures only. */
function written({ to, source }: XTransition): readonly string[] | null {
  const original = (to as { [ORIGINAL]?: unknown } | undefined)?.[ORIGINAL];
  if (typeof original !== 'function') return null;
  const names = [
    ...Function.prototype.toString.call(original).matchAll(/\btarget:\s*(["'`])([\w.]+)\1/g),
  ].map(([, , name]) => name!);
  const around = names.map((name) =>
    (name.startsWith('.') ? source : (source.parent ?? source)).path
      .concat(name.replace(/^\./, '').split('.'))
      .join('.'),
  );
  return around.length === 0 ? null : [...new Set(around)];
}

/** An event type as people know it. */
function eventLabel({ eventType, delay }: XTransition): string {
  if (eventType === '') return 'always';
  if (delay !== undefined) return `after ${delay}`;
  return eventType
    .replace(/^xstate\.done\.(?:actor|state)(?:\..*)?$/, 'done')
    .replace(/^xstate\.error\.(?:actor(?:\..*)?|\*)$/, 'error')
    .replace(/^xstate\.snapshot(?:\..*)?$/, 'snapshot')
    .replace(/^xstate\.timeout(?:\..*)?$/, 'timeout');
}

function actionNames(actions: unknown): string[] {
  if (actions === undefined) return [];
  return (Array.isArray(actions) ? actions : [actions]).map((action) => partName(action, 'action'));
}

function partName(part: unknown, otherwise: string): string {
  if (typeof part === 'string') return part;
  if (typeof part === 'object' && part !== null && 'type' in part) return String(part.type);
  if (typeof part !== 'function') return otherwise;
  const { type } = part as { type?: unknown };
  if (typeof type === 'string') return type.replace(/^xstate\./, '');
  return part.name === '' ? otherwise : part.name;
}
