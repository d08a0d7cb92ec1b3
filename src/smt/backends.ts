// The solvers that Node can start, the fastest first. Bundles for browsers get `backends-browser.ts` instead: package.json's `imports`.

import type { OpenBackend } from './backend.ts';
import { openNative } from './native.ts';
import { openNpm } from './npm.ts';

export const BACKENDS: Readonly<Record<string, OpenBackend>> = { native: openNative, npm: openNpm };
