// A WebAssembly module of the generated text, written while the text is read. The memory comes from outside, so that threads can share it.
//
// The text is the part of JavaScript that compile.ts generates for this: 32-bit integers and truth values, arrays of fixed size and variables at the
// top, functions. The same text runs as JavaScript with the same result, which is how it is tested.

import { Bytes } from './bytes.ts';
import { I32, OP } from './opcodes.ts';
import { Scanner } from './scanner.ts';
import { functionBody } from './statements.ts';
import { type ArrayPlace, Unit } from './unit.ts';

export interface AssembleOptions {
  /** Where the first array goes. */
  readonly start: number;
  /** Functions that the outside calls. */
  readonly exports: readonly string[];
  /** Functions that it provides, with the number of their parameters. */
  readonly imports: Readonly<Record<string, number>>;
  /** Pages of 64 KB that the memory may have. */
  readonly maxPages: number;
  /** Functions that are written where they are called: short ones without `return`, or with nothing else. */
  readonly inline?: RegExp;
  /** Arrays that lie elsewhere: another thread has put them there. */
  readonly placed?: ReadonlyMap<string, ArrayPlace>;
}

export interface Assembly {
  readonly bytes: Uint8Array;
  readonly unit: Unit;
}

export function assemble(text: string, options: AssembleOptions): Assembly {
  const unit = new Unit(options.start, options.placed);
  for (const [name, parameters] of Object.entries(options.imports))
    unit.addFunction(name, new Array<number>(parameters).fill(0));
  const imported = unit.functions.size;
  unit.arrays.set(WHOLE_MEMORY, { address: 0, length: 0, content: null });
  declareFunctions(text, unit);
  declareVariables(text, unit);
  if (options.inline !== undefined) declareInlined(text, options.inline, unit);
  const bodies = new Bytes(text.length);
  const scanner = new Scanner(text);
  while (scanner.kind !== 'end') {
    if (scanner.take('function')) {
      scanner.name();
      bodies.sized(functionBody(scanner, unit));
    } else scanner.next();
  }
  return { bytes: moduleOf(unit, imported, bodies, options), unit };
}

/** The name of the whole memory as an array. */
const WHOLE_MEMORY = 'H';

function declareFunctions(text: string, unit: Unit): void {
  for (const [, name, parameters] of text.matchAll(/function (\w+)\(([^)]*)\)/g)) {
    const all = parameters === '' ? [] : parameters!.split(',');
    unit.addFunction(
      name!,
      all.map((parameter) => Number(parameter.split('=')[1] ?? 0)),
    );
  }
}

/** They have lines of their own. */
function declareInlined(text: string, names: RegExp, unit: Unit): void {
  for (const [, name, parameters, body] of text.matchAll(/^function (\w+)\(([^)=]*)\)\{(.*)\}$/gm)) {
    if (!names.test(name!) || body!.lastIndexOf('return') > 0) continue;
    unit.inlined.set(name!, { parameters: parameters === '' ? [] : parameters!.split(','), body: body! });
  }
}

/** Declarations at the top have lines of their own. */
function declareVariables(text: string, unit: Unit): void {
  let depth = 0;
  for (let start = 0; start < text.length; ) {
    const isTop = depth === 0;
    let end = start;
    for (
      let code = text.charCodeAt(end);
      end < text.length && code !== NEW_LINE;
      code = text.charCodeAt(++end)
    )
      if (code === OPEN) depth++;
      else if (code === CLOSE) depth--;
    const isConstant = text.startsWith('const ', start);
    if (isTop && (isConstant || text.startsWith('let ', start)))
      declareLine(text.slice(start, end), isConstant, unit);
    start = end + 1;
  }
}

function declareLine(line: string, isConstant: boolean, unit: Unit): void {
  for (const [, name, length, content, value] of line.matchAll(DECLARATION)) {
    if (length !== undefined) unit.addArray(name!, Number(length), null);
    else if (content !== undefined) {
      const numbers = content === '' ? [] : content.split(',').map(Number);
      unit.addArray(name!, numbers.length, numbers);
    } else if (isConstant) unit.constants.set(name!, Number(value));
    else unit.addGlobal(name!, value === 'true' ? 1 : value === 'false' ? 0 : Number(value));
  }
}

const NEW_LINE = 10;
const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const DECLARATION = /(\w+)=(?:new Int32Array\((?:(\d+)|\[([^\]]*)\])\)|(-?\w+))/g;

function moduleOf(unit: Unit, imported: number, bodies: Bytes, options: AssembleOptions): Uint8Array {
  const all = [...unit.functions.values()];
  const widest = Math.max(...all.map(({ defaults }) => defaults.length));
  const module = new Bytes(bodies.length + 4096);
  for (const byte of [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) module.byte(byte);
  module.section(1, types(widest));
  module.section(2, imports(options));
  const functions = new Bytes().unsigned(all.length - imported);
  for (const { defaults } of all.slice(imported)) functions.unsigned(defaults.length);
  module.section(3, functions);
  module.section(6, globals(unit));
  module.section(7, exportsOf(unit, options));
  return module
    .section(10, new Bytes(bodies.length + 8).unsigned(all.length - imported).append(bodies))
    .finished();
}

/** Type n takes n numbers and gives one. */
function types(widest: number): Bytes {
  const section = new Bytes().unsigned(widest + 1);
  for (let parameters = 0; parameters <= widest; parameters++) {
    section.byte(0x60).unsigned(parameters);
    for (let i = 0; i < parameters; i++) section.byte(I32);
    section.unsigned(1).byte(I32);
  }
  return section;
}

const MEMORY = { kind: 2, shared: 3 } as const;

function imports(options: AssembleOptions): Bytes {
  const all = Object.entries(options.imports);
  const section = new Bytes().unsigned(all.length + 1);
  section
    .text('o')
    .text('memory')
    .byte(MEMORY.kind)
    .byte(MEMORY.shared)
    .unsigned(1)
    .unsigned(options.maxPages);
  for (const [name, parameters] of all) section.text('o').text(name).byte(0).unsigned(parameters);
  return section;
}

function globals(unit: Unit): Bytes {
  const section = new Bytes().unsigned(unit.globals.size);
  for (const { initial } of unit.globals.values())
    section.byte(I32).byte(1).byte(OP.constant).signed(initial).byte(OP.end);
  return section;
}

function exportsOf(unit: Unit, options: AssembleOptions): Bytes {
  const section = new Bytes().unsigned(options.exports.length + unit.globals.size);
  for (const name of options.exports) section.text(name).byte(0).unsigned(unit.functions.get(name)!.index);
  for (const [name, { index }] of unit.globals) section.text(`$${name}`).byte(3).unsigned(index);
  return section;
}
