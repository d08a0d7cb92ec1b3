// Declarations: types, sizes, initial values. Used for globals, typedefs, parameters and locals.

import { computeBinary } from '../process/arithmetic.ts';
import { flatten } from '../process/channels.ts';
import type { Field, Initialiser, ScalarType, Type } from '../process/program.ts';
import { suggest } from '../source/diagnostic.ts';
import type { Declaration, ExpressionNode, InitialNode, TypeNode, VariableNode } from './ast.ts';
import type { ExpressionResolver } from './resolve-expression.ts';
import type { ProctypeEntry, Scope, Symbols, VariableEntry } from './symbols.ts';

function resolveType(symbols: Symbols, node: TypeNode, width: VariableNode['width']): Type {
  switch (node.name) {
    case 'mtype':
      if (node.set !== null) symbols.names?.useSet(node.set);
      return { kind: 'mtype', set: node.set?.text ?? '' };
    case 'unsigned':
      return { kind: 'unsigned', bits: width?.value ?? 16 };
    case 'bit':
    case 'bool':
    case 'byte':
    case 'pid':
    case 'short':
    case 'int':
    case 'chan':
      return { kind: node.name };
    default: {
      const struct = symbols.structNamed(node.name);
      if (struct !== null) {
        symbols.names?.useType({ ...node, text: node.name }, null);
        return { kind: 'struct', struct: struct.id };
      }
      const near = suggest(
        node.name,
        symbols.structs.map((candidate) => candidate.name),
      );
      symbols.error('SPW1101', node, `there is no type '${node.name}'`, {
        ...(near === null ? {} : { help: `did you mean '${near}'?` }),
      });
      return { kind: 'int' };
    }
  }
}

/** The value of a constant expression, null (after a diagnostic) when it is none. */
export function constantValue(symbols: Symbols, node: ExpressionNode, what: string): number | null {
  const value = fold(symbols, node);
  if (value !== null) return value;
  const name = node.kind === 'reference' ? node.reference.parts[0]!.name : null;
  if (name === null) symbols.error('SPW1108', node, `${what} must be a constant`);
  else if (symbols.variables.some((variable) => variable.name === name.text))
    symbols.error('SPW1108', node, `${what} must be a constant, and '${name.text}' is a variable`, {
      help: `write #define ${name.text.toUpperCase()} and a number`,
    });
  else
    symbols.error('SPW1101', node, `'${name.text}' is not declared`, constantHelp(symbols, name.text, what));
  return null;
}

function constantHelp(symbols: Symbols, name: string, what: string): { help: string } {
  const near = suggest(name, symbols.mtypeValues.keys());
  return {
    help: near === null ? `${what} is a constant: #define ${name} and a number` : `did you mean '${near}'?`,
  };
}

function fold(symbols: Symbols, node: ExpressionNode): number | null {
  if (node.kind === 'number') return node.value;
  if (node.kind === 'reference' && node.reference.parts.length === 1) {
    const { name } = node.reference.parts[0]!;
    symbols.names?.useMtype(name, null);
    return symbols.mtypeValues.get(name.text)?.value ?? null;
  }
  if (node.kind === 'unary' && node.operator === '-') {
    const value = fold(symbols, node.operand);
    return value === null ? null : -value | 0;
  }
  if (node.kind !== 'binary') return null;
  const left = fold(symbols, node.left);
  const right = fold(symbols, node.right);
  if (left === null || right === null) return null;
  const { operator } = node;
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return computeBinary(operator, left, right);
    default:
      return null;
  }
}

const LARGEST_ARRAY = 1 << 24;

function arrayLength(symbols: Symbols, variable: VariableNode, scope: Scope): number | null {
  const node = variable.length;
  if (node === null) return null;
  const size = namedSize(symbols, node, scope) ?? constantValue(symbols, node, 'the size of an array');
  if (size === null) return 1;
  if (size > 0 && size <= LARGEST_ARRAY) return size;
  symbols.error('SPW1112', node, `the array '${variable.name.text}' cannot have ${size} elements`);
  return 1;
}

