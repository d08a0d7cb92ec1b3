// The folder of remembered answers: one file for each, in 256 folders by the first two digits of its key. Files are written under another name and
// then renamed, so that processes can share the folder; whatever goes wrong costs the answer, never the check.

import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Beyond this many bytes the answers that were not asked for the longest are forgotten. */
const MOST_BYTES = 512 * 1024 * 1024;

export class AnswerFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  read(key: string): string | null {
    const file = this.fileOf(key);
    try {
      const text = readFileSync(file, 'utf8');
      const now = new Date();
      utimesSync(file, now, now);
      return text;
    } catch {
      return null;
    }
  }

  /** False where nothing can be written. */
  write(key: string, text: string): boolean {
    const file = this.fileOf(key);
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    try {
      mkdirSync(join(this.path, key.slice(0, 2)), { recursive: true });
      writeFileSync(draft, text);
      renameSync(draft, file);
      return true;
    } catch {
      removeQuietly(draft);
      return false;
    }
  }

  /** The secret that entries are sealed with where the user gives none: it comes with the folder. */
  secret(): string {
    const file = join(this.path, 'secret');
    try {
      return readFileSync(file, 'utf8');
    } catch {
      // not there yet
    }
    const fresh = randomBytes(32).toString('hex');
    try {
      mkdirSync(this.path, { recursive: true });
      // Two processes may begin at the same time: the first one's secret counts.
      writeFileSync(file, fresh, { flag: 'wx', mode: 0o600 });
      return fresh;
    } catch {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return fresh;
      }
    }
  }

  /** Forgets the oldest until what is left fits. */
  prune(most: number = MOST_BYTES): void {
    const files = this.files();
    let bytes = files.reduce((sum, file) => sum + file.size, 0);
    for (const { path, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= most) return;
      removeQuietly(path);
      bytes -= size;
    }
  }

  private files(): { path: string; size: number; usedAt: number }[] {
    const found: { path: string; size: number; usedAt: number }[] = [];
    for (const shelf of namesIn(this.path)) {
      if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
      for (const name of namesIn(join(this.path, shelf))) {
        const path = join(this.path, shelf, name);
        const about = statSync(path, { throwIfNoEntry: false });
        if (about?.isFile()) found.push({ path, size: about.size, usedAt: about.mtimeMs });
      }
    }
    return found;
  }

  private fileOf(key: string): string {
    return join(this.path, key.slice(0, 2), key.slice(2));
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is not there, or not ours.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
