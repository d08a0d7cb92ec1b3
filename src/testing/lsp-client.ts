// A client of the language server for tests: the shipped program over standard input and output.

import { pathToFileURL } from 'node:url';
import { type Message, WireClient } from './wire-client.ts';

type Framing = ConstructorParameters<typeof WireClient>[1];

export class LspClient {
  readonly wire: WireClient;
  private version = 1;

  private constructor(folder: string, framing: Framing) {
    this.wire = new WireClient([process.execPath, `${folder}/cli.js`, 'lsp'], framing);
  }

  /** The framing is `wire`'s Content-Length; this room stands below it. */
  static async start(
    folder: string,
    framing: Framing,
    initializationOptions: unknown = {},
    root?: string,
  ): Promise<LspClient> {
    const client = new LspClient(folder, framing);
    await client.ask('initialize', {
      capabilities: {},
      initializationOptions,
      rootUri: root === undefined ? null : pathToFileURL(root).href,
    });
    client.wire.notify('initialized', {});
    return client;
  }

  /** The result; errors are thrown. */
  async ask(method: string, params?: unknown): Promise<unknown> {
    const answer = await this.wire.request(method, params);
    if (answer['error'] !== undefined) throw new Error(JSON.stringify(answer['error']));
    return answer['result'];
  }

  open(uri: string, text: string): void {
    const textDocument = { uri, languageId: 'promela', version: this.version, text };
    this.wire.notify('textDocument/didOpen', { textDocument });
  }

  edit(uri: string, contentChanges: readonly unknown[]): number {
    this.version++;
    this.wire.notify('textDocument/didChange', {
      textDocument: { uri, version: this.version },
      contentChanges,
    });
    return this.version;
  }

  /** What is said about this version of the text, or a later one. */
  async diagnostics(uri: string, version: number, from = 0): Promise<readonly Record<string, unknown>[]> {
    const message = await this.wire.waitFor((one) => isAbout(one, uri, version), from);
    return (message['params'] as { diagnostics: Record<string, unknown>[] }).diagnostics;
  }

  /** The next time a check says something. */
  async checked(uri: string, wanted: (state: Findings) => boolean): Promise<Findings> {
    for (;;) {
      const from = this.wire.received.length;
      const findings = (await this.ask('spillway/findings', { textDocument: { uri } })) as Findings | null;
      if (findings !== null && wanted(findings)) return findings;
      await this.wire.waitFor((message) => message['method'] === 'spillway/checked', from);
    }
  }

  async stop(): Promise<number | null> {
    await this.ask('shutdown');
    this.wire.notify('exit');
    return this.wire.ended;
  }
}

export interface Findings {
  readonly state: string;
  readonly properties: readonly { readonly id: string; readonly verdict: string }[];
  readonly queues: readonly { readonly name: string; readonly text: string }[];
}

function isAbout(message: Message, uri: string, version: number): boolean {
  if (message['method'] !== 'textDocument/publishDiagnostics') return false;
  const params = message['params'] as { uri: string; version?: number };
  return params.uri === uri && (params.version ?? -1) >= version;
}
