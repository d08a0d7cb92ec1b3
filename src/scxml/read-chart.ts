// From the XML tree to a chart: states are numbered in document order in one pass, targets are resolved in a second one.

import { suggest } from '../source/diagnostic.ts';
import type { FileSystem, SourceFile } from '../source/source.ts';
import type { Chart, Datamodel, DefaultTransition, Invoke, Script, State, StateKind } from './chart.ts';
import { checkTargets } from './check-targets.ts';
import { CODES, Problems } from './codes.ts';
import { readActions, readScript } from './read-action.ts';
import { choiceOf, isScxml, misplaced, type Reading, scxmlChildren, wordsOf } from './read-basics.ts';
import { readData, readDoneData } from './read-data.ts';
import { readEnvironment, spillwayAttribute } from './read-environment.ts';
import { readInvoke } from './read-invoke.ts';
import {
  readDefaultTransition,
  readTransition,
  type Unresolved,
  type WrittenDefault,
  type WrittenTransition,
} from './read-transition.ts';
import { type Attribute, type Element, parseXml } from './xml.ts';

export interface LoadedChart {
  /** Null after an error. */
  readonly chart: Chart | null;
  readonly problems: Problems;
}

/** Reads a document; `read` gives the files it names, relative to it. */
export function readChart(file: SourceFile, read: FileSystem['read']): LoadedChart {
  const problems = new Problems();
  const root = parseXml(file, problems);
  if (root === null) return { chart: null, problems };
  if (root.name !== 'scxml' || !isScxml(root)) {
    problems.error(
      CODES.notScxml,
      root.tag,
      `the document is a <${root.name}>, not an <scxml> of the namespace http://www.w3.org/2005/07/scxml`,
    );
    return { chart: null, problems };
  }
  const chart = chartOf({ problems, read }, root);
  return { chart: problems.list.some(({ severity }) => severity === 'error') ? null : chart, problems };
}

function chartOf(reading: Reading, root: Element): Chart | null {
  return new ChartReader(reading, root).read();
}

interface Draft extends Unresolved<Omit<State, 'children' | 'histories' | 'transitions' | 'initial'>> {
  children: number[];
  histories: number[];
  transitions: number[];
  initial: DefaultTransition | null;
  /** How the default entry is written, to be resolved when all states are known. */
  entry: WrittenDefault | null;
}

