// Uses of resources, as they are collected: cells of variables, and channels with all that a channel variable can hold.

import type { LValue } from '../../process/expression.ts';
import type { Program } from '../../process/program.ts';
import type { Constants, Facts } from './constants.ts';
import { CHANNEL } from './resources.ts';

export class Footprint {
  /** Conflicts with every step of every other process. */
  everything = false;
  /** A channel variable without a channel: what happens is an error, and better looked at in full. */
  unsure = false;
  readonly modes = new Map<number, number>();
  /** Reads variables of its own that change. */
  readsOwn = false;
  /** The greatest number of a channel of some process that it holds for good; 0 without one. */
  lastLocalChannel = 0;

  add(resource: number, modes: number): void {
    this.modes.set(resource, (this.modes.get(resource) ?? 0) | modes);
  }

  include(other: Footprint): void {
    this.everything ||= other.everything;
    for (const [resource, modes] of other.modes) this.add(resource, modes);
  }
}

export class Uses {
  readonly footprint = new Footprint();
  private readonly facts: Facts;
  private readonly program: Program;
  private readonly constants: Constants;

  constructor(facts: Facts, constants: Constants) {
    this.facts = facts;
    this.program = facts.model.program;
    this.constants = constants;
  }

  cells(cell: LValue, offset: number | null, modes: number): void {
    const { from, to } = this.facts.resources.cellsOf(cell.variable, offset);
    for (let resource = from; resource < to; resource++) this.footprint.add(resource, modes);
  }

  /** Adds modes for every channel that the cell can hold; `modes` is asked by capacity. */
  channel(cell: LValue, modes: (capacity: number) => number): void {
    const { resources, pointsTo } = this.facts;
    const exact = this.constants.exactNumbers(cell);
    if (exact !== null) {
      for (const number of exact) {
        if (number < 1 || number > resources.channels) this.footprint.unsure = true;
        else {
          this.footprint.add(number, this.modesOf(cell, number, modes));
          if (number >= resources.firstLocalChannel)
            this.footprint.lastLocalChannel = Math.max(this.footprint.lastLocalChannel, number);
        }
      }
      return;
    }
    const sites = pointsTo.sitesOf(cell.variable) ?? this.program.channelSites;
    for (const site of sites) {
      if (this.program.variables[site.variable]!.owner !== null)
        this.localChannels(modes(site.capacity) | CHANNEL.unsure);
      else for (const number of resources.numbersOf(site)) this.footprint.add(number, modes(site.capacity));
    }
    if (pointsTo.sitesOf(cell.variable) === null) this.localChannels(CHANNEL.unsure);
  }

  private modesOf(cell: LValue, number: number, modes: (capacity: number) => number): number {
    const { layout } = this.facts.model;
    const slot = layout.globalChannels[number - 1];
    if (slot !== undefined) return modes(slot.shape.capacity);
    const sites = this.facts.pointsTo.sitesOf(cell.variable) ?? this.program.channelSites;
    let all = 0;
    for (const site of sites) all |= modes(site.capacity);
    return all;
  }

  /** Any channel of a process. */
  localChannels(modes: number): void {
    const { firstLocalChannel, channels } = this.facts.resources;
    for (let number = firstLocalChannel; number <= channels; number++) this.footprint.add(number, modes);
  }

  handshakes(channel: LValue): boolean {
    const sites = this.sitesOf(channel);
    return sites === null || [...sites].some((site) => site.capacity === 0);
  }

  sitesOf(channel: LValue) {
    return this.facts.pointsTo.sitesOf(channel.variable);
  }
}
