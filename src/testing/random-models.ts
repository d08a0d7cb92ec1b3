// Small random Promela models for cross-checking engines: mtype and byte fields, two or three channels, flags, counters, `run`,
// atomic, d_step, nested choices. Every model is one that SPIN accepts. Shrinks to smaller models.

import fc from 'fast-check';

export interface RandomModelOptions {
  /** Rendezvous channels among the others (default true). */
  readonly rendezvous?: boolean;
  /** Tests of queue lengths, polls and timeout (default true). */
  readonly queueTests?: boolean;
  /** `progress` labels (default true). */
  readonly progress?: boolean;
}

export function randomModels(options: RandomModelOptions = {}): fc.Arbitrary<string> {
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
      processes: fc.array(fc.record({ copies: fc.constantFrom(1, 1, 1, 2), body }), {
        minLength: 1,
        maxLength: 3,
      }),
      worker,
    })
    .map(({ capacities: [q0, q1, q2], processes, worker: { body: work, started } }) => {
      const text = [
        'mtype = { a, b, c };',
        `chan q0 = [${q0}] of { mtype };`,
        `chan q1 = [${q1}] of { mtype, byte };`,
        `chan q2 = [${q2}] of { byte };`,
        'bool flag;',
        'byte count = 1;',
        'byte slot[2];',
        ...processes.map(
          ({ copies, body: lines }, index) =>
            `active [${copies}] proctype P${index}() {\n  byte x;\n  mtype m = a;\n${block(lines, '  ')}\n}`,
        ),
        `proctype W(byte id; chan in) {\n  byte x = id;\n  mtype m = b;\n${block(work.map(throughParameter), '  ')}\n}`,
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

/** A statement as lines of text. */
type Lines = readonly string[];

const block = (lines: Lines, indent: string): string =>
  (lines.length === 0 ? ['skip'] : lines).map((line) => indent + line).join('\n');

const throughParameter = (line: string): string => line.replaceAll('q0', 'in');

/** Labels must be unique: they get their numbers in the finished text. */
function labelled(text: string): string {
  let next = 0;
  return text.replaceAll('PROGRESS', () => `progress${next++}`);
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
  const simple = fc.oneof(send, send, receive, receive, assign, step, condition);
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
      tie('body').map((inside): Lines => ['atomic {', ...inside.map(indent), '}']),
      fc
        .tuple(
          fc.constantFrom('true', 'flag', 'count > 0', 'x < 2'),
          fc.array(fc.oneof(step, assign), { maxLength: 3 }),
        )
        .map(([first, rest]): Lines => ['skip;', `d_step { ${[first, ...rest].join('; ')} }`]),
    ),
    choice: optionsOf(guard, tie('body'), 'if', 'fi'),
    loop: optionsOf(guard, tie('body'), 'do', 'od'),
  }));
  return { body };
}

const indent = (line: string): string => `  ${line}`;
const ended = (part: Lines): Lines => [...part.slice(0, -1), `${part[part.length - 1]};`];

/** SPIN accepts no `else` beside a guard that sends or receives. */
function optionsOf(
  guard: Guards,
  body: fc.Arbitrary<Lines>,
  open: 'if' | 'do',
  close: 'fi' | 'od',
): fc.Arbitrary<Lines> {
  const choices = (first: fc.Arbitrary<string>, last: readonly string[]): fc.Arbitrary<Lines> => {
    const option = fc
      .tuple(first, body)
      .map(([begin, rest]): Lines => [`:: ${begin} ->`, ...rest.map((line) => `   ${line}`)]);
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
