// What a property can see. A step is *visible* when it may change something that the property looks at: what the claim reads, or labels that
// processes stand at. The claim is a process that only reads, so a step is visible exactly when it conflicts with a statement of the claim.

import type { Location, Proctype, Program } from '../../process/program.ts';
import { walkProgram } from '../../process/walk.ts';
import type { Model } from '../compile.ts';
import type { InstanceClass } from './classes.ts';
import type { Facts } from './constants.ts';
import { Writer } from './footprint.ts';
import { LIFE } from './resources.ts';

/** Which labels of processes count, besides what the model's claim reads. */
export interface Watched {
  readonly accept?: boolean;
  readonly progress?: boolean;
}

/** Every label that the property or `np_` in the claim looks at. */
export function watchedLabels({ program, claim }: Model, watched: Watched): (location: Location) => boolean {
  const progress = watched.progress === true || readsProgress(program, claim);
  return ({ isAccept, isProgress }) => (watched.accept === true && isAccept) || (progress && isProgress);
}

function readsProgress(program: Program, claim: Proctype | null): boolean {
  let found = false;
  if (claim !== null)
    walkProgram(program, claim, { expression: ({ kind }) => void (found ||= kind === 'np_') });
  return found;
}

/** By resource: the modes of use that the property can see; null when it sees everything. */
export function visibleModes(facts: Facts, isWatched: (location: Location) => boolean): Uint16Array | null {
  const { model, resources } = facts;
  const { claim, program } = model;
  const modes = new Uint16Array(resources.count);
  if (claim !== null) {
    const reader = new Writer(facts, claim, null);
    for (const { statement } of claim.edges) reader.tests(statement);
    const { footprint } = reader;
    if (footprint.everything || footprint.unsure) return null;
    for (const [resource, used] of footprint.modes) modes[resource]! |= resources.conflicts(resource, used);
  }
  for (const { id, locations, initial } of program.proctypes) {
    if (!locations.some(isWatched)) continue;
    const moves = resources.locationsOf(id);
    if (moves === null) return null;
    modes[moves]! |= resources.conflicts(moves, 1);
    // A process may begin or end at a label.
    if (isWatched(locations[initial]!)) modes[0]! |= LIFE.run;
    if (locations.some((location) => location.isFinal && isWatched(location))) modes[0]! |= LIFE.end;
  }
  return modes;
}

/** Which edges of a class are visible: looked up once for each class. */
export class VisibleSteps {
  /** By resource: the modes of use that the property can see. */
  readonly modes: Uint16Array;
  private readonly known = new Map<InstanceClass, Uint8Array>();

  constructor(modes: Uint16Array) {
    this.modes = modes;
  }

  isVisible(instance: InstanceClass, edge: number): boolean {
    return this.edgesOf(instance)[edge] === 1;
  }

  private edgesOf(instance: InstanceClass): Uint8Array {
    const found = this.known.get(instance);
    if (found !== undefined) return found;
    const edges = Uint8Array.from(instance.steps, ({ everything, unsure, resources, modes }) => {
      if (everything || unsure) return 1;
      return resources.some((resource, i) => (modes[i]! & this.modes[resource]!) !== 0) ? 1 : 0;
    });
    this.known.set(instance, edges);
    return edges;
  }
}
