// The parser of .lks files: recursive descent, one function for each construct; after an error it goes on with the next
// item, so that one slip does not hide the others.

import type { Diagnostic } from '../source/diagnostic.ts';
import { suggest } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source.ts';
import { join } from '../source/source.ts';
import { Cursor, SyntaxProblem } from './cursor.ts';
import { tokenize } from './lexer.ts';
import type {
  Branch,
  ComponentDefinition,
  FormulaDefinition,
  Instance,
  LksFile,
  Reference,
  Replicated,
  Replication,
  StateDefinition,
  Target,
} from './syntax.ts';

const ITEMS = ['const', 'component', 'system', 'deadlock-free', 'ltl'];

export function parseLks(file: SourceFile, diagnostics: Diagnostic[]): LksFile {
  const cursor = new Cursor(file, tokenize(file, 0, file.text.length, diagnostics));
  const constants: LksFile['constants'][number][] = [];
  const components: ComponentDefinition[] = [];
  const formulas: FormulaDefinition[] = [];
  let system: LksFile['system'] = null;
  let deadlockFree: LksFile['deadlockFree'] = null;

  const item = (): void => {
    if (cursor.take('const')) {
      const name = cursor.name('the name of the constant');
      cursor.expect('=');
      constants.push({ name: name.text, span: name.span, value: cursor.expression() });
      cursor.take(';');
    } else if (cursor.is('component')) {
      components.push(parseComponent(cursor, diagnostics));
    } else if (cursor.is('system')) {
      const { span } = cursor;
      cursor.next();
      if (system !== null) throw cursor.fail('there is a system clause already');
      cursor.expect('=');
      system = { instances: parseParallel(cursor, []), span };
      if (!cursor.take(';')) cursor.take('.');
    } else if (cursor.is('deadlock') && cursor.peek(1).text === '-' && cursor.peek(2).text === 'free') {
      const begin = cursor.span;
      cursor.next();
      cursor.next();
      deadlockFree = join(begin, cursor.span);
      cursor.next();
      cursor.take(';');
    } else if (cursor.take('ltl')) {
      formulas.push(parseFormulaItem(cursor));
    } else {
      const near = suggest(cursor.token.text, ITEMS);
      throw cursor.fail(
        `expected const, component, system, ltl or deadlock-free, found ${cursor.found()}`,
        near === null ? undefined : `did you mean '${near}'?`,
      );
    }
  };

  while (cursor.token.kind !== 'end') {
    try {
      item();
    } catch (error) {
      if (error instanceof Abandoned) continue;
      if (!(error instanceof SyntaxProblem)) throw error;
      diagnostics.push(error.diagnostic);
      skipToItem(cursor);
    }
  }
  return { constants, components, system, formulas, deadlockFree };
}

function skipToItem(cursor: Cursor): void {
  do cursor.next();
  while (
    cursor.token.kind !== 'end' &&
    !(['const', 'component', 'system', 'ltl'].includes(cursor.token.text) && cursor.peek(1).text !== '->') &&
    !(cursor.is('deadlock') && cursor.peek(1).text === '-')
  );
}

function parseFormulaItem(cursor: Cursor): FormulaDefinition {
  const name = cursor.name('the name of the formula');
  const open = cursor.expect('{', 'a formula is written: ltl NAME { G (request -> F grant) }');
  const close = cursor.expect('}');
  cursor.take(';');
  return {
    name: name.text,
    nameSpan: name.span,
    text: { file: cursor.file, start: open.span.end, end: close.span.start },
  };
}

/** `A(1) || for i in 1..N: (B(i) || C(i))`, flattened: each instance with its ranges. */
function parseParallel(cursor: Cursor, loops: readonly Replication[]): Replicated<Instance>[] {
  return cursor.list(() => parseTerm(cursor, loops), '||').flat();
}

function parseTerm(cursor: Cursor, loops: readonly Replication[]): Replicated<Instance>[] {
  return cursor.deeper(() => {
    if (cursor.is('for')) {
      const loop = cursor.loop();
      cursor.expect(':');
      return parseTerm(cursor, [...loops, loop]);
    }
    if (cursor.take('(')) {
      const inner = parseParallel(cursor, loops);
      cursor.expect(')');
      return inner;
    }
    const name = cursor.name('a component');
    let end = name.span;
    let args: Instance['arguments'] = [];
    if (cursor.take('(')) {
      if (!cursor.is(')')) args = cursor.list(() => cursor.expression());
      end = cursor.expect(')').span;
    }
    const item = { component: name.text, arguments: args, span: join(name.span, end) };
    return [{ loops, guard: null, item }];
  });
}

