// What Spillway and the process that holds the user's module say to each other: plain data.

import type { Move } from '../actors/graph.ts';
import type { ActorSystem } from '../actors/system.ts';

export type Request =
  | {
      readonly kind: 'load';
      /** The address of the module, and of XState as the module knows it (null: the module exports it as `__xstate`). */
      readonly module: string;
      readonly xstate: string | null;
      /** A machine as JSON instead of a module's export. */
      readonly json: string | null;
      readonly exportName: string | null;
      readonly name: string;
    }
  | { readonly kind: 'explore'; readonly milliseconds: number; readonly states: number }
  | { readonly kind: 'replay'; readonly moves: readonly Move[] };

export type Reply =
  | {
      readonly kind: 'loaded';
      /** Machines among the exports; the one that is meant first. */
      readonly machines: readonly string[];
      readonly id: string;
      readonly formulas: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'explored'; readonly system: ActorSystem; readonly looks: readonly Look[] }
  | { readonly kind: 'replayed'; readonly different: string | null }
  | {
      readonly kind: 'failed';
      readonly problem: Problem;
      readonly message: string;
      /** The stack of what was thrown, for its place in the source. */
      readonly stack: string;
    };

/** A function of the model asks for the time or a random number. */
export interface Look {
  readonly what: string;
  readonly stack: string;
}

export type Problem =
  | 'throws'
  | 'refused'
  | 'no-machine'
  | 'no-export'
  | 'declaration'
  | 'no-xstate'
  | 'too-large'
  | 'time';
