// What a tool is, and what it answers: text that is short enough to read, data for programs, and links to the whole.

import type { Call, ObjectSchema } from './schema.ts';
import type { Workspace } from './workspace.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  run(call: Call, workspace: Workspace, context: ToolContext): Promise<ToolAnswer>;
}

export interface ToolContext {
  readonly signal: AbortSignal;
  /** For clients that want to hear how it goes. */
  progress(done: number, total: number, message: string): void;
}

export interface ToolAnswer {
  readonly text: string;
  /** The same for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly links?: readonly ResourceLink[];
  /** It could not be done as asked. */
  readonly failed?: boolean;
}

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** About two thousand tokens: an agent pays for every word. */
const LONGEST = 8000;

/** The beginning of a long text, cut between lines, and where the rest is. */
export function shortened(text: string, rest: string, longest: number = LONGEST): string {
  if (text.length <= longest) return text;
  const end = text.lastIndexOf('\n', longest);
  return `${text.slice(0, end < longest / 2 ? longest : end)}\n… cut here: ${rest}`;
}

export const jsonLink = (uri: string, name: string): ResourceLink => ({
  uri,
  name,
  mimeType: 'application/json',
});
