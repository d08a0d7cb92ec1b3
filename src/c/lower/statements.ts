// Statements: control flow between locations.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { MemoryObject } from '../program/program.ts';
import type { CType, ScalarType } from '../program/types.ts';
import { elementsOf, pointerTo, promote, sizeOf, VOID } from '../program/types.ts';
import type { Declaration, Expression, Statement } from '../syntax/ast.ts';
import { oneLine } from '../syntax/one-line.ts';
import { refuse } from '../text/codes.ts';
import { write } from './access.ts';
import { changedIn, mayBePassed } from './address-taken.ts';
import { alignedAs } from './alignments.ts';
import { branch } from './conditions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { declared, declareTypedef, specified, specifiedFor, volatileNote } from './declare.ts';
import { hasEffects } from './effects.ts';
import { declareOuter } from './file-scope.ts';
import { allocateVariable } from './heap.ts';
import { initialise, initialiseGlobal } from './initial.ts';
import { completed, withRest } from './initial-parts.ts';
import { declareLabels, jumpThrough, labelled } from './labels.ts';
import { endWithoutValue } from './missing-values.ts';
import { at } from './places.ts';
import { noVariablesOfThreads } from './pthread.ts';
import { Scope } from './scope.ts';
import { declareTag } from './tagged.ts';
import { discard, saved, value } from './values.ts';

export function statement(context: Context, node: Statement): void {
  context.loads.without(() => lowered(context, node));
}

function lowered(context: Context, node: Statement): void {
  switch (node.kind) {
    case 'block':
      context.inBlock(() => {
        for (const inner of node.body) statement(context, inner);
      });
      return;
    case 'declare':
      declareLocals(context, node.declaration);
      return;
    case 'expression':
      if (node.expression !== null) discard(context, node.expression);
      return;
    // Since C99 these are blocks, and so are the statements in them: what is declared in a condition ends with the statement.
    case 'if':
      context.inBlock(() => ifStatement(context, node));
      return;
    case 'while':
      context.inBlock(() => loop(context, { ...node, step: null, testFirst: true }));
      return;
    case 'do':
      context.inBlock(() => loop(context, { ...node, step: null, testFirst: false }));
      return;
    case 'for':
      context.inBlock(() => {
        if (node.start !== null) statement(context, node.start);
        loop(context, { ...node, testFirst: true });
      });
      return;
    case 'switch':
      context.inBlock(() => switchStatement(context, node));
      return;
    case 'case':
      caseStatement(context, node);
      return;
    case 'label': {
      const label = labelled(context, node.name, node.span);
      if (label.defined) refuse('SPW5013', `the label '${node.name}' is defined twice`, node.span);
      label.defined = true;
      if (node.name === 'ERROR') context.statesProperty = true;
      const location = context.locations[label.location]!;
      location.labels = [...location.labels, node.name];
      location.span = node.span;
      context.jump(label.location, node.span);
      context.here = label.location;
      if (node.body !== null) statement(context, node.body);
      return;
    }
    case 'labels':
      declareLabels(context, node);
      return;
    case 'computed-goto': {
      const to = value(context, node.to);
      if (to.type.kind !== 'pointer')
        context.wrongType('the address of a label is needed', to.type, node.span);
      const { expr } = saved(context, node, to, node.span);
      jumpThrough(context, expr, textOf(node.to.span), node.span);
      return;
    }
    case 'goto':
      context.jump(labelled(context, node.label, node.span).location, node.span);
      return;
    case 'break':
      context.jump(
        context.frame.breakTo ?? refuse('SPW5013', 'there is nothing to break out of', node.span),
        node.span,
      );
      return;
    case 'continue':
      context.jump(
        context.frame.continueTo ?? refuse('SPW5013', 'there is no loop to continue', node.span),
        node.span,
      );
      return;
    case 'return':
      returnStatement(context, node);
      return;
    case 'asm':
      context.stop('cut', 'inline assembly is not modelled', node.span);
      return;
  }
}

const block = (context: Context, node: Statement): void => context.inBlock(() => statement(context, node));

function ifStatement(context: Context, node: Extract<Statement, { kind: 'if' }>): void {
  const join = context.location(node.span);
  for (const { test, body } of node.branches) {
    // What an earlier condition declares is known in the later ones.
    if (!context.scope.isEmpty) context.scope = new Scope(context.scope);
    const [yes, no] = [context.location(body.span), context.location(node.span)];
    branch(context, test, yes, no);
    context.here = yes;
    block(context, body);
    context.jump(join, node.span);
    context.here = no;
  }
  if (node.otherwise !== null) block(context, node.otherwise);
  context.jump(join, node.span);
  context.here = join;
}

