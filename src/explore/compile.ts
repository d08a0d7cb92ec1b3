// Compiles a program to a machine: JavaScript text, made once per model and run by the engine's own compiler.
//
// The semantics is that of SPIN's verifier (docs/semantics.md says how it was compared): which statements are executable, what they
// change, which intermediate states exist. It departs on request only: `capacity: 'unlimited'` lets every buffered
// channel grow without end, `processes: 'unlimited'` raises the limit of 255 processes and, where nothing in the model can see process numbers
// and no channel dies with its process, lets finished processes die in any order: SPIN keeps a finished process until all
// younger ones are gone, which makes models that start processes again and again infinite for no other reason.

import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import type { Proctype, ProctypeId, Program, VariableId } from '../process/program.ts';
import type { Span } from '../source/source.ts';
import type { CodeContext } from './code-expression.ts';
import { packingCode } from './code-packing.ts';
import { expandFunction, receiveFunction } from './code-process.ts';
import { memorySizes, runtimeCode } from './code-runtime.ts';
import { initialFunction, runFunction } from './code-start.ts';
import { storeCode } from './code-store.ts';
import type { Features } from './features.ts';
import { featuresOf } from './features.ts';
import type { Layout, Limits } from './layout.ts';
import { FRAME, HEADER, layOut, SPIN_LIMITS } from './layout.ts';
import { type CompiledMachine, type GeneratedMachine, machineAround } from './machine.ts';
import { usesProcessNumbers } from './sensitive.ts';

export interface CompileOptions {
  readonly capacity?: 'declared' | 'unlimited';
  readonly processes?: 'spin' | 'unlimited';
  /** Finished processes stay for ever (reduction/immortal.ts says where that changes nothing). */
  readonly immortal?: boolean;
  /** Reduced searches let processes die before anything else happens (reduction/immortal.ts says where that changes nothing). */
  readonly deathsFirst?: boolean;
  /** Of these proctypes the order of processes does not count (reduction/symmetry.ts says where that changes nothing). */
  readonly symmetric?: readonly ProctypeId[];
  /** By proctype and location: variables whose values nobody will read; they are not part of the state (reduction/forget.ts). */
  readonly dead?: readonly (readonly (readonly VariableId[])[])[];
  /** By variable: which of its cells hold values that go nowhere; they are not part of the state (reduction/faint.ts). */
  readonly faint?: ReadonlyMap<VariableId, readonly boolean[]>;
  /** SPIN's option -m: a message sent to a full channel is lost. */
  readonly loseMessages?: boolean;
  /** Runs that end are continued by standing still while a claim goes on, as SPIN has it (default). Not for livelock: it takes an infinite run. */
  readonly stutter?: boolean;
  /** A never claim that moves along with the system. */
  readonly claim?: Proctype | null;
  /** Whose `accept` labels count: everybody's (default), or the claim's alone, as for a formula. */
  readonly acceptLabels?: 'all' | 'claim';
}

export interface Model {
  readonly program: Program;
  readonly options: CompileOptions;
  readonly layout: Layout;
  readonly features: Features;
  readonly claim: Proctype | null;
  /** Finished processes die at once, not after younger ones as in SPIN: nothing in the model can tell the difference. */
  readonly anyOrderOfDeath: boolean;
  readonly machine: CompiledMachine;
}

/** Why a program cannot be executed. */
export interface CannotExecute {
  readonly reasonCode: 'embedded-c' | 'too-large';
  readonly reason: string;
  readonly span: Span | null;
}

/** `processes: 'unlimited'` is a large number, too: the memory for frames is laid out beforehand. */
const MANY: Limits = { processes: 2000, channels: 8000 };

/** Global channels are there from the beginning, however many: SPIN refuses more than 255, we do not. Nobody brings further ones then. */
const limitsFor = ({ globalChannels }: Layout, limits: Limits): Limits => ({
  ...limits,
  channels: Math.max(limits.channels, globalChannels.length),
});
const MAX_CELLS = 50_000_000;

export function compileModel(program: Program, options: CompileOptions = {}): Result<Model, CannotExecute> {
  const claim = options.claim ?? null;
  const features = featuresOf(program, claim);
  if (features.opaque !== null) {
    const reason = 'the model contains embedded C code, which cannot be executed here';
    return err({ reasonCode: 'embedded-c', reason, span: features.opaque });
  }
  const layout = layOut(program, claim);
  const cells = layout.firstFrame + Math.max(0, ...layout.frameSize) * 256;
  if (cells > MAX_CELLS || program.proctypes.length > 65535)
    return err({
      reasonCode: 'too-large',
      reason: 'the variables of the model do not fit in memory',
      span: null,
    });
  const anyOrderOfDeath =
    options.processes === 'unlimited' &&
    claim === null &&
    !usesProcessNumbers(program, features) &&
    layout.localChannels.every((slots) => slots.length === 0);
  const text = machineText({ program, layout, features, options, claim, anyOrderOfDeath }, 'script');
  const machine = machineAround(new Function(text)() as GeneratedMachine);
  return ok({ program, options, layout, features, claim, anyOrderOfDeath, machine });
}

/**
 * The machine's text: JavaScript that gives a `CompiledMachine`, or bare, for WebAssembly (wasm/): the same code without tracing, with the store in
 * it, for one thread or for several.
 */
