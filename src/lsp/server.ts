// The language server: a thin adaptor between the protocol and the service. It knows no analysis and no language. Every request is answered;
// what a client sends can be wrong in any way without ending the session.

import type { CheckOptions } from '../engine/options.ts';
import { Checker, type RunCheck } from '../service/checker.ts';
import { type OutlineEntry, outline } from '../service/navigation.ts';
import { LanguageService } from '../service/service.ts';
import type { Change } from '../service/text.ts';
import type { FileSystem } from '../source/source.ts';
import type { Channel } from '../wire/channel.ts';
import { RPC_ERRORS, type RpcCall, RpcError, RpcPeer } from '../wire/json-rpc.ts';
import { INITIALIZE_RESULT } from './capabilities.ts';
import { type CommandContext, reportPage, runCommand, runText, type Showing } from './commands.ts';
import { locationOf } from './convert.ts';
import { Documents } from './documents.ts';
import { METHODS, SYMBOL_KIND } from './protocol.ts';
import { askedAbout, TEXT_REQUESTS } from './requests.ts';
import { DEFAULTS, isRecord, type Settings, settingsFrom } from './settings.ts';
import { pathOfUri, uriOfPath } from './uris.ts';

export interface LspHost {
  readonly files: FileSystem;
  readonly showing: Showing;
  /** `seconds` for the whole check. */
  readonly runCheck: (job: Parameters<RunCheck>[0], seconds: number) => ReturnType<RunCheck>;
  /** What a configuration file beside the model says. */
  readonly optionsFor: (path: string) => CheckOptions;
  /** Models below a folder, for symbols of the workspace; not too many. */
  readonly modelsBelow: (folder: string) => readonly string[];
}

/** Ends with the input, or at `exit`: 0 after `shutdown`, else 1. */
export async function serveLsp(channel: Channel, host: LspHost): Promise<0 | 1> {
  const server = new LspServer(channel, host);
  return server.serve();
}

const NOT_INITIALIZED = -32002;

class LspServer {
  private readonly host: LspHost;
  private readonly peer: RpcPeer;
  private readonly service: LanguageService;
  private readonly checker: Checker;
  private readonly documents: Documents;
  private settings: Settings = DEFAULTS;
  private folders: string[] = [];
  private client: Record<string, unknown> = {};
  private state: 'new' | 'running' | 'shut down' = 'new';
  private refreshing: ReturnType<typeof setTimeout> | null = null;

  constructor(channel: Channel, host: LspHost) {
    this.host = host;
    this.peer = new RpcPeer(channel, {
      request: (method, params, call) => this.request(method, params, call),
      notification: (method, params) => this.notification(method, params),
    });
    this.service = new LanguageService(host.files, (path) => this.optionsFor(path));
    this.checker = new Checker(
      this.service,
      (job) => host.runCheck(job, this.settings.timeout),
      (root) => this.found(root),
    );
    this.documents = new Documents(this.service, this.checker, this.peer, () => this.settings);
  }

  async serve(): Promise<0 | 1> {
    await this.peer.serve();
    this.documents.closeAll();
    if (this.refreshing !== null) clearTimeout(this.refreshing);
    return this.state === 'shut down' ? 0 : 1;
  }

  private optionsFor(path: string): CheckOptions {
    const options = this.host.optionsFor(path);
    const { defines, includes } = this.settings;
    return {
      ...options,
      defines: [...(options.defines ?? []), ...defines],
      includes: [...(options.includes ?? []), ...includes],
    };
  }

  private async request(method: string, params: unknown, call: RpcCall): Promise<unknown> {
    if (method === 'initialize') return this.initialize(params);
    if (this.state === 'new') throw new RpcError(NOT_INITIALIZED, 'the first request is initialize');
    if (this.state === 'shut down') throw new RpcError(RPC_ERRORS.invalidRequest, 'the server was shut down');
    if (method === 'shutdown') {
      this.state = 'shut down';
      this.documents.closeAll();
      return null;
    }
    const handler = TEXT_REQUESTS[method];
    if (handler !== undefined) {
      const client = { withSnippets: this.supports('snippets'), hasDebugger: this.settings.debugger };
      const asked = await askedAbout(this.service, this.checker, params, client);
      if (call.signal.aborted) throw new RpcError(RPC_ERRORS.cancelled, 'the client wants no answer');
      return asked === null ? null : handler(asked);
    }
    return this.otherRequest(method, isRecord(params) ? params : {});
  }

