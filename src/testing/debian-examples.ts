// SPIN's own examples, as Debian's package `spin` installs them: models that other people wrote.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const FOLDER = '/usr/share/doc/spin/examples/Examples';

export interface ExampleModel {
  readonly path: string;
  readonly name: string;
  readonly text: string;
  /** The headers beside it. */
  readonly beside: ReadonlyMap<string, string>;
}

/** Empty, with the reason printed, where they are not installed. */
export function debianExamples(): ExampleModel[] {
  if (!existsSync(FOLDER)) {
    console.warn("skipped: Debian's examples of SPIN are not installed (package spin)");
    return [];
  }
  const folders = [FOLDER, ...inside(FOLDER).filter((path) => statSync(path).isDirectory())];
  return folders.flatMap((folder) => {
    const files = inside(folder).filter((path) => statSync(path).isFile());
    const headers = files.filter((path) => path.endsWith('.h'));
    const beside = new Map(headers.map((path) => [basename(path), readFileSync(path, 'utf8')]));
    return files
      .filter((path) => path.endsWith('.pml'))
      .map((path) => ({
        path,
        name: path.slice(FOLDER.length + 1),
        text: readFileSync(path, 'utf8'),
        beside,
      }));
  });
}

const inside = (folder: string): string[] =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
