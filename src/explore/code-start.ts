// How processes, channels and variables come to life: `run<id>` for each proctype and `initial` for the first state.

import type { Expression } from '../process/expression.ts';
import type { Field, Initialiser, Proctype } from '../process/program.ts';
import { cellsOf, placeStorage, type Storage } from '../process/storage.ts';
import type { CodeContext } from './code-expression.ts';
import { number, stored } from './code-expression.ts';
import { FAULT } from './faults.ts';
import type { Layout, Limits } from './layout.ts';
import { FRAME, HEADER, sizeOf } from './layout.ts';

interface InitialCell {
  readonly offset: number;
  readonly storage: Storage;
  readonly value: Expression;
}

/** The cells of a variable that start with something else than 0; typedef fields may have initialisers of their own. */
function initialCells(layout: Layout, field: Field, hidden = false): InitialCell[] {
  const { program } = layout;
  const { type } = field;
  const count = field.length ?? 1;
  const size = sizeOf(program, type);
  const result: InitialCell[] = [];
  for (let i = 0; i < count; i++) {
    if (type.kind === 'struct') {
      let offset = i * size;
      for (const inner of program.structs[type.struct]!.fields) {
        for (const cell of initialCells(layout, inner))
          result.push({ ...cell, offset: offset + cell.offset });
        offset += sizeOf(program, inner.type) * (inner.length ?? 1);
      }
      continue;
    }
    const value = valueAt(field.initial, i);
    if (value !== null)
      result.push({
        offset: i,
        storage: placeStorage(type, { isElement: field.length !== null, hidden }),
        value,
      });
  }
  return result;
}

function variableCells(layout: Layout, id: number): InitialCell[] {
  const variable = layout.program.variables[id]!;
  return initialCells(layout, variable, variable.hidden);
}

function valueAt(initial: Initialiser | null, index: number): Expression | null {
  if (initial === null || initial.kind === 'channel' || initial.kind === 'channel-field') return null;
  return initial.kind === 'each' ? initial.value : (initial.values[index] ?? null);
}

function initialValues(scope: CodeContext, ids: readonly number[], base: (cell: number) => string): string {
  const { layout } = scope;
  return ids
    .flatMap((id) =>
      variableCells(layout, id).map((cell) => {
        const value = stored(cell.storage, number(scope, cell.value));
        return `S[${base(layout.base[id]! + cell.offset)}]=${value};`;
      }),
    )
    .join('');
}

/** One argument for every scalar of the parameters. */
function parameterCells(layout: Layout, proctype: Proctype): { cell: number; storage: Storage }[] {
  return proctype.parameters.flatMap((id) =>
    cellsOf(layout.program.structs, layout.program.variables[id]!).map(({ storage }, i) => ({
      cell: layout.base[id]! + i,
      storage,
    })),
  );
}

export function runFunction(scope: CodeContext, proctype: Proctype, limits: Limits): string {
  const { layout } = scope;
  const scalars = parameterCells(layout, proctype);
  const parameters = scalars.map(({ cell, storage }, i) => `S[b+${cell}]=${stored(storage, `a${i}`)};`);
  const names = scalars.map((_, i) => `a${i}`);
  const slots = layout.localChannels[proctype.id]!;
  const channels =
    slots.length === 0
      ? ''
      : `let j=S[1],h=S[${HEADER.heap}];if(j+${slots.length}>${limits.channels}){fault=${FAULT.tooManyChannels};return 0}` +
        slots
          .map(
            (slot) =>
              `QSH[j]=${slot.shape.id};QNM[j]=${slot.name};h=nq(j,h,${scope.unlimited && slot.shape.capacity > 0 ? 4 : slot.shape.capacity},${slot.shape.fields.length});j++;S[b+${slot.cell}]=j;`,
          )
          .join('') +
        `w(1,j);w(${HEADER.heap},h);`;
  const locals = initialValues(scope, proctype.locals, (cell) => `b+${cell}`);
  return (
    `function run${proctype.id}(${[...names, 'priority'].join(',')}){const p=S[0],b=S[${HEADER.top}];` +
    `if(p>=${limits.processes}){fault=${FAULT.tooManyProcesses};return 0}` +
    `clear(b,b+${layout.frameSize[proctype.id]});S[b]=${proctype.id};S[b+${FRAME.location}]=${proctype.initial};S[b+${FRAME.priority}]=priority;` +
    `PB[p]=b;${parameters.join('')}${channels}w(${HEADER.top},b+${layout.frameSize[proctype.id]});w(0,p+1);${locals}return p}`
  );
}

export function initialFunction(scope: CodeContext, claim: Proctype | null): string {
  const { layout } = scope;
  const { program } = layout;
  const channels = layout.globalChannels
    .map((slot, j) => {
      const reserve = scope.unlimited && slot.shape.capacity > 0 ? 4 : slot.shape.capacity;
      return `QSH[${j}]=${slot.shape.id};QNM[${j}]=${slot.name};h=nq(${j},h,${reserve},${slot.shape.fields.length});S[${slot.cell}]=${j + 1};`;
    })
    .join('');
  const start = program.proctypes
    .flatMap((proctype) => {
      const call = `run${proctype.id}(${[...parameterCells(layout, proctype).map(() => '0'), `${proctype.priority ?? 1}`].join(',')});`;
      return Array.from({ length: proctype.active }, () => call);
    })
    .join('');
  const claimStart =
    claim === null
      ? ''
      : `S[${layout.claimFrame + FRAME.location}]=${claim.initial};{const p=-1,b=${layout.claimFrame};${initialValues(scope, claim.locals, (cell) => `${layout.claimFrame + cell}`)}}`;
  return (
    `let GLOBALHEAP=0;\nfunction initial(){const p=0,b=0;clear(0,S.length);u=0;cn=0;rp=0;fault=0;S[${HEADER.exclusive}]=-1;` +
    `${scope.features.last ? `S[${HEADER.last}]=0;` : ''}S[${HEADER.top}]=${layout.firstFrame};let h=QUEUES;S[1]=${layout.globalChannels.length};` +
    `${channels}GLOBALHEAP=h;S[${HEADER.heap}]=h;${initialValues(scope, program.globals, (cell) => `${cell}`)}${claimStart}${start}u=0;const f=fault;fault=0;return f}`
  );
}
