// What happens when texts are opened, changed, saved and closed: diagnostics after the last key, checks after a save. Both are about the newest
// text only: a newer edit ends the wait for the one before, and the check that runs.

import type { Checker } from '../service/checker.ts';
import type { LanguageService, Understanding } from '../service/service.ts';
import type { Change } from '../service/text.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { RpcPeer } from '../wire/json-rpc.ts';
import { diagnosticOf } from './convert.ts';
import type { Settings } from './settings.ts';
import { uriOfPath } from './uris.ts';
import { verdictDiagnostics } from './verdict-diagnostics.ts';

/** Milliseconds after the last key. */
const PAUSE = 40;
/** Before a check while typing. */
const LONG_PAUSE = 800;

export class Documents {
  private readonly service: LanguageService;
  private readonly checker: Checker;
  private readonly peer: Pick<RpcPeer, 'notify'>;
  private readonly settings: () => Settings;
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly checks = new Map<string, ReturnType<typeof setTimeout>>();
  /** Per model the files that it has diagnostics in, with what is said there. */
  private readonly published = new Map<string, Map<string, unknown[]>>();

  constructor(
    service: LanguageService,
    checker: Checker,
    peer: Pick<RpcPeer, 'notify'>,
    settings: () => Settings,
  ) {
    this.service = service;
    this.checker = checker;
    this.peer = peer;
    this.settings = settings;
  }

  open(path: string, version: number, text: string): void {
    this.service.open(path, version, text);
    this.soon(path, 0);
    this.checkAfter(path, 0, this.settings().check !== 'off');
  }

  change(path: string, version: number, changes: readonly Change[]): void {
    const roots = this.service.rootsOf(path);
    this.service.change(path, version, changes);
    for (const root of new Set([path, ...roots])) {
      this.checker.cancel(root);
      this.soon(root, PAUSE);
      this.checkAfter(root, LONG_PAUSE, this.settings().check === 'type');
    }
  }

  save(path: string): void {
    for (const root of new Set([path, ...this.service.rootsOf(path)]))
      this.checkAfter(root, 0, this.settings().check !== 'off');
  }

  close(path: string): void {
    this.stop(path);
    this.service.close(path);
    this.checker.forget(path);
    this.publish(path, new Map());
    this.published.delete(path);
  }

  /** A file changed on the disk. */
  changedOnDisk(path: string): void {
    const roots = this.service.rootsOf(path);
    this.service.forget(path);
    for (const root of roots) this.soon(root, PAUSE);
  }

  closeAll(): void {
    for (const path of [...this.timers.keys(), ...this.checks.keys()]) this.stop(path);
    this.checker.cancelAll();
  }

  private stop(path: string): void {
    clearTimeout(this.timers.get(path));
    clearTimeout(this.checks.get(path));
    this.timers.delete(path);
    this.checks.delete(path);
  }

  private soon(path: string, pause: number): void {
    clearTimeout(this.timers.get(path));
    this.timers.set(
      path,
      setTimeout(() => {
        this.timers.delete(path);
        void this.diagnose(path);
      }, pause),
    );
  }

  private checkAfter(path: string, pause: number, wanted: boolean): void {
    clearTimeout(this.checks.get(path));
    this.checks.delete(path);
    if (!wanted) return;
    this.checks.set(
      path,
      setTimeout(() => {
        this.checks.delete(path);
        void this.check(path, false);
      }, pause),
    );
  }

  async check(path: string, again: boolean): Promise<void> {
    const understanding = await this.service.understand(path);
    if (understanding !== null) await this.checker.check(understanding, again);
  }

  /** Tells the client what is wrong, in every file of the model. */
  async diagnose(path: string): Promise<void> {
    if (this.service.texts.get(path) === null) return;
    const understanding = await this.service.understand(path);
    if (understanding === null || this.service.texts.get(path) === null) return;
    const { root, diagnostics } = understanding;
    const byFile = new Map<string, unknown[]>([[root, []]]);
    const add = (file: string, diagnostic: unknown): void => {
      byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
    };
    for (const diagnostic of diagnostics) add(fileOf(diagnostic, root), diagnosticOf(diagnostic));
    for (const { path: file, diagnostic } of this.verdicts(understanding)) add(file, diagnostic);
    this.publish(root, byFile);
  }

  private verdicts(understanding: Understanding): { path: string; diagnostic: unknown }[] {
    const findings = this.checker.findings(understanding);
    return findings === null ? [] : verdictDiagnostics(findings, understanding);
  }

  private publish(root: string, byFile: Map<string, unknown[]>): void {
    const before = this.published.get(root) ?? new Map<string, unknown[]>();
    this.published.set(root, byFile);
    for (const path of new Set([...before.keys(), ...byFile.keys()])) {
      const all = [...this.published.values()].flatMap((files) => files.get(path) ?? []);
      const version = this.service.texts.get(path)?.version;
      this.peer.notify('textDocument/publishDiagnostics', {
        uri: uriOfPath(path),
        ...(version === undefined ? {} : { version }),
        diagnostics: all,
      });
    }
  }
}

/** What has no place, and what stands in a text that is no file, is shown at the model. */
function fileOf({ span }: Diagnostic, root: string): string {
  const path = span?.file.path;
  return path === undefined || path.startsWith('<') ? root : path;
}
