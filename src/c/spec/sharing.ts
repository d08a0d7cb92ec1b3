// Variables that threads share. Each thread is analysed with memory of its own ([MAGIC] section 3.3), which is right only as long as none
// writes what another one uses; where one does, nothing that hangs on the variable may be answered.

import type { LoadedThread } from './load.ts';

export interface Shared {
  readonly name: string;
  readonly writer: LoadedThread;
  readonly user: LoadedThread;
}

/** A variable that one of these threads uses and any other thread of the system writes. */
export function sharedVariable(asked: readonly LoadedThread[], all: readonly LoadedThread[]): Shared | null {
  for (const user of asked)
    for (const writer of all) {
      if (writer === user) continue;
      const { reads } = user.program.globals;
      const name = [...writer.program.globals.writes].find((written) => reads.has(written));
      if (name !== undefined) return { name, writer, user };
    }
  return null;
}

export const sharingReason = ({ name, writer, user }: Shared): string =>
  `'${name}' is written by ${writer.definition.name} and used by ${user.definition.name}: memory that threads share is not modelled; let them communicate by events`;
