// A C program that repeats a refutation: the user's text, marked where the error lies, with the inputs of the run built in.
// Compiled as it says itself, it prints the line below and ends with exit code 1 (or aborts, where the program's own assert does); what is undefined is told by
// the compiler's tests.

import { withEscapes } from '../../source/decode.ts';
import type { SourceFile, Span } from '../../source/source.ts';
import { ARGUMENT_COUNT, type Input, READ_BY } from '../program/confirmed.ts';
import { showType } from '../program/types.ts';
import { functionPart, nameOf } from '../syntax/declarators.ts';
import type { Unit } from '../syntax/parse.ts';
import { callsOf, type NamedCall, type PlacedInput } from './harness-calls.ts';

export const HARNESS_LINE = 'spillway: the error is reached';

export interface HarnessRequest {
  readonly unit: Unit;
  readonly inputs: readonly PlacedInput[];
  /** The function that the run begins with; what it is given is among the inputs. */
  readonly entry: string;
  /** Labels that are errors, where they stand. */
  readonly errorLabels: readonly Span[];
  readonly title: string;
  /** Macros of the command line. */
  readonly defines: readonly string[];
  readonly property: string;
}

/** What is undefined, or left at the end, shows only where the compiler puts tests in. */
const COMPILERS: Readonly<Record<string, string>> = {
  'no-undefined': 'gcc -w -fsanitize=address,undefined,float-cast-overflow',
  'no-overflow': 'gcc -w -fsanitize=signed-integer-overflow,shift -fno-sanitize-recover=all',
  'no-leaks': 'gcc -w -fwrapv -fsanitize=address',
};
const COMPILER = 'gcc -w -fwrapv';

export const defineLines = (defines: readonly string[]): string[] =>
  defines.map((define) => {
    const [name, ...value] = define.split('=');
    return `#define ${name} ${value.length === 0 ? '1' : value.join('=')}`;
  });

export function harness(request: HarnessRequest): string {
  const { unit, inputs, entry, errorLabels, title, defines, property } = request;
  const given = inputs.filter(
    ({ kind, source }) => kind === 'input' && (isFed(source) || isScanned(source) || isReader(source)),
  );
  const declared = declaredFunctions(unit);
  const calls = callsOf(
    unit.file,
    given.filter(({ source, cell }) => isFed(source) && !mayBePointer(cell, declared.has(source))),
  );
  const named = new Set(calls.flatMap((call) => call.inputs));
  const inOrder = given.filter((input) => !named.has(input));
  const started = entry === 'main' ? startedWith(unit, inputs) : mainFor(unit, entry, inputs);
  const open = inputs.filter((input) => input.kind === 'uninitialised');
  const lines = [
    `/* ${title.replaceAll('*/', '* /')}`,
    `   Compile and run:  ${[COMPILERS[property] ?? COMPILER, ...compilerFlags(unit), '-o harness THIS_FILE', ...libraries(unit)].join(' ')} && ./harness`,
    ...(unit.file.path.includes('/')
      ? [`   Includes are relative to the folder of ${unit.file.path.split('/').at(-1)}: add -I for it.`]
      : []),
    ...(open.length > 0
      ? [
          '   The run also depends on variables that the program does not initialise; a compiler may give them other values.',
        ]
      : []),
    ...(given.some(({ source }) => isScanned(source) || isReader(source))
      ? ['   What is read from the standard input is built in, too: nothing is read.']
      : []),
    '*/',
    ...defineLines(defines),
    // Without headers: the text may have declarations of its own, or headers that were put in before.
    `static void spillway_reached(void) { __builtin_puts("${HARNESS_LINE}"); __builtin_exit(1); }`,
    inputTable(inOrder),
    ...functionsOf(given, declared).map(({ prototype }) => prototype),
    ...calls.map(functionOfCall),
    SYMBOL,
    ...scanners(inOrder),
    ...readers(inOrder),
    ...STUBS.filter((stub) => mentions(unit.file, stub.name) && !declared.get(stub.name)?.defined).flatMap(
      ({ name, parameters, body }) => [
        ...(declared.has(name) ? [] : [`void ${name}(${parameters});`]),
        `void spillway_${name}(${parameters}) SPILLWAY_SYMBOL("${name}");`,
        `void spillway_${name}(${parameters}) { ${body} }`,
      ],
    ),
    ...(started === null ? [] : ['#define main spillway_main']),
    `#line 1 "${unit.file.path.split('/').at(-1)}"`,
    marked(unit, errorLabels, calls),
    ...functionsOf(given, declared).map(({ definition }) => definition),
    ...unusedInputs(unit, given, declared),
    ...(started === null ? [] : ['#undef main', started]),
    '',
  ];
  return withEscapes(lines.join('\n'));
}