interface Loop {
  readonly test: Expression | null;
  readonly body: Statement;
  readonly step: Expression | null;
  readonly testFirst: boolean;
  readonly span: Span;
}

/** Its parts in the order of the text, in which what they declare becomes known. */
function loop(context: Context, { test, body, step, testFirst, span }: Loop): void {
  const [head, inside, next, after] = [0, 1, 2, 3].map(() => context.location(span)) as [
    number,
    number,
    number,
    number,
  ];
  const testing = () => {
    context.here = head;
    if (test === null) context.jump(inside, span);
    else branch(context, test, inside, after);
  };
  context.jump(testFirst ? head : inside, span);
  if (testFirst) testing();
  context.here = next;
  if (step !== null) discard(context, step);
  context.jump(head, span);
  context.here = inside;
  loopBody(context, body, after, next);
  context.jump(next, span);
  if (!testFirst) testing();
  context.here = after;
}

/** Only there `break` and `continue` mean the loop: in a statement expression of its condition they mean the one around it. */
function loopBody(context: Context, body: Statement, breakTo: number, continueTo: number): void {
  const { frame } = context;
  const outer = { breakTo: frame.breakTo, continueTo: frame.continueTo };
  Object.assign(frame, { breakTo, continueTo });
  block(context, body);
  Object.assign(frame, outer);
}

function switchStatement(context: Context, node: Extract<Statement, { kind: 'switch' }>): void {
  const { pool, frame } = context;
  const source = value(context, node.value);
  if (source.type.kind !== 'int')
    context.wrongType('a switch is on a whole number', source.type, node.value.span);
  const type = promote(source.type);
  const chosen = saved(context, node, convert(context, source, type, node.span), node.value.span);
  const dispatch = context.here;
  const after = context.location(node.span);
  const outer = { breakTo: frame.breakTo, cases: frame.cases, switchWidth: frame.switchWidth };
  const cases: NonNullable<typeof frame.cases> = [];
  Object.assign(frame, { breakTo: after, cases, switchWidth: type.width });
  context.here = null;
  block(context, node.body);
  context.jump(after, node.span);
  Object.assign(frame, outer);
  if (dispatch !== null) {
    const text = textOf(node.value.span);
    let none: Expr = pool.true;
    const atMost = type.signed ? 'sle' : 'ule';
    for (const { value: label, upTo, location, span } of cases) {
      if (label === null) continue;
      const test =
        upTo === null
          ? pool.eq(chosen.expr, label)
          : pool.and(pool.compare(atMost, label, chosen.expr), pool.compare(atMost, chosen.expr, upTo));
      none = pool.and(none, pool.not(test));
      if (test !== pool.false)
        context.edge(
          dispatch,
          location,
          { kind: 'assume', test, branch: `[${text} == ${textOf(span)}]` },
          span,
        );
    }
    const fallback = cases.find((entry) => entry.value === null);
    const other = {
      kind: 'assume',
      test: none,
      branch: `[${text}: ${fallback ? 'default' : 'no case'}]`,
    } as const;
    if (none !== pool.false)
      context.edge(dispatch, fallback?.location ?? after, other, fallback?.span ?? node.value.span);
  }
  context.here = after;
}

const textOf = (span: Span): string => oneLine(span).slice(0, 60);

function caseStatement(context: Context, node: Extract<Statement, { kind: 'case' }>): void {
  const { frame } = context;
  if (frame.cases === null) {
    refuse('SPW5013', 'a case stands outside every switch', node.span);
    return;
  }
  const location = context.location(node.span);
  const constantOf = (expression: Expression): Expr => {
    const source = context.constantly(() => value(context, expression));
    if (source.type.kind !== 'int' || source.expr.op !== 'const')
      refuse('SPW5015', 'a case needs an integer constant', node.span);
    return context.pool.resize(source.expr, frame.switchWidth, source.type.signed);
  };
  const label = node.value === null ? null : constantOf(node.value);
  const upTo = node.upTo === null ? null : constantOf(node.upTo);
  if (frame.cases.some((other) => other.value === label && other.upTo === upTo))
    refuse('SPW5013', 'this case occurs twice', node.span);
  frame.cases.push({ value: label, upTo, location, span: node.span });
  context.jump(location, node.span);
  context.here = location;
  for (const inner of node.body) statement(context, inner);
}

