// A system of charts: which instances run, what each chart's target names mean, and what the world outside may send.
//
//     { "instances": {
//         "left":  { "chart": "door.scxml", "targets": { "#_other": "right" } },
//         "right": { "chart": "door.scxml", "targets": { "#_other": "left" }, "data": { "open": true }, "environment": ["push"] } } }
//
// One chart alone is a system of one instance.

import { type Diagnostic, suggest } from '../source/diagnostic.ts';
import { type JsonMember, type JsonValue, parseJson, plainJson } from '../source/json.ts';
import { type FileSystem, SourceFile, type Span } from '../source/source.ts';
import type { Chart, OutsideEvent } from './chart.ts';
import { checkCode } from './check-code.ts';
import { CODES, Problems } from './codes.ts';
import { Library, pathOf } from './library.ts';
import { type Encoded, encode, UNDEFINED } from './sandbox.ts';

export interface ChartSystem {
  readonly name: string;
  readonly instances: readonly Instance[];
  readonly library: Library;
}

export interface Instance {
  readonly name: string;
  readonly chart: Chart;
  /** Target names as the chart writes them, to instances. */
  readonly targets: ReadonlyMap<string, string>;
  /** Values for variables of the chart. */
  readonly values: ReadonlyMap<string, Encoded>;
  /** Null: every event that the chart handles and nobody in the system sends. */
  readonly environment: readonly OutsideEvent[] | null;
}

export interface LoadedSystem {
  /** Null after an error. */
  readonly system: ChartSystem | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Path → text of everything that was read. */
  readonly sources: ReadonlyMap<string, string>;
}

export function loadSystem(path: string, files: FileSystem): LoadedSystem {
  const sources = new Map<string, string>();
  const reading: FileSystem = {
    read: (file) => {
      const text = files.read(file);
      if (text !== null) sources.set(file, text);
      return text;
    },
  };
  const text = reading.read(path);
  const file = new SourceFile(path, text ?? '');
  const library = new Library(reading);
  const problems = new Problems();
  let system: ChartSystem | null = null;
  if (text === null) problems.error(CODES.missingFile, null, `the file '${path}' cannot be read`);
  else if (path.endsWith('.json')) system = new SystemReader(file, library, problems).read();
  else system = alone(file, library);
  followInvocations(library);
  for (const { chart, problems: own } of library.entries()) {
    problems.list.push(...own.list);
    if (chart !== null) checkCode(chart, problems);
  }
  const failed = problems.list.some(({ severity }) => severity === 'error');
  return { system: failed ? null : system, diagnostics: problems.list, sources };
}

function alone(file: SourceFile, library: Library): ChartSystem | null {
  const { chart } = library.add(file);
  if (chart === null) return null;
  const name = chart.name.replaceAll('/', '_');
  return {
    name: chart.name,
    instances: [{ name, chart, targets: new Map(), values: new Map(), environment: chart.environment }],
    library,
  };
}

/** Documents named by `src` in documents: read now, so that what is wrong with them is said before anything runs. */
function followInvocations(library: Library): void {
  const seen = new Set<Chart>();
  const visit = (chart: Chart): void => {
    if (seen.has(chart)) return;
    seen.add(chart);
    for (const { source } of chart.states.flatMap(({ invokes }) => invokes)) {
      if (source.kind === 'inline') visit(source.chart);
      if (source.kind !== 'src' || source.src.kind !== 'text') continue;
      const invoked = library.resolve({ kind: 'src', src: source.src.text }, chart);
      if (invoked !== null) visit(invoked);
    }
  };
  for (const { chart } of library.entries()) if (chart !== null) visit(chart);
}

const TOP_KEYS = ['$schema', 'name', 'instances'];
const INSTANCE_KEYS = ['chart', 'targets', 'data', 'environment'];

class SystemReader {
  private readonly file: SourceFile;
  private readonly library: Library;
  private readonly problems: Problems;

  constructor(file: SourceFile, library: Library, problems: Problems) {
    this.file = file;
    this.library = library;
    this.problems = problems;
  }

  read(): ChartSystem | null {
    const { value, problems } = parseJson(this.file);
    for (const { message, span, help } of problems)
      this.problems.error(CODES.systemJson, span, message, help);
    if (value === null) return null;
    const members = this.members(value, 'a system', TOP_KEYS);
    const listed = members.get('instances');
    if (listed === undefined) {
      this.shape(
        value.span,
        'a system needs the key "instances"',
        'for example {"instances": {"door": {"chart": "door.scxml"}}}',
      );
      return null;
    }
    const entries = this.objectMembers(listed.value, '"instances"');
    if (entries.length === 0) this.shape(listed.value.span, 'a system needs at least one instance');
    const names = new Set(entries.map(({ key }) => key));
    const name = members.get('name');
    return {
      name: name === undefined ? nameOf(this.file.path) : (this.text(name.value, '"name"') ?? ''),
      instances: entries.flatMap((entry) => this.instance(entry, names) ?? []),
      library: this.library,
    };
  }

