// Names and what they stand for. Promela has no shadowing: a name means one thing along the whole chain of scopes, and may be used
// again only in blocks that lie beside each other.

import type {
  ChannelSite,
  ChannelSiteId,
  Field,
  Formula,
  Initialiser,
  MtypeSet,
  OpaqueCode,
  Proctype,
  ProctypeId,
  ScalarType,
  Struct,
  StructId,
  Trace,
  Type,
  Variable,
  VariableId,
} from '../process/program.ts';
import { messageStorage } from '../process/storage.ts';
import { suggest } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import type { Name, Place, ProctypeNode } from './ast.ts';
import type { Diagnostics, PromelaCode } from './codes.ts';
import type { PromelaNames } from './names.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type VariableEntry = Mutable<Variable> & {
  /** The mtype set of the values assigned to it so far; SPIN lets a variable hold values of one set only. */
  mtypeSet: string | null;
};

export interface ProctypeEntry {
  readonly id: ProctypeId;
  readonly node: ProctypeNode;
  readonly parameters: VariableEntry[];
  readonly locals: VariableEntry[];
  /** Set when the body is lowered. */
  lowered: Proctype | null;
}

export class Scope {
  readonly parent: Scope | null;
  readonly names = new Map<string, VariableEntry>();
  /** Labels defined directly in this scope. */
  readonly labels = new Set<string>();

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  find(name: string): VariableEntry | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const found = scope.names.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }

  *visible(): Iterable<string> {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) yield* scope.names.keys();
  }
}

const PREDEFINED: ReadonlySet<string> = new Set(['_pid', '_nr_pr', '_last', '_priority', '_p', '_']);

/** Everything the model declares, growing while the units are read in order. */
export class Symbols {
  readonly diagnostics: Diagnostics;
  /** Who wants to know which symbol a name stands for, and where. */
  readonly names: PromelaNames | null;
  readonly global = new Scope(null);
  readonly variables: VariableEntry[] = [];
  readonly globals: VariableId[] = [];
  readonly structs: Mutable<Struct>[] = [];
  readonly channelSites: ChannelSite[] = [];
  readonly mtypeSets = new Map<string, { name: string; value: number; span: Span }[]>();
  readonly mtypeValues = new Map<string, { value: number; set: string }>();
  readonly proctypes: ProctypeEntry[] = [];
  readonly claims: ProctypeEntry[] = [];
  readonly formulas: Formula[] = [];
  readonly traces: Trace[] = [];
  readonly opaque: OpaqueCode[] = [];
  /** Nodes of control flow so far, in all bodies: SPIN's numbers of statements go on from one to the next. */
  elements = 0;
  /** From here on SPIN's are other ones. */
  elementsUntil = Number.POSITIVE_INFINITY;
  /** Remote references are settled when all proctypes are known. */
  readonly fixups: (() => void)[] = [];
  /** Some process receives into `_pid`: rare, and dear to look for. */
  receivesPid = true;
  /** Labels that are referred to from elsewhere, by proctype name: their locations must exist. */
  readonly remoteLabels = new Map<string, number>();

  constructor(diagnostics: Diagnostics, names: PromelaNames | null = null) {
    this.diagnostics = diagnostics;
    this.names = names;
  }

  error(
    code: PromelaCode,
    place: Place,
    message: string,
    more: { help?: string; related?: readonly { span: Span; message: string }[] } = {},
  ): void {
    this.diagnostics.error(code, place.span, message, { ...more, expansion: place.expansion });
  }

  warning(code: PromelaCode, place: Place, message: string, more: { help?: string } = {}): void {
    this.diagnostics.warning(code, place.span, message, { ...more, expansion: place.expansion });
  }

  /** Kept with how many nodes there were before the body that refers to it. */
  referToLabel(name: string): void {
    if (!this.remoteLabels.has(name)) this.remoteLabels.set(name, this.elements);
  }

  structNamed(name: string): Mutable<Struct> | null {
    return this.structs.find((struct) => struct.name === name) ?? null;
  }

  proctypeNamed(name: string): ProctypeEntry | null {
    return this.proctypes.find((entry) => entry.node.name.text === name) ?? null;
  }

