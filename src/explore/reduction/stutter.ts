// Is the language of a never claim closed under stuttering? Then it cannot tell how often a state is repeated, and a reduced graph is as good as the
// full one. A letter says which atoms of the claim's conditions are true. The automaton that accepts every word that differs from one of the claim's in
// repetitions only is easily built: it may skip a repetition, and may read one more. If the claim can follow that automaton, step by step, and
// comes by its accepting states for ever whenever the automaton does (fair simulation: Etessami, Wilke, Schuller, ICALP 2001),
// the languages are the same. (For checks by complement see Michaud and Duret-Lutz, Practical stutter-invariance checks, SPIN 2015.)
// The answer no means: not shown.

import type { Expression } from '../../process/expression.ts';
import type { Proctype } from '../../process/program.ts';

const MAX_ATOMS = 6;
const MAX_LOCATIONS = 40;
const MAX_PAIRS = 60_000;

export function isStutterInvariant(claim: Proctype): boolean {
  const moves = movesOf(claim);
  if (moves === null) return false;
  const closure = closureOf(moves);
  if (closure.moves.length * moves.moves.length > MAX_PAIRS) return false;
  return simulates(closure, moves);
}

interface Move {
  readonly to: number;
  readonly isAccepting: boolean;
}

interface LetterAutomaton {
  readonly initial: number;
  /** By state and letter. */
  readonly moves: readonly (readonly (readonly Move[])[])[];
}

/** Null for claims that do more than look. */
function movesOf(claim: Proctype): LetterAutomaton | null {
  const { locations, edges, locals } = claim;
  if (locals.length > 0 || locations.length > MAX_LOCATIONS) return null;
  const atoms = new Atoms();
  for (const { statement, keepsControl, blockedBy, from } of edges) {
    if (locations[from]!.isFinal) continue;
    if (keepsControl || blockedBy.length > 0) return null;
    if (statement.kind === 'condition') atoms.collect(statement.expression);
    else if (statement.kind !== 'else') return null;
  }
  if (atoms.count > MAX_ATOMS) return null;
  const letters = Array.from({ length: 2 ** atoms.count }, (_, letter) => letter);
  const moves = locations.map(({ id, isFinal, isAccept, edges: out }) =>
    letters.map((letter): Move[] => {
      // A claim that has ended is violated, whatever comes.
      if (isFinal) return [{ to: id, isAccepting: true }];
      const taken: Move[] = [];
      for (const edge of out) {
        const { statement, to } = edges[edge]!;
        const isPossible =
          statement.kind === 'condition' ? atoms.holds(statement.expression, letter) : taken.length === 0;
        if (isPossible) taken.push({ to, isAccepting: isAccept });
      }
      return taken;
    }),
  );
  return { initial: claim.initial, moves };
}

class Atoms {
  private readonly numbers = new Map<string, number>();

  get count(): number {
    return this.numbers.size;
  }

  collect(expression: Expression): void {
    const parts = booleanParts(expression);
    if (parts !== null) for (const part of parts) this.collect(part);
    else if (expression.kind !== 'constant') {
      const key = keyOf(expression);
      if (!this.numbers.has(key)) this.numbers.set(key, this.numbers.size);
    }
  }

  holds(expression: Expression, letter: number): boolean {
    if (expression.kind === 'constant') return expression.value !== 0;
    const parts = booleanParts(expression);
    if (parts === null) return ((letter >> this.numbers.get(keyOf(expression))!) & 1) === 1;
    const [first, second, third] = parts as [Expression, Expression, Expression];
    if (expression.kind === 'unary') return !this.holds(first, letter);
    if (expression.kind === 'conditional')
      return this.holds(this.holds(first, letter) ? second : third, letter);
    const isAnd = expression.kind === 'binary' && expression.operator === '&&';
    return isAnd
      ? this.holds(first, letter) && this.holds(second, letter)
      : this.holds(first, letter) || this.holds(second, letter);
  }
}

