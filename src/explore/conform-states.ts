// Is a recorded sequence of states possible? As conform.ts, with states for letters: the model may take steps that change nothing of what is observed,
// then one that leads to the next recorded state; a state recorded twice is a pause. Inside an atomic sequence nobody need have looked. What belongs to a process
// that does not exist (yet, or any more) is not compared.

import type { Budget } from '../base/budget.ts';
import { BrokenLog } from '../verdict/event-log.ts';
import { type Difference, queueText, type StateConformance, type StateTrace } from '../verdict/itf.ts';
import type { Model } from './compile.ts';
import { diesAt } from './describe.ts';
import { HEADER } from './layout.ts';
import { cellNames, showValue } from './names.ts';
import { type Place, PlaceNames, PlaceSet } from './places.ts';

/** By observed variable: its text, null where it does not exist. */
type View = readonly (string | null)[];

export function conformStates(model: Model, trace: StateTrace, budget: Budget): StateConformance {
  return new StateFollower(model, trace, budget).follow();
}

class StateFollower {
  private readonly model: Model;
  private readonly trace: StateTrace;
  private readonly budget: Budget;
  private readonly names: PlaceNames;
  private readonly cells: ReturnType<typeof cellNames>;

  constructor(model: Model, trace: StateTrace, budget: Budget) {
    this.model = model;
    this.trace = trace;
    this.budget = budget;
    this.names = new PlaceNames(model);
    this.cells = cellNames(model);
    const strange = trace.variables.find((name) => !this.isKnown(name));
    if (strange !== undefined)
      throw new BrokenLog(`the model has no variable and no queue '${strange}'; leave it out of "vars"`);
  }

  follow(): StateConformance {
    const { states } = this.trace;
    const { machine } = this.model;
    if (machine.initial() !== 0) return { kind: 'impossible', state: 0, seen: [], allowed: [] };
    const first = this.names.first();
    const begin = this.viewOf(first);
    if (!fits(begin, states[0]!)) {
      const seen = this.trace.variables.flatMap((name, i) => {
        const value = states[0]![i]!;
        return value === null || begin[i] === null || begin[i] === value ? [] : [{ name, value }];
      });
      const allowed = seen.map(({ name }) => ({ name, value: begin[this.trace.variables.indexOf(name)]! }));
      return { kind: 'impossible', state: 0, seen, allowed: [allowed] };
    }
    let places: readonly Place[] = [first];
    for (let index = 1; index < states.length; index++) {
      const [before, after] = [states[index - 1]!, states[index]!];
      if (before.every((value, i) => value === after[i])) continue;
      const found = this.after(places, before, after);
      if (found === null) {
        const limit = this.budget.timeLeft() ? 'state-limit' : 'time-limit';
        return { kind: 'unknown', state: index, limit };
      }
      if (found.places.length === 0)
        return {
          kind: 'impossible',
          state: index,
          seen: this.difference(before, after),
          allowed: found.allowed,
        };
      places = found.places;
    }
    return { kind: 'possible', states: states.length };
  }

  /** Null when a limit was in the way. */
  private after(
    places: readonly Place[],
    before: View,
    target: View,
  ): { readonly places: readonly Place[]; readonly allowed: readonly Difference[] } | null {
    const here = new PlaceSet();
    const next = new PlaceSet();
    const allowed = new Map<string, Difference>();
    for (const place of places) here.add(place);
    for (let i = 0; i < here.list.length; i++) {
      this.expand(here.list[i]!, (place, view, isInside) => {
        if (fits(view, target)) next.add(place);
        if (fits(view, before) || isInside) here.add(place);
        else {
          const difference = this.difference(before, view);
          allowed.set(JSON.stringify(difference), difference);
        }
      });
      if (here.list.length + next.list.length > this.budget.maxStates) return null;
      if (i % 256 === 255 && !this.budget.timeLeft()) return null;
    }
    return { places: next.list, allowed: [...allowed.values()] };
  }

