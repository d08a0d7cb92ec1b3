// A whole .ecfsm file: protocol, machines, definitions, invariant, goals. docs/ecfsm.md describes the format for users.

import type { Diagnostic } from '../../source/diagnostic.ts';
import type { SourceFile, Span } from '../../source/source.ts';
import type {
  ActionNode,
  ChannelNode,
  ComparisonNode,
  DeferNode,
  DefinitionNode,
  DisjunctNode,
  Expression,
  FileNode,
  GoalNode,
  InitNode,
  MachineNode,
  Name,
} from './ast.ts';
import { Cursor } from './cursor.ts';
import { expandMacros } from './macros.ts';
import { parseDefinition } from './parse-definition.ts';
import { parseComparisonList, parseControl, parseFormula, parseSum } from './parse-formula.ts';
import { tokenize } from './token.ts';

export function parse(file: SourceFile, diagnostics: Diagnostic[]): FileNode {
  const tokens = expandMacros(tokenize(file, diagnostics), diagnostics);
  const cursor = new Cursor(tokens, file, diagnostics);
  const result = {
    name: null as Name | null,
    machines: [] as MachineNode[],
    initial: [] as FileNode['initial'][number][],
    definitions: [] as DefinitionNode[],
    invariants: [] as { disjuncts: DisjunctNode[]; span: Span }[],
    goals: [] as GoalNode[],
    lossy: [] as ChannelNode[],
    duplicating: [] as ChannelNode[],
  };
  while (!cursor.atEnd) {
    if (cursor.take(';')) continue;
    cursor.attempt(() => {
      if (cursor.is('protocol')) result.name = parseProtocolName(cursor);
      else if (cursor.is('machine')) result.machines.push(parseMachine(cursor));
      else if (cursor.is('initial')) result.initial.push(parseInitial(cursor));
      else if (cursor.is('predicate') || cursor.is('function'))
        result.definitions.push(parseDefinition(cursor));
      else if (cursor.is('invariant')) result.invariants.push(parseInvariant(cursor));
      else if (cursor.is('goal')) result.goals.push(parseGoal(cursor));
      else if (cursor.is('lossy')) result.lossy.push(...parseChannels(cursor));
      else if (cursor.is('duplicating')) result.duplicating.push(...parseChannels(cursor));
      else
        cursor.fail(
          "'protocol', 'machine', 'initial', 'lossy', 'duplicating', 'macro', 'predicate', 'function', 'invariant' or 'goal' was expected",
        );
    });
  }
  return result;
}

function parseProtocolName(cursor: Cursor): Name {
  cursor.next();
  const name = cursor.name('the name of the protocol');
  cursor.expect(';', 'after the name of the protocol');
  return name;
}

function parseMachine(cursor: Cursor): MachineNode {
  const start = cursor.next();
  const name = cursor.name('the name of the machine');
  const like = cursor.take('like') ? cursor.name('the name of another machine') : null;
  const renamed = like !== null && cursor.take('with') ? parseRenamings(cursor) : [];
  const states: Name[] = [];
  const registers: Name[] = [];
  const finals: Name[] = [];
  const defers: DeferNode[] = [];
  const inits: InitNode[] = [];
  const actions: ActionNode[] = [];
  if (like === null || !cursor.take(';')) {
    cursor.block('what the machine consists of', () => {
      if (cursor.take('states')) states.push(...statement(cursor, () => cursor.names('state')));
      else if (cursor.take('registers')) registers.push(...statement(cursor, () => cursor.names('register')));
      else if (cursor.is('final') && !cursor.is(':', 1)) {
        cursor.next();
        finals.push(...statement(cursor, () => cursor.names('state')));
      } else if (cursor.is('defer') && !cursor.is(':', 1)) defers.push(parseDefer(cursor));
      else if (cursor.is('init')) inits.push(parseInit(cursor));
      else actions.push(parseAction(cursor));
    });
  }
  const span = cursor.spanFrom(start);
  return { name, like, renamed, states, registers, finals, defers, inits, actions, span };
}

/** `B = C, C = A` */
function parseRenamings(cursor: Cursor): MachineNode['renamed'] {
  const result: MachineNode['renamed'][number][] = [];
  do {
    const old = cursor.name('a machine');
    cursor.expect('=', 'between the two machines');
    result.push({ old, now: cursor.name('a machine') });
  } while (cursor.take(','));
  return result;
}

/** `defer A in wait, busy;` */
function parseDefer(cursor: Cursor): DeferNode {
  const start = cursor.next();
  const peer = cursor.name('the machine that sends');
  cursor.expect('in', 'before the states in which messages wait');
  const states = cursor.names('state');
  const span = cursor.spanFrom(start);
  cursor.expect(';', 'at the end of the statement');
  return { peer, states, span };
}

