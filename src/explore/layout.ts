// Where everything lives in the machine's memory.
//
// One Int32Array `S` holds the header, the global variables, the claim's frame and then one frame per process, stacked in the order of
// creation; one cell per scalar. A second array `M` holds the queues. Both are what the generated code works on; states are
// packed from them into as few words as the types allow.

import type {
  ChannelSite,
  Proctype,
  ProctypeId,
  Program,
  Type,
  Variable,
  VariableId,
} from '../process/program.ts';
import type { Storage } from '../process/storage.ts';
import type { Features } from './features.ts';

/** S[0] processes, S[1] channels, S[2] the process with exclusive control or −1, S[3] the last to move, S[4] end of the frames, S[5] end of the queues in M. */
export const HEADER = { processes: 0, channels: 1, exclusive: 2, last: 3, top: 4, heap: 5, size: 6 } as const;

/** Frame: type, location, priority, then parameters and locals. */
export const FRAME = { type: 0, location: 1, priority: 2, variables: 3 } as const;

export interface Limits {
  readonly processes: number;
  readonly channels: number;
}

/** SPIN's own limits. */
export const SPIN_LIMITS: Limits = { processes: 255, channels: 255 };

/** Channels of one shape share the generated code. */
export interface Shape {
  readonly id: number;
  /** 0 is rendezvous. */
  readonly capacity: number;
  /** What a message keeps of each value. */
  readonly fields: readonly Storage[];
}

/** A cell that gets a new channel when its owner comes to life. */
export interface ChannelSlot {
  /** In S for globals, relative to the frame for locals. */
  readonly cell: number;
  readonly shape: Shape;
  /** Index into `queueNames`. */
  readonly name: number;
}

export interface QueueName {
  readonly name: string;
  readonly capacity: number;
  readonly site: ChannelSite;
}

export interface Layout {
  readonly program: Program;
  /** By VariableId: the first cell, in S for globals, relative to the frame for the others. */
  readonly base: readonly number[];
  readonly frameSize: readonly number[];
  readonly claimFrame: number;
  readonly firstFrame: number;
  readonly shapes: readonly Shape[];
  /** Global channels in the order of their numbers: the first has number 1. */
  readonly globalChannels: readonly ChannelSlot[];
  readonly localChannels: readonly (readonly ChannelSlot[])[];
  readonly queueNames: readonly QueueName[];
}

export function layOut(program: Program, claim: Proctype | null): Layout {
  const base: number[] = [];
  let next: number = HEADER.size;
  for (const id of program.globals) next = place(program, base, id, next);
  const claimFrame = next;
  if (claim !== null) next += frameOf(program, base, claim);
  const frameSize = program.proctypes.map((proctype) => frameOf(program, base, proctype));

  const names: QueueName[] = [];
  const shapes: Shape[] = [];
  const globalChannels = program.globals.flatMap((id) => slotsOf(program, base, shapes, names, id, ''));
  const localChannels = program.proctypes.map((proctype) =>
    [...proctype.parameters, ...proctype.locals].flatMap((id) =>
      slotsOf(program, base, shapes, names, id, `${proctype.name}.`),
    ),
  );
  return {
    program,
    base,
    frameSize,
    claimFrame,
    firstFrame: next,
    shapes,
    globalChannels,
    localChannels,
    queueNames: names,
  };
}

function place(program: Program, base: number[], id: VariableId, next: number): number {
  base[id] = next;
  const variable = program.variables[id]!;
  return next + sizeOf(program, variable.type) * (variable.length ?? 1);
}

function frameOf(program: Program, base: number[], proctype: Proctype): number {
  let next: number = FRAME.variables;
  for (const id of [...proctype.parameters, ...proctype.locals]) next = place(program, base, id, next);
  return next;
}

export function sizeOf(program: Program, type: Type): number {
  if (type.kind !== 'struct') return 1;
  return program.structs[type.struct]!.fields.reduce(
    (sum, field) => sum + sizeOf(program, field.type) * (field.length ?? 1),
    0,
  );
}

function slotsOf(
  program: Program,
  base: readonly number[],
  shapes: Shape[],
  names: QueueName[],
  id: VariableId,
  prefix: string,
): ChannelSlot[] {
  const variable = program.variables[id]!;
  return program.channelSites
    .filter((site) => site.variable === id)
    .flatMap((site) => {
      const shape = shapeOf(shapes, site);
      return offsetsOf(program, variable, site.fieldPath).map(({ offset, name }) => {
        names.push({ name: prefix + name, capacity: site.capacity, site });
        return { cell: base[id]! + offset, shape, name: names.length - 1 };
      });
    });
}

/** Every element that a site initialises: through arrays on the way. */
function offsetsOf(
  program: Program,
  item: { readonly name: string; readonly type: Type; readonly length: number | null },
  path: readonly string[],
): { offset: number; name: string }[] {
  const size = sizeOf(program, item.type);
  const result: { offset: number; name: string }[] = [];
  for (let i = 0; i < (item.length ?? 1); i++) {
    const name = item.length === null ? item.name : `${item.name}[${i}]`;
    if (path.length === 0 || item.type.kind !== 'struct') result.push({ offset: i * size, name });
    else {
      let offset = 0;
      for (const field of program.structs[item.type.struct]!.fields) {
        if (field.name === path[0]) {
          for (const inner of offsetsOf(program, field, path.slice(1)))
            result.push({ offset: i * size + offset + inner.offset, name: `${name}.${inner.name}` });
        }
        offset += sizeOf(program, field.type) * (field.length ?? 1);
      }
    }
  }
  return result;
}

function shapeOf(shapes: Shape[], site: ChannelSite): Shape {
  const { capacity, storage: fields } = site;
  const key = JSON.stringify([capacity, fields]);
  const known = shapes.find((shape) => JSON.stringify([shape.capacity, shape.fields]) === key);
  if (known !== undefined) return known;
  const shape = { id: shapes.length, capacity, fields };
  shapes.push(shape);
  return shape;
}

/** A channel variable whose value never changes: its channel can be named at compile time. */
export function fixedChannels(
  layout: Layout,
  features: Features,
  variable: Variable,
): { readonly shape: Shape; readonly firstId: number | null } | null {
  if (features.written.has(variable.id) || variable.type.kind !== 'chan') return null;
  const slots =
    variable.owner === null
      ? layout.globalChannels
      : (layout.localChannels[variable.owner as ProctypeId] ?? []);
  const first = layout.base[variable.id]!;
  const index = slots.findIndex(
    (slot) => slot.cell === first && layout.queueNames[slot.name]!.site.variable === variable.id,
  );
  if (index < 0) return null;
  return { shape: slots[index]!.shape, firstId: variable.owner === null ? index + 1 : null };
}
