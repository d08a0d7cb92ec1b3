// For bundles that run in a browser. Our own code imports nothing of Node's there: an attempt is an error of the build. Packages compiled to
// WebAssembly carry code for Node beside their code for browsers, behind a test that is false in one: it finds an empty module.

import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const require = createRequire(import.meta.url);

/** WebAssembly that the bundle looks for beside itself. */
const MODULES = ['highs/runtime', '@jitl/quickjs-wasmfile-release-sync/wasm'];

export async function copyModules(folder) {
  for (const module of MODULES) {
    const file = require.resolve(module);
    await copyFile(file, join(folder, basename(file)));
  }
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
