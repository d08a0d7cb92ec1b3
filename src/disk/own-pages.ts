// The project's own pages of documentation, which are shipped beside the program.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Name (`boundedness`) → Markdown; nothing where the pages were not installed. */
export function ownPages(): ReadonlyMap<string, string> {
  const folder = docsFolder();
  if (folder === null) return new Map();
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return new Map(
    names.sort().map((name) => [name.slice(0, -3), readFileSync(join(folder, name), 'utf8')] as const),
  );
}

/** Beside the nearest package.json of this package, whether this runs from a bundle or from the sources. */
function docsFolder(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (isOurs(join(folder, 'package.json'))) return join(folder, 'docs');
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}

function isOurs(path: string): boolean {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { name?: unknown }).name === 'spillway';
  } catch {
    return false;
  }
}