/** Calls the function with what the run gave it. Pointers it was not given: the run depends on none. */
function mainFor(unit: Unit, entry: string, inputs: readonly Input[]): string {
  const given = new Map(inputs.map((input) => [input.source, input]));
  const values = Array.from({ length: parametersOf(unit, entry) }, (_, i) => {
    const input = given.get(`argument ${i + 1} of ${entry}`);
    if (input === undefined) return '0';
    const { cell, value } = input;
    return cell.type.kind === 'float'
      ? floatOf(cell, value)
      : `(${showType(cell.type)})${wideLiteral(value)}`;
  });
  return `int main(void) { ${entry}(${values.join(', ')}); return 0; }`;
}

const parametersOf = (unit: Unit, name: string): number => {
  const counts = unit.items.flatMap((item) =>
    item.kind === 'function' && nameOf(item.declarator) === name
      ? [functionPart(item.declarator)?.parameters.length ?? 0]
      : [],
  );
  return counts[0] ?? 0;
};

/** No number in a text has more than 64 bits. */
const wideLiteral = (value: bigint): string =>
  value >> 64n === 0n
    ? `${value}ULL`
    : `((unsigned __int128)${value >> 64n}ULL << 64 | ${BigInt.asUintN(64, value)}ULL)`;

/** By its bits. x87 shows the leading one of a number, which is taken as given here, and computes nothing without it. */
const floatOf = ({ type, width }: Input['cell'], value: bigint): string => {
  const high = BigInt.asUintN(16, value >> 64n);
  const leading = BigInt.asUintN(15, high) === 0n ? 0n : 1n << 63n;
  const parts = width > 64 ? [leading | BigInt.asUintN(63, value), high] : [value];
  const bits = `unsigned ${width === 32 ? 'int' : 'long long'} bits[${parts.length}]`;
  return `({ union { ${bits}; ${showType(type)} number; } of = { { ${parts.map((part) => `${part}ULL`).join(', ')} } }; of.number; })`;
};

const compilerFlags = ({ dataModel }: Unit): string[] => (dataModel === 'ILP32' ? ['-m32'] : []);

