// In a browser there is no disk, and the caller's worker is the thread.

import type { FileSystem } from '../source/source.ts';

export const diskFiles: FileSystem = { read: () => null };

export const openThreads = (_count?: number): null => null;

export const openMemory = async (_folder: string, _limits: object): Promise<null> => null;
