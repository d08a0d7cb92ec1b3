// Functions of ours that functions nobody defines can get at: through an address that they are given, in a structure, an array, a union or by `...`, or that
// lies in a variable they can read. A function from elsewhere may call them while it runs. What they do to variables is what it may do anyhow: it changes
// everything that can be reached. What is left are the errors on their way, and loops. So beside each call of such a function there are three ways on: where one of
// ours states a property, to an end that is not modelled; to something undefined, which only `no-undefined` asks about; and where one of ours may go on
// for ever, to a loop without an end. Which functions these are is known after the points-to analysis: it closes the ways that nothing leads to.

import type { Span } from '../../source/source.ts';
import type { CallBack } from '../program/call-backs.ts';
import { INT } from '../program/types.ts';
import { mentionedIn } from './address-taken.ts';
import { PLAIN_C } from './calls-of-spec.ts';
import type { Context } from './context.ts';
import { isAssertion } from './endings.ts';
import { functionAddress, type Value } from './places.ts';
import type { FunctionEntity } from './scope.ts';

export interface OnTheWay {
  /** An error, or an event of a specification. */
  readonly property: boolean;
  /** A loop, or a call that can be recursive. */
  readonly loop: boolean;
}

export function mayCallOurs(context: Context, name: string, values: readonly Value[], span: Span): void {
  const { pool, here } = context;
  const ours = [...context.addressTaken].filter(({ definition }) => definition !== null);
  if (here === null || ours.length === 0) return;
  const { take, start } = openChoice(context, WHY, span);
  const toError = take(1);
  context.stop(
    'cut',
    `'${name}' has no definition and may call functions whose addresses it can reach`,
    span,
  );
  const toUndefined = take(2);
  context.emit({ kind: 'defined', test: pool.false, why: `what '${name}' calls may be undefined` }, span);
  const toLoop = take(3);
  const loop = context.location(span);
  context.jump(loop, span);
  context.here = loop;
  context.jump(loop, span);
  context.here = start;
  const addresses = (of: readonly FunctionEntity[]) =>
    new Set(of.map((entity) => functionAddress(context, entity).value));
  context.callBacks.push({
    toError,
    toUndefined,
    toLoop,
    given: values.map(({ expr }) => expr),
    ours: addresses(ours),
    stating: addresses(ours.filter((entity) => onTheWay(context, entity).property)),
    endless: addresses(ours.filter((entity) => onTheWay(context, entity).loop)),
  } satisfies CallBack);
}

/** A function from elsewhere may end the program: what was given to `atexit` is called then. */
export function mayExit(context: Context, name: string, span: Span): void {
  const { exits, here } = context;
  if (exits === null || here === null) return;
  const { take, start } = openChoice(context, `whether '${name}' ends the program is not known`, span);
  take(1);
  exits.leave(context, span);
  context.here = start;
}

/** What is done at this place nobody knows: `take` begins one of the ways. */
function openChoice(context: Context, why: string, span: Span) {
  const { pool } = context;
  context.callBackChoice ??= context.memory.scalar('(elsewhere)', 'temporary', INT);
  const choice = context.callBackChoice;
  context.emit({ kind: 'havoc', cells: [choice], why, exact: false }, span);
  const start = context.here;
  const take = (number: number) => {
    const test = pool.eq(pool.symbol(choice.id, 32), pool.const(number, 32));
    const operation = { kind: 'assume', test, branch: null } as const;
    context.here = start;
    context.emit(operation, span);
    return operation;
  };
  return { take, start };
}

const WHY = 'when a function from elsewhere calls one of these files is not known';

/** Seen from the texts of everything that it mentions. */
function onTheWay(context: Context, entity: FunctionEntity): OnTheWay {
  if (context.calls !== PLAIN_C) return { property: true, loop: true };
  const known = context.onTheWay.get(entity);
  if (known !== undefined) return known;
  const reached = new Set([entity]);
  let property = false;
  let loop = false;
  for (const one of reached) {
    const { definition, scope } = one;
    if (definition === null) continue;
    const { names, labels, isIndirect, hasLoops } = mentionedIn({ items: [definition] });
    if (labels.has('ERROR')) property = true;
    if (hasLoops || isIndirect) loop = true;
    // Calls through pointers, also by the name of a variable: any function whose address is used.
    if (isIndirect || [...names].some((name) => scope.find(name)?.kind !== 'function'))
      for (const other of context.addressTaken) reached.add(other);
    for (const name of names) {
      const other = scope.find(name);
      if (other?.kind === 'function' && other.definition !== null && !isAssertion(name)) {
        // Once more: perhaps by itself.
        if (reached.has(other)) loop = true;
        reached.add(other);
      } else if (isAssertion(name)) property = true;
    }
  }
  const result = { property, loop };
  context.onTheWay.set(entity, result);
  return result;
}
