// z3 as the npm package `z3-solver` has it, for machines without the program.

import type { Backend } from './backend.ts';
import { openContext, type Z3Module } from './module.ts';

type Worker = { unref?: () => void; ref?: () => void };
type NodeModule = Z3Module & {
  readonly PThread?: { readonly unusedWorkers?: Worker[]; readonly runningWorkers?: Worker[] };
};

let module: Promise<NodeModule | null> | null = null;

async function load(): Promise<NodeModule | null> {
  try {
    const { init } = await import('z3-solver');
    return (await init()).em as NodeModule;
  } catch {
    return null;
  }
}

export async function openNpm(): Promise<Backend | null> {
  module ??= load();
  const z3 = await module;
  if (z3 === null) return null;
  keepAlive(z3, false);
  return openContext(z3, (isBusy) => keepAlive(z3, isBusy));
}

/** The module's threads would keep an idle program from ending. */
function keepAlive({ PThread }: NodeModule, isBusy: boolean): void {
  for (const worker of [...(PThread?.unusedWorkers ?? []), ...(PThread?.runningWorkers ?? [])]) {
    if (isBusy) worker.ref?.();
    else worker.unref?.();
  }
}
