// What steps can have in common, numbered: channels, cells of global variables, locals and locations that others look at, the list of
// processes. A step uses a resource in one or more *modes*; two steps of different processes are dependent when some modes of
// theirs on one resource conflict. Everything that is not a resource belongs to one process alone.
//
// Channels (FIFO of declared capacity, nothing lost): a send and a receive commute wherever both are possible, since neither can make the
// other impossible and they touch opposite ends; sends conflict among themselves, so do receives. A sorted send may
// change the head. Tests see everything. On a rendezvous channel whoever comes by is a possible partner, or a rival.

import type { ChannelSite, Location, ProctypeId, VariableId } from '../../process/program.ts';
import { cellsOf } from '../../process/storage.ts';
import { walkProgram } from '../../process/walk.ts';
import type { Model } from '../compile.ts';
import { mostChannels } from './most-channels.ts';

export const CHANNEL = {
  send: 1,
  sortedSend: 2,
  receive: 4,
  copy: 8,
  test: 16,
  /** Either side of a handshake. */
  rendezvous: 32,
  /** Comes to or leaves a place where it could be the receiver of a handshake. */
  readiness: 64,
  /** Goes on or not depending on whether some receiver is ready. */
  looksForReceiver: 128,
  /** The channel ceases to be, with its process. */
  dies: 256,
  /** A channel of a process comes to life. */
  created: 512,
  /** An access through a variable that may hold the number of a channel that does not exist. */
  unsure: 1024,
} as const;

export const CELL = { read: 1, write: 2 } as const;

/** The list of processes: its length, who has which number. */
export const LIFE = { run: 1, end: 2, look: 4 } as const;

const CHANGES = CHANNEL.send | CHANNEL.sortedSend | CHANNEL.receive;
const LIVES = 2047 & ~CHANNEL.created & ~CHANNEL.dies;

const CHANNEL_CONFLICTS = new Map<number, number>([
  [CHANNEL.send, CHANNEL.send | CHANNEL.sortedSend | CHANNEL.test],
  [CHANNEL.sortedSend, CHANGES | CHANNEL.copy | CHANNEL.test],
  [CHANNEL.receive, CHANNEL.receive | CHANNEL.sortedSend | CHANNEL.copy | CHANNEL.test],
  [CHANNEL.copy, CHANNEL.receive | CHANNEL.sortedSend],
  [CHANNEL.test, CHANGES],
  [CHANNEL.rendezvous, CHANNEL.rendezvous | CHANNEL.looksForReceiver],
  [CHANNEL.readiness, CHANNEL.looksForReceiver],
  [CHANNEL.looksForReceiver, CHANNEL.rendezvous | CHANNEL.readiness | CHANNEL.looksForReceiver],
  [CHANNEL.dies, LIVES | CHANNEL.created | CHANNEL.dies],
  [CHANNEL.created, CHANNEL.unsure | CHANNEL.dies | CHANNEL.created],
  [CHANNEL.unsure, CHANNEL.created],
]);
const CELL_CONFLICTS = new Map<number, number>([
  [CELL.read, CELL.write],
  [CELL.write, CELL.read | CELL.write],
]);
const LIFE_CONFLICTS = new Map<number, number>([
  [LIFE.run, LIFE.run | LIFE.end | LIFE.look],
  [LIFE.end, LIFE.run | LIFE.look],
  [LIFE.look, LIFE.run | LIFE.end],
]);

function conflictsIn(table: ReadonlyMap<number, number>, modes: number, diesIsAnyUse: number): number {
  let conflicts = modes !== 0 ? diesIsAnyUse : 0;
  for (const [mode, others] of table) if ((modes & mode) !== 0) conflicts |= others;
  return conflicts;
}

