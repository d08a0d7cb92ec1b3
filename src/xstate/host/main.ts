// The process that holds the user's module: started by session.ts, under limits, it loads the module, explores it and replays runs.

import { EXPLORE_LIMITS } from '../../actors/explore.ts';
import type { ActorSystem } from '../../actors/system.ts';
import type { Problem, Reply, Request } from '../messages.ts';
import type { XStateBehaviour } from './behaviour.ts';
import { contain } from './contain.ts';
import { type Declared, readDeclared } from './declared.ts';
import { type MachineMaker, machineFromJson } from './from-json.ts';
import type { CreateActor } from './real.ts';
import { replayMoves } from './replay.ts';
import { exploreMachine } from './rounds.ts';
import { isMachine, type XMachine } from './types.ts';

const send = process.send!.bind(process) as (reply: Reply) => void;
const now = Date.now.bind(Date);

interface LoadedModule {
  readonly machine: XMachine;
  readonly name: string;
  readonly declared: Declared;
  readonly createActor: CreateActor;
}

let loaded: LoadedModule | null = null;
let explored: { readonly system: ActorSystem; readonly behaviour: XStateBehaviour } | null = null;

class Failure extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, message: string) {
    super(message);
    this.problem = problem;
  }
}

const fail = (problem: Problem, error: unknown): void =>
  send({
    kind: 'failed',
    problem,
    message: error instanceof Error ? error.message : String(error),
    stack: error instanceof Error ? (error.stack ?? '') : '',
  });

/** Places where functions of the model ask for the time or a random number. */
const looks = new Map<string, { readonly what: string; readonly stack: string }>();
const MOST_LOOKS = 200;
let lookCount = 0;

contain(
  ({ what, stack }) => {
    if (loaded === null)
      send({ kind: 'failed', problem: 'refused', message: `the module asks for ${what}`, stack });
  },
  (what, stack) => {
    // Places from source maps take time: a few hundred are enough.
    if (lookCount++ >= MOST_LOOKS) return;
    const place = stack();
    looks.set(`${what} ${place.split('\n').slice(2, 9).join()}`, { what, stack: place });
  },
);
process.on('uncaughtException', (error) => fail('throws', error));
process.on('unhandledRejection', (error) => {
  if (loaded === null) fail('throws', error);
});
process.on('message', (request: Request) => {
  handle(request).catch((error: unknown) => fail(error instanceof Failure ? error.problem : 'throws', error));
});

async function handle(request: Request): Promise<void> {
  switch (request.kind) {
    case 'load':
      return load(request);
    case 'explore':
      return explore(request);
    case 'replay':
      return replay(request);
  }
}

interface XStateModule extends MachineMaker {
  readonly createActor?: CreateActor;
}

async function load(request: Request & { kind: 'load' }): Promise<void> {
  const module = (await import(request.module)) as Record<string, unknown>;
  const xstate = (request.xstate === null ? module['__xstate'] : await import(request.xstate)) as
    | XStateModule
    | undefined;
  if (xstate?.createActor === undefined || xstate.createMachine === undefined)
    throw new Failure('no-xstate', 'this copy of XState has no createActor: version 5 or 6 is needed');
  const exports = Object.entries(module).filter(([key]) => key !== '__xstate');
  const machines =
    request.json === null
      ? exports.filter((entry): entry is [string, XMachine] => isMachine(entry[1]))
      : [['default', machineFromJson(request.json, xstate)] as [string, XMachine]];
  const names = machines.map(([key]) => key);
  if (machines.length === 0)
    throw new Failure('no-machine', `exported are: ${exports.map(([key]) => key).join(', ') || 'nothing'}`);
  const wanted = request.exportName ?? (names.includes('default') ? 'default' : names.at(-1)!);
  const machine = machines.find(([key]) => key === wanted)?.[1];
  if (machine === undefined) throw new Failure('no-export', names.join(', '));
  const { declared, problem } = readDeclared(module['spillway']);
  if (problem !== null) throw new Failure('declaration', problem);
  const name = machine.id === '(machine)' ? request.name : machine.id;
  loaded = { machine, name, declared, createActor: xstate.createActor };
  send({
    kind: 'loaded',
    machines: [wanted, ...names.filter((key) => key !== wanted)],
    id: name,
    formulas: declared.ltl ?? {},
  });
}

/** Of the time that is left: what a round may take before data is widened. */
const ROUND_SHARE = 0.25;

async function explore({ milliseconds, states }: Request & { kind: 'explore' }): Promise<void> {
  const { machine, name, declared } = loaded!;
  const end = now() + milliseconds;
  const found = exploreMachine({ name, logic: machine }, declared, {
    ...EXPLORE_LIMITS,
    states: Math.min(states, EXPLORE_LIMITS.states),
    goOn: () => now() < end,
    round: () => {
      const late = now() + (end - now()) * ROUND_SHARE;
      return () => now() < late;
    },
  });
  if (!found.ok)
    throw new Failure(
      found.limit === 'time' ? 'time' : 'too-large',
      found.limit === 'actors' ? 'too many actors' : `too many states of ${found.actor}`,
    );
  explored = { system: found.system, behaviour: found.behaviour! };
  send({ kind: 'explored', system: found.system, looks: [...looks.values()] });
}

async function replay({ moves }: Request & { kind: 'replay' }): Promise<void> {
  const { machine, createActor } = loaded!;
  const different = replayMoves({ ...explored!, machine, createActor, moves });
  send({ kind: 'replayed', different });
}
