// Starting quickly: the whole command line as one script (`whole.cjs`, beside this bundle) together with the code that V8 compiled from it
// the last time. Reading a hundred small modules and compiling their functions anew takes longer than answering a small model does.
//
// What V8 compiled is kept beside the script, never in a folder that others may write to: it is as trusted as the program. It is kept per
// verb and kind of file, because what one language needs would be dead weight for another. Where the folder cannot be written (an
// installation by another user, an archive), where Node runs with flags (V8 would refuse the code), and where NODE_DISABLE_COMPILE_CACHE is
// set (Node's own word for it), the modules are loaded one by one as usual; so they are for SPILLWAY_DEBUG, which shows where in the code.

import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getHeapCodeStatistics } from 'node:v8';
import { Script } from 'node:vm';

export interface Started<Exports> {
  readonly exports: Exports;
  /** To be called when the work is done: functions that were compiled on the way are kept for the next time. */
  keep(): void;
}

/** Code that has grown by less than this is not written again. */
const WORTH_KEEPING = 1.15;

/** Null where modules are to be loaded one by one. */
export function loadCompiled<Exports>(
  script: string,
  store: string,
  words: readonly string[],
): Started<Exports> | null {
  if (isSpecial() || !existsSync(script)) return null;
  const path = join(store, `${process.version}-${process.arch}-${occasionOf(words)}`);
  const cachedData = readIfThere(path);
  if (cachedData === undefined && !canWrite(store)) return null;
  // Written by the build in ASCII only.
  const text = `(function (module, require, SPILLWAY_URL, SPILLWAY_IMPORT) {${readFileSync(script, 'latin1')}\n})`;
  const compiled = new Script(text, { filename: script, cachedData });
  const isFresh = cachedData === undefined || compiled.cachedDataRejected === true;
  const atFirst = codeSize();
  const module = { exports: {} as Exports };
  compiled.runInThisContext()(
    module,
    createRequire(script),
    pathToFileURL(script).href,
    (name: string) => import(name),
  );
  return {
    exports: module.exports,
    keep: () => {
      if (isFresh || codeSize() > atFirst * WORTH_KEEPING) write(path, store, compiled.createCachedData());
    },
  };
}

/** Which of the kept codes: the verb, and the kind of the first file. */
function occasionOf(words: readonly string[]): string {
  const verb = /^[a-z]+$/.test(words[0] ?? '') ? words[0]! : 'none';
  const kinds = words.slice(1).map((word) => extname(word).slice(1));
  return `${verb}-${kinds.find((kind) => /^[a-z]{1,6}$/.test(kind)) ?? 'none'}`;
}

const isSpecial = (): boolean =>
  process.execArgv.length > 0 ||
  ['NODE_OPTIONS', 'NODE_DISABLE_COMPILE_CACHE', 'SPILLWAY_DEBUG'].some((name) => process.env[name]);

const codeSize = (): number => getHeapCodeStatistics().bytecode_and_metadata_size;

/** V8 looks at the beginning only: a byte that fell over would be run. */
const digestOf = (code: Uint8Array): Buffer => createHash('sha256').update(code).digest();
const DIGEST = 32;

/** Undefined for what is not there, or not whole. */
function readIfThere(path: string): Buffer | undefined {
  try {
    const content = readFileSync(path);
    const code = content.subarray(DIGEST);
    return digestOf(code).equals(content.subarray(0, DIGEST)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function canWrite(store: string): boolean {
  try {
    mkdirSync(store, { recursive: true });
    accessSync(store, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whole or not at all, whoever else writes at the same time. */
function write(path: string, store: string, code: Buffer): void {
  if (!canWrite(store)) return;
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat([digestOf(code), code]));
    renameSync(draft, path);
  } catch {
    // A full disk costs the next start some milliseconds, and nothing else.
    try {
      unlinkSync(draft);
    } catch {
      // It was never there.
    }
  }
}