/** The process list is resource 0, the channel with number n is resource n, then come cells; the last stands for everything. */
export class Resources {
  readonly count: number;
  readonly everything: number;
  readonly channels: number;
  readonly firstLocalChannel: number;
  /** By variable: its first resource; cells of one variable may share one. */
  private readonly first = new Map<
    VariableId,
    { readonly at: number; readonly perCell: boolean; readonly cells: number }
  >();
  private readonly labels = new Map<ProctypeId, number>();
  private readonly siteNumbers = new Map<ChannelSite, readonly number[]>();
  /** By proctype: locations that somebody asks about. */
  readonly watchedLocations = new Map<ProctypeId, Set<number>>();

  constructor(
    {
      program,
      layout,
      features,
      claim,
      options,
    }: Pick<Model, 'program' | 'layout' | 'features' | 'claim' | 'options'>,
    maxChannels: number,
    isWatched: (location: Location) => boolean,
  ) {
    const hasLocal = layout.localChannels.some((slots) => slots.length > 0);
    this.firstLocalChannel = layout.globalChannels.length + 1;
    this.channels = hasLocal ? mostChannels(program, layout, maxChannels) : layout.globalChannels.length;
    layout.globalChannels.forEach((slot, index) => {
      const { site } = layout.queueNames[slot.name]!;
      this.siteNumbers.set(site, [...(this.siteNumbers.get(site) ?? []), index + 1]);
    });
    const remote = new Set<VariableId>();
    const watch = (proctype: ProctypeId, location: number): void => {
      const watched = this.watchedLocations.get(proctype) ?? new Set<number>();
      this.watchedLocations.set(proctype, watched.add(location));
    };
    walkProgram(program, claim, {
      expression: (expression) => {
        if (expression.kind === 'remote-read') remote.add(expression.cell.variable);
        if (expression.kind === 'remote-label') watch(expression.proctype, expression.location);
      },
    });
    for (const { id, locations } of program.proctypes)
      for (const location of locations) if (isWatched(location)) watch(id, location.id);
    let next = this.channels + 1;
    for (const variable of program.variables) {
      const shared = variable.owner === null ? features.written.has(variable.id) : remote.has(variable.id);
      // What is written to it goes nowhere: in whatever order that is done, the states are the same.
      if (!shared || options.faint?.get(variable.id)?.every((is) => is)) continue;
      const cells = cellsOf(program.structs, variable).length;
      const perCell = variable.owner === null && cells <= CELLS_APART;
      this.first.set(variable.id, { at: next, perCell, cells });
      next += perCell ? cells : 1;
    }
    for (const proctype of this.watchedLocations.keys()) this.labels.set(proctype, next++);
    this.everything = next;
    this.count = next + 1;
  }

  /** Resources of a variable: of one cell, or of all (`offset` null). Empty for what nobody else can see or nobody changes. */
  cellsOf(variable: VariableId, offset: number | null): { readonly from: number; readonly to: number } {
    const found = this.first.get(variable);
    if (found === undefined) return { from: 0, to: 0 };
    if (!found.perCell) return { from: found.at, to: found.at + 1 };
    if (offset === null || offset < 0 || offset >= found.cells)
      return { from: found.at, to: found.at + found.cells };
    return { from: found.at + offset, to: found.at + offset + 1 };
  }

  locationsOf(proctype: ProctypeId): number | null {
    return this.labels.get(proctype) ?? null;
  }

  numbersOf(site: ChannelSite): readonly number[] {
    return this.siteNumbers.get(site) ?? [];
  }

  /** The modes in which another process's use of the resource conflicts with these. */
  conflicts(resource: number, modes: number): number {
    if (resource === 0) return conflictsIn(LIFE_CONFLICTS, modes, 0);
    if (resource > this.channels) return conflictsIn(CELL_CONFLICTS, modes, 0);
    return conflictsIn(CHANNEL_CONFLICTS, modes, (modes & LIVES) !== 0 ? CHANNEL.dies : 0);
  }
}

/** Larger variables count as one resource. */
const CELLS_APART = 64;
