// In a browser: z3 compiled to WebAssembly, from the folder `z3` beside the bundle. It needs memory shared between threads, which a page only has when its
// server isolates it (`Cross-Origin-Opener-Policy: same-origin`, `Cross-Origin-Embedder-Policy: require-corp`). It is loaded when it is first
// asked for. Without it, what needs a solver is unknown with that reason.

import type { Backend, OpenBackend } from './backend.ts';
import { openContext, type Z3Module } from './module.ts';

/** As scripts/web.mjs puts them there. */
const FOLDER = new URL('./z3/', import.meta.url);

let module: Promise<Z3Module | null> | null = null;

async function load(): Promise<Z3Module | null> {
  if (!(globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated) return null;
  try {
    const loaded: { default: (settings: object) => Promise<Z3Module> } = await import(
      new URL('z3.mjs', FOLDER).href
    );
    return await loaded.default({
      mainScriptUrlOrBlob: new URL('z3-built.js', FOLDER).href,
      locateFile: (name: string) => new URL(name, FOLDER).href,
    });
  } catch {
    return null;
  }
}

async function openIsolated(): Promise<Backend | null> {
  module ??= load();
  const z3 = await module;
  return z3 === null ? null : openContext(z3);
}

export const BACKENDS: Readonly<Record<string, OpenBackend>> = { npm: openIsolated };