/** Null for what is an atom or a constant. */
function booleanParts(expression: Expression): readonly Expression[] | null {
  if (expression.kind === 'unary' && expression.operator === '!') return [expression.operand];
  if (expression.kind === 'conditional')
    return [expression.condition, expression.whenTrue, expression.whenFalse];
  if (expression.kind === 'binary' && (expression.operator === '&&' || expression.operator === '||'))
    return [expression.left, expression.right];
  return null;
}

const keyOf = (expression: Expression): string =>
  JSON.stringify(expression, (name, value) => (name === 'span' ? undefined : value));

/** All words that differ from one of the automaton's in repetitions only. States: those of the automaton, then (state, last letter). */
function closureOf({ initial, moves }: LetterAutomaton): LetterAutomaton {
  const states = moves.length;
  const letters = moves[0]?.length ?? 0;
  const skipping = moves.map((_, state) =>
    Array.from({ length: letters }, (__, letter) => reachableBy(moves, state, letter)),
  );
  const waiting = (state: number, letter: number): number => states + state * letters + letter;
  const offers = (state: number, letter: number): Move[] =>
    skipping[state]![letter]!.flatMap(({ to, isAccepting }) => [
      { to, isAccepting },
      { to: waiting(to, letter), isAccepting },
    ]);
  const plain = moves.map((row, state) => row.map((_, letter) => offers(state, letter)));
  const repeating = moves.flatMap((row, state) =>
    row.map((_, last) =>
      row.map((__, letter): Move[] => [
        ...offers(state, letter),
        ...(letter === last ? [{ to: waiting(state, last), isAccepting: false }] : []),
      ]),
    ),
  );
  return { initial, moves: [...plain, ...repeating] };
}

/** Where one letter, read once or more, leads; accepting when some way there is. */
function reachableBy(moves: LetterAutomaton['moves'], start: number, letter: number): Move[] {
  const found = new Map<number, Move>();
  const keyed = ({ to, isAccepting }: Move): number => to * 2 + (isAccepting ? 1 : 0);
  const queue = moves[start]![letter]!.map((move) => move);
  for (const move of queue) {
    if (found.has(keyed(move))) continue;
    found.set(keyed(move), move);
    for (const next of moves[move.to]![letter]!)
      queue.push({ to: next.to, isAccepting: move.isAccepting || next.isAccepting });
  }
  return [...found.values()];
}

/**
 * Can `follower` answer every move of `leader` with the same letter, for ever, and accept infinitely often if the leader does? The nested fixed point
 * of the game: νZ μY νX, where a move leads to Z when the follower accepts, to Y when only the leader does, to X otherwise.
 */
function simulates(leader: LetterAutomaton, follower: LetterAutomaton): boolean {
  const width = follower.moves.length;
  const size = leader.moves.length * width;
  const step = (z: Uint8Array, y: Uint8Array, x: Uint8Array): Uint8Array => {
    const next = new Uint8Array(size);
    for (let pair = 0; pair < size; pair++) {
      const answers = follower.moves[pair % width]!;
      const wins = leader.moves[Math.floor(pair / width)]!.every((moves, letter) =>
        moves.every((move) =>
          answers[letter]!.some((answer) => {
            const target = answer.isAccepting ? z : move.isAccepting ? y : x;
            return target[move.to * width + answer.to] === 1;
          }),
        ),
      );
      next[pair] = wins ? 1 : 0;
    }
    return next;
  };
  const fix = (start: number, next: (set: Uint8Array) => Uint8Array): Uint8Array => {
    let set: Uint8Array = new Uint8Array(size).fill(start);
    for (;;) {
      const following = next(set);
      if (following.every((value, index) => value === set[index])) return set;
      set = following;
    }
  };
  const winning = fix(1, (z) => fix(0, (y) => fix(1, (x) => step(z, y, x))));
  return winning[leader.initial * width + follower.initial] === 1;
}
