import type { Diagnostic } from '../source/diagnostic.ts';
import type { MachineSystem } from './system.ts';

/** Machines as they were read. */
export interface ReadMachines {
  readonly system: MachineSystem | null;
  readonly diagnostics: readonly Diagnostic[];
}