  private instance({ key, keySpan, value }: JsonMember, names: ReadonlySet<string>): Instance | null {
    if (key === '' || /[/\s]/.test(key))
      this.shape(keySpan, `an instance cannot be called '${key}'`, "no spaces and no '/'");
    const members = this.members(value, `the instance '${key}'`, INSTANCE_KEYS);
    const path = members.get('chart');
    if (path === undefined) {
      this.shape(value.span, `the instance '${key}' needs the key "chart"`);
      return null;
    }
    const chart = this.chart(path.value);
    if (chart === null) return null;
    return {
      name: key,
      chart,
      targets: this.targets(members.get('targets')?.value, names),
      values: this.values(members.get('data')?.value, chart),
      environment: this.environment(members.get('environment')?.value) ?? chart.environment,
    };
  }

  private chart(value: JsonValue): Chart | null {
    const path = this.text(value, '"chart"');
    if (path === null) return null;
    const resolved = pathOf(path, this.file.path);
    const entry = resolved === null ? null : this.library.load(resolved);
    if (entry === null)
      this.problems.error(
        CODES.systemChart,
        value.span,
        `the chart '${path}' cannot be read`,
        'the path is relative to this file',
      );
    return entry?.chart ?? null;
  }

  private targets(value: JsonValue | undefined, names: ReadonlySet<string>): Map<string, string> {
    const targets = new Map<string, string>();
    for (const { key, value: target } of value === undefined ? [] : this.objectMembers(value, '"targets"')) {
      const name = this.text(target, 'a target');
      if (name === null) continue;
      if (!names.has(name)) {
        const near = suggest(name, names);
        this.problems.error(
          CODES.systemName,
          target.span,
          `there is no instance '${name}'`,
          near === null ? undefined : `did you mean '${near}'?`,
        );
      }
      targets.set(key, name);
    }
    return targets;
  }

  private values(value: JsonValue | undefined, chart: Chart): Map<string, Encoded> {
    const values = new Map<string, Encoded>();
    const known = chart.states[0]!.data.map(({ id }) => id);
    for (const { key, keySpan, value: data } of value === undefined
      ? []
      : this.objectMembers(value, '"data"')) {
      if (!known.includes(key)) {
        const near = suggest(key, known);
        this.problems.error(
          CODES.systemName,
          keySpan,
          `the chart has no data '${key}' at its top`,
          near === null ? undefined : `did you mean '${near}'?`,
        );
      }
      values.set(key, encode(plainJson(data)));
    }
    return values;
  }

  private environment(value: JsonValue | undefined): OutsideEvent[] | null {
    if (value === undefined) return null;
    if (value.kind !== 'array') {
      this.shape(
        value.span,
        '"environment" is a list of events',
        'for example ["push", {"event": "coin", "data": 1}]; [] when nothing comes from outside',
      );
      return null;
    }
    return value.items.flatMap((item) => {
      if (item.kind === 'string') return [{ name: item.value, data: UNDEFINED }];
      const members = this.members(item, 'an event', ['event', 'data']);
      const name = members.get('event');
      if (name === undefined) this.shape(item.span, 'an event needs the key "event"');
      const text = name === undefined ? null : this.text(name.value, '"event"');
      const data = members.get('data');
      return text === null
        ? []
        : [{ name: text, data: data === undefined ? UNDEFINED : encode(plainJson(data.value)) }];
    });
  }

  private members(value: JsonValue, what: string, keys: readonly string[]): Map<string, JsonMember> {
    const members = new Map<string, JsonMember>();
    for (const member of this.objectMembers(value, what)) {
      if (!keys.includes(member.key)) {
        const near = suggest(member.key, keys);
        this.shape(
          member.keySpan,
          `${what} has no key "${member.key}"`,
          near === null ? `known are ${keys.join(', ')}` : `did you mean "${near}"?`,
        );
      }
      members.set(member.key, member);
    }
    return members;
  }

  private objectMembers(value: JsonValue, what: string): readonly JsonMember[] {
    if (value.kind === 'object') return value.members;
    this.shape(value.span, `${what} is an object`);
    return [];
  }

  private text(value: JsonValue, what: string): string | null {
    if (value.kind === 'string') return value.value;
    this.shape(value.span, `${what} is a string`);
    return null;
  }

  private shape(span: Span, message: string, help?: string): void {
    this.problems.error(CODES.systemShape, span, message, help);
  }
}

const nameOf = (path: string): string =>
  (path.split('/').at(-1) ?? path).replace(/\.system\.json$|\.json$/i, '');