function returnStatement(context: Context, node: Extract<Statement, { kind: 'return' }>): void {
  const { frame } = context;
  if (node.value !== null) {
    const result = value(context, node.value);
    if (frame.result !== null && frame.resultType.kind !== 'void')
      write(context, at(context, frame.resultType, frame.result.address), result, node.span);
  } else endWithoutValue(context, node.span);
  context.jump(frame.end, node.span);
}

function declareLocals(context: Context, node: Declaration): void {
  if (node.items.length === 0) {
    declareTag(context, node);
    return;
  }
  let specifiedOnce: CType | null = null;
  for (const item of node.items) {
    specifiedOnce ??= specifiedFor(context, node.type, item.value);
    const own = item.type === undefined ? specifiedOnce : specified(context, item.type);
    const { name, type: written } = declared(context, own, item.declarator);
    if (name === null) continue;
    if (node.storage === 'typedef') {
      declareTypedef(context, name, written, item.aligned);
      continue;
    }
    if (written.kind === 'function' || node.storage === 'extern') {
      declareOuter(context, node, item, name, written);
      continue;
    }
    if (written.kind === 'array' && written.variable !== undefined) {
      if (node.storage === 'static' || item.value !== null)
        refuse('SPW5011', `'${name}' has a variable size: it is neither static nor initialised`, item.span);
      declareVariableArray(context, name, written, item);
      continue;
    }
    const type = completed(context, written, item.value);
    if (type.kind === 'void') context.wrongType('a variable needs a type', VOID, item.span);
    if (sizeOf(type) === null) refuse('SPW5011', `the size of '${name}' is not known`, item.span);
    if (node.volatile) context.note(volatileNote(name), item.span);
    if (node.threadLocal === true) noVariablesOfThreads(context, name, item.span);
    const aligned = alignedAs(context, item.aligned);
    if (node.storage === 'static') {
      const known = context.statics.get(item);
      const object =
        known ?? context.memory.object(name, 'local', withRest(context, type, item.value), node.constant);
      context.statics.set(item, object);
      // Found by the names of the specification's predicates.
      context.frameObject(item, 'local', () => object);
      context.scope.names.set(name, { kind: 'object', object, type, ...aligned });
      if (known === undefined || context.awaited.delete(object))
        initialiseGlobal(context, object, object.type, item.value);
      continue;
    }
    const object = context.frameObject(item, 'local', () =>
      context.memory.object(name, 'local', type, node.constant),
    );
    const { definition } = context.frame;
    if (definition === null || mayBePassed(definition, node)) context.passedOver.add(object);
    context.block.objects.add(object);
    context.scope.names.set(name, { kind: 'object', object, type, ...aligned });
    if (item.value !== null) initialise(context, at(context, type, object.address), item.value, item.span);
    else context.forget(object, `'${name}' is not initialised`, item.span);
    if (!node.volatile) noteConstant(context, name, object, node, item);
  }
}

/** `int size = 10;` where nothing changes it: what is allocated by it has a size that is known. */
function noteConstant(
  context: Context,
  name: string,
  { cells, type }: MemoryObject,
  declaration: Declaration,
  { value: source, span }: Declaration['items'][0],
): void {
  const { definition, constants } = context.frame;
  if (type.kind !== 'int' || source === null || definition === null) return;
  if (source.kind === 'list' || hasEffects(source)) return;
  if (context.threads !== null || changedIn(definition).has(name) || mayBePassed(definition, declaration))
    return;
  const { expr } = context.onTrial(() => convert(context, value(context, source), type, span));
  const [cell] = cells.values();
  if (expr.op !== 'const' || cell === undefined) return;
  context.constantParameters.set(cell.id, expr);
  constants.push(cell.id);
}

/** An array whose size is known only at run time: it is allocated where it is declared. */
function declareVariableArray(
  context: Context,
  name: string,
  type: Extract<CType, { kind: 'array' }>,
  item: Declaration['items'][0],
): void {
  const element = elementsOf(type);
  if (sizeOf(element) === null) refuse('SPW5011', `the size of '${name}' is not known`, item.span);
  const wanted = { element, count: type.variable! };
  const hasSome = context.pool.compare('slt', context.pool.const(0n, 64), wanted.count);
  const why = 'an array of variable length must have at least one element';
  context.emit({ kind: 'defined', test: hasSome, why }, item.span);
  const address = allocateVariable(context, item, 'an array of variable length', wanted, item.span);
  const pointer = context.temporary(item, pointerTo(element) as ScalarType, 'array');
  context.emit({ kind: 'assign', cell: pointer, value: address }, item.span);
  context.scope.names.set(name, { kind: 'array', pointer, type });
}
