// Machines and message types: names to indexes.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { Action, ActionVariable, InitialStates, Linear, Machine, Side } from '../model.ts';
import { other, SIDES } from '../model.ts';
import type { ActionNode, ChannelNode, FileNode, InitNode, MachineNode, Name } from '../syntax/ast.ts';
import { resolveInitial } from './initial.ts';
import type { Resolution } from './linear.ts';
import { toConjunction, toLinear } from './linear.ts';
import { indexOf } from './names.ts';

export interface MachinesAndTypes {
  readonly machines: readonly [Machine, Machine];
  readonly alphabets: readonly [readonly string[], readonly string[]];
  readonly initial: readonly InitialStates[];
}

/** A machine with what it copies from another one. */
interface Whole {
  readonly node: MachineNode;
  readonly states: readonly Name[];
  readonly registers: readonly Name[];
  readonly finals: readonly Name[];
  readonly actions: readonly ActionNode[];
  readonly inits: readonly InitNode[];
}

export function resolveMachines(file: FileNode, diagnostics: Diagnostic[]): MachinesAndTypes | null {
  if (file.machines.length !== 2) {
    const span = file.machines[2]?.span ?? file.machines[0]?.span ?? null;
    diagnostics.push(
      problem('SPW4101', span, `a protocol has exactly two machines, this one has ${file.machines.length}`),
    );
    return null;
  }
  const wholes = file.machines.map((node) => withCopy(node, file.machines, diagnostics));
  const pair: [Whole, Whole] = [wholes[0]!, wholes[1]!];
  if (pair[0].node.name.text === pair[1].node.name.text)
    diagnostics.push(problem('SPW4102', pair[1].node.name.span, 'both machines have the same name'));
  const alphabets = collectTypes(pair, diagnostics);
  const lossy = channelsAmong(file.lossy, pair, diagnostics);
  const duplicating = channelsAmong(file.duplicating, pair, diagnostics);
  const machine = (side: Side): Machine => {
    const resolved = resolveMachine(pair[side], side, alphabets, diagnostics);
    const actions = [
      ...resolved.actions,
      ...(lossy.has(side) ? losses(resolved) : []),
      ...(duplicating.has(other(side)) ? repetitions(resolved) : []),
    ];
    return { ...resolved, actions };
  };
  const machines: [Machine, Machine] = [machine(0), machine(1)];
  return { machines, alphabets, initial: resolveInitial(file, pair, machines, diagnostics) };
}

function channelsAmong(
  named: readonly ChannelNode[],
  pair: readonly [Whole, Whole],
  diagnostics: Diagnostic[],
): ReadonlySet<Side> {
  const names = pair.map(({ node }) => node.name.text);
  const found = new Set<Side>();
  for (const { from, to, span } of named) {
    const side = SIDES.find((one) => names[one] === from.text && names[other(one)] === to.text);
    if (side !== undefined) found.add(side);
    else
      diagnostics.push(
        problem('SPW4116', span, `there is no channel ${from.text}->${to.text}`, {
          help: `there are ${names[0]}->${names[1]} and ${names[1]}->${names[0]}`,
        }),
      );
  }
  return found;
}

/** A message that is lost some time might as well have been lost at once: the states that can be reached are the same. */
const losses = ({ actions }: Machine): Action[] =>
  actions
    .filter(({ kind, silent }) => kind === 'send' && silent === null)
    .map((action): Action => ({ ...action, name: `${action.name}.lost`, silent: 'lost' }));

/** A copy of a message arrives before the message itself: it is received, and the message stays where it is. */
const repetitions = ({ actions }: Machine): Action[] =>
  actions
    .filter(({ kind, silent }) => kind === 'receive' && silent === null)
    .map((action): Action => ({ ...action, name: `${action.name}.again`, silent: 'again' }));

function withCopy(node: MachineNode, all: readonly MachineNode[], diagnostics: Diagnostic[]): Whole {
  const own = {
    node,
    states: node.states,
    registers: node.registers,
    finals: node.finals,
    actions: node.actions,
    inits: node.inits,
  };
  if (node.like === null) return own;
  const original = all.find((machine) => machine.name.text === node.like!.text);
  if (original === undefined || original === node || original.like !== null) {
    diagnostics.push(
      problem('SPW4114', node.like.span, `'${node.like.text}' is not a machine that can be copied here`, {
        help: 'it must be the other machine, written out',
      }),
    );
    return own;
  }
  return {
    node,
    states: [...original.states, ...node.states],
    registers: [...original.registers, ...node.registers],
    finals: [...original.finals, ...node.finals],
    actions: [...original.actions, ...node.actions],
    inits: node.inits.length > 0 ? node.inits : original.inits,
  };
}

