// What every tool works with: the files below one folder, the reports of this session, a lane in which long work waits its turn.

import type { ModelInput } from '../api/api.ts';
import { languageFor } from '../check/languages.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { FileSystem } from '../source/source.ts';
import type { Run } from '../verdict/run.ts';
import type { CertificateDocument, ModelReport, PropertyResult } from '../verdict/verdict.ts';
import { type Call, Refusal, type ValueSchema } from './schema.ts';

/** What the server is given by whoever starts it. */
export interface McpHost {
  readonly files: FileSystem;
  /** As seen from the folder; throws a refusal in words for what lies outside. */
  inside(path: string): string;
  list(below: string, limit: number): readonly string[];
  /** Pages of documentation by name. */
  readonly pages: () => ReadonlyMap<string, string>;
  /** What `spillway explain` knows. */
  readonly explanations: () => Promise<
    ReadonlyMap<string, { readonly title: string; readonly explanation: string }>
  >;
  readonly threads: number | undefined;
  /** Seconds that a call may take at most, whatever it asks for. */
  readonly longest: number;
  /** May modules of XState be run? */
  readonly modules: boolean;
}

const DEFAULT_SECONDS = 20;
const MOST_REPORTS = 50;

export interface Kept {
  readonly number: number;
  readonly report: ModelReport;
}

export class Workspace {
  readonly host: McpHost;
  private readonly kept = new Map<number, Kept>();
  private last = 0;
  private lane: Promise<unknown> = Promise.resolve();

  constructor(host: McpHost) {
    this.host = host;
  }

  /** Long work, one piece at a time: agents call tools side by side, and the machine is shared. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.lane.then(work);
    this.lane = result.catch(() => {});
    return result;
  }

  keep(report: ModelReport): Kept {
    const entry = { number: ++this.last, report };
    this.kept.set(entry.number, entry);
    for (const number of this.kept.keys()) {
      if (this.kept.size <= MOST_REPORTS) break;
      this.kept.delete(number);
    }
    return entry;
  }

  reports(): readonly Kept[] {
    return [...this.kept.values()];
  }

  report(number: number): Kept {
    const found = this.kept.get(number);
    if (found !== undefined) return found;
    const known = [...this.kept.keys()];
    throw new Refusal(
      known.length === 0
        ? 'there is no report yet: call check first'
        : `there is no report ${number}; there are ${known.join(', ')}`,
    );
  }

  /** The property of a report, or the first that fits. */
  property(
    number: number,
    id: string | undefined,
    fits: (one: PropertyResult) => boolean,
    what: string,
  ): PropertyResult {
    const { properties } = this.report(number).report;
    const candidates = properties.filter(fits);
    const found = id === undefined ? candidates[0] : candidates.find((one) => one.id === id);
    if (found !== undefined) return found;
    const names = candidates.map((one) => one.id).join(', ');
    throw new Refusal(
      `report ${number} has no ${what}${id === undefined ? '' : ` for ${id}`}${names === '' ? '' : `; it has one for ${names}`}`,
    );
  }

  runOf(number: number, id: string | undefined): Run {
    const found = this.property(number, id, ({ evidence }) => evidence?.kind === 'run', 'run');
    return (found.evidence as { run: Run }).run;
  }

  certificateOf(number: number, id: string | undefined): CertificateDocument {
    const fits = ({ evidence }: PropertyResult): boolean => evidence?.kind === 'certificate';
    return (this.property(number, id, fits, 'certificate').evidence as { certificate: CertificateDocument })
      .certificate;
  }

  /** A JSON file below the folder. */
  document(path: string): unknown {
    const text = this.host.files.read(this.host.inside(path));
    if (text === null) throw new Refusal(`${path}: no such file, or not readable`);
    try {
      return JSON.parse(text);
    } catch {
      throw new Refusal(`${path}: not JSON`);
    }
  }

  /** The model that a call names; with `text`, as if the file held that. */
  input(call: Call, options: CheckOptions = {}): ModelInput & { readonly files: FileSystem } {
    const model = call.text('model')!;
    const path = this.host.inside(model);
    const text = call.text('text');
    const { read, ...rest } = this.host.files;
    const files: FileSystem = {
      ...rest,
      read: (asked) => (text !== undefined && this.isSame(asked, path) ? text : read(asked)),
    };
    if (files.read(path) === null)
      throw new Refusal(
        `${model}: no such file, or not readable; 'models' lists what there is, 'text' gives a model as text`,
      );
    const language = languageFor(path, files, call.text('language'));
    if (language?.name === 'xstate' && !this.host.modules)
      throw new Refusal(
        `${model}: a module is a program; the server runs none unless it is started with --modules`,
      );
    const said = call.text('language');
    return {
      model: path,
      files,
      options: {
        ...options,
        defines: call.texts('defines'),
        includes: call.texts('includes').map((one) => this.host.inside(one)),
      },
      limits: { timeout: this.seconds(call) },
      ...(said === undefined ? {} : { language: said }),
    };
  }

  private isSame(asked: string, path: string): boolean {
    try {
      return asked === path || this.host.inside(asked) === path;
    } catch {
      return false;
    }
  }

  seconds(call: Call): number {
    return Math.min(call.number('timeout') ?? DEFAULT_SECONDS, this.host.longest);
  }
}

/** The arguments that every tool with a model takes. */
export const MODEL_ARGUMENTS = {
  model: {
    type: 'string',
    description: 'path of the model below the server’s folder; its extension tells the language',
  },
  text: {
    type: 'string',
    description: 'the model’s text, to try a change without writing it: `model` then only names it',
  },
  language: {
    type: 'string',
    description: 'where the extension does not tell: promela, kripke, ecfsm, c, scxml, net, machines',
  },
  defines: { type: 'array', items: { type: 'string' }, description: 'macros, as -D: "N=3"' },
  includes: { type: 'array', items: { type: 'string' }, description: 'folders for #include' },
  timeout: {
    type: 'integer',
    minimum: 1,
    default: DEFAULT_SECONDS,
    description: 'seconds this call may take; what is not settled by then is unknown, with the reason',
  },
} as const satisfies Record<string, ValueSchema>;