export function machineText(
  model: Omit<Model, 'machine'>,
  use: 'script' | 'one thread' | 'several threads',
): string {
  const bare = use !== 'script';
  const { program, layout, features, options, claim, anyOrderOfDeath } = model;
  const limits = limitsFor(layout, options.processes === 'unlimited' ? MANY : SPIN_LIMITS);
  const unlimited = options.capacity === 'unlimited';
  const scope: CodeContext = {
    layout,
    features,
    bare,
    unlimited,
    loseMessages: options.loseMessages ?? false,
    anyOrderOfDeath,
    immortal: options.immortal ?? false,
    isClaim: false,
    mayFault: false,
    mayWarn: false,
    hasEffect: false,
    helpers: [],
  };
  const processes = program.proctypes.flatMap((proctype) => [
    expandFunction(scope, proctype, `x${proctype.id}`),
    receiveFunction(scope, proctype, `r${proctype.id}`),
    runFunction(scope, proctype, limits),
  ]);
  const claimCode = claim === null ? '' : expandFunction({ ...scope, isClaim: true }, claim, 'xclaim');
  const initial = initialFunction(scope, claim);
  const { words } = memorySizes(layout, limits);
  return [
    bare ? '' : '"use strict";',
    runtimeCode(layout, features, { bare, unlimited, limits, anyOrderOfDeath }),
    ...processes,
    claimCode,
    initial,
    packingCode(layout, features, {
      bare,
      unlimited,
      claim,
      dead: options.dead ?? null,
      faint: options.faint ?? new Map(),
      symmetric: options.symmetric ?? [],
      anyOrderOfDeath,
      limits,
      words,
    }),
    ...scope.helpers,
    flagCode(program, layout, claim, options.acceptLabels !== 'claim'),
    expandCode(layout, claim, options.stutter ?? true, bare),
    bare ? storeCode(words, use === 'several threads') : INTERFACE,
  ].join('\n');
}

/** The first move of a state is the claim's; the system follows, or stands still when it cannot move (stuttering). */
function expandCode(layout: Layout, claim: Proctype | null, stutter: boolean, bare: boolean): string {
  const next = claim === null ? 'system()' : `part===1?system():xclaim(-1,${layout.claimFrame})`;
  const finals =
    claim === null
      ? []
      : claim.locations.filter((location) => location.isFinal).map((location) => location.id);
  const at = `S[${layout.claimFrame + FRAME.location}]`;
  return `
let ended=false,part=0;
function claimed(){work=0;${finals.length > 0 ? `if(${finals.map((id) => `${at}===${id}`).join('||')}){ended=true;emit();ended=false;return}` : ''}if(part===2){emit();return}${stutter ? 'if(system()===0)emit()' : 'system()'}}
function expand(k){chosenCount=k;u=0;cn=0;${bare ? 'qn=0;' : ''}work=0;rp=0;fault=0;const x=S[${HEADER.exclusive}];
if(x>=0){S[${HEADER.exclusive}]=-1;const n=xp(x,PB[x]);if(n>0)return n;if(!micro){emit();return 1}}
return ${next}}
function expandProcess(p){u=0;cn=0;work=0;rp=0;fault=0;return p<S[0]?xp(p,PB[p]):0}`;
}

function flagCode(program: Program, layout: Layout, claim: Proctype | null, acceptLabels: boolean): string {
  const bits = program.proctypes.flatMap((proctype) =>
    proctype.locations.map(
      (location) =>
        (location.isProgress ? 1 : 0) |
        (acceptLabels && location.isAccept ? 2 : 0) |
        (location.isEnd || location.isFinal ? 4 : 0),
    ),
  );
  let start = 0;
  const starts = program.proctypes.map((proctype) => {
    const here = start;
    start += proctype.locations.length;
    return here;
  });
  const accepting =
    claim === null
      ? []
      : claim.locations.filter((location) => location.isAccept).map((location) => location.id);
  const at = `S[${layout.claimFrame + FRAME.location}]`;
  const claimFlag =
    accepting.length === 0 ? '' : `if(${accepting.map((id) => `${at}===${id}`).join('||')})f|=2;`;
  return `
const LF=new Int32Array([${bits.join(',')}]),LB=new Int32Array([${starts.join(',')}]);
function flags(){let f=4;for(let i=0;i<S[0];i++){const b=PB[i],g=LF[LB[S[b]]+S[b+${FRAME.location}]];f|=g&3;if((g&4)===0)f&=~4}${claimFlag}return f}
function np(){for(let i=0;i<S[0];i++){const b=PB[i];if(LF[LB[S[b]]+S[b+${FRAME.location}]]&1)return false}return true}`;
}

const INTERFACE = `
return {initial,pack,copy,unpack,expand,expandProcess,flags,words:()=>W,controlWords:()=>controlWords,globalWords:()=>globalWords,
use:(s,f,m,t,p)=>{sink=s;onFault=f;micro=m;T=t;part=p},chosen:()=>chosen,probe,probed:()=>PR,canMove:en,choiceCells:()=>C,choiceLength:()=>cn,claimEnded:()=>ended,
peaks:()=>QX,cells:S,frames:PB,queues:()=>M,shapeOfChannel:QSH,nameOfChannel:QNM};`;