/** A state that cannot be read costs itself only: the next one begins after a full stop at the end of a line. */
function stateInto(states: Replicated<StateDefinition>[], cursor: Cursor, diagnostics: Diagnostic[]): void {
  try {
    states.push(cursor.replicated(() => parseState(cursor)));
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    diagnostics.push(error.diagnostic);
    while (cursor.token.kind !== 'end' && !cursor.is('}') && !cursor.is('component') && !cursor.take('.'))
      cursor.next();
    if (cursor.is('component')) throw new Abandoned();
  }
}

/** What is wrong was said; the component is not closed before the next one. */
class Abandoned extends Error {}

function parseComponent(cursor: Cursor, diagnostics: Diagnostic[]): ComponentDefinition {
  cursor.expect('component');
  const name = cursor.name('the name of the component');
  let parameters: ComponentDefinition['parameters'] = [];
  if (cursor.take('(')) {
    parameters = cursor.list(() => {
      const parameter = cursor.name('a parameter');
      return { name: parameter.text, span: parameter.span };
    });
    cursor.expect(')');
  }
  cursor.expect('{');
  const initial: Replicated<Reference>[] = [];
  const alphabet: Replicated<Reference>[] = [];
  const states: Replicated<StateDefinition>[] = [];
  let allowUnreachable = false;
  while (!cursor.take('}')) {
    if (cursor.token.kind === 'end') throw cursor.fail("expected '}' at the end of the component");
    if (cursor.is('init') && cursor.peek(1).kind === 'name') {
      cursor.next();
      initial.push(...cursor.list(() => cursor.replicated(() => cursor.reference('a state'))));
      cursor.expect(';');
    } else if (cursor.is('alphabet') && cursor.peek(1).kind === 'name') {
      cursor.next();
      alphabet.push(...cursor.list(() => cursor.replicated(() => cursor.reference('an event'))));
      cursor.expect(';');
    } else if (cursor.is('allow') && cursor.peek(1).text === 'unreachable') {
      cursor.next();
      cursor.next();
      cursor.expect(';');
      allowUnreachable = true;
    } else stateInto(states, cursor, diagnostics);
  }
  const { text } = name;
  return { name: text, span: name.span, parameters, initial, alphabet, states, allowUnreachable };
}

function parseState(cursor: Cursor): StateDefinition {
  const head = cursor.reference('a state');
  let propositions: Replicated<Reference>[] = [];
  if (cursor.take('{')) {
    if (!cursor.is('}'))
      propositions = cursor.list(() => cursor.replicated(() => cursor.reference('a proposition')));
    cursor.expect('}');
  }
  cursor.expect('=', 'a state is written: NAME {propositions} = ( event -> STATE | event -> STATE ).');
  const body = parseTarget(cursor);
  if (body.kind === 'state') {
    throw cursor.fail('expected the choices of the state in brackets', 'write ( event -> STATE ).');
  }
  cursor.expect('.', 'a full stop ends the state');
  return { head, propositions, body };
}

function parseTarget(cursor: Cursor): Target {
  const { span } = cursor;
  if (cursor.take('STOP')) return { kind: 'stop', span };
  if (cursor.take('(')) {
    const branches = cursor.deeper(() =>
      cursor.list(() => cursor.replicated(() => parseBranch(cursor)), '|'),
    );
    const close = cursor.expect(')', "choices are separated by '|'");
    return { kind: 'choice', branches, span: join(span, close.span) };
  }
  return { kind: 'state', state: cursor.reference('a state') };
}

function parseBranch(cursor: Cursor): Branch {
  const labels: Replicated<Reference>[][] = [];
  do {
    labels.push(parseLabel(cursor));
    cursor.expect('->', 'an event leads somewhere: event -> STATE');
  } while (startsLabel(cursor));
  return { labels, target: parseTarget(cursor) };
}

function parseLabel(cursor: Cursor): Replicated<Reference>[] {
  if (!cursor.take('{')) return [{ loops: [], guard: null, item: cursor.reference('an event') }];
  const events = cursor.list(() => cursor.replicated(() => cursor.reference('an event')));
  cursor.expect('}');
  return events;
}

/** Whether another arrow follows: `a -> b -> Q` against `a -> Q`. */
function startsLabel(cursor: Cursor): boolean {
  if (cursor.is('{')) return true;
  if (cursor.token.kind !== 'name') return false;
  let ahead = 1;
  for (let depth = 0; ; ahead++) {
    const { text, kind } = cursor.peek(ahead);
    if (kind === 'end') return false;
    if (text === '[') depth++;
    else if (depth > 0 && text === ']') depth--;
    else if (depth === 0) return text === '->';
  }
}