/** What the program computes with <math.h> is in a library of its own; that nothing of it is needed does no harm. */
const libraries = ({ file }: Unit): string[] => (MATH.test(file.text) ? ['-lm'] : []);
const MATH =
  /\bmath\.h\b|\b(?:sqrt|floor|ceil|trunc|nearbyint|round|roundeven|l*round|l*rint|fmod|fmin|fmax|fdim|modf|pow|exp|log|sin|cos)[fl]?\s*\(/;

/** Texts that a program is given: more than these nobody looks at. */
const MOST_TEXTS = 4096n;

/** `main` is called with as many texts as the run has it: empty ones, since what they say the run does not depend on. Null where it does not matter. */
function startedWith(unit: Unit, inputs: readonly Input[]): string | null {
  const count = inputs.find(({ source }) => source === ARGUMENT_COUNT)?.value;
  if (count === undefined) return null;
  const texts = count < MOST_TEXTS ? count : MOST_TEXTS;
  const given = [`${count}`, 'texts', `texts + ${texts}`].slice(0, parametersOf(unit, 'main'));
  return `int main(void) { static char *texts[${texts} + 1]; for (int i = 0; i < ${texts}; i++) texts[i] = ""; return spillway_main(${given.join(', ')}); }`;
}

/** A function is defined by its name for the linker: the text may declare it with other types. */
const SYMBOL = `#define SPILLWAY_TEXT_(text) #text
#define SPILLWAY_TEXT(text) SPILLWAY_TEXT_(text)
#define SPILLWAY_SYMBOL(name) __asm__(SPILLWAY_TEXT(__USER_LABEL_PREFIX__) name)`;

const ERRORS: readonly string[] = ['reach_error', '__VERIFIER_error'];
const STUBS = [
  ...ERRORS.map((name) => ({ name, parameters: '', body: 'spillway_reached();' })),
  {
    name: '__VERIFIER_assume',
    parameters: 'int test',
    body: 'if (!test) { __builtin_puts("spillway: an assumption does not hold"); __builtin_exit(3); }',
  },
  { name: '__VERIFIER_assert', parameters: 'int test', body: 'if (!test) spillway_reached();' },
];

const mentions = (file: SourceFile, name: string): boolean => new RegExp(`\\b${name}\\b`).test(file.text);

const valuesOf = (inputs: readonly Input[]): string[] =>
  inputs.map(({ cell: { type, width }, value }) =>
    type.kind === 'int' && type.signed && width <= 64
      ? literal(BigInt.asIntN(width, value))
      : wideLiteral(value),
  );

/** Wide enough for all of them. */
const numberFor = (inputs: readonly Input[]): string =>
  inputs.some(({ cell: { width } }) => width > 64) ? 'unsigned __int128' : 'unsigned long long';

function inputTable(inputs: readonly Input[]): string {
  const number = numberFor(inputs);
  return [
    `static const ${number} spillway_inputs[] = { ${[...valuesOf(inputs), '0'].join(', ')} };`,
    'static unsigned long spillway_next;',
    `static ${number} spillway_input(void) { return spillway_next < ${inputs.length} ? spillway_inputs[spillway_next++] : 0; }`,
  ].join('\n');
}

/** What stands in the place of one call of the text. */
function functionOfCall({ name, inputs }: NamedCall): string {
  const values = [...valuesOf(inputs), '0'].join(', ');
  const next = `static const ${numberFor(inputs)} values[] = { ${values} }; static unsigned long next; ${numberFor(inputs)} value = values[next]; if (next < ${inputs.length}) next++;`;
  const type = showType(inputs[0]!.cell.type);
  return `static ${type} ${name}(void) { ${next} ${returned(type, 'value')} }`;
}

/** Numbers of floating point are given by their bits. */
const returned = (type: string, value: string): string =>
  type === 'float' || type === 'double'
    ? `unsigned long long bits = ${value}; ${type} number; __builtin_memcpy(&number, &bits, sizeof number); return number;`
    : `return (${type})${value};`;

const literal = (value: bigint): string =>
  value === -(1n << 63n) ? '(-9223372036854775807LL-1)' : `${value}LL`;

interface Known {
  readonly defined: boolean;
}

function declaredFunctions(unit: Unit): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const item of unit.items) {
    const declarators =
      item.kind === 'function' ? [item.declarator] : item.items.map((part) => part.declarator);
    for (const name of declarators.map(nameOf))
      if (name !== null && !known.get(name)?.defined) known.set(name, { defined: item.kind === 'function' });
  }
  return known;
}

/** Values that functions give, which the harness can define. */
const isFed = (source: string): boolean => /^(?:__VERIFIER_nondet_\w*|rand|random)$/.test(source);

/** What scanf and its like return, and what they read. */
const isScanned = (source: string): boolean => SCANNERS.includes(source.replace(READ_BY, ''));
const SCANNERS: readonly string[] = ['scanf', 'fscanf'];

/** One character of the standard input. */
const isReader = (source: string): boolean => READERS.includes(source);
const READERS: readonly string[] = ['getchar', 'getchar_unlocked', 'fgetc', 'getc'];

/** The end of the input stays its end. */
function readers(inputs: readonly Input[]): string[] {
  if (!inputs.some(({ source }) => isReader(source))) return [];
  const head = 'static int spillway_ended; static int spillway_read(void)';
  return [
    `${head} { int c = spillway_ended ? -1 : (int)spillway_input(); if (c == -1) spillway_ended = 1; return c; }`,
    ...READERS.map(
      (name) =>
        `int spillway_${name}() SPILLWAY_SYMBOL("${name}"); int spillway_${name}() { return spillway_read(); }`,
    ),
  ];
}

/** They hand out what the run read, whatever the format: a result (marked by size 0), then as many values. Headers give them other names. */
function scanners(inputs: readonly Input[]): string[] {
  if (!inputs.some(({ source }) => isScanned(source))) return [];
  const sizes = inputs.map(({ source, cell }) =>
    source.startsWith(READ_BY) ? cell.width / 8 : isScanned(source) ? 0 : 255,
  );
  const definitions = SCANNERS.flatMap((name) =>
    ['', '__isoc99_', '__isoc23_'].map((prefix) => {
      const head = `int spillway_${prefix}${name}(${name === 'fscanf' ? 'void *stream, ' : ''}const char *format, ...)`;
      return `${head} SPILLWAY_SYMBOL("${prefix}${name}");
${head} { __builtin_va_list list; __builtin_va_start(list, format); int count = spillway_scan(list); __builtin_va_end(list); return count; }`;
    }),
  );
  return [
    `static const unsigned char spillway_sizes[] = { ${[...sizes, 255].join(', ')} };`,
    `static int spillway_scan(__builtin_va_list list) {
  if (spillway_sizes[spillway_next] != 0) return -1;
  int count = (int)spillway_input();
  for (int i = 0; i < count; i++) {
    unsigned long size = spillway_sizes[spillway_next];
    unsigned long long value = spillway_input();
    __builtin_memcpy(__builtin_va_arg(list, void *), &value, size);
  }
  return count;
}`,
    ...definitions,
  ];
}