  private expand(place: Place, reach: (place: Place, view: View, isInside: boolean) => void): void {
    const { machine, program } = this.model;
    machine.unpack(place.words, 0);
    const types = this.names.types();
    const found: { readonly words: Int32Array; readonly ends: boolean }[] = [];
    const cursor = machine.open({
      micro: true,
      step: (words, length) => {
        const [pid, edge, partner] = machine.choices().at(0);
        const proctype = program.proctypes[types[pid]!]!;
        found.push({
          words: words.slice(0, length),
          ends: diesAt(this.model, proctype.edges[edge]!, proctype, partner >= 0),
        });
      },
    });
    cursor.expand();
    for (const { words, ends } of found) {
      machine.unpack(words, 0);
      const reached: Place = { ...this.names.named(place, ends), words, pending: [] };
      reach(reached, this.viewOf(reached), machine.cells[HEADER.exclusive]! >= 0);
    }
  }

  private difference(before: View, after: View): Difference {
    return this.trace.variables.flatMap((name, i) => {
      const value = after[i];
      return value === null || value === undefined || value === before[i] ? [] : [{ name, value }];
    });
  }

  /** Of the state that the machine holds, which is the place's. */
  private viewOf({ instances }: Place): View {
    const types = this.names.types();
    const labels = types.map((type, pid) => this.names.label(type, instances[pid]!));
    const texts = new Map<string, string>();
    this.addQueues(texts, types, labels);
    // A variable that holds a channel may have the channel's name: traces then show the variable.
    this.addValues(texts, types, labels);
    return this.trace.variables.map((name) => texts.get(name) ?? null);
  }

  private addValues(texts: Map<string, string>, types: readonly number[], labels: readonly string[]): void {
    const { machine, program } = this.model;
    const channel = (id: number): string => this.names.channelName(id, types, labels);
    for (const { name, type, cell } of this.cells.globals)
      texts.set(name, showValue(program, type, machine.cells[cell]!, channel));
    for (const [pid, type] of types.entries())
      for (const { name, type: kind, cell } of this.cells.locals[type]!)
        texts.set(
          `${labels[pid]}.${name}`,
          showValue(program, kind, machine.cells[machine.frames[pid]! + cell]!, channel),
        );
  }

  private addQueues(texts: Map<string, string>, types: readonly number[], labels: readonly string[]): void {
    const { machine, program, layout } = this.model;
    const memory = machine.queues();
    const channel = (id: number): string => this.names.channelName(id, types, labels);
    for (let index = 0; index < machine.cells[HEADER.channels]!; index++) {
      const { fields } = layout.queueNames[machine.nameOfChannel[index]!]!.site;
      const start = memory[index]!;
      const messages = Array.from({ length: memory[start]! }, (_, position) =>
        fields
          .map((type, field) =>
            showValue(program, type, memory[start + 1 + position * fields.length + field]!, channel),
          )
          .join(','),
      );
      texts.set(channel(index + 1), queueText(messages));
    }
  }

  /** Of the model, or of a process that may come. */
  private isKnown(name: string): boolean {
    const { layout, program } = this.model;
    if (this.cells.globals.some((cell) => cell.name === name)) return true;
    if (layout.globalChannels.some((slot) => layout.queueNames[slot.name]!.name === name)) return true;
    const [, process, own] = /^(\w+)(?:\[\d+\])?\.(.+)$/.exec(name) ?? [];
    const type = program.proctypes.findIndex((proctype) => proctype.name === process);
    if (type < 0) return false;
    const isQueue = layout.localChannels[type]!.some(
      (slot) => layout.queueNames[slot.name]!.name === `${process}.${own}`,
    );
    return isQueue || this.cells.locals[type]!.some((cell) => cell.name === own);
  }
}

const fits = (view: View, wanted: View): boolean =>
  wanted.every((value, i) => value === null || view[i] === null || view[i] === value);
