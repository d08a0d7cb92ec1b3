// A C program that repeats a refutation: the user's text, marked where the error lies, with the inputs of the run built in.
// `gcc -fwrapv harness.c && ./a.out` prints the line below and ends with exit code 1 (or aborts, where the program's own assert does).

import type { SourceFile, Span } from '../../source/source.ts';
import type { Input } from '../program/confirmed.ts';
import { showType } from '../program/types.ts';
import type { Unit } from '../syntax/parse.ts';

export const HARNESS_LINE = 'spillway: the error is reached';

export interface HarnessRequest {
  readonly unit: Unit;
  readonly inputs: readonly Input[];
  /** Labels that are errors, where they stand. */
  readonly errorLabels: readonly Span[];
  readonly title: string;
  /** Macros of the command line. */
  readonly defines: readonly string[];
}

export const defineLines = (defines: readonly string[]): string[] =>
  defines.map((define) => {
    const [name, ...value] = define.split('=');
    return `#define ${name} ${value.length === 0 ? '1' : value.join('=')}`;
  });

export function harness({ unit, inputs, errorLabels, title, defines }: HarnessRequest): string {
  const given = inputs.filter((input) => input.kind === 'input');
  const open = inputs.filter((input) => input.kind === 'uninitialised');
  const declared = declaredFunctions(unit);
  const lines = [
    `/* ${title.replaceAll('*/', '* /')}`,
    `   Compile and run:  ${['gcc -w -fwrapv', ...compilerFlags(unit), '-o harness THIS_FILE', ...libraries(unit)].join(' ')} && ./harness`,
    ...(unit.file.path.includes('/')
      ? [`   Includes are relative to the folder of ${unit.file.path.split('/').at(-1)}: add -I for it.`]
      : []),
    ...(open.length > 0
      ? [
          '   The run also depends on variables that the program does not initialise; a compiler may give them other values.',
        ]
      : []),
    '*/',
    ...defineLines(defines),
    '#include <stdio.h>',
    '#include <stdlib.h>',
    `static void spillway_reached(void) { puts("${HARNESS_LINE}"); fflush(stdout); exit(1); }`,
    inputTable(given),
    ...functionsOf(given, declared).map(({ prototype }) => prototype),
    ...STUBS.filter((stub) => mentions(unit.file, stub.name) && !declared.get(stub.name)?.defined).map(
      (stub) => `${stub.prototype};`,
    ),
    `#line 1 "${unit.file.path.split('/').at(-1)}"`,
    marked(unit.file, errorLabels),
    ...functionsOf(given, declared).map(({ definition }) => definition),
    ...unusedInputs(unit, given, declared),
    ...STUBS.filter((stub) => mentions(unit.file, stub.name) && !declared.get(stub.name)?.defined).map(
      (stub) => `${stub.prototype} ${stub.body}`,
    ),
    '',
  ];
  return lines.join('\n');
}

const compilerFlags = ({ dataModel }: Unit): string[] => (dataModel === 'ILP32' ? ['-m32'] : []);

/** What the program computes with <math.h> is in a library of its own; that nothing of it is needed does no harm. */
const libraries = ({ file }: Unit): string[] => (MATH.test(file.text) ? ['-lm'] : []);
const MATH =
  /\bmath\.h\b|\b(?:sqrt|floor|ceil|trunc|nearbyint|round|roundeven|l*round|l*rint|fmod|fmin|fmax|fdim|modf|pow|exp|log|sin|cos)[fl]?\s*\(/;

const STUBS = [
  { name: 'reach_error', prototype: 'void reach_error()', body: '{ spillway_reached(); }' },
  { name: '__VERIFIER_error', prototype: 'void __VERIFIER_error()', body: '{ spillway_reached(); }' },
  {
    name: '__VERIFIER_assume',
    prototype: 'void __VERIFIER_assume(int test)',
    body: '{ if (!test) { puts("spillway: an assumption does not hold"); exit(3); } }',
  },
  {
    name: '__VERIFIER_assert',
    prototype: 'void __VERIFIER_assert(int test)',
    body: '{ if (!test) spillway_reached(); }',
  },
] as const;

const mentions = (file: SourceFile, name: string): boolean => new RegExp(`\\b${name}\\b`).test(file.text);

function inputTable(inputs: readonly Input[]): string {
  const values = inputs.map((input) =>
    input.cell.type.kind === 'int' && input.cell.type.signed
      ? literal(BigInt.asIntN(input.cell.width, input.value))
      : `${input.value}ULL`,
  );
  return [
    `static const unsigned long long spillway_inputs[] = { ${[...values, '0'].join(', ')} };`,
    'static unsigned long spillway_next;',
    `static unsigned long long spillway_input(void) { return spillway_next < ${inputs.length} ? spillway_inputs[spillway_next++] : 0; }`,
  ].join('\n');
}

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
    for (let declarator of declarators) {
      while (declarator.kind !== 'name') declarator = declarator.inner;
      if (declarator.name !== null && !known.get(declarator.name)?.defined)
        known.set(declarator.name, { defined: item.kind === 'function' });
    }
  }
  return known;
}

function functionsOf(inputs: readonly Input[], declared: ReadonlyMap<string, Known>) {
  const types = new Map<string, string>();
  for (const { source, cell } of inputs)
    if (source.startsWith('__VERIFIER_nondet_') && cell.type.kind !== 'pointer')
      types.set(source, showType(cell.type));
  return [...types].map(([name, type]) => ({
    prototype: declared.has(name) ? '' : `${type} ${name}();`,
    definition:
      type === 'float' || type === 'double'
        ? `${type} ${name}() { unsigned long long bits = spillway_input(); ${type} value; __builtin_memcpy(&value, &bits, sizeof value); return value; }`
        : `${type} ${name}() { return (${type})spillway_input(); }`,
  }));
}

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
      let declarator = item.items[0]!.declarator;
      if (declarator.kind !== 'function') continue;
      while (declarator.kind !== 'name') declarator = declarator.inner;
      const { span } = item;
      const text = span.file.text
        .slice(span.start, span.end)
        .replace(/\bextern\b/, '')
        .replace(/;\s*$/, '')
        .trim();
      if (declarator.name !== null) heads.set(declarator.name, text);
    }
  return heads;
}

/** The user's text with a call at each error label. */
function marked(file: SourceFile, labels: readonly Span[]): string {
  let text = file.text;
  const places = [
    ...new Set(labels.filter((span) => span.file.path === file.path).map((span) => span.end)),
  ].sort((a, b) => b - a);
  for (const place of places) {
    const colon = text.indexOf(':', place);
    if (colon >= 0) text = `${text.slice(0, colon + 1)} spillway_reached();${text.slice(colon + 1)}`;
  }
  return text;
}
