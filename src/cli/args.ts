// Arguments in the manner of SPIN and of GNU: --name value, --name=value, -DX=2, -I dir, -x, and `--` for the end of options.

import { suggest } from '../source/diagnostic.ts';
import type { OptionTable, ParsedArgs } from './verb.ts';
import { UsageError } from './verb.ts';

export function parseArgs(argv: readonly string[], table: OptionTable): ParsedArgs {
  const values = new Map<string, string[]>();
  const positional: string[] = [];
  const shorts = new Map(
    Object.entries(table).flatMap(([name, option]) => (option.short ? [[option.short, name] as const] : [])),
  );

  const words = new Map(
    Object.entries(table).flatMap(([name, option]) =>
      Object.entries(option.words ?? {}).map(([word, value]) => [word, [name, value]] as const),
    ),
  );

  const add = (name: string, value: string) => {
    const option = table[name]!;
    const known = values.get(name) ?? [];
    if (option.takes !== 'list' && known.length > 0) throw new UsageError(`--${name} was given twice`);
    values.set(name, [...known, value]);
  };

  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--') {
      positional.push(...argv.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      positional.push(word);
      continue;
    }
    const meant = words.get(word);
    if (meant !== undefined) {
      add(...meant);
      continue;
    }
    const [name, attached] = word.startsWith('--')
      ? longOption(word, table)
      : shortOption(word, shorts, table);
    if (table[name]!.takes === 'nothing') {
      if (attached !== null) throw new UsageError(`--${name} takes no value`);
      add(name, '');
      continue;
    }
    const value = attached ?? argv[++i];
    if (value === undefined) throw new UsageError(`--${name} needs a value`);
    add(name, value);
  }

  return {
    positional,
    flag: (name) => values.has(name),
    value: (name) => values.get(name)?.at(-1),
    list: (name) => values.get(name) ?? [],
  };
}

function longOption(word: string, table: OptionTable): [string, string | null] {
  const equals = word.indexOf('=');
  const name = word.slice(2, equals < 0 ? undefined : equals);
  if (!Object.hasOwn(table, name)) {
    const near = suggest(name, Object.keys(table));
    throw new UsageError(`there is no option --${name}${near ? `; did you mean --${near}?` : ''}`);
  }
  return [name, equals < 0 ? null : word.slice(equals + 1)];
}

function shortOption(
  word: string,
  shorts: ReadonlyMap<string, string>,
  table: OptionTable,
): [string, string | null] {
  const name = shorts.get(word[1]!);
  if (name === undefined) throw new UsageError(`there is no option -${word[1]}`);
  const rest = word.slice(2);
  if (rest !== '' && table[name]!.takes === 'nothing') throw new UsageError(`-${word[1]} takes no value`);
  return [name, rest === '' ? null : rest];
}

/** A whole number of at least `min`, or a usage error in the user's words. */
export function wholeNumber(text: string | undefined, option: string, min = 0): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) < min || !Number.isSafeInteger(Number(text))) {
    throw new UsageError(
      `--${option} takes a whole number${min > 0 ? ` of at least ${min}` : ''}, not '${text}'`,
    );
  }
  return Number(text);
}
