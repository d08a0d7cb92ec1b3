// Random sources for the preprocessor: macros that call each other, paste, stringise, take the rest, stand half inside an argument;
// conditions with every operator; splices, comments and line breaks in odd places; lines that are called otherwise, macros that are put away.

export type Random = (below: number) => number;

const NAMES = ['A', 'B', 'C', 'F', 'G', 'H', 'V'];
const PARAMETERS = ['x', 'y', 'z'];

export function randomText(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const lines: string[] = [];

  const word = (depth: number, parameters: readonly string[]): string => {
    if (parameters.length > 0 && random(3) === 0) return pick(parameters);
    if (depth > 0 && random(3) === 0) return call(depth - 1, parameters);
    return pick([
      'a',
      'b',
      '1',
      '0x2',
      '+',
      '-',
      ',',
      '( 3 )',
      '"s\\n"',
      "'c'",
      '.',
      '<',
      'e',
      '__LINE__',
      '__FILE__',
      '__COUNTER__',
      '<:',
      '%>',
      '.5e+',
      ...NAMES,
    ]);
  };
  const words = (depth: number, parameters: readonly string[]): string =>
    Array.from({ length: random(4) }, () => word(depth, parameters)).join(
      pick([' ', ' ', '  ', ' /* c */ ']),
    );
  const call = (depth: number, parameters: readonly string[]): string => {
    const args = Array.from({ length: random(4) }, () => words(depth, parameters));
    return `${pick(NAMES)}${pick(['', ' '])}(${args.join(',')})`;
  };
  const body = (parameters: readonly string[], variadic: string | null): string => {
    const all = variadic === null ? parameters : [...parameters, variadic];
    const parts = Array.from({ length: 1 + random(4) }, () => {
      const kind = random(10);
      if (kind === 0 && all.length > 0) return `#${pick(all)}`;
      if (kind === 1) return `${pick(['p', 'q1', ...all])} ## ${pick(['r', '2', ...all])}`;
      if (kind === 2 && variadic !== null) return `f(${pick(['a', ...all])}, ## ${variadic})`;
      if (kind === 3 && variadic === '__VA_ARGS__')
        return `__VA_OPT__(${words(1, all)} ${pick(['', '+', ...all])})`;
      if (kind === 4) return `${pick(NAMES)} ${pick(['(', '', ')'])}`;
      return word(1, all);
    });
    return parts.join(pick([' ', ' ', ' \\\n', ' /* over\nlines */ ']));
  };
  const define = (): string => {
    const name = pick(NAMES);
    if (random(3) === 0) return `#define ${name} ${body([], null).replaceAll('#', '')}`;
    const parameters = PARAMETERS.slice(0, random(3));
    const kind = random(3);
    const variadic = kind === 0 ? '__VA_ARGS__' : kind === 1 ? 'rest' : null;
    const list = [...parameters, ...(variadic === null ? [] : [kind === 0 ? '...' : 'rest...'])];
    return `#define ${name}(${list.join(', ')}) ${body(parameters, variadic)}`;
  };
  const number = (): string =>
    pick([
      '0',
      '1',
      '2',
      '7',
      '-1',
      '0x7fffffffffffffff',
      '18446744073709551615u',
      '3u',
      '010',
      "'a'",
      "'\\xff'",
      'undefined',
      'A',
      'defined A',
      'defined(F)',
      '0b101',
      "'ab'",
      "u'a'",
      "U'\\xffffffff'",
      "L'\\xffffffff'",
    ]);
  /** Calls go over several lines; what they bring says in which one it stands. */
  const broken = (text: string): string =>
    text.replace(/[(,)]/g, (mark) => (random(5) === 0 ? `${mark}\n` : mark));
  const directive = (): string =>
    pick([
      `#line ${1 + random(90)}`,
      `#line ${1 + random(90)} "other.h"`,
      `# ${1 + random(90)} "other.h"`,
      `#pragma push_macro("${pick(NAMES)}")`,
      `#pragma pop_macro("${pick(NAMES)}")`,
      `_Pragma("push_macro(\\"${pick(NAMES)}\\")")`,
    ]);
  const expression = (depth: number): string => {
    if (depth === 0 || random(4) === 0) return number();
    const kind = random(8);
    if (kind === 0) return `${pick(['!', '-', '~', '+'])} ${expression(depth - 1)}`;
    if (kind === 1) return `(${expression(depth - 1)} ? ${expression(depth - 1)} : ${expression(depth - 1)})`;
    const operator = pick('+ - * / % << >> < > <= >= == != & | ^ && ||'.split(' '));
    return `(${expression(depth - 1)} ${operator} ${expression(depth - 1)})`;
  };
  /** Without parentheses: what binds closer decides, and what is not evaluated may be wrong. */
  const bare = (): string => {
    const part = () => `${pick(['', '', '!', '-', '~', '- -'])}${number()}`;
    const operators = '+ - * / % << >> < > <= >= == != & | ^ && || ? :'.split(' ');
    let text = part();
    for (let n = random(5); n > 0; n--) {
      const operator = pick(operators);
      text +=
        operator === '?' || operator === ':'
          ? ` ? ${part()} : ${part()}`
          : ` ${operator}${random(2) === 0 ? ' ' : ''}${part()}`;
    }
    return text;
  };
  /** What is skipped is only looked at as far as conditions stand in each other. */
  const skipped = (): string[] => [
    '#if 0',
    pick([
      'it\'s " not a # token',
      '#if 1 +',
      '#ifdef',
      '#define 1',
      '#error no',
      '#unknown',
      '@ ` \\ ??/',
      '#include',
    ]),
    ...(random(2) === 0 ? ['#else'] : []),
  ];
  const condition = (): string[] => {
    if (random(5) === 0) {
      const bad = skipped();
      if (bad[1] === '#if 1 +' || bad[1] === '#ifdef')
        bad.splice(2, 0, pick(['#elif', '#else', 'x']), '#endif');
      return [...bad, words(1, []), '#endif'];
    }
    if (random(4) === 0) return [`#if ${bare()}`, 'yes', `#elif ${bare()}`, 'other', '#else', 'no', '#endif'];
    const first = pick([`#if ${expression(3)}`, `#ifdef ${pick(NAMES)}`, `#ifndef ${pick(NAMES)}`]);
    const more = random(2) === 0 ? [`#elif ${expression(2)}`, 'second', define()] : [];
    return [first, 'first', ...(random(2) === 0 ? condition() : []), ...more, '#else', 'third', '#endif'];
  };

  for (let i = 0; i < 4; i++) lines.push(define());
  for (let i = 0; i < 6; i++) {
    const kind = random(9);
    if (kind === 0) lines.push(define());
    else if (kind === 8) lines.push(directive());
    else if (kind === 1) lines.push(`#undef ${pick(NAMES)}`);
    else if (kind === 2 && lines.length < 40) lines.push(...condition());
    else
      lines.push(`${broken(call(2, []))} ${words(1, [])}${random(4) === 0 ? '\\\n' : ' '}${words(1, [])};`);
  }
  const text = `${lines.join('\n')}\n`;
  return random(3) === 0 ? distorted(text, random) : text;
}

/** The same text with splices inside of its tokens, digraphs, and comments where blanks are. */
function distorted(text: string, random: Random): string {
  const often = 10 + random(60);
  return text
    .replace(/##?/g, (mark) => (random(4) === 0 ? mark.replaceAll('#', '%:') : mark))
    .replace(/ /g, (blank) => (random(often) === 0 ? ' /**/\t' : blank))
    .replace(/(?<![\\ ])\w/g, (letter) => (random(often) === 0 ? `\\\n${letter}` : letter));
}
