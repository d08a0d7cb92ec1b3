// A reduced search, done again: the second look makes stubborn sets of its own, judges each by the definition before it uses it, and goes on from there. The certificate
// holds nothing but the word that this is enough; docs/structures.md has the theorem.
//
// A set T of events is stubborn at a configuration when, for each of its events: if all who share it offer it, then T holds whatever each of them offers; if not, then
// somebody who shares it does not offer it, and T holds whatever that one offers.

import { atomsOf, conjunctsOf } from '../../ltl/conjuncts.ts';
import { ignoresHiddenSteps } from '../../ltl/hidden-steps.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import type { Kripke } from '../structure.ts';
import { eachEdge } from '../structure.ts';
import type { System } from '../system.ts';
import { documentOf, refusal } from './facts.ts';
import { MOST_STEPS, SECOND_LOOK } from './product.ts';
import { everyPathSatisfies } from './tableau.ts';

export const REDUCED_KIND = 'reduced-search';

export const reducedDocument = (system: System, property: string): CertificateDocument =>
  documentOf(system, REDUCED_KIND, property, {});

export const refusalOfReduced = (system: System, document: CertificateDocument): string | null =>
  refusal(system, document, REDUCED_KIND);

type Offers = ReadonlyMap<string, readonly number[]>;
interface Step {
  readonly event: string;
  readonly to: number;
}
type Configuration = readonly number[];

export function auditReducedDeadlock(
  components: readonly Kripke[],
  timeLeft: () => boolean,
): 'holds' | 'violated' | 'limit' {
  const walk = new ReducedWalk(components, () => true);
  for (const open = walk.initial(); open.length > 0; ) {
    const configuration = open.pop()!;
    if (!walk.isWithin(timeLeft)) return 'limit';
    const steps = walk.some(configuration);
    if (steps.length === 0) return 'violated';
    for (const { to, isNew } of steps) if (isNew) open.push(to);
  }
  return 'holds';
}

/** The formula's atoms are numbered as in the composition of the components. */
export function auditReducedFormula(
  system: System,
  formula: Syntax,
  timeLeft: () => boolean,
): 'holds' | 'violated' | 'limit' {
  const places = system.components.flatMap(({ propositions }, component) =>
    propositions.map((name, local) => ({ name, component, local })),
  );
  for (const part of conjunctsOf(formula)) {
    const named = atomsOf(part);
    const names = {
      events: new Set([...named.events].map((id) => system.events[id]!)),
      propositions: new Set([...named.propositions].map((id) => places[id]!.name)),
    };
    const isBlind = ignoresHiddenSteps(part);
    const walk = new ReducedWalk(
      system.components,
      (before, event, after) =>
        isBlind && !names.events.has(event) && agrees(system, names.propositions, before, after),
    );
    const graph = writeDepthFirst(walk, timeLeft);
    if (graph === null) return 'limit';
    const atoms = {
      event: (id: number) => system.events[id]!,
      holds: (proposition: number, state: number) => {
        const { component, local } = places[proposition]!;
        return system.components[component]!.labels[walk.configurations[state]![component]!]!.includes(local);
      },
    };
    const result = everyPathSatisfies(part, graph, atoms, SECOND_LOOK, timeLeft);
    if (result !== 'holds') return result;
  }
  return 'holds';
}

function agrees(
  { components }: System,
  propositions: ReadonlySet<string>,
  before: Configuration,
  after: Configuration,
): boolean {
  const named = (configuration: Configuration): string =>
    components
      .map(({ labels, propositions: own }, i) =>
        labels[configuration[i]!]!.map((id) => own[id]!).filter((name) => propositions.has(name)),
      )
      .join(';');
  return named(before) === named(after);
}

/** Every cycle must have a configuration where nothing was left out: a set with a step back to the path is not used. Null: a limit was reached. */
function writeDepthFirst(walk: ReducedWalk, timeLeft: () => boolean) {
  const steps = new Map<number, readonly Step[]>();
  const onPath = new Set<number>();
  const path: { readonly at: number; next: number }[] = [];
  const enter = (at: number): void => {
    onPath.add(at);
    const some = walk.some(at);
    steps.set(at, some.some(({ to }) => onPath.has(to)) ? walk.all(at) : some);
    path.push({ at, next: 0 });
  };
  const initial = walk.initial();
  for (const start of initial) {
    if (!steps.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      if (!walk.isWithin(timeLeft)) return null;
      const step = steps.get(top.at)![top.next++];
      if (step === undefined) {
        onPath.delete(top.at);
        path.pop();
      } else if (!steps.has(step.to)) enter(step.to);
    }
  }
  return {
    initial,
    eachStep: (state: number, visit: (event: string, to: number) => void) => {
      for (const { event, to } of steps.get(state)!) visit(event, to);
    },
  };
}

