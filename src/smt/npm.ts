// z3 compiled to WebAssembly (npm `z3-solver`), for machines without the program. One module for the whole process, one context
// per solver; the module answers one question at a time, so questions queue up.

import type { Backend } from './backend.ts';

type Z3Module = Awaited<ReturnType<typeof import('z3-solver')['init']>>;
type Worker = { unref?: () => void; ref?: () => void };

let module: Promise<Z3Module | null> | null = null;
let queue: Promise<unknown> = Promise.resolve();

async function load(): Promise<Z3Module | null> {
  try {
    const { init } = await import('z3-solver');
    return await init();
  } catch {
    return null;
  }
}

export async function openNpm(): Promise<Backend | null> {
  module ??= load();
  const z3 = await module;
  if (z3 === null) return null;
  keepAlive(z3, false);
  const config = z3.Z3.mk_config();
  const context = z3.Z3.mk_context(config);
  z3.Z3.del_config(config);
  let open = true;
  return {
    name: 'npm',
    run: (commands, limitMilliseconds) => {
      if (!open) return Promise.resolve(null);
      return queued(async () => {
        keepAlive(z3, true);
        const limit = Number.isFinite(limitMilliseconds)
          ? setTimeout(() => z3.Z3.interrupt(context), Math.min(limitMilliseconds, 2 ** 31 - 1))
          : null;
        try {
          return await evaluate(z3.em as Memory, context as unknown as number, commands);
        } catch {
          open = false;
          return null;
        } finally {
          if (limit !== null) clearTimeout(limit);
          keepAlive(z3, false);
        }
      });
    },
    dispose: () => {
      if (open) z3.Z3.del_context(context);
      open = false;
    },
  };
}

interface Memory {
  readonly HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(address: number): void;
  UTF8ToString(address: number): string;
  async_call(start: () => void): Promise<string>;
  _async_Z3_eval_smtlib2_string(context: number, text: number): void;
}

/**
 * The package's own `eval_smtlib2_string` passes its text on the stack of the calling thread, where later calls overwrite it while
 * the solving thread still reads. Here the text stays in memory of its own until the answer is there.
 */
async function evaluate(memory: Memory, context: number, commands: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${commands}\0`);
  const address = memory._malloc(bytes.length);
  memory.UTF8ToString(0); // looks at the memory again: it may have grown in another thread
  if (address === 0 || address + bytes.length > memory.HEAPU8.length) throw new Error('out of memory');
  memory.HEAPU8.set(bytes, address);
  try {
    return await memory.async_call(() => memory._async_Z3_eval_smtlib2_string(context, address));
  } finally {
    memory._free(address);
  }
}

function queued<T>(work: () => Promise<T>): Promise<T> {
  const result = queue.then(work);
  queue = result.catch(() => {});
  return result;
}

/** The module's threads would keep an idle program from ending. */
function keepAlive(z3: Z3Module, busy: boolean): void {
  const threads = (z3.em as { PThread?: { unusedWorkers?: Worker[]; runningWorkers?: Worker[] } }).PThread;
  for (const worker of [...(threads?.unusedWorkers ?? []), ...(threads?.runningWorkers ?? [])]) {
    if (busy) worker.ref?.();
    else worker.unref?.();
  }
}