/** SPIN takes the initial value of a variable for a size, and 8 when there is none. */
function namedSize(symbols: Symbols, node: ExpressionNode, scope: Scope): number | null {
  if (node.kind !== 'reference' || node.reference.parts.length !== 1) return null;
  const entry = scope.find(node.reference.parts[0]!.name.text);
  if (entry === null) return null;
  symbols.names?.useVariable(entry, node.reference.parts[0]!.name, 'read', null);
  const initial = entry.initial?.kind === 'each' ? entry.initial.value : null;
  const value = initial?.kind === 'constant' && initial.value > 0 ? initial.value : 8;
  symbols.warning(
    'SPW1009',
    node,
    `the variable '${entry.name}' as the size of an array is taken as ${value}`,
    {
      help: 'use a #define for the size',
    },
  );
  return value;
}

function channelFields(symbols: Symbols, nodes: readonly TypeNode[]): ScalarType[] {
  return nodes.flatMap((node) => {
    const type = resolveType(symbols, node, null);
    if (arrayInside(symbols.structs, type) === 'structures')
      symbols.error(
        'SPW1105',
        node,
        'a structure with an array of structures inside cannot be part of a message',
      );
    const cells = flatten(symbols.structs, type);
    if (cells.some((cell) => cell.type.kind === 'unsigned'))
      symbols.error('SPW1105', node, 'unsigned cannot be the type of a message field');
    return cells.map((cell) => cell.type);
  });
}

/** What arrays lie inside the structure; null for none. SPIN's verifier cannot hand them all around. */
export function arrayInside(structs: Symbols['structs'], type: Type): 'numbers' | 'structures' | null {
  if (type.kind !== 'struct') return null;
  const { fields } = structs[type.struct]!;
  const found = fields.map((field) => {
    if (field.length !== null) return field.type.kind === 'struct' ? 'structures' : 'numbers';
    return arrayInside(structs, field.type);
  });
  return found.find((kind) => kind === 'structures') ?? found.find((kind) => kind !== null) ?? null;
}

function channelCapacity(symbols: Symbols, node: ExpressionNode): number {
  const capacity = constantValue(symbols, node, 'the capacity of a channel') ?? 0;
  if (capacity >= 0 && capacity <= 255) return capacity;
  if (capacity < 0) symbols.error('SPW1112', node, 'the capacity of a channel cannot be negative');
  else symbols.warning('SPW1112', node, 'SPIN allows channels of at most 255 messages');
  return Math.max(0, capacity);
}

/** Checks that hold for every declared variable. */
function checkVariable(symbols: Symbols, declaration: Declaration, variable: VariableNode): void {
  const { name, width, initial } = variable;
  const typeName = declaration.type.name;
  if (typeName === 'unsigned') {
    if (width === null)
      symbols.error('SPW1112', name, `the unsigned '${name.text}' needs a number of bits: ${name.text} : 4`);
    else if (width.value < 1 || width.value >= 32)
      symbols.error('SPW1112', name, `an unsigned has 1 to 31 bits, not ${width.value}`);
  } else if (width !== null) symbols.error('SPW1112', name, 'only an unsigned can have a number of bits');
  if (initial?.kind === 'channel' && typeName !== 'chan')
    symbols.error('SPW1105', name, `'${name.text}' is no chan, but is initialised as one`);
  if (initial?.kind === 'list' && variable.length === null)
    symbols.error('SPW1107', name, `'${name.text}' is no array, but is initialised as one`);
  if (initial?.kind === 'expression' && containsRun(initial.expression))
    symbols.error('SPW1111', initial.expression, "'run' cannot stand in an initial value");
}

