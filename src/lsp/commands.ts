// Commands behind code lenses. A client of ours asks for texts and shows them itself; any other client is asked to show a file.

import type { Findings } from '../service/findings.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import type { RpcPeer } from '../wire/json-rpc.ts';
import { COMMANDS } from './protocol.ts';
import { uriOfPath } from './uris.ts';

/** What the server needs of its surroundings to show something. */
export interface Showing {
  /** The report of one property as a person reads it, or of all as a page. */
  render(report: ModelReport, format: 'text' | 'html' | 'json'): Promise<string>;
  /** A file outside the user's folders; its path. */
  writeTemporary(name: string, content: string): string;
}

export interface CommandContext {
  readonly peer: Pick<RpcPeer, 'notify' | 'request'>;
  readonly showing: Showing;
  readonly canShow: boolean;
  findings(uri: string): Promise<Findings | null>;
  check(uri: string): Promise<void>;
}

export async function runCommand(
  command: string,
  args: readonly unknown[],
  context: CommandContext,
): Promise<unknown> {
  const [uri, property] = args;
  if (typeof uri !== 'string') return null;
  switch (command) {
    case COMMANDS.check:
      await context.check(uri);
      return null;
    case COMMANDS.showRun: {
      const text = await runText(context, uri, typeof property === 'string' ? property : null);
      return text === null ? null : show(context, 'run.txt', text, false);
    }
    case COMMANDS.openReport: {
      const page = await reportPage(context, uri);
      return page === null ? null : show(context, 'report.html', page, true);
    }
    case COMMANDS.trace: {
      const run = await runDocument(context, uri, typeof property === 'string' ? property : null);
      return run === null ? null : context.showing.writeTemporary('trace.json', run);
    }
    default:
      return null;
  }
}

/** The refuted property of that name, or the first one there is. */
async function refuted(context: CommandContext, uri: string, property: string | null) {
  const findings = await context.findings(uri);
  const results = [...(findings?.results.values() ?? [])].filter(({ verdict }) => verdict === 'refuted');
  const result = results.find(({ id }) => property === null || id === property);
  const report = findings?.report ?? null;
  return result === undefined || report === null ? null : { ...report, properties: [result] };
}

export async function runText(
  context: CommandContext,
  uri: string,
  property: string | null,
): Promise<string | null> {
  const report = await refuted(context, uri, property);
  return report === null ? null : context.showing.render(report, 'text');
}

/** The run as `replay` and the debug adapter read it. */
async function runDocument(
  context: CommandContext,
  uri: string,
  property: string | null,
): Promise<string | null> {
  const report = await refuted(context, uri, property);
  return report === null ? null : context.showing.render(report, 'json');
}

export async function reportPage(context: CommandContext, uri: string): Promise<string | null> {
  const report = (await context.findings(uri))?.report ?? null;
  return report === null ? null : context.showing.render(report, 'html');
}

async function show(
  context: CommandContext,
  name: string,
  content: string,
  external: boolean,
): Promise<string> {
  const path = context.showing.writeTemporary(name, content);
  if (context.canShow)
    await context.peer
      .request('window/showDocument', { uri: uriOfPath(path), external, takeFocus: true })
      .catch(() => {});
  else context.peer.notify('window/showMessage', { type: 3, message: `spillway wrote ${path}` });
  return path;
}
