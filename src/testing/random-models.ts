// Small random Promela models for cross-checking engines: mtype and byte fields, two or three channels, flags, counters, `run`,
// atomic, d_step, nested choices. Every model is one that SPIN accepts. Shrinks to smaller models.

import fc from 'fast-check';
import {
  type Lines,
  WILD_DECLARATIONS,
  WILD_LOCALS,
  WILD_STATEMENTS,
  WILD_WORKER_LOCALS,
  wildBlocks,
  withFreshNames,
} from './wild.ts';

export interface RandomModelOptions {
  /** Rendezvous channels among the others (default true). */
  readonly rendezvous?: boolean;
  /** Tests of queue lengths, polls and timeout (default true). */
  readonly queueTests?: boolean;
  /** `progress` labels (default true). */
  readonly progress?: boolean;
  /** Also channel arrays, channels in variables and messages, local channels, structs, unless, I/O in d_step, `run` anywhere (default false). */
  readonly wide?: boolean;
  /** On top of the wide ones: initial values that depend on the moment, declarations anywhere, narrow types and more (wild.ts, default false). */
  readonly wild?: boolean;
}

export function randomModels(asked: RandomModelOptions = {}): fc.Arbitrary<string> {
  const options = asked.wild ? { ...asked, wide: true } : asked;
  const capacities = fc.tuple(
    fc.constantFrom(1, 2, 3),
    fc.constantFrom(1, 2),
    fc.constantFrom(...(options.rendezvous === false ? [1, 2] : [0, 1, 2])),
  );
  const { body } = statements(options);
  const worker = fc.record({ body, started: fc.constantFrom('none', 'init', 'loop', 'twice') });
  return fc
    .record({
      capacities,
      processes: fc.array(
        fc.record({
          copies: fc.constantFrom(1, 1, 1, 2),
          provided: options.wild ? fc.constantFrom('', '', '', ' provided (count != 2)') : fc.constant(''),
          body,
        }),
        { minLength: 1, maxLength: 3 },
      ),
      worker,
    })
    .map(({ capacities: [q0, q1, q2], processes, worker: { body: work, started } }) => {
      const locals = `${options.wild ? WILD_LOCALS : ''}${options.wide ? WIDE_LOCALS : ''}`;
      const workerLocals = options.wild ? locals.replace(WILD_LOCALS, WILD_WORKER_LOCALS) : locals;
      const text = [
        'mtype = { a, b, c };',
        `chan q0 = [${q0}] of { mtype };`,
        `chan q1 = [${q1}] of { mtype, byte };`,
        `chan q2 = [${q2}] of { byte };`,
        'bool flag;',
        'byte count = 1;',
        'byte slot[2];',
        ...(options.wide ? WIDE_DECLARATIONS : []),
        ...(options.wild ? WILD_DECLARATIONS : []),
        ...processes.map(
          ({ copies, provided, body: lines }, index) =>
            `active [${copies}] proctype P${index}()${provided} {\n  byte x;\n  mtype m = a;\n${locals}${block(lines, '  ')}\n}`,
        ),
        `proctype W(byte id; chan in) {\n  byte x = id;\n  mtype m = b;\n${workerLocals}${block(work.map(throughParameter), '  ')}\n}`,
      ];
      if (started !== 'none') text.push(STARTERS[started]!);
      return labelled(`${text.join('\n')}\n`);
    });
}

const STARTERS: Readonly<Record<string, string>> = {
  init: 'init { run W(1, q0) }',
  twice: 'init { atomic { run W(0, q0); run W(1, q0) } }',
  loop: 'init { byte i; do :: i < 2 -> run W(i, q0); i++ :: else -> break od }',
};

