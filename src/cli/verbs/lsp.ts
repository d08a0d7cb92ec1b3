import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SILENT, startBudget } from '../../base/budget.ts';
import { checkModel } from '../../check/check.ts';
import { LANGUAGES } from '../../check/languages.ts';
import type { CheckOptions } from '../../engine/options.ts';
import { type LspHost, serveLsp } from '../../lsp/server.ts';
import { renderReports } from '../../report/formats.ts';
import { openChannel } from '../../wire/channel.ts';
import { CONTENT_LENGTH } from '../../wire/framing.ts';
import type { ThreadPool } from '../../workers/thread-pool.ts';
import { CONFIG_FILE, readConfig } from '../config.ts';
import { filesOf } from '../model.ts';
import type { ExitCode, Io, Verb } from '../verb.ts';
import { UsageError } from '../verb.ts';

export const lsp: Verb = {
  name: 'lsp',
  summary: 'a language server: diagnostics, names and verdicts in an editor',
  help: `usage: spillway lsp [--stdio]

Speaks the Language Server Protocol over standard input and output; an editor starts it. Diagnostics come while you type, verdicts
when a model is opened or saved. docs/editor.md shows how editors are told.

example: vim.lsp.start({ name = 'spillway', cmd = { 'spillway', 'lsp' } })
`,
  options: { stdio: { takes: 'nothing' }, clientProcessId: { takes: 'value' } },
  run: async (args, io): Promise<ExitCode> => {
    if (args.positional.length > 0) throw new UsageError('the editor says which model: give none here');
    if (io.input === undefined) throw new UsageError('there is no standard input');
    const channel = openChannel({ input: io.input(), write: io.out }, CONTENT_LENGTH);
    const threads = new Threads(io);
    const code = await serveLsp(channel, hostOf(io, threads));
    await threads.close();
    io.closeInput?.();
    return code;
  },
};

/** Started with the first check, kept for the session. */
class Threads {
  private readonly io: Io;
  private pool: ThreadPool | null = null;

  constructor(io: Io) {
    this.io = io;
  }

  /** One processor is left to the answers while typing. */
  open(): ThreadPool | null {
    this.pool ??= this.io.openPool?.(Math.max(1, this.io.processors - 1)) ?? null;
    return this.pool;
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }
}

function hostOf(io: Io, threads: Threads): LspHost {
  const files = filesOf(io);
  let folder: string | null = null;
  return {
    files,
    showing: {
      render: (report, format) => renderReports([report], format, {}),
      writeTemporary: (name, content) => {
        folder ??= mkdtempSync(join(tmpdir(), 'spillway-'));
        const path = join(folder, name);
        writeFileSync(path, content);
        return path;
      },
    },
    runCheck: ({ path, files: texts, options, properties, signal, onVerdict }, seconds) => {
      const pool = threads.open();
      return checkModel({
        paths: [path],
        files: texts,
        options: { ...options, allQueues: true },
        properties,
        signal,
        budget: startBudget({ timeout: seconds }, io.now),
        observer: { ...SILENT, now: io.now },
        onEvent: (event) => {
          if (event.kind === 'verdict') onVerdict(event.result);
        },
        // Nothing of it in the thread that answers the editor.
        ...(pool === null ? {} : { hosts: pool, firstLook: 0 }),
      });
    },
    optionsFor: (path) => configured(path, io),
    modelsBelow: (below) => modelsBelow(below, io),
  };
}

/** The options of the nearest configuration that lists the model. */
function configured(path: string, io: Io): CheckOptions {
  for (let folder = path; folder.includes('/'); ) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    const text = io.readFile(`${folder}/${CONFIG_FILE}`);
    if (text === null) continue;
    const { jobs } = readConfig(`${folder}/${CONFIG_FILE}`, text);
    return jobs.find(({ paths }) => paths.includes(path))?.options ?? {};
  }
  return {};
}

const MOST_MODELS = 200;
const DEEPEST_FOLDER = 6;
const EXTENSIONS = LANGUAGES.filter(({ ownsExtensions }) => ownsExtensions === true).flatMap(
  ({ extensions }) => extensions.filter((extension) => extension.length > 2),
);

function modelsBelow(folder: string, io: Io): string[] {
  const found: string[] = [];
  const visit = (path: string, depth: number): void => {
    for (const { name, isFolder } of io.listFolder?.(path) ?? []) {
      if (found.length >= MOST_MODELS) return;
      if (isFolder && depth < DEEPEST_FOLDER && !name.startsWith('.') && name !== 'node_modules')
        visit(`${path}/${name}`, depth + 1);
      else if (!isFolder && EXTENSIONS.some((extension) => name.endsWith(extension)))
        found.push(`${path}/${name}`);
    }
  };
  visit(folder, 0);
  return found;
}
