// Editors name files by URI, the service by path. What is no file (an unsaved text) keeps its URI as its path.

import { fileURLToPath, pathToFileURL } from 'node:url';

export function pathOfUri(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

export const uriOfPath = (path: string): string =>
  /^[a-z][a-z0-9+.-]+:/i.test(path) && !/^[a-z]:[\\/]/i.test(path) ? path : pathToFileURL(path).href;
