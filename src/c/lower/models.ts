// Functions of the library that are written down in C (model-texts.ts), where nothing closer is known: read as if the program had them, at the place of the call.

import { SourceFile } from '../../source/source.ts';
import { objectAt } from '../program/program.ts';
import { INT, isScalar } from '../program/types.ts';
import type { Expression, TopLevel } from '../syntax/ast.ts';
import { parseNow } from '../syntax/parse.ts';
import { args, givenAway } from './call-values.ts';
import { PLAIN_C } from './calls-of-spec.ts';
import type { Context } from './context.ts';
import { declareFunction, declareGlobal } from './file-scope.ts';
import { inline } from './inlining.ts';
import { MODEL_TEXTS, OF_KNOWN_TARGETS, OF_KNOWN_TEXTS, OF_LOCALE, OF_ONE_THREAD } from './model-texts.ts';
import type { Value } from './places.ts';
import { mayCount } from './printing.ts';
import { readElsewhere } from './scanning.ts';
import { type FunctionEntity, Scope } from './scope.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** Null where there is no text for it, or something else is better. Among threads each byte would be a step of its own. */
export function modelCall(context: Context, name: string, node: CallNode): Value | null {
  if (context.threads !== null || !MODEL_TEXTS.has(name)) return null;
  if (OF_LOCALE.has(name) && context.mentioned.has('setlocale')) return null;
  if (OF_ONE_THREAD.has(name) && context.calls !== PLAIN_C) return null;
  if (OF_KNOWN_TEXTS.has(name) && !isKnownText(context, node)) return null;
  if (OF_KNOWN_TARGETS.has(name) && !hasRoom(context, node)) return null;
  const model = modelOf(context, name);
  const { parameters, variadic } = model.type;
  const more = node.args.length - parameters.length;
  if (more < 0 || (more > 0 && !variadic) || mayCount(name, node)) return null;
  const types = parameters.map((type) => (isScalar(type) ? type : null));
  const values = givenAway(context, node, types).slice(0, parameters.length);
  const result = context.asModel(name, node.span, () => inline(context, model, values, node.span));
  readElsewhere(context, name, node.span);
  return result;
}

function isKnownText(context: Context, node: CallNode): boolean {
  const [text] = context.onTrial(() => args(context, { ...node, args: node.args.slice(0, 1) }));
  return text?.expr.op === 'const' && objectAt(context.memory.objects, text.expr.value) !== null;
}

/** The second argument says how many bytes of the first may be written: at least one, and all inside. */
function hasRoom(context: Context, node: CallNode): boolean {
  const [target, size] = context.onTrial(() => args(context, { ...node, args: node.args.slice(0, 2) }));
  if (target?.expr.op !== 'const' || size?.expr.op !== 'const' || size.expr.value === 0n) return false;
  const object = objectAt(context.memory.objects, target.expr.value);
  if (object === null || object.constant || object.extent !== undefined) return false;
  return target.expr.value + size.expr.value <= object.address + BigInt(object.size);
}

/** What a text can ask for beside C. */
export function modelValue(context: Context, name: string, node: CallNode): Value | null {
  const { span } = node;
  const exact = name === '__spillway_open';
  if (context.modelled !== null && name === '__spillway_apart') {
    const [a, b] = args(context, node) as [Value, Value];
    const { ulong } = context.sizes;
    return {
      type: ulong,
      expr: context.pool.resize(context.pool.binary('sub', a.expr, b.expr), ulong.width, false),
    };
  }
  if (context.modelled === null || (!exact && name !== '__spillway_any')) return null;
  const cell = context.temporary({}, INT, 'open');
  const why = `what '${context.modelled.name}' gives is left open`;
  context.emit({ kind: 'havoc', cells: [cell], why, exact }, span);
  return { type: INT, expr: context.pool.symbol(cell.id, 32) };
}

const texts = new Map<string, readonly TopLevel[]>();

function itemsOf(name: string, dataModel: 'ILP32' | 'LP64'): readonly TopLevel[] {
  const key = `${name} ${dataModel}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const file = new SourceFile(`<${name}>`, MODEL_TEXTS.get(name)!);
  const unit = parseNow(file, { files: { read: () => null }, defines: [], includes: [], dataModel });
  if (!unit.ok) throw new Error(`impossible: the text of '${name}': ${unit.error[0]?.message}`);
  texts.set(key, unit.value.items);
  return unit.value.items;
}

function modelOf(context: Context, name: string): FunctionEntity {
  const known = context.models.get(name);
  if (known !== undefined) return known;
  const outer = context.scope;
  let globals = outer;
  while (globals.outer !== null) globals = globals.outer;
  const scope = new Scope(globals);
  context.scope = scope;
  for (const item of itemsOf(name, context.sizes.name))
    if (item.kind === 'function') declareFunction(context, { ...item, static: true });
    else declareGlobal(context, item);
  context.scope = outer;
  const entity = scope.names.get(name);
  if (entity?.kind !== 'function') throw new Error(`impossible: no function '${name}' in its text`);
  context.models.set(name, entity);
  return entity;
}