const WIDE_DECLARATIONS = [
  'chan link[2] = [2] of { mtype };',
  'chan q3 = [2] of { mtype, chan };',
  'typedef R { byte v; mtype k };',
  'R rec;',
  'bit bits[2];',
];
const WIDE_LOCALS = '  byte buf[2];\n  chan mine = [1] of { mtype };\n  chan other;\n  other = mine;\n';
const WIDE_STATEMENTS = [
  'link[x % 2]!m',
  'link[1]?m',
  'link[slot[0] % 2]?a',
  'link[_pid % 2]!b',
  'q3!m,mine',
  'q3!a,link[1]',
  'q3?m,other',
  'q3?a,other',
  'other!m',
  'other?m',
  'other = link[x % 2]',
  'other = mine',
  'mine!b',
  'mine?m',
  'rec.v = x',
  'rec.k = m',
  'q0!rec.k',
  'rec.v < 2',
  'q1!!m,x',
  'buf[x % 2] = count',
  'buf[0] < 2',
  'q2!buf[1]',
  'link[buf[0] % 2]!m',
  'bits[0] = x',
  'bits[x % 2] == 1',
  'q2!bits[0]',
  'x = (x > 1 -> 0 : x + 1)',
  'other == mine',
  'assert(x < 255)',
  'run W(x, q0)',
  'run W(0, link[0])',
  'x = run W(1, q0)',
];
const WIDE_DSTEPS = [
  'd_step { q0!a; q0?m }',
  'd_step { q0?m; x++; q0!m }',
  'd_step { count > 0; do :: x > 0 -> x-- :: else -> break od }',
  'd_step { do :: count > 2 -> count-- :: else -> break od; flag = true }',
  'd_step { if :: flag -> flag = false :: else -> flag = true fi; q0!m }',
];

const block = (lines: Lines, indent: string): string =>
  (lines.length === 0 ? ['skip'] : lines).map((line) => indent + line).join('\n');

const throughParameter = (line: string): string => line.replaceAll('q0', 'in');

/** Labels must be unique: they get their numbers in the finished text. */
function labelled(text: string): string {
  let next = 0;
  return withFreshNames(text).replaceAll('PROGRESS', () => `progress${next++}`);
}

function statements(options: RandomModelOptions): { readonly body: fc.Arbitrary<Lines> } {
  const mtype = fc.constantFrom('a', 'b', 'c');
  const number = fc.constantFrom('0', '1', '2');
  const expression = fc.constantFrom('0', '1', '2', 'x', '(x + 1) % 3', 'count', '1 - x', 'x * 2', 'slot[1]');
  const queue = fc.constantFrom('q0', 'q0', 'q1', 'q2');
  const lines = (text: fc.Arbitrary<string>): fc.Arbitrary<Lines> => text.map((line) => [line]);

  const send = fc.tuple(queue, mtype, expression, fc.boolean()).map(([name, type, value, own]) => {
    const first = own ? 'm' : type;
    if (name === 'q0') return `q0!${first}`;
    return name === 'q1' ? `q1!${first},${value}` : `q2!${value}`;
  });
  const receive = fc
    .tuple(queue, mtype, number, fc.constantFrom('type', 'store', 'eval', 'random', 'copy'))
    .map(([name, type, value, how]) => {
      const operator = how === 'random' && name !== 'q2' ? '??' : '?';
      const first = how === 'store' ? 'm' : type;
      const second = how === 'eval' ? 'eval(x)' : how === 'random' ? value : 'x';
      const fields = name === 'q0' ? first : name === 'q1' ? `${first},${second}` : second;
      return how === 'copy' && name !== 'q2' ? `${name}?<${fields}>` : `${name}${operator}${fields}`;
    });
  const assign = fc
    .tuple(fc.constantFrom('flag', 'count', 'x', 'm', 'slot[0]', 'slot[x % 2]'), expression, mtype)
    .map(([target, value, type]) =>
      target === 'm' ? `m = ${type}` : target === 'flag' ? `flag = !flag` : `${target} = ${value}`,
    );
  const step = fc.constantFrom('count++', 'count--', 'x++', 'flag = true', 'flag = false', 'skip');
  const plain = [
    'flag',
    '!flag',
    'x == 0',
    'x < 2',
    'count > 0',
    'count != 2',
    'm == a',
    'slot[0] == x',
    'slot[1] < 2',
  ];
  const tests = ['len(q0) > 0', 'empty(q1)', 'nfull(q0)', 'q0?[a]', 'timeout'];
  const condition = fc.constantFrom(...plain, ...(options.queueTests === false ? [] : tests));
  const wide = options.wide ? [fc.constantFrom(...WIDE_STATEMENTS), fc.constantFrom(...WIDE_STATEMENTS)] : [];
  const wild = fc.constantFrom(...WILD_STATEMENTS);
  if (options.wild) wide.push(wild, wild, wild, wild);
  const simple = fc.oneof(send, send, receive, receive, assign, step, condition, ...wide);
  const progress = options.progress === false ? [] : [fc.constant<Lines>(['skip;', 'PROGRESS: skip'])];

  const guard = {
    any: fc.oneof(condition, receive, send, step),
    quiet: fc.oneof(fc.constantFrom(...plain), step),
  };
  const { body } = fc.letrec<{ body: Lines; one: Lines; choice: Lines; loop: Lines }>((tie) => ({
    body: fc
      .array(tie('one'), { minLength: 1, maxLength: 4, depthIdentifier: 'body' })
      .map((parts) => parts.flatMap((part, index) => (index < parts.length - 1 ? ended(part) : part))),
    one: fc.oneof(
      { depthIdentifier: 'body', depthSize: 'small', maxDepth: 3 },
      lines(simple),
      lines(simple),
      ...progress,
      tie('choice'),
      tie('loop'),
      tie('loop'),
      ...(options.wide ? wideBlocks(tie('body'), guard.any) : []),
      ...(options.wild ? wildBlocks(tie('body')) : []),
      tie('body').map((inside): Lines => ['atomic {', ...inside.map(indent), '}']),
      fc
        .tuple(
          fc.constantFrom('true', 'flag', 'count > 0', 'x < 2'),
          fc.array(fc.oneof(step, assign), { maxLength: 3 }),
        )
        .map(([first, rest]): Lines => ['skip;', `d_step { ${[first, ...rest].join('; ')} }`]),
    ),
    choice: optionsOf(guard, tie('body'), options.wide ? tie('choice') : null, 'if', 'fi'),
    loop: optionsOf(guard, tie('body'), options.wide ? tie('choice') : null, 'do', 'od'),
  }));
  return { body };
}