  /** Reports a name that is taken; every name of the language lives in one space. */
  isFree(name: Name, scope: Scope): boolean {
    const taken = scope.find(name.text);
    if (taken !== null) {
      this.error('SPW1102', name, `'${name.text}' is declared already`, {
        related: [{ span: taken.span, message: 'the first declaration' }],
        help: 'Promela has no shadowing: choose another name',
      });
      return false;
    }
    const what = this.mtypeValues.has(name.text)
      ? 'an mtype value'
      : this.proctypeNamed(name.text) !== null
        ? 'a proctype'
        : this.structNamed(name.text) !== null
          ? 'a type'
          : PREDEFINED.has(name.text)
            ? 'predefined'
            : null;
    if (what !== null) this.error('SPW1102', name, `'${name.text}' is ${what} already`);
    return what === null;
  }

  addVariable(
    name: Name,
    scope: Scope,
    owner: ProctypeEntry | null,
    shape: {
      type: Type;
      length: number | null;
      role: Variable['role'];
      hidden: boolean;
      initial: Initialiser | null;
    },
  ): VariableEntry {
    const entry: VariableEntry = {
      id: this.variables.length as VariableId,
      name: name.text,
      owner: owner?.id ?? null,
      span: name.span,
      mtypeSet: shape.type.kind === 'mtype' && shape.type.set !== '' ? shape.type.set : null,
      ...shape,
    };
    this.variables.push(entry);
    scope.names.set(name.text, entry);
    if (owner === null) this.globals.push(entry.id);
    else if (shape.role === 'parameter') owner.parameters.push(entry);
    else owner.locals.push(entry);
    return entry;
  }

  addChannelSite(
    variable: VariableId,
    fieldPath: readonly string[],
    capacity: number,
    fields: readonly ScalarType[],
    span: Span,
  ): ChannelSiteId {
    const id = this.channelSites.length as ChannelSiteId;
    this.channelSites.push({
      id,
      variable,
      fieldPath,
      capacity,
      fields,
      storage: messageStorage(fields),
      span,
    });
    return id;
  }

  /** Sites for the channels inside a variable of a structured type. */
  addSitesInside(variable: VariableId, type: Type, path: readonly string[] = []): void {
    if (type.kind !== 'struct') return;
    for (const field of this.structs[type.struct]!.fields) {
      const fieldPath = [...path, field.name];
      if (field.initial?.kind === 'channel-field')
        this.addChannelSite(variable, fieldPath, field.initial.capacity, field.initial.fields, field.span);
      this.addSitesInside(variable, field.type, fieldPath);
    }
  }

  addStruct(name: string, fields: readonly Field[]): StructId {
    const id = this.structs.length as StructId;
    this.structs.push({ id, name, fields });
    return id;
  }

  /** SPIN numbers from the end of each list; a later list of the same set goes on counting. */
  addMtypes(set: string, names: readonly Name[]): void {
    const members = this.mtypeSets.get(set) ?? [];
    this.mtypeSets.set(set, members);
    for (const name of [...names].reverse()) {
      if (this.mtypeValues.has(name.text)) {
        this.error('SPW1102', name, `'${name.text}' appears twice in mtype declarations`);
        continue;
      }
      if (!this.isFree(name, this.global)) continue;
      const value = members.length + 1;
      members.push({ name: name.text, value, span: name.span });
      this.mtypeValues.set(name.text, { value, set });
      if (value === 256) this.error('SPW1112', name, 'an mtype can have 255 values at most');
    }
  }

  mtypes(): MtypeSet[] {
    return [...this.mtypeSets].map(([set, members]) => ({
      set,
      members: members.map(({ name, value }) => ({ name, value })),
    }));
  }

  undeclared(name: Name, scope: Scope): void {
    const known = [...scope.visible(), ...this.mtypeValues.keys(), ...PREDEFINED];
    const near = suggest(name.text, known);
    const declaredAs = this.proctypeNamed(name.text) !== null ? 'a proctype, not a variable' : null;
    this.error(
      'SPW1101',
      name,
      declaredAs === null ? `'${name.text}' is not declared` : `'${name.text}' is ${declaredAs}`,
      near === null ? {} : { help: `did you mean '${near}'?` },
    );
  }
}
