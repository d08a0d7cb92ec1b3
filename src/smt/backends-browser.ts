// In a browser there is no SMT solver: z3 compiled to WebAssembly needs memory shared between threads, which a plain page may not have.
// What needs one is unknown there, with that reason.

import type { OpenBackend } from './backend.ts';

export const BACKENDS: Readonly<Record<string, OpenBackend>> = {};
