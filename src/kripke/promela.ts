// A composition as a Promela model, so that SPIN can be asked the same question.
//
// Deadlock, if every event has at most two participants: a process for each component, a rendezvous channel for each shared event. SPIN's
// "invalid end state" is our deadlock. Otherwise, and for formulas: one process that holds the states of all components in an
// array and takes one event a turn, in one d_step, so that SPIN's states are our configurations.
//
// Formulas need the event a state is left with ([MAGIC] section 4): the variable `event` is guessed one step ahead, for the
// events that the formula names. A wrong guess ends its path. The logic looks at infinite paths only: SPIN does with -DNOSTUTTER, and
// the premise `[]<> started` keeps its claims from ending early on a finite one.

import type { PropositionBits } from './promela-bits.ts';
import { propositionBits } from './promela-bits.ts';
import { eachEdge, edgesWith, stateCount } from './structure.ts';
import type { System } from './system.ts';
import { initialCount } from './system.ts';

/** SPIN's limits on processes and channels. */
const MAX_SPIN = 250;
const MAX_OPTIONS = 400_000;
const MAX_STARTS = 1_000;

/** An event or a proposition as an expression of Promela. */
export type AtomText = (kind: 'event' | 'proposition', id: number) => string;

export interface PromelaFormula {
  /** What is said of the model once it has `started`, in SPIN's notation. */
  readonly claim: (atom: AtomText) => string;
  /** What it names. */
  readonly events: Iterable<number>;
  readonly propositions: Iterable<number>;
}

/** Null when the text would be too long for SPIN. */
export function deadlockModel(system: System): string | null {
  const shared = system.participants.filter((participants) => participants.length > 1);
  const pairs = shared.every((participants) => participants.length === 2);
  return pairs && shared.length <= MAX_SPIN && system.components.length <= MAX_SPIN
    ? processes(system)
    : arrayModel(system, []);
}

/** Null when the text would be too long for SPIN. `few`: as for `propositionBits`. */
export const formulaModel = (
  system: System,
  formulas: readonly PromelaFormula[],
  few?: number,
): string | null => arrayModel(system, formulas, few);

/** What a process or a channel takes in SPIN's state vector, at most; and what the vector has room for unless told. */
const SPIN_BYTES = 16;
const SPIN_VECTOR = 900;

function vectorOption(bytes: number): string {
  return bytes <= SPIN_VECTOR ? '' : ` -DVECTORSZ=${2 ** Math.ceil(Math.log2(bytes + 256))}`;
}

const deadlockCommand = (bytes: number): string =>
  `/* Deadlock: spin -a model.pml && gcc -O2 -DSAFETY${vectorOption(bytes)} -o pan pan.c && ./pan   (invalid end state) */`;

function processes(system: System): string {
  const shared = system.participants.filter((participants) => participants.length > 1).length;
  const lines = [deadlockCommand(SPIN_BYTES * (system.components.length + shared))];
  system.participants.forEach((participants, event) => {
    if (participants.length === 2)
      lines.push(`chan e${event} = [0] of { bit }; /* ${comment(system.events[event]!)} */`);
  });
  system.components.forEach((structure, index) => {
    lines.push('', `/* ${comment(structure.name)} */`, `active proctype c${index}() {`, '  bit t;');
    lines.push(...choice(structure.initial.map((state) => `goto s${state}`)));
    for (let state = 0; state < stateCount(structure); state++) {
      const options: string[] = [];
      eachEdge(structure, state, (local, target) => {
        const event = system.globalIds[index]![local]!;
        options.push(`${offer(system, event, index)} -> goto s${target}`);
      });
      lines.push(`s${state}: /* ${comment(structure.stateNames[state]!)} */`);
      lines.push(...choice(options.length === 0 ? ['false'] : options));
    }
    lines.push('}');
  });
  return `${lines.join('\n')}\n`;
}

/** The first participant sends, the second receives; an event of one component alone just happens. */
function offer(system: System, event: number, component: number): string {
  const participants = system.participants[event]!;
  // An assignment, not a condition: SPIN optimises conditions away, and with them a loop that does nothing else.
  if (participants.length === 1) return 't = 0';
  return participants[0] === component ? `e${event}!1` : `e${event}?1`;
}

const choice = (options: readonly string[]): string[] =>
  options.length === 1
    ? [`  ${options[0]};`]
    : ['  if', ...options.map((option) => `  :: ${option}`), '  fi;'];