/** The types of a channel: what one machine sends and the other receives. */
function collectTypes(pair: readonly [Whole, Whole], diagnostics: Diagnostic[]): [string[], string[]] {
  const alphabets: [string[], string[]] = [[], []];
  for (const channel of SIDES) {
    const types = (side: Side, kind: ActionNode['kind']): Name[] =>
      pair[side].actions.flatMap((action) =>
        action.kind === kind && action.type !== null ? [action.type] : [],
      );
    const sent = types(channel, 'send');
    const received = types(other(channel), 'receive');
    alphabets[channel] = [...new Set([...sent, ...received].map(({ text }) => text))];
    const unmatched = (mine: readonly Name[], theirs: readonly Name[]): Name[] =>
      mine.filter((type) => !theirs.some((candidate) => candidate.text === type.text));
    for (const type of unmatched(sent, received))
      diagnostics.push(
        problem(
          'SPW4111',
          type.span,
          `'${type.text}' is sent, but ${pair[other(channel)].node.name.text} never receives it`,
          {
            severity: 'warning',
          },
        ),
      );
    for (const type of unmatched(received, sent))
      diagnostics.push(
        problem(
          'SPW4112',
          type.span,
          `'${type.text}' is received, but ${pair[channel].node.name.text} never sends it`,
          {
            severity: 'warning',
          },
        ),
      );
  }
  return alphabets;
}

function resolveMachine(
  whole: Whole,
  side: Side,
  alphabets: readonly [readonly string[], readonly string[]],
  diagnostics: Diagnostic[],
): Machine {
  unique(whole.states, 'state', diagnostics);
  unique(whole.registers, 'register', diagnostics);
  unique(
    whole.actions.map((action) => action.name),
    'action',
    diagnostics,
  );
  const states = whole.states.map((state) => state.text);
  const registers = whole.registers.map((register) => register.text);
  const actions = whole.actions.flatMap((node) => {
    const action = resolveAction(node, side, states, registers, alphabets, diagnostics);
    return action === null ? [] : [action];
  });
  const ends = whole.finals.map((name) => indexOf(name, states, 'state', 'SPW4103', diagnostics));
  const final = states.map((_, state) => ends.includes(state));
  return { name: whole.node.name.text, states, registers, final, actions };
}

function unique(names: readonly Name[], what: string, diagnostics: Diagnostic[]): void {
  const seen = new Map<string, Name>();
  for (const name of names) {
    const first = seen.get(name.text);
    if (first === undefined) seen.set(name.text, name);
    else
      diagnostics.push(
        problem('SPW4102', name.span, `the ${what} '${name.text}' is declared twice`, {
          related: [{ span: first.span, message: 'first here' }],
        }),
      );
  }
}

function resolveAction(
  node: ActionNode,
  side: Side,
  states: readonly string[],
  registers: readonly string[],
  alphabets: readonly [readonly string[], readonly string[]],
  diagnostics: Diagnostic[],
): Action | null {
  const from = indexOf(node.from, states, 'state', 'SPW4103', diagnostics);
  const to = indexOf(node.to, states, 'state', 'SPW4103', diagnostics);
  const scope = actionScope(registers, node.parameter, diagnostics);
  const condition = toConjunction(node.condition, scope);
  const updates: (Linear<ActionVariable> | null)[] = registers.map((_, index) => ({
    terms: [[index, 1]],
    constant: 0,
  }));
  const assigned = new Set<number>();
  for (const { register, value } of node.updates) {
    const index = indexOf(register, registers, 'register', 'SPW4104', diagnostics);
    if (index === null) continue;
    if (assigned.has(index))
      diagnostics.push(
        problem('SPW4109', register.span, `'${register.text}' is assigned twice in one action`),
      );
    assigned.add(index);
    updates[index] = toLinear(value, scope);
  }
  if (from === null || to === null || updates.includes(null)) return null;
  const channel = node.kind === 'receive' ? other(side) : side;
  return {
    name: node.name.text,
    side,
    from,
    to,
    kind: node.kind === 'receive' ? 'receive' : 'send',
    silent: node.kind === 'internal' ? 'internal' : null,
    type: node.type === null ? -1 : alphabets[channel].indexOf(node.type.text),
    condition,
    updates: updates as Linear<ActionVariable>[],
    text: node.span.file.text.slice(node.span.start, node.span.end).replace(/\s+/g, ' '),
    span: node.span,
  };
}

function actionScope(
  registers: readonly string[],
  parameter: Name | null,
  diagnostics: Diagnostic[],
): Resolution<ActionVariable> {
  return {
    diagnostics,
    same: (a, b) => a === b,
    lookup: (leaf) => {
      if (leaf.kind === 'name') {
        if (leaf.name.text === parameter?.text) return 'parameter';
        const known = parameter === null ? registers : [...registers, parameter.text];
        return indexOf(leaf.name, registers, 'register', 'SPW4104', diagnostics, known);
      }
      diagnostics.push(
        problem(
          'SPW4104',
          leaf.span,
          'an action sees only its own registers and the parameter of its message',
        ),
      );
      return null;
    },
  };
}
