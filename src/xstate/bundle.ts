// The user's module as one file: esbuild puts it together with everything that it imports, the user's own copy of XState included. One file
// needs no other to be readable, so that the process that runs it can be denied the rest of the disk.
//
// Without esbuild the module is loaded from where it stands, which Node can do for JavaScript, and for TypeScript from version 22.6 on.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Bundled {
  /** Address of the module. */
  readonly module: string;
  /** Address of XState; null when the module exports it. */
  readonly xstate: string | null;
  /** Everything is in one file inside the folder given. */
  readonly alone: boolean;
}

export type BundleResult =
  | { readonly ok: true; readonly bundled: Bundled }
  | {
      readonly ok: false;
      readonly problem: 'no-xstate' | 'no-esbuild' | 'errors';
      readonly errors: readonly BundleError[];
    };

export interface BundleError {
  readonly text: string;
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

interface Esbuild {
  build(options: object): Promise<unknown>;
}

interface EsbuildMessage {
  readonly text: string;
  readonly location: { file: string; line: number; column: number; length: number } | null;
}

/** `text`: what stands in the module, saved or not; `folder`: where the one file is written. */
export async function bundleModule(path: string, text: string, folder: string): Promise<BundleResult> {
  const absolute = resolve(path);
  const json = absolute.endsWith('.json');
  const xstate = resolveFrom(absolute, 'xstate') ?? resolveFrom(import.meta.url, 'xstate');
  if (xstate === null) return { ok: false, problem: 'no-xstate', errors: [] };
  const esbuild = await findEsbuild(absolute);
  if (esbuild === null) return withoutBundle(absolute, xstate, json);
  const entry = join(dirname(absolute), 'spillway-entry.js');
  const contents = [
    ...(json ? [] : [`export * from ${JSON.stringify(absolute)};`]),
    ...(json ? [] : [`import * as whole from ${JSON.stringify(absolute)}; export default whole["default"];`]),
    `import * as xstate from 'xstate'; export { xstate as __xstate };`,
  ].join('\n');
  const outfile = join(folder, 'module.mjs');
  try {
    await esbuild.build({
      stdin: { contents, resolveDir: dirname(absolute), sourcefile: entry, loader: 'js' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
      banner: {
        js: "import { createRequire as spillwayRequire } from 'node:module'; const require = spillwayRequire(import.meta.url);",
      },
      plugins: [givenText(absolute, text), fallback(xstate)],
    });
  } catch (error) {
    const { errors = [] } = error as { errors?: readonly EsbuildMessage[] };
    if (errors.length === 0) throw error;
    return { ok: false, problem: 'errors', errors: errors.map(bundleError) };
  }
  return { ok: true, bundled: { module: pathToFileURL(outfile).href, xstate: null, alone: true } };
}

function bundleError({ text, location }: EsbuildMessage): BundleError {
  return {
    text,
    file: location === null ? null : resolve(location.file.replace(/^model:/, '')),
    line: location?.line ?? 1,
    column: (location?.column ?? 0) + 1,
    length: location?.length ?? 1,
  };
}

interface PluginBuild {
  onResolve: (
    filter: { filter: RegExp },
    callback: (args: { path: string; resolveDir: string; pluginData?: unknown }) => unknown,
  ) => void;
  onLoad: (filter: { filter: RegExp; namespace: string }, callback: () => unknown) => void;
  resolve: (path: string, options: object) => Promise<{ errors: readonly unknown[] }>;
}

/** The module as it was given: an editor's text may not be saved yet. */
const givenText = (absolute: string, contents: string) => ({
  name: 'model',
  setup(build: PluginBuild) {
    build.onResolve({ filter: /./ }, ({ path }) =>
      path === absolute ? { path, namespace: 'model' } : undefined,
    );
    const loader = /\.([jt]sx)$/.exec(absolute)?.[1] ?? (/\.[cm]?ts$/.test(absolute) ? 'ts' : 'js');
    build.onLoad({ filter: /./, namespace: 'model' }, () => ({
      contents,
      loader,
      resolveDir: dirname(absolute),
    }));
  },
});

/** XState for models that stand where no copy is installed: ours. */
const fallback = (xstate: string) => ({
  name: 'spillway',
  setup(build: PluginBuild) {
    build.onResolve({ filter: /^xstate$/ }, async ({ resolveDir, pluginData }) => {
      if (pluginData === 'tried') return undefined;
      const options = { kind: 'import-statement', resolveDir, pluginData: 'tried' };
      const found = await build.resolve('xstate', options);
      return found.errors.length === 0
        ? found
        : build.resolve('xstate', { ...options, resolveDir: dirname(xstate) });
    });
  },
});

function withoutBundle(absolute: string, xstate: string, json: boolean): BundleResult {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const strips = major > 22 || (major === 22 && minor >= 6);
  if (/\.[cm]?tsx?$/.test(absolute) && !strips) return { ok: false, problem: 'no-esbuild', errors: [] };
  const module = json ? pathToFileURL(xstate).href : pathToFileURL(absolute).href;
  return { ok: true, bundled: { module, xstate: pathToFileURL(xstate).href, alone: false } };
}

function resolveFrom(from: string, name: string): string | null {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return null;
  }
}

async function findEsbuild(path: string): Promise<Esbuild | null> {
  for (const from of [path, import.meta.url]) {
    const found = resolveFrom(from, 'esbuild');
    if (found !== null && existsSync(found)) {
      const module = (await import(pathToFileURL(found).href)) as Esbuild & { default?: Esbuild };
      return module.build === undefined ? (module.default ?? null) : module;
    }
  }
  return null;
}
