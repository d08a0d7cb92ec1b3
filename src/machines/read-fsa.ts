// Machines in the format of KMC, GMC and ChorGram (`.fsa`): one after the other,
//
//   .outputs A              the machine's name; without one it is called by its number
//   .state graph
//   q0 1 ! hello q1         from q0, send hello to machine 1 (or to the machine of that name), to q1
//   q1 1 ? world q0         … receive
//   q1 tau q2               a step of its own
//   .marking q0             the initial state
//   .end
//
// `--` begins a comment.

import { Problems } from '../petri/problems.ts';
import { type SourceFile, type Span, startOf } from '../source/source.ts';
import type { ReadMachines } from './model.ts';
import { buildSystem, type NamedMove } from './system.ts';

interface Word {
  readonly text: string;
  readonly span: Span;
}

interface Raw {
  readonly name: Word | null;
  readonly head: Span;
  readonly lines: (readonly Word[])[];
  initial: Word | null;
  ended: boolean;
}

export const isFsa = (text: string): boolean =>
  /^\s*\.outputs\b/m.test(text) && /^\s*\.state\s+graph\b/m.test(text);

export function readFsa(file: SourceFile): ReadMachines {
  const problems = new Problems(file);
  const raw = sections(linesOf(file), problems);
  if (raw.length === 0 && !problems.failed)
    problems.error('SPW8101', [0, 1], 'there is no machine in this file', 'a machine begins with .outputs');
  const names = raw.map(({ name }, index) => name?.text ?? String(index));
  for (const [index, { name, head }] of raw.entries())
    if (names.indexOf(names[index]!) < index)
      problems.error('SPW8102', name?.span ?? head, `there is another machine named '${names[index]}'`);
  const machines = raw.map((one, self) => machineOf(one, self, names, problems));
  return {
    system: problems.failed ? null : buildSystem(file.path, machines),
    diagnostics: problems.found,
  };
}

function linesOf(file: SourceFile): Word[][] {
  const lines: Word[][] = [];
  let offset = 0;
  for (const line of file.text.split('\n')) {
    const code = line.replace(/--.*$/, '').replace(/\r$/, '');
    const words = [...code.matchAll(/[!?]|[^\s!?]+/g)].map(({ 0: text, index }) => ({
      text,
      span: { file, start: offset + index, end: offset + index + text.length },
    }));
    if (words.length > 0) lines.push(words);
    offset += line.length + 1;
  }
  return lines;
}

function sections(lines: readonly Word[][], problems: Problems): Raw[] {
  const machines: Raw[] = [];
  let current: Raw | null = null;
  for (const words of lines) {
    const [first, ...rest] = words as [Word, ...Word[]];
    if (first.text === '.outputs') {
      if (current !== null && !current.ended)
        problems.error('SPW8103', first.span, 'the machine before this one has no .end');
      current = { name: rest[0] ?? null, head: first.span, lines: [], initial: null, ended: false };
      machines.push(current);
    } else if (current === null || current.ended)
      problems.error(
        'SPW8104',
        first.span,
        'this stands outside of any machine',
        'a machine begins with .outputs and ends with .end',
      );
    else if (first.text === '.state') {
      if (rest[0]?.text !== 'graph') problems.error('SPW8105', first.span, "'.state graph' is expected here");
    } else if (first.text === '.marking') {
      if (rest[0] === undefined) problems.error('SPW8106', first.span, '.marking names no state');
      else current.initial = rest[0];
    } else if (first.text === '.end') current.ended = true;
    else if (first.text.startsWith('.'))
      problems.error(
        'SPW8105',
        first.span,
        `'${first.text}' is not known here`,
        'known: .outputs .state .marking .end',
      );
    else current.lines.push(words);
  }
  if (current !== null && !current.ended) problems.error('SPW8103', current.head, 'this machine has no .end');
  for (const { initial, head } of machines)
    if (initial === null)
      problems.error('SPW8106', head, 'this machine has no initial state', 'add a line .marking STATE');
  return machines;
}

function machineOf(
  { name, lines, initial, head }: Raw,
  self: number,
  names: readonly string[],
  problems: Problems,
) {
  const numbers = new Map<string, number>();
  const states: { name: string; at: ReturnType<typeof startOf> }[] = [];
  const state = ({ text, span }: Word): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, states.length);
    return states.push({ name: text, at: startOf(span) }) - 1;
  };
  // The initial state first, though it is named last.
  if (initial !== null) state(initial);
  const moves: NamedMove[] = [];
  for (const words of lines) {
    const [from, partner, sign, ...rest] = words as [Word, Word?, Word?, ...Word[]];
    const at = startOf(from.span);
    if (partner?.text === 'tau' && words.length === 3) {
      moves.push({ from: state(from), to: state(sign!), action: null, at });
      continue;
    }
    const to = rest.at(-1);
    const message = rest
      .slice(0, -1)
      .map(({ text }) => text)
      .join('');
    if (
      partner === undefined ||
      sign === undefined ||
      !['!', '?'].includes(sign.text) ||
      to === undefined ||
      message === ''
    ) {
      problems.error(
        'SPW8107',
        from.span,
        'this is no move',
        'a move is: STATE MACHINE ! MESSAGE STATE, or with ?',
      );
      continue;
    }
    const other = partnerOf(partner.text, names);
    if (other === null)
      problems.error(
        'SPW8108',
        partner.span,
        `there is no machine '${partner.text}'`,
        `machines are ${names.map((one, index) => (one === String(index) ? one : `${index} (${one})`)).join(', ')}`,
      );
    else if (other === self) problems.error('SPW8109', partner.span, 'a machine does not talk to itself');
    else
      moves.push({
        from: state(from),
        to: state(to),
        action: { kind: sign.text === '!' ? 'send' : 'receive', partner: other, message },
        at,
      });
  }
  if (states.length === 0) states.push({ name: 'q0', at: startOf(head) });
  return { name: name?.text ?? `M${self}`, states, initial: 0, moves };
}

function partnerOf(text: string, names: readonly string[]): number | null {
  const byName = names.indexOf(text);
  if (byName >= 0) return byName;
  const number = /^\d+$/.test(text) ? Number(text) : -1;
  return number >= 0 && number < names.length ? number : null;
}
