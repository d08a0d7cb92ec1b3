// What an engine for programs does when it is asked; its name and what it settles stand in the portfolio.

import type { Engine } from '../../engine/engine.ts';
import type { ProgramModel } from './context.ts';

export type ProgramWork = Pick<Engine<ProgramModel>, 'run'>;