function statement<T>(cursor: Cursor, parse: () => T): T {
  const result = parse();
  cursor.expect(';', 'at the end of the statement');
  return result;
}

function parseInit(cursor: Cursor): InitNode {
  const start = cursor.next();
  const state = cursor.name('state');
  const condition: ComparisonNode[] = cursor.take('where') ? parseComparisonList(cursor) : [];
  const span = cursor.spanFrom(start);
  cursor.expect(';', 'after the initial state');
  return { state, condition, span };
}

function parseAction(cursor: Cursor): ActionNode {
  const start = cursor.peek();
  const name = cursor.name("an action ('name: from -> to send TYPE(x) …')");
  cursor.expect(':', 'after the name of the action');
  const from = cursor.name('state');
  const to = cursor.take('->') ? cursor.name('state') : from;
  if (!cursor.is('send') && !cursor.is('receive') && !cursor.is('internal'))
    cursor.fail("'send', 'receive' or 'internal' was expected");
  const kind = cursor.next().text as ActionNode['kind'];
  const type = kind === 'internal' ? null : cursor.name('message type');
  const parameters: Name[] = [];
  if (kind !== 'internal' && cursor.take('(')) {
    parameters.push(...cursor.names('the name of a parameter'));
    cursor.expect(')', 'after the parameters');
  }
  const direction = kind === 'send' ? 'to' : 'from';
  const peer = kind !== 'internal' && cursor.take(direction) ? cursor.name('the other machine') : null;
  const condition = cursor.take('when') ? parseComparisonList(cursor) : [];
  const updates = cursor.take('do') ? parseUpdates(cursor) : [];
  const span = cursor.spanFrom(start);
  cursor.expect(';', 'at the end of the action');
  return { name, from, to, kind, type, parameters, peer, condition, updates, span };
}

/** `lossy A->B, B->A;` */
function parseChannels(cursor: Cursor): ChannelNode[] {
  cursor.next();
  const channels: ChannelNode[] = [];
  do {
    const start = cursor.peek();
    const from = cursor.name('the machine that sends');
    cursor.expect('->', 'between the two machines');
    const to = cursor.name('the machine that receives');
    channels.push({ from, to, span: cursor.spanFrom(start) });
  } while (cursor.take(','));
  cursor.expect(';', 'after the channels');
  return channels;
}

function parseUpdates(cursor: Cursor): { register: Name; value: Expression }[] {
  const result: { register: Name; value: Expression }[] = [];
  do {
    const register = cursor.name('a register');
    cursor.expect(':=', 'in the assignment');
    result.push({ register, value: parseSum(cursor) });
  } while (cursor.take(',') || cursor.take('and'));
  return result;
}

function parseInitial(cursor: Cursor): FileNode['initial'][number] {
  const start = cursor.next();
  const control = [parseControl(cursor)];
  while (cursor.take(',')) control.push(parseControl(cursor));
  const condition = cursor.take('where') ? parseComparisonList(cursor) : [];
  const span = cursor.spanFrom(start);
  cursor.expect(';', 'after the initial states');
  return { control, condition, span };
}

function parseInvariant(cursor: Cursor): { disjuncts: DisjunctNode[]; span: Span } {
  const start = cursor.next();
  const disjuncts: DisjunctNode[] = [];
  cursor.block('the disjuncts', () => {
    const first = cursor.peek();
    const name = cursor.name("a disjunct ('P1 = …;')");
    cursor.expect('=', 'after the name of the disjunct');
    const formula = parseFormula(cursor);
    disjuncts.push({ name, formula, span: cursor.spanFrom(first) });
    cursor.expect(';', 'at the end of the disjunct');
  });
  return { disjuncts, span: cursor.spanFrom(start) };
}

function parseGoal(cursor: Cursor): GoalNode {
  const start = cursor.next();
  const name = cursor.name('the name of the goal');
  cursor.expect('=', 'after the name of the goal');
  const patterns: Name[] = [];
  const control: GoalNode['control'][number][] = [];
  do {
    if (cursor.is('@', 1)) control.push(parseControl(cursor));
    else patterns.push(parsePattern(cursor));
  } while (cursor.take(','));
  const span = cursor.spanFrom(start);
  cursor.expect(';', 'at the end of the goal');
  return { name, patterns, control, span };
}

/** `P1`, `P1.eq`, `P1.*`, `*`: the text up to the next comma or semicolon. */
function parsePattern(cursor: Cursor): Name {
  const start = cursor.peek();
  let text = '';
  while (cursor.peek().kind === 'word' || cursor.peek().kind === 'number' || cursor.is('*') || cursor.is('.'))
    text += cursor.next().text;
  if (text === '') return cursor.fail('the name of a disjunct was expected');
  return { text, span: cursor.spanFrom(start) };
}
