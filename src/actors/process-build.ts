// One process of a translated program while it is built: locations, edges with their origins, rows of statements.

import type {
  Edge,
  EdgeId,
  Location,
  LocationId,
  Proctype,
  ProctypeId,
  Statement,
} from '../process/program.ts';
import type { Span } from '../source/source.ts';
import type { EdgeOrigin } from './translate.ts';

/** A place where whatever waits in a mailbox may be thrown away, before going on. */
export interface Drain {
  readonly kind: 'drain';
  readonly statements: readonly Statement[];
}

/** The location reached here counts as progress. */
export interface Mark {
  readonly kind: 'mark';
}
export const MARK: Mark = { kind: 'mark' };

export class ProcessBuild {
  readonly locations: Location[] = [];
  readonly edges: Edge[] = [];
  readonly origins: EdgeOrigin[] = [];
  private readonly nowhere: Span;
  private readonly atomic: boolean;

  constructor(nowhere: Span, atomic: boolean) {
    this.nowhere = nowhere;
    this.atomic = atomic;
  }

  location(given: Partial<Location>): number {
    const id = this.locations.length as LocationId;
    this.locations.push({
      id,
      edges: [],
      isEnd: false,
      isProgress: false,
      isAccept: false,
      isFinal: false,
      span: this.nowhere,
      ...given,
    });
    return id;
  }

  final(): number {
    const at = this.location({ isEnd: true, isFinal: true });
    this.edge(at, at, { kind: 'end' }, { kind: 'effect', actor: -1 }, this.nowhere);
    return at;
  }

  edge(
    from: number,
    to: number,
    statement: Statement,
    origin: EdgeOrigin,
    span: Span,
    keepsControl = false,
  ): void {
    const id = this.edges.length as EdgeId;
    this.edges.push({
      id,
      from: from as LocationId,
      to: to as LocationId,
      statement,
      keepsControl,
      blockedBy: [],
      span,
    });
    this.origins.push(origin);
    const location = this.locations[from]!;
    this.locations[from] = { ...location, edges: [...location.edges, id] };
  }

  /** The steps one after the other, indivisible where the scheduler says so. */
  chain(
    from: number,
    to: number,
    steps: readonly (Statement | Drain | Mark)[],
    origin: EdgeOrigin,
    actor: number,
    span: Span,
  ): void {
    let at = from;
    const real = steps.filter((step) => step.kind !== 'drain' && step.kind !== 'mark').length;
    let done = 0;
    for (const step of steps) {
      if (step.kind === 'mark') {
        this.locations[at] = { ...this.locations[at]!, isProgress: true };
        continue;
      }
      if (step.kind === 'drain') {
        for (const statement of step.statements)
          this.edge(at, at, statement, { kind: 'effect', actor }, span);
        continue;
      }
      done++;
      const next = done === real ? to : this.location({ span });
      const first = done === 1;
      this.edge(at, next, step, first ? origin : { kind: 'effect', actor }, span, this.atomic && done < real);
      at = next;
    }
  }
}

export function proctypeOf(
  id: number,
  name: string,
  build: ProcessBuild,
  initial: number,
  active: number,
  span: Span,
): Proctype {
  return {
    id: id as ProctypeId,
    name,
    kind: 'proctype',
    parameters: [],
    locals: [],
    active,
    priority: null,
    provided: null,
    deterministic: false,
    locations: build.locations,
    edges: build.edges,
    initial: initial as LocationId,
    labels: new Map(),
    span,
  };
}