function arrayModel(system: System, formulas: readonly PromelaFormula[], few?: number): string | null {
  if (initialCount(system) > MAX_STARTS) return null;
  const named = [...new Set(formulas.flatMap(({ events }) => [...events]))].sort((a, b) => a - b);
  const bits = propositionBits(
    system,
    formulas.flatMap(({ propositions }) => [...propositions]),
    few,
  );
  const guesses = named.length === 0 ? [] : ['0', ...named.map((event) => String(event + 1))];
  const lines = [...header(system, formulas, guesses.length > 0), ...bits.declarations];
  lines.push('', 'active proctype system() {');
  lines.push(...starts(system, formulas.length > 0, guesses, bits), '  do');
  let count = 0;
  for (const [event, name] of system.events.entries()) {
    const mine = named.includes(event) ? event + 1 : 0;
    const guard = guesses.length === 0 ? '' : `event == ${mine} && `;
    const ways = joint(system, event, bits);
    if (ways === null) return null;
    for (const { tests, moves } of ways) {
      for (const guess of guesses.length === 0 ? [''] : guesses) {
        if (++count > MAX_OPTIONS) return null;
        const next = guess === '' ? [] : [`event = ${guess}`];
        const body = [...moves, ...next];
        const taken = body.length === 0 ? 'skip' : body.join('; ');
        lines.push(`  :: d_step { ${guard}${tests.join(' && ')} -> ${taken} } /* ${comment(name)} */`);
      }
    }
  }
  lines.push('  :: false', '  od', '}');
  for (const { claim } of formulas) lines.push('', claim(atomText(bits)));
  return `${lines.join('\n')}\n`;
}

function header(system: System, formulas: readonly PromelaFormula[], guess: boolean): string[] {
  const largest = Math.max(...system.components.map(stateCount));
  const bytes = (largest <= 255 ? 1 : 4) * system.components.length;
  return [
    formulas.length === 0
      ? deadlockCommand(bytes)
      : `/* Formulas: spin -a model.pml && gcc -O2 -DNOSTUTTER -DNOREDUCE${vectorOption(bytes)} -o pan pan.c && ./pan -a -N NAME */`,
    ...system.components.map(
      (structure, index) =>
        `/* s[${index}] is ${comment(structure.name)}: ${comment(stateList(structure.stateNames))} */`,
    ),
    `${largest <= 255 ? 'byte' : 'int'} s[${system.components.length}];`,
    ...(formulas.length > 0 ? ['bool started;'] : []),
    ...(guess ? ['int event; /* the event that comes next; 0 is any that no formula names */'] : []),
  ];
}

function stateList(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name, index) => `${index} ${name}`);
  return names.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}

/** One step into an initial configuration (and a guess of the first event). */
function starts(
  system: System,
  formulas: boolean,
  guesses: readonly string[],
  bits: PropositionBits,
): string[] {
  let options: string[][] = [[]];
  system.components.forEach(({ initial }, index) => {
    const begin = (state: number): string[] => [
      ...(initial.length === 1 && state === 0 ? [] : [`s[${index}] = ${state}`]),
      ...bits.begin(index, state),
    ];
    options = options.flatMap((option) => initial.map((state) => [...option, ...begin(state)]));
  });
  if (guesses.length > 0)
    options = options.flatMap((option) => guesses.map((guess) => [...option, `event = ${guess}`]));
  const begin = formulas ? ['started = true'] : [];
  const steps = options.map((option) => [...begin, ...option]).filter((step) => step.length > 0);
  return steps.length === 0 ? [] : choice(steps.map((step) => `d_step { ${step.join('; ')} }`));
}

/** The ways in which the participants can take the event together; null when they are too many. */
function joint(system: System, event: number, bits: PropositionBits): Way[] | null {
  let ways: Way[] = [{ tests: [], moves: [] }];
  for (const [position, component] of system.participants[event]!.entries()) {
    const structure = system.components[component]!;
    const own: Way[] = [];
    for (let state = 0; state < stateCount(structure); state++) {
      const [from, to] = edgesWith(structure, state, system.localIds[event]![position]!);
      for (let i = from; i < to; i++) {
        const target = structure.edges.target[i]!;
        const changed = bits.changes(component, state, target);
        const moves = target === state ? [] : [`s[${component}] = ${target}`, ...changed];
        own.push({ tests: [`s[${component}] == ${state}`], moves });
      }
    }
    if (ways.length * own.length > MAX_OPTIONS) return null;
    ways = ways.flatMap((way) =>
      own.map((more) => ({ tests: [...way.tests, ...more.tests], moves: [...way.moves, ...more.moves] })),
    );
  }
  return ways;
}

interface Way {
  readonly tests: readonly string[];
  readonly moves: readonly string[];
}

const atomText =
  ({ text }: PropositionBits): AtomText =>
  (kind, id) =>
    kind === 'event' ? `(event == ${id + 1})` : text(id);

const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/[\r\n]/g, ' ');
