// A net, fired step by step: by choice, at random, or again as it was recorded.

import { Random } from '../base/random.ts';
import { walkAtRandom } from '../base/random-walk.ts';
import type { Run } from '../verdict/run.ts';
import { fire, initialMarking, isDead, isEnabled, type Marking, type PetriNet } from './net.ts';
import { firingsOf, runOf } from './run.ts';

export class NetSimulation {
  private readonly net: PetriNet;
  private marking: Marking;
  private readonly fired: number[] = [];

  constructor(net: PetriNet) {
    this.net = net;
    this.marking = initialMarking(net);
  }

  choices(): readonly number[] {
    return this.net.transitions.flatMap((transition, number) =>
      isEnabled(transition, this.marking) ? [number] : [],
    );
  }

  label(choice: number): string {
    return this.net.transitions[choice]!.name;
  }

  take(choice: number): void {
    this.marking = fire(this.net.transitions[choice]!, this.marking)!;
    this.fired.push(choice);
  }

  end(): { readonly kind: string } | null {
    return isDead(this.net, this.marking) ? { kind: 'dead' } : null;
  }

  run({ kind }: { readonly kind: string }): Run {
    const title = kind === 'dead' ? 'no transition is enabled' : 'a run of the net';
    return runOf(this.net, this.fired, { title })!;
  }
}

export function simulateNet(
  net: PetriNet,
  seed: number,
  steps: number,
): { readonly run: Run; readonly end: { readonly kind: string } } {
  return walkAtRandom(new NetSimulation(net), new Random(seed), steps, { kind: 'steps' });
}

/** The recorded firings, as far as they are possible; and whether what they are said to show is still there. */
export function replayNet(
  net: PetriNet,
  recorded: Run,
): { readonly run: Run; readonly failedAt: number | null; readonly refused?: string } {
  const simulation = new NetSimulation(net);
  for (const [index, number] of firingsOf(recorded).entries()) {
    if (!simulation.choices().includes(number))
      return { run: simulation.run({ kind: 'steps' }), failedAt: index };
    simulation.take(number);
  }
  const end = simulation.end() ?? { kind: 'steps' };
  const run = {
    ...simulation.run(end),
    loopStart: recorded.loopStart,
    ...(recorded.growth ? { growth: recorded.growth } : {}),
  };
  if (/no transition is enabled/.test(recorded.title) && end.kind !== 'dead')
    return { run, failedAt: null, refused: 'something is still enabled at the end' };
  return { run: { ...run, title: recorded.title }, failedAt: null };
}
