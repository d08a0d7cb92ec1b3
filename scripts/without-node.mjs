// For bundles that run in a browser. Our own code imports nothing of Node's there: an attempt is an error of the build. Packages compiled to
// WebAssembly carry code for Node beside their code for browsers, behind a test that is false in one: it finds an empty module.

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** WebAssembly that the bundle looks for beside itself. */
const MODULES = ['highs/runtime', '@jitl/quickjs-wasmfile-release-sync/wasm'];

export async function copyModules(folder) {
  for (const module of MODULES) {
    const file = require.resolve(module);
    await copyFile(file, join(folder, basename(file)));
  }
}

/** The SMT solver: as a module for who starts it, as it is for its threads, and its WebAssembly. */
export async function copySolver(folder) {
  const from = dirname(require.resolve('z3-solver'));
  await mkdir(folder, { recursive: true });
  for (const name of ['z3-built.js', 'z3-built.wasm']) await copyFile(join(from, name), join(folder, name));
  const text = await readFile(join(from, 'z3-built.js'), 'utf8');
  await writeFile(join(folder, 'z3.mjs'), `${text}\nexport default initZ3;\n`);
}

export const withoutNode = () => ({
  name: 'without-node',
  setup(build) {
    build.onResolve(
      { filter: /^(node:|(fs|path|url|crypto|module|worker_threads|child_process|vm|os|util)$)/ },
      ({ path, importer }) =>
        importer.includes('/node_modules/')
          ? { path, namespace: 'absent' }
          : { errors: [{ text: `${importer} imports ${path}, which no browser has` }] },
    );
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: 'export default {};',
      loader: 'js',
    }));
  },
});