function functionsOf(inputs: readonly Input[], declared: ReadonlyMap<string, Known>) {
  const types = new Map<string, string>();
  for (const { source, cell } of inputs)
    if (cell.type.kind !== 'pointer' && isFed(source)) types.set(source, showType(cell.type));
  return [...types].map(([name, type]) => ({
    prototype: declared.has(name) ? '' : `${type} ${name}();`,
    definition:
      declared.has(name) && type === 'unsigned long'
        ? bySymbol(type, name)
        : `${type} ${name}() { ${returned(type, 'spillway_input()')} }`,
  }));
}

/** Perhaps the text declares it as a pointer. */
const mayBePointer = ({ type }: Input['cell'], isDeclared: boolean): boolean =>
  isDeclared && showType(type) === 'unsigned long';
const bySymbol = (type: string, name: string): string =>
  `${type} spillway_${name}() SPILLWAY_SYMBOL("${name}");
${type} spillway_${name}() { return (${type})spillway_input(); }`;

/** Inputs that the run does not ask for must still be there. */
function unusedInputs(unit: Unit, inputs: readonly Input[], declared: ReadonlyMap<string, Known>): string[] {
  return [...declarationsOf([unit])].flatMap(([name, head]) =>
    !name.startsWith('__VERIFIER_nondet_') ||
    declared.get(name)?.defined ||
    inputs.some(({ source }) => source === name)
      ? []
      : [`${head} { return 0; }`],
  );
}

/** The text of each function's declaration, as the head of a definition. */
export function declarationsOf(units: readonly Unit[]): Map<string, string> {
  const heads = new Map<string, string>();
  for (const { items } of units)
    for (const item of items) {
      if (item.kind !== 'declaration' || item.items.length !== 1) continue;
      const { declarator } = item.items[0]!;
      const name = nameOf(declarator);
      if (declarator.kind !== 'function') continue;
      const { span } = item;
      const text = span.file.text
        .slice(span.start, span.end)
        .replace(/\bextern\b/, '')
        .replace(/;\s*$/, '')
        .trim();
      if (name !== null) heads.set(name, text);
    }
  return heads;
}

/** The user's text with a call at each error label, and in each function of an error that it defines; with the names of calls that have functions of their own. */
function marked({ file, items }: Unit, labels: readonly Span[], calls: readonly NamedCall[]): string {
  const { text } = file;
  const isHere = (span: Span): boolean => span.file.path === file.path;
  const bodies = items.flatMap((item) =>
    item.kind === 'function' && isHere(item.body.span) && ERRORS.includes(nameOf(item.declarator) ?? '')
      ? [item.body.span.start]
      : [],
  );
  const behind = [
    ...labels.filter(isHere).flatMap((label) => colonsOf(text, label)),
    ...bodies.filter((start) => text[start] === '{'),
  ].map((place) => ({ from: place + 1, to: place + 1, put: ' spillway_reached();' }));
  const changes = [
    ...new Map(behind.map((change) => [change.from, change])).values(),
    ...calls.map(({ start, source, name }) => ({ from: start, to: start + source.length, put: name })),
  ].sort((a, b) => a.from - b.from);
  let [result, done] = ['', 0];
  for (const { from, to, put } of changes) {
    result += text.slice(done, from) + put;
    done = to;
  }
  return result + text.slice(done);
}

/** Behind the label, or behind each of that name in the macros of the text where it stands in one of these. */
function colonsOf(text: string, { start, end }: Span): number[] {
  if (text.slice(start, end) === 'ERROR') return [text.indexOf(':', end)].filter((place) => place >= 0);
  return [...text.matchAll(MACRO)].flatMap(({ index: macro, 0: definition }) =>
    [...definition.matchAll(LABEL)].map(({ index, 0: label }) => macro + index + label.length - 1),
  );
}
const MACRO = /^[ \t]*#[ \t]*define\b(?:\\\r?\n|.)*/gm;
const LABEL = /(?<!\bcase\s+|\?\s*)\bERROR\s*:/g;