/** `unless`, and d_steps that send, receive and loop. */
const wideBlocks = (body: fc.Arbitrary<Lines>, guard: fc.Arbitrary<string>): fc.Arbitrary<Lines>[] => [
  fc
    .tuple(body, guard, body)
    .map(
      ([main, first, rest]): Lines => [
        '{',
        ...main.map(indent),
        '} unless {',
        `  ${first};`,
        ...rest.map(indent),
        '}',
      ],
    ),
  fc.constantFrom(...WIDE_DSTEPS).map((text): Lines => ['skip;', text]),
];

const indent = (line: string): string => `  ${line}`;
const ended = (part: Lines): Lines => [...part.slice(0, -1), `${part[part.length - 1]};`];

/** SPIN accepts no `else` beside a guard that sends or receives. */
function optionsOf(
  guard: Guards,
  body: fc.Arbitrary<Lines>,
  nested: fc.Arbitrary<Lines> | null,
  open: 'if' | 'do',
  close: 'fi' | 'od',
): fc.Arbitrary<Lines> {
  const choices = (first: fc.Arbitrary<string>, last: readonly string[]): fc.Arbitrary<Lines> => {
    const guarded = fc
      .tuple(first, body)
      .map(([begin, rest]): Lines => [`:: ${begin} ->`, ...rest.map((line) => `   ${line}`)]);
    // An option that is a choice itself: its edges, an `else` among them, leave the same location as the others.
    const direct = nested?.map((lines): Lines => ['::', ...lines.map((line) => `   ${line}`)]);
    const option =
      direct === undefined || last.includes(':: else')
        ? guarded
        : fc.oneof(guarded, guarded, guarded, direct);
    return fc
      .tuple(fc.array(option, { minLength: 1, maxLength: 2 }), fc.constantFrom(...last))
      .map(([list, end]): Lines => [open, ...list.flat(), ...(end === '' ? [] : [end]), close]);
  };
  const ends = open === 'do' ? [':: break', ''] : [''];
  return fc.oneof(
    choices(guard.any, ends),
    choices(guard.quiet, open === 'do' ? [':: else -> break', ':: else'] : [':: else']),
  );
}

interface Guards {
  readonly any: fc.Arbitrary<string>;
  /** Without sends, receives and polls. */
  readonly quiet: fc.Arbitrary<string>;
}