export function containsRun(node: ExpressionNode): boolean {
  switch (node.kind) {
    case 'run':
      return true;
    case 'unary':
      return containsRun(node.operand);
    case 'binary':
      return containsRun(node.left) || containsRun(node.right);
    case 'conditional':
      return [node.condition, node.whenTrue, node.whenFalse].some(containsRun);
    default:
      return false;
  }
}

/** The initial value of a field of a typedef. */
export function fieldsOf(
  symbols: Symbols,
  declarations: readonly Declaration[],
  resolver: ExpressionResolver,
): Field[] {
  const fields: Field[] = [];
  for (const declaration of declarations) {
    for (const variable of declaration.variables) {
      checkVariable(symbols, declaration, variable);
      if (fields.some((field) => field.name === variable.name.text))
        symbols.error('SPW1102', variable.name, `the field '${variable.name.text}' is declared twice`);
      const length = arrayLength(symbols, variable, symbols.global);
      fields.push({
        name: variable.name.text,
        type: resolveType(symbols, declaration.type, variable.width),
        length,
        initial: fieldInitial(symbols, variable.initial, length, resolver),
        span: variable.name.span,
      });
    }
  }
  return fields;
}

function fieldInitial(
  symbols: Symbols,
  initial: InitialNode | null,
  length: number | null,
  resolver: ExpressionResolver,
): Initialiser | null {
  if (initial?.kind !== 'channel') return plainInitial(initial, length, resolver);
  const capacity = channelCapacity(symbols, initial.capacity);
  return { kind: 'channel-field', capacity, fields: channelFields(symbols, initial.fields) };
}

/** In a list that is too short the last value counts for all further elements, as in SPIN. */
function plainInitial(
  initial: InitialNode | null,
  length: number | null,
  resolver: ExpressionResolver,
): Initialiser | null {
  switch (initial?.kind) {
    case 'expression':
      return { kind: 'each', value: resolver.expression(initial.expression) };
    case 'list': {
      const values = initial.values.map((value) => resolver.expression(value));
      const missing = Math.max(0, (length ?? 0) - values.length);
      return {
        kind: 'list',
        values: [...values, ...values.slice(-1).flatMap((last) => Array(missing).fill(last))],
      };
    }
    default:
      return null;
  }
}

/** Declares one variable with what is to hold when it comes to life. */
export function declareVariable(
  symbols: Symbols,
  resolver: ExpressionResolver,
  scope: Scope,
  owner: ProctypeEntry | null,
  declaration: Declaration,
  variable: VariableNode,
  role: 'global' | 'parameter' | 'local',
): VariableEntry | null {
  checkVariable(symbols, declaration, variable);
  const type = resolveType(symbols, declaration.type, variable.width);
  const hidden = declaration.visibility === 'hidden';
  if (hidden && owner !== null) symbols.error('SPW1110', variable.name, 'a local variable cannot be hidden');
  if (hidden && type.kind === 'chan') symbols.error('SPW1110', variable.name, 'a channel cannot be hidden');
  if (hidden && (type.kind === 'bit' || type.kind === 'bool'))
    symbols.error('SPW1110', variable.name, 'a bit or bool cannot be hidden');
  const length = arrayLength(symbols, variable, scope);
  const initial = plainInitial(variable.initial, length, resolver);
  if (!symbols.isFree(variable.name, scope)) return null;
  const entry = symbols.addVariable(variable.name, scope, owner, { type, length, role, hidden, initial });
  symbols.names?.variable(entry, owner, declaration, variable, role);
  if (variable.initial?.kind === 'channel') {
    const capacity = channelCapacity(symbols, variable.initial.capacity);
    const fields = channelFields(symbols, variable.initial.fields);
    const site = symbols.addChannelSite(entry.id, [], capacity, fields, variable.initial.span);
    entry.initial = { kind: 'channel', site };
  }
  // A parameter is given its channels; only variables make their own.
  if (role !== 'parameter') symbols.addSitesInside(entry.id, type);
  return entry;
}
