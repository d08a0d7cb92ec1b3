// Functions of ours that functions nobody defines can get at: through an address that they are given, in a structure, an array, a union or by `...`, or that
// lies in a variable they can read. A function from elsewhere may call them while it runs. What they do to variables is what it may do anyhow: it changes
// everything that can be reached. What is left are the errors on their way. So beside each call of such a function there are two ways on: where one of
// ours states a property, to an end that is not modelled; else to something undefined, which only `no-undefined` asks about. Which functions these are is known after
// the points-to analysis: it closes the ways that nothing leads to.

import type { Span } from '../../source/source.ts';
import type { CallBack } from '../program/call-backs.ts';
import { INT } from '../program/types.ts';
import { mentionedIn } from './address-taken.ts';
import { PLAIN_C } from './calls-of-spec.ts';
import type { Context, FunctionEntity } from './context.ts';
import { isAssertion } from './endings.ts';
import { functionAddress, type Value } from './places.ts';

export function mayCallOurs(context: Context, name: string, values: readonly Value[], span: Span): void {
  const { pool, here } = context;
  const ours = [...context.addressTaken].filter(({ definition }) => definition !== null);
  if (here === null || ours.length === 0) return;
  context.callBackChoice ??= context.memory.scalar('(calls back)', 'temporary', INT);
  const choice = context.callBackChoice;
  context.emit({ kind: 'havoc', cells: [choice], why: WHY, exact: false }, span);
  const start = context.here;
  const take = (number: number) => {
    const test = pool.eq(pool.symbol(choice.id, 32), pool.const(number, 32));
    const operation = { kind: 'assume', test, branch: null } as const;
    context.here = start;
    context.emit(operation, span);
    return operation;
  };
  const toError = take(1);
  context.stop(
    'cut',
    `'${name}' has no definition and may call functions whose addresses it can reach`,
    span,
  );
  const toUndefined = take(2);
  context.emit({ kind: 'defined', test: pool.false, why: `what '${name}' calls may be undefined` }, span);
  context.here = start;
  const stating = ours.filter((entity) => statesProperty(context, entity));
  context.callBacks.push({
    toError,
    toUndefined,
    given: values.map(({ expr }) => expr),
    ours: new Set(ours.map((entity) => functionAddress(context, entity).value)),
    stating: new Set(stating.map((entity) => functionAddress(context, entity).value)),
  } satisfies CallBack);
}

const WHY = 'when a function from elsewhere calls one of these files is not known';

/** Can an error be on its way, or an event of a specification? Seen from the texts of everything that it mentions. */
function statesProperty(context: Context, entity: FunctionEntity): boolean {
  if (context.calls !== PLAIN_C) return true;
  const known = context.stating.get(entity);
  if (known !== undefined) return known;
  const reached = new Set([entity]);
  let result = false;
  for (const one of reached) {
    const { definition, scope } = one;
    if (definition === null) continue;
    const { names, labels, isIndirect } = mentionedIn({ items: [definition] });
    if (labels.has('ERROR')) result = true;
    // Calls through pointers, also by the name of a variable: any function whose address is used.
    if (isIndirect || [...names].some((name) => scope.find(name)?.kind !== 'function'))
      for (const other of context.addressTaken) reached.add(other);
    for (const name of names) {
      const other = scope.find(name);
      if (other?.kind === 'function' && other.definition !== null && !isAssertion(name)) reached.add(other);
      else if (isAssertion(name)) result = true;
    }
  }
  context.stating.set(entity, result);
  return result;
}
