// z3 compiled to WebAssembly: one module for the whole program, one context per solver; the module answers one question at a time, so
// questions queue up.

import type { Backend } from './backend.ts';

/** What is used of the module that emscripten made. */
export interface Z3Module {
  readonly HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(address: number): void;
  UTF8ToString(address: number): string;
  async_call(start: () => void): Promise<string>;
  _async_Z3_eval_smtlib2_string(context: number, text: number): void;
  _Z3_mk_config(): number;
  _Z3_del_config(config: number): void;
  _Z3_mk_context(config: number): number;
  _Z3_del_context(context: number): void;
  _Z3_interrupt(context: number): void;
  _set_noop_error_handler(context: number): void;
}

let queue: Promise<unknown> = Promise.resolve();

/** `onWork`: told when a question begins and when it is over. */
export function openContext(z3: Z3Module, onWork: (isBusy: boolean) => void = () => {}): Backend {
  const config = z3._Z3_mk_config();
  const context = z3._Z3_mk_context(config);
  z3._set_noop_error_handler(context);
  z3._Z3_del_config(config);
  let open = true;
  return {
    name: 'npm',
    run: (commands, limitMilliseconds) => {
      if (!open) return Promise.resolve(null);
      return queued(async () => {
        onWork(true);
        const limit = Number.isFinite(limitMilliseconds)
          ? setTimeout(() => z3._Z3_interrupt(context), Math.min(limitMilliseconds, 2 ** 31 - 1))
          : null;
        try {
          return await evaluate(z3, context, commands);
        } catch {
          open = false;
          return null;
        } finally {
          if (limit !== null) clearTimeout(limit);
          onWork(false);
        }
      });
    },
    dispose: () => {
      if (open) z3._Z3_del_context(context);
      open = false;
    },
  };
}

/**
 * The package's own `eval_smtlib2_string` passes its text on the stack of the calling thread, where later calls overwrite it while
 * the solving thread still reads. Here the text stays in memory of its own until the answer is there.
 */
async function evaluate(z3: Z3Module, context: number, commands: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${commands}\0`);
  const address = z3._malloc(bytes.length);
  z3.UTF8ToString(0); // looks at the memory again: it may have grown in another thread
  if (address === 0 || address + bytes.length > z3.HEAPU8.length) throw new Error('out of memory');
  z3.HEAPU8.set(bytes, address);
  try {
    return await z3.async_call(() => z3._async_Z3_eval_smtlib2_string(context, address));
  } finally {
    z3._free(address);
  }
}

function queued<T>(work: () => Promise<T>): Promise<T> {
  const result = queue.then(work);
  queue = result.catch(() => {});
  return result;
}