class ChartReader {
  private readonly states: Draft[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly transitions: WrittenTransition[] = [];
  private readonly scripts: Script[] = [];
  private readonly reading: Reading;
  private readonly root: Element;

  constructor(reading: Reading, root: Element) {
    this.reading = reading;
    this.root = root;
  }

  read(): Chart | null {
    const { problems } = this.reading;
    const before = problems.list.length;
    const datamodel = this.datamodel();
    const binding = choiceOf(this.reading, this.root, 'binding', ['early', 'late']);
    this.state(this.root, 'root', -1);
    this.resolve();
    if (this.states[0]!.children.length === 0)
      problems.error(CODES.badStructure, this.root.tag, 'a chart needs at least one state');
    const chart: Chart = {
      file: this.root.span.file,
      name: this.root.attributes.get('name')?.value ?? nameOfFile(this.root.span.file.path),
      datamodel,
      binding: binding === 'late' ? 'late' : 'early',
      states: this.states,
      transitions: this.transitions.map(({ draft }) => draft),
      stateNumbers: this.numbers,
      environment: readEnvironment(this.reading, this.root),
      scripts: this.scripts,
      span: this.root.tag,
    };
    const failed = problems.list.slice(before).some(({ severity }) => severity === 'error');
    if (!failed) checkTargets(chart, problems);
    return failed ? null : chart;
  }

  private datamodel(): Datamodel {
    const attribute = this.root.attributes.get('datamodel');
    if (attribute === undefined || attribute.value === 'ecmascript') return 'ecmascript';
    if (attribute.value !== 'null')
      this.reading.problems.error(
        CODES.unsupportedDatamodel,
        attribute.span,
        `the data model '${attribute.value}' is not supported`,
        "use 'ecmascript' or 'null'",
      );
    return 'null';
  }

  /** Reads a state with everything inside; its number is its place in document order. */
  private state(element: Element, kind: StateKind, parent: number): number {
    const number = this.states.length;
    const draft: Draft = {
      number,
      name: this.nameOf(element, number),
      kind,
      parent,
      children: [],
      histories: [],
      last: number,
      initial: null,
      entry: null,
      transitions: [],
      onEntry: [],
      onExit: [],
      data: [],
      invokes: [],
      doneData: null,
      tags: wordsOf(spillwayAttribute(element, 'tags')?.value),
      span: element.tag,
    };
    this.states.push(draft);
    const attribute = element.attributes.get('initial');
    if (attribute !== undefined) draft.entry = { targets: attribute, actions: [], span: attribute.span };
    for (const child of scxmlChildren(element)) this.child(draft, element, child);
    if (kind === 'atomic' && draft.children.length > 0) draft.kind = 'compound';
    draft.last = this.states.length - 1;
    this.checkEntry(draft, element);
    return number;
  }

  private nameOf(element: Element, number: number): string {
    const attribute = element.name === 'scxml' ? undefined : element.attributes.get('id');
    if (attribute === undefined) return number === 0 ? '#scxml' : `#${element.name}${number}`;
    const earlier = this.numbers.get(attribute.value);
    if (earlier !== undefined)
      this.reading.problems.list.push({
        code: CODES.duplicateId,
        severity: 'error',
        message: `there are two states '${attribute.value}'`,
        span: attribute.span,
        related: [{ span: this.states[earlier]!.span, message: 'the first one is here' }],
      });
    this.numbers.set(attribute.value, number);
    return attribute.value;
  }

  private child(draft: Draft, element: Element, child: Element): void {
    const allowed = ALLOWED[draft.kind === 'compound' ? 'atomic' : draft.kind];
    if (!allowed.includes(child.name)) {
      misplaced(this.reading, child, element.name);
      return;
    }
    switch (child.name) {
      case 'state':
        draft.children.push(this.state(child, 'atomic', draft.number));
        return;
      case 'parallel':
      case 'final':
        draft.children.push(this.state(child, child.name, draft.number));
        return;
      case 'history': {
        const type = choiceOf(this.reading, child, 'type', ['shallow', 'deep']);
        draft.histories.push(
          this.state(child, type === 'deep' ? 'deep-history' : 'shallow-history', draft.number),
        );
        return;
      }
      case 'transition':
        if (isHistoryKind(draft.kind)) draft.entry = readDefaultTransition(this.reading, child);
        else this.transition(draft, child);
        return;
      case 'initial':
        this.initialElement(draft, child);
        return;
      default:
        this.part(draft, child);
        return;
    }
  }

  private part(draft: Draft, child: Element): void {
    switch (child.name) {
      case 'onentry':
        draft.onEntry = [...draft.onEntry, readActions(this.reading, child)];
        return;
      case 'onexit':
        draft.onExit = [...draft.onExit, readActions(this.reading, child)];
        return;
      case 'datamodel':
        draft.data = [...draft.data, ...readData(this.reading, child)];
        return;
      case 'invoke':
        draft.invokes = [...draft.invokes, this.invoke(draft, child)];
        return;
      case 'donedata':
        draft.doneData = readDoneData(this.reading, child);
        return;
      default: {
        const code = readScript(this.reading, child);
        if (code !== null) this.scripts.push({ code, span: child.tag });
      }
    }
  }

  private invoke(draft: Draft, child: Element): Invoke {
    return readInvoke(this.reading, child, draft.number, draft.invokes.length, (inline) =>
      chartOf(this.reading, inline),
    );
  }

  private transition(draft: Draft, element: Element): void {
    const number = this.transitions.length;
    draft.transitions.push(number);
    this.transitions.push(readTransition(this.reading, element, number, draft.number));
  }

  private initialElement(draft: Draft, element: Element): void {
    if (draft.entry !== null)
      this.reading.problems.error(
        CODES.badStructure,
        element.tag,
        'the initial state is given twice',
        "keep <initial> or the attribute 'initial'",
      );
    const transitions = scxmlChildren(element).filter((child) => child.name === 'transition');
    if (transitions.length === 1) draft.entry = readDefaultTransition(this.reading, transitions[0]!);
    else
      this.reading.problems.error(
        CODES.badStructure,
        element.tag,
        '<initial> needs exactly one <transition>',
      );
  }

  private checkEntry(draft: Draft, element: Element): void {
    if (draft.entry === null || draft.children.length > 0 || isHistoryKind(draft.kind)) return;
    this.reading.problems.error(
      CODES.badStructure,
      element.tag,
      `the state '${draft.name}' has an initial state but no states inside`,
    );
  }

  private resolve(): void {
    for (const { draft, target } of this.transitions) draft.targets = this.targets(target);
    for (const draft of this.states) {
      if (draft.entry !== null) {
        const { targets, actions, span } = draft.entry;
        draft.initial = { targets: this.targets(targets), actions, span };
      } else if ((draft.kind === 'compound' || draft.kind === 'root') && draft.children.length > 0) {
        draft.initial = { targets: [draft.children[0]!], actions: [], span: draft.span };
      }
    }
  }

  private targets(attribute: Attribute | null): number[] {
    return wordsOf(attribute?.value).flatMap((word) => {
      const number = this.numbers.get(word);
      if (number !== undefined) return [number];
      const near = suggest(word, this.numbers.keys());
      this.reading.problems.error(
        CODES.unknownTarget,
        attribute!.span,
        `there is no state '${word}'`,
        near === null ? undefined : `did you mean '${near}'?`,
      );
      return [];
    });
  }
}

const isHistoryKind = (kind: StateKind): boolean => kind === 'shallow-history' || kind === 'deep-history';

const INSIDE = ['onentry', 'onexit', 'datamodel', 'invoke'];
const STATES = ['state', 'parallel', 'history'];
const ALLOWED: Record<Exclude<StateKind, 'compound'>, readonly string[]> = {
  root: ['state', 'parallel', 'final', 'datamodel', 'script', 'initial', 'transition'],
  atomic: [...STATES, 'final', 'transition', 'initial', ...INSIDE],
  parallel: [...STATES, 'transition', ...INSIDE],
  final: ['onentry', 'onexit', 'donedata'],
  'shallow-history': ['transition'],
  'deep-history': ['transition'],
};

const nameOfFile = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? path).replace(/\.scxml$/i, '') || 'chart';
