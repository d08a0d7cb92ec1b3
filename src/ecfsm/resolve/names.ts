// Names to indexes: states, registers, types, machines; each unknown name is a diagnostic with a suggestion.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { suggest } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { RegisterMachine, RegisterVariable } from '../model.ts';
import type { Expression, Name } from '../syntax/ast.ts';
import type { Resolution } from './linear.ts';

export function indexOf(
  name: Name,
  known: readonly string[],
  what: string,
  code: 'SPW4103' | 'SPW4104' | 'SPW4105',
  diagnostics: Diagnostic[],
  candidates: readonly string[] = known,
): number | null {
  const index = known.indexOf(name.text);
  if (index >= 0) return index;
  const near = suggest(name.text, candidates);
  diagnostics.push(
    problem(code, name.span, `there is no ${what} '${name.text}' here`, {
      help: near !== null ? `did you mean '${near}'?` : `known: ${candidates.join(', ') || 'none'}`,
    }),
  );
  return null;
}

/** Registers as `A.VM`; plain `VM` where it is clear whose it is. */
export function registerScope(
  machines: readonly RegisterMachine[],
  own: number | null,
  diagnostics: Diagnostic[],
): Resolution<RegisterVariable> {
  return {
    diagnostics,
    same: (a, b) => a.side === b.side && a.index === b.index,
    lookup: (leaf) => lookupRegister(leaf, machines, own, diagnostics),
  };
}

export function lookupRegister(
  leaf: Expression & { kind: 'name' | 'register' | 'call' },
  machines: readonly RegisterMachine[],
  own: number | null,
  diagnostics: Diagnostic[],
): RegisterVariable | null {
  if (leaf.kind === 'register') {
    const side = sideOf(leaf.machine, machines, diagnostics);
    if (side === null) return null;
    const index = indexOf(leaf.register, machines[side]!.registers, 'register', 'SPW4104', diagnostics);
    return index === null ? null : { kind: 'register', side, index };
  }
  if (leaf.kind === 'name' && own !== null) {
    const index = indexOf(leaf.name, machines[own]!.registers, 'register', 'SPW4104', diagnostics);
    return index === null ? null : { kind: 'register', side: own, index };
  }
  const written = leaf.kind === 'name' ? leaf.name.text : 'this';
  const owner = machines.find((machine) => machine.registers.includes(written))?.name ?? machines[0]!.name;
  diagnostics.push(
    problem('SPW4104', leaf.span, `'${written}' is not a register of a machine`, {
      help: `registers are written as '${owner}.${machines[0]!.registers[0]! ?? 'x'}'`,
    }),
  );
  return null;
}

export function sideOf(
  name: Name,
  machines: readonly RegisterMachine[],
  diagnostics: Diagnostic[],
): number | null {
  const side = machines.findIndex((candidate) => candidate.name === name.text);
  if (side >= 0) return side;
  diagnostics.push(
    problem('SPW4106', name.span, `there is no machine '${name.text}'`, {
      help: `the machines are ${machines.map((machine) => machine.name).join(', ')}`,
    }),
  );
  return null;
}
