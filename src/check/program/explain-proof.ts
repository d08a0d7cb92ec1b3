// A proof in words and numbers: weights by the names a user knows, and for each step the terms that add up to its change.

import type { QueueBound } from '../../boundedness/model.ts';
import type { BoundProof, Potential } from '../../certificate/proof.ts';
import type { Net, NetTransition } from '../../net/net.ts';
import type { ExplainedPotential, ProofExplanation } from '../../verdict/verdict.ts';

const MOST_STEPS = 400;
const MOST_POTENTIALS = 12;

export function explainBounds(net: Net, queues: readonly QueueBound[]): ProofExplanation {
  // Many queues often share one potential.
  const shared = new Map<Potential, { names: string[]; claims: string[] }>();
  for (const { name, proof, certifiedBound } of queues) {
    if (proof === null) continue;
    for (const potential of potentialsOf(proof)) {
      const proved = shared.get(potential) ?? { names: [], claims: [] };
      proved.names.push(name);
      proved.claims.push(`${name} ≤ ${certifiedBound}`);
      shared.set(potential, proved);
    }
  }
  const potentials = [...shared].slice(0, MOST_POTENTIALS).map(([potential, { names, claims }]) => {
    const shown = claims.slice(0, 6).join(', ');
    const title = claims.length > 6 ? `${shown} and ${claims.length - 6} more` : shown;
    return { ...explain(net, potential, title), queues: names };
  });
  return { kind: 'bound', potentials };
}

export const explainRanking = (net: Net, potential: Potential): ProofExplanation => ({
  kind: 'ranking',
  potentials: [explain(net, potential, 'every step that is not progress lowers the sum')],
});

function potentialsOf(proof: BoundProof): Potential[] {
  return proof.kind === 'split'
    ? [...potentialsOf(proof.low), ...potentialsOf(proof.high)]
    : [proof.potential];
}

function explain(net: Net, potential: Potential, title: string): ExplainedPotential {
  const places = new Map(potential.places.map(({ at, weight }) => [at, weight]));
  const flat = new Map(potential.locations.map(({ at, weight }) => [at, weight]));
  const firstLocation: number[] = [];
  let count = 0;
  for (const { locations } of net.classes) {
    firstLocation.push(count);
    count += locations.length;
  }
  const atLocation = (owner: number, location: number): bigint =>
    flat.get(firstLocation[owner]! + location) ?? 0n;
  const start =
    net.places.reduce((sum, place, index) => sum + BigInt(place.initial) * (places.get(index) ?? 0n), 0n) +
    net.classes.reduce((sum, one, index) => sum + BigInt(one.instances) * atLocation(index, one.initial), 0n);
  const steps = net.transitions
    .slice(0, MOST_STEPS)
    .map((transition) => explainStep(net, transition, places, atLocation));
  return {
    title,
    start: String(start),
    weights: weightsOf(net, places, atLocation),
    steps,
    omitted: net.transitions.length - steps.length,
  };
}

function weightsOf(
  net: Net,
  places: ReadonlyMap<number, bigint>,
  atLocation: (owner: number, location: number) => bigint,
): ExplainedPotential['weights'] {
  const ofPlaces = [...places].map(([index, weight]) => {
    const { name, kind } = net.places[index]!;
    return {
      kind: kind === 'token' ? ('value' as const) : ('message' as const),
      name,
      weight: String(weight),
    };
  });
  const ofLocations = net.classes.flatMap((owner, index) =>
    owner.locations.flatMap((location, number) => {
      const weight = atLocation(index, number);
      if (weight === 0n) return [];
      const line = location.at === null ? '' : ` (line ${location.at.line})`;
      return [
        {
          kind: 'location' as const,
          name: `${owner.name} at ${location.name}${line}`,
          weight: String(weight),
        },
      ];
    }),
  );
  return [...ofPlaces, ...ofLocations];
}

function explainStep(
  net: Net,
  transition: NetTransition,
  places: ReadonlyMap<number, bigint>,
  atLocation: (owner: number, location: number) => bigint,
): ExplainedPotential['steps'][number] {
  const terms: { text: string; value: bigint }[] = [];
  const add = (text: string, value: bigint): void => {
    if (value !== 0n) terms.push({ text, value });
  };
  for (const { place, change } of transition.effect) {
    const verb = change > 0 ? 'gains' : 'loses';
    add(`${net.places[place]!.name} ${verb} ${Math.abs(change)}`, BigInt(change) * (places.get(place) ?? 0n));
  }
  for (const { class: started, count } of transition.spawns) {
    const { name, initial } = net.classes[started]!;
    add(`${name} starts`, BigInt(count) * atLocation(started, initial));
  }
  add('moves', atLocation(transition.class, transition.to) - atLocation(transition.class, transition.from));
  const total = terms.reduce((sum, term) => sum + term.value, 0n);
  return {
    process: net.classes[transition.class]!.name,
    text: transition.text,
    at: transition.at,
    progress: transition.progress,
    terms: terms.map(({ text, value }) => `${text}: ${signed(value)}`).join(', '),
    change: signed(total),
  };
}

const signed = (value: bigint): string => (value > 0n ? `+${value}` : String(value));