  private async otherRequest(method: string, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case 'workspace/symbol':
        return this.workspaceSymbols(String(params['query'] ?? ''));
      case 'workspace/executeCommand': {
        const args = Array.isArray(params['arguments']) ? params['arguments'] : [];
        return runCommand(String(params['command']), args, this.context);
      }
      case METHODS.run:
        return runText(this.context, String(params['uri']), asText(params['property']));
      case METHODS.report:
        return reportPage(this.context, String(params['uri']));
      default:
        throw new RpcError(RPC_ERRORS.methodNotFound, `there is no request '${method}'`);
    }
  }

  private get context(): CommandContext {
    return {
      peer: this.peer,
      showing: this.host.showing,
      canShow: this.supports('showDocument'),
      findings: async (uri) => {
        const understanding = await this.service.understand(pathOfUri(uri));
        return understanding === null ? null : this.checker.findings(understanding);
      },
      check: (uri) => this.documents.check(pathOfUri(uri), true),
    };
  }

  private initialize(params: unknown): unknown {
    const all = isRecord(params) ? params : {};
    this.client = isRecord(all['capabilities']) ? all['capabilities'] : {};
    this.settings = settingsFrom(all['initializationOptions']);
    const folders = Array.isArray(all['workspaceFolders']) ? all['workspaceFolders'] : [];
    const uris = folders.map((folder) => (isRecord(folder) ? folder['uri'] : null));
    const root = all['rootUri'];
    this.folders = [...uris, ...(uris.length === 0 ? [root] : [])]
      .filter((uri) => typeof uri === 'string')
      .map(pathOfUri);
    this.state = 'running';
    return INITIALIZE_RESULT;
  }

  private supports(what: 'snippets' | 'showDocument' | 'lenses' | 'hints'): boolean {
    const at = (...keys: string[]): unknown =>
      keys.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), this.client);
    switch (what) {
      case 'snippets':
        return at('textDocument', 'completion', 'completionItem', 'snippetSupport') === true;
      case 'showDocument':
        return at('window', 'showDocument', 'support') === true;
      case 'lenses':
        return at('workspace', 'codeLens', 'refreshSupport') === true;
      case 'hints':
        return at('workspace', 'inlayHint', 'refreshSupport') === true;
    }
  }

  private notification(method: string, params: unknown): void {
    const all = isRecord(params) ? params : {};
    if (method === 'exit') {
      this.peer.close();
      return;
    }
    if (method === '$/cancelRequest') {
      const { id } = all;
      if (typeof id === 'string' || typeof id === 'number') this.peer.cancel(id);
      return;
    }
    if (this.state !== 'running') return;
    if (method === 'workspace/didChangeConfiguration') this.configure(all['settings']);
    else if (method === 'workspace/didChangeWatchedFiles') this.watched(all['changes']);
    else this.textNotification(method, all);
  }

  private textNotification(method: string, params: Record<string, unknown>): void {
    const document = isRecord(params['textDocument']) ? params['textDocument'] : {};
    const { uri, text } = document;
    if (typeof uri !== 'string') return;
    const path = pathOfUri(uri);
    const version = typeof document['version'] === 'number' ? document['version'] : 0;
    if (method === 'textDocument/didOpen')
      this.documents.open(path, version, typeof text === 'string' ? text : '');
    else if (method === 'textDocument/didChange')
      this.documents.change(path, version, changesIn(params['contentChanges']));
    else if (method === 'textDocument/didSave') this.documents.save(path);
    else if (method === 'textDocument/didClose') this.documents.close(path);
  }

  private configure(settings: unknown): void {
    this.settings = settingsFrom(settings, this.settings);
    this.service.forgetAll();
    for (const path of this.service.texts.paths()) void this.documents.diagnose(path);
  }

  private watched(changes: unknown): void {
    for (const change of Array.isArray(changes) ? changes : []) {
      const uri = isRecord(change) ? change['uri'] : null;
      if (typeof uri === 'string') this.documents.changedOnDisk(pathOfUri(uri));
    }
  }

  /** Verdicts came in: several at once are shown at once. */
  private found(root: string): void {
    if (this.refreshing !== null) return;
    this.refreshing = setTimeout(() => {
      this.refreshing = null;
      if (this.state !== 'running') return;
      if (this.supports('lenses')) void this.peer.request('workspace/codeLens/refresh').catch(() => {});
      if (this.supports('hints')) void this.peer.request('workspace/inlayHint/refresh').catch(() => {});
      this.peer.notify('spillway/checked', { uri: uriOfPath(root) });
      for (const path of this.service.texts.paths()) void this.documents.diagnose(path);
    }, 20);
  }

  /** Of the models that are open, and of those in the folders. */
  private async workspaceSymbols(query: string): Promise<unknown[]> {
    const below = this.folders.flatMap((folder) => this.host.modelsBelow(folder));
    const paths = new Set([...this.service.texts.paths(), ...below]);
    const wanted = query.toLowerCase();
    const found: unknown[] = [];
    for (const path of paths) {
      const understanding = await this.service.understand(path);
      if (understanding === null) continue;
      const add = (entries: readonly OutlineEntry[], containerName?: string): void => {
        for (const { name, kind, span, children } of entries) {
          if (name.toLowerCase().includes(wanted) && found.length < MOST_SYMBOLS)
            found.push({
              name,
              kind: SYMBOL_KIND[kind],
              location: locationOf(span),
              ...(containerName === undefined ? {} : { containerName }),
            });
          add(children, name);
        }
      };
      add(outline(understanding, path));
      if (this.service.texts.get(path) === null) this.service.forget(path);
    }
    return found;
  }
}

const MOST_SYMBOLS = 500;

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function changesIn(given: unknown): Change[] {
  const list = Array.isArray(given) ? given : [];
  return list.flatMap((change): Change[] => {
    if (!isRecord(change) || typeof change['text'] !== 'string') return [];
    const { text, range } = change;
    if (range === undefined) return [{ text }];
    return isRange(range) ? [{ text, range: range as unknown as NonNullable<Change['range']> }] : [];
  });
}

function isRange(value: unknown): boolean {
  const isPoint = (point: unknown): boolean =>
    isRecord(point) && typeof point['line'] === 'number' && typeof point['character'] === 'number';
  return isRecord(value) && isPoint(value['start']) && isPoint(value['end']);
}