class ReducedWalk {
  readonly configurations: Configuration[] = [];
  private readonly ids = new Map<string, number>();
  private readonly sharers = new Map<string, number[]>();
  private readonly offers: (Offers | undefined)[][];
  private readonly components: readonly Kripke[];
  private readonly isHidden: (before: Configuration, event: string, after: Configuration) => boolean;
  private taken = 0;
  private asked = 0;

  constructor(
    components: readonly Kripke[],
    isHidden: (before: Configuration, event: string, after: Configuration) => boolean,
  ) {
    this.components = components;
    this.isHidden = isHidden;
    this.offers = components.map(() => []);
    components.forEach(({ events }, i) => {
      for (const event of events) this.sharers.set(event, [...(this.sharers.get(event) ?? []), i]);
    });
  }

  initial(): number[] {
    let starts: Configuration[] = [[]];
    for (const { initial } of this.components)
      starts = starts.flatMap((start) => initial.map((state) => [...start, state]));
    return starts.map((start) => this.idOf(start).to);
  }

  isWithin(timeLeft: () => boolean): boolean {
    if (this.configurations.length > SECOND_LOOK || this.taken > MOST_STEPS) return false;
    return (this.asked++ & 63) !== 0 || timeLeft();
  }

  /** The steps of all enabled events. */
  all(id: number): (Step & { readonly isNew: boolean })[] {
    const configuration = this.configurations[id]!;
    return this.enabledIn(configuration).flatMap((event) => this.stepsBy(configuration, event));
  }

  /** The steps of a stubborn set whose steps are all hidden; all steps where there is none. */
  some(id: number): (Step & { readonly isNew: boolean })[] {
    const configuration = this.configurations[id]!;
    const enabled = this.enabledIn(configuration);
    let best: readonly string[] = enabled;
    for (const event of enabled) {
      const set = this.setWith(configuration, event);
      const own = enabled.filter((one) => set.has(one));
      if (own.length >= best.length || !this.isStubborn(configuration, set)) continue;
      const targets = own.flatMap((one) => this.outcomes(configuration, one).map((to) => [one, to] as const));
      if (targets.every(([one, to]) => this.isHidden(configuration, one, to))) best = own;
    }
    return best.flatMap((event) => this.stepsBy(configuration, event));
  }

  private enabledIn(configuration: Configuration): string[] {
    const offered = new Set(configuration.flatMap((state, i) => [...this.offersOf(i, state).keys()]));
    return [...offered].filter((event) => this.refusers(configuration, event).length === 0);
  }

  private refusers(configuration: Configuration, event: string): number[] {
    return this.sharers.get(event)!.filter((i) => !this.offersOf(i, configuration[i]!).has(event));
  }

  private setWith(configuration: Configuration, first: string): Set<string> {
    const set = new Set([first]);
    for (const event of set) {
      const refusing = this.refusers(configuration, event);
      const smallest = refusing.sort(
        (a, b) => this.offersOf(a, configuration[a]!).size - this.offersOf(b, configuration[b]!).size,
      )[0];
      for (const i of smallest === undefined ? this.sharers.get(event)! : [smallest])
        for (const other of this.offersOf(i, configuration[i]!).keys()) set.add(other);
    }
    return set;
  }

  private isStubborn(configuration: Configuration, set: ReadonlySet<string>): boolean {
    const isCovered = (i: number): boolean =>
      [...this.offersOf(i, configuration[i]!).keys()].every((event) => set.has(event));
    return [...set].every((event) => {
      const refusing = this.refusers(configuration, event);
      return refusing.length === 0 ? this.sharers.get(event)!.every(isCovered) : refusing.some(isCovered);
    });
  }

  private outcomes(configuration: Configuration, event: string): Configuration[] {
    let targets: Configuration[] = [configuration];
    for (const i of this.sharers.get(event)!) {
      const choices = this.offersOf(i, configuration[i]!).get(event)!;
      targets = targets.flatMap((target) => choices.map((to) => target.with(i, to)));
    }
    return targets;
  }

  private stepsBy(configuration: Configuration, event: string): (Step & { readonly isNew: boolean })[] {
    return this.outcomes(configuration, event).map((target) => {
      this.taken++;
      return { event, ...this.idOf(target) };
    });
  }

  private idOf(configuration: Configuration): { readonly to: number; readonly isNew: boolean } {
    const key = configuration.join();
    const known = this.ids.get(key);
    if (known !== undefined) return { to: known, isNew: false };
    const to = this.configurations.push(configuration) - 1;
    this.ids.set(key, to);
    return { to, isNew: true };
  }

  private offersOf(component: number, state: number): Offers {
    const known = this.offers[component]![state];
    if (known !== undefined) return known;
    const structure = this.components[component]!;
    const byEvent = new Map<string, number[]>();
    eachEdge(structure, state, (event, to) => {
      const name = structure.events[event]!;
      byEvent.set(name, [...(byEvent.get(name) ?? []), to]);
    });
    this.offers[component]![state] = byEvent;
    return byEvent;
  }
}
