// Which channels a variable can hold: inclusion-based and flow-insensitive (Andersen), one set per variable and one per message field of
// an allocation site. A channel comes into a variable by its initialiser, an assignment, an argument of `run`, or a message; what
// comes from anything that is not a channel variable (a number, say) makes the set *everything*.

import type { Expression, LValue } from '../../process/expression.ts';
import type {
  ChannelSite,
  Initialiser,
  Program,
  ScalarType,
  Statement,
  VariableId,
} from '../../process/program.ts';
import { cellsOf } from '../../process/storage.ts';
import { walkProgram } from '../../process/walk.ts';

export interface PointsTo {
  /** Null: any channel at all. */
  sitesOf(variable: VariableId): ReadonlySet<ChannelSite> | null;
  /** Can a channel that belongs to a process be held by a global variable or lie in a queue? Then it may outlive the process. */
  readonly localChannelsEscape: boolean;
}

/** A place that holds channels: a variable, or a field of the messages of a site. */
class Place {
  readonly sites = new Set<ChannelSite>();
  anything = false;
  readonly flowsTo = new Set<Place>();
}

export function pointsTo(program: Program): PointsTo {
  const analysis = new Analysis(program);
  analysis.run();
  return analysis;
}

class Analysis implements PointsTo {
  private readonly variables: Place[];
  private readonly fields = new Map<ChannelSite, Place[]>();
  private readonly program: Program;

  constructor(program: Program) {
    this.program = program;
    this.variables = program.variables.map(() => new Place());
    for (const site of program.channelSites) {
      this.fields.set(
        site,
        site.fields.map(() => new Place()),
      );
      this.variables[site.variable]!.sites.add(site);
    }
  }

  sitesOf(variable: VariableId): ReadonlySet<ChannelSite> | null {
    const place = this.variables[variable]!;
    return place.anything ? null : place.sites;
  }

  get localChannelsEscape(): boolean {
    const isLocal = ({ variable }: ChannelSite): boolean => this.program.variables[variable]!.owner !== null;
    const holdsLocal = (place: Place): boolean => place.anything || [...place.sites].some(isLocal);
    const inMessages = [...this.fields].some(([site, places]) =>
      places.some((place, field) => site.fields[field]!.kind === 'chan' && holdsLocal(place)),
    );
    return (
      inMessages ||
      this.program.globals.some((id) => this.holdsChannels(id) && holdsLocal(this.variables[id]!))
    );
  }

  private holdsChannels(id: VariableId): boolean {
    return cellsOf(this.program.structs, this.program.variables[id]!).some(
      ({ type }) => type.kind === 'chan',
    );
  }

  /** Message flows depend on what channel variables hold, so they are found anew until nothing changes. */
  run(): void {
    walkProgram(this.program, this.program.claims[0] ?? null, {
      statement: (statement) => this.assignments(statement),
      expression: (expression) => this.starts(expression),
    });
    for (const variable of this.program.variables) this.initial(variable.id, variable.initial);
    let before = -1;
    for (let size = 0; size !== before; ) {
      before = size;
      walkProgram(this.program, null, { statement: (statement) => this.messages(statement) });
      size = this.settle();
    }
  }

  private initial(id: VariableId, initial: Initialiser | null): void {
    if (initial === null || initial.kind === 'channel' || initial.kind === 'channel-field') return;
    if (!this.holdsChannels(id)) return;
    const values = initial.kind === 'each' ? [initial.value] : initial.values;
    for (const value of values) this.flow(value, this.variables[id]!);
  }

  private assignments(statement: Statement): void {
    if (statement.kind === 'assign' && statement.target.type.kind === 'chan')
      this.flow(statement.value, this.placeOf(statement.target));
  }

  private starts(expression: Expression): void {
    if (expression.kind !== 'run') return;
    const cells = this.program.proctypes[expression.proctype]!.parameters.flatMap((id) =>
      cellsOf(this.program.structs, this.program.variables[id]!).map(({ type }) => ({ id, type })),
    );
    for (const [index, { id, type }] of cells.entries()) {
      const argument = expression.args[index];
      if (type.kind === 'chan' && argument !== undefined) this.flow(argument, this.variables[id]!);
    }
  }

  private messages(statement: Statement): void {
    if (statement.kind === 'send') {
      for (const [field, argument] of statement.args.entries())
        for (const [place, type] of this.fieldsAt(statement.channel, field))
          if (type.kind === 'chan') this.flow(argument, place);
    }
    if (statement.kind === 'receive') {
      for (const [field, argument] of statement.args.entries()) {
        if (argument.kind !== 'store' || argument.target.type.kind !== 'chan') continue;
        const target = this.placeOf(argument.target);
        for (const [place, type] of this.fieldsAt(statement.channel, field)) {
          if (type.kind === 'chan') place.flowsTo.add(target);
          else target.anything = true;
        }
      }
    }
  }

  private fieldsAt(channel: LValue, field: number): [Place, ScalarType][] {
    const held = this.placeOf(channel);
    const sites = held.anything ? this.program.channelSites : held.sites;
    return [...sites].flatMap((site) => {
      const place = this.fields.get(site)![field];
      return place === undefined ? [] : [[place, site.fields[field]!] as [Place, ScalarType]];
    });
  }

  private placeOf(cell: LValue): Place {
    return this.variables[cell.variable]!;
  }

  private flow(value: Expression, target: Place): void {
    if (value.kind === 'read' && value.cell.type.kind === 'chan')
      this.placeOf(value.cell).flowsTo.add(target);
    else if (value.kind === 'conditional') {
      this.flow(value.whenTrue, target);
      this.flow(value.whenFalse, target);
    } else if (!(value.kind === 'constant' && value.value === 0)) target.anything = true;
  }

  /** Pushes everything along the flows; gives a number that grows as long as something changed. */
  private settle(): number {
    const places = [...this.variables, ...[...this.fields.values()].flat()];
    for (let changed = true; changed; ) {
      changed = false;
      for (const place of places) {
        for (const target of place.flowsTo) {
          const before = target.sites.size;
          for (const site of place.sites) target.sites.add(site);
          if (target.sites.size > before || (place.anything && !target.anything)) changed = true;
          target.anything ||= place.anything;
        }
      }
    }
    return places.reduce(
      (sum, place) => sum + place.sites.size + place.flowsTo.size + (place.anything ? 1 : 0),
      0,
    );
  }
}
