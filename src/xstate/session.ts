// A process of its own for the user's module, under limits: it is loaded, explored and replayed there, never in Spillway's own process.
//
// What is contained: the process may write nothing and start nothing (Node's permission model), reads only its one file where esbuild could make
// one, has a limit of memory, and is ended when its time is over. Connections are refused by the process itself, which a module bent on
// it could get round: what is explored should be trusted as much as what is tested.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Move } from '../actors/graph.ts';
import type { ActorSystem } from '../actors/system.ts';
import { type BundleResult, bundleModule } from './bundle.ts';
import { hostScript } from './host-script.ts';
import type { Look, Reply, Request } from './messages.ts';

export interface SessionLimits {
  /** For loading the module, and again for each replay. */
  readonly milliseconds: number;
  readonly megabytes: number;
  /** Milliseconds that an exploration gets to end by itself when its time is over. */
  readonly grace: number;
}

const SESSION_LIMITS: SessionLimits = { milliseconds: 10_000, megabytes: 1024, grace: 5_000 };

export type Failed =
  | (Reply & { readonly kind: 'failed' })
  | {
      readonly kind: 'died';
      readonly how: 'time' | 'memory' | 'never-settles' | 'ended';
      readonly text: string;
    };

export type Opened =
  | { readonly ok: true; readonly session: Session; readonly loaded: Reply & { kind: 'loaded' } }
  | { readonly ok: false; readonly failed: Failed }
  | { readonly ok: false; readonly bundle: Exclude<BundleResult, { ok: true }> };

export interface SessionRequest {
  readonly path: string;
  readonly text: string;
  readonly exportName: string | null;
  readonly limits?: Partial<SessionLimits>;
}

export async function openSession({ path, text, exportName, limits = {} }: SessionRequest): Promise<Opened> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'spillway-')));
  const bundle = await bundleModule(path, text, folder);
  if (!bundle.ok) {
    rmSync(folder, { recursive: true, force: true });
    return { ok: false, bundle };
  }
  const { module, xstate, alone } = bundle.bundled;
  const session = new Session(folder, await hostScript(), alone, { ...SESSION_LIMITS, ...limits });
  const json = path.endsWith('.json') ? text : null;
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const reply = await session.ask({ kind: 'load', module, xstate, json, exportName, name });
  if (reply.kind === 'loaded') return { ok: true, session, loaded: reply };
  session.close();
  if (reply.kind === 'failed' || reply.kind === 'died') return { ok: false, failed: reply };
  throw new Error('impossible: a module that is loaded says so');
}

export class Session {
  private readonly folder: string;
  private readonly limits: SessionLimits;
  private readonly child: ChildProcess;
  private errors = '';
  private waiting: ((reply: Reply | Failed) => void) | null = null;
  private dead: Failed | null = null;

  constructor(folder: string, script: string, alone: boolean, limits: SessionLimits) {
    this.folder = folder;
    this.limits = limits;
    const readable = alone ? [`${folder}/*`, script] : ['*'];
    const [command, ...leading] = mortalCommand();
    this.child = spawn(
      command,
      [
        ...leading,
        ...permissions(readable),
        `--max-old-space-size=${limits.megabytes}`,
        '--enable-source-maps',
        script,
      ],
      { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: { PATH: process.env['PATH'] ?? '' }, cwd: folder },
    );
    this.child.stderr!.on('data', (data: Buffer) => {
      this.errors = (this.errors + data.toString()).slice(-20_000);
    });
    this.child.on('message', (reply: Reply) => this.answer(reply));
    this.child.on('error', (error) => this.died({ kind: 'died', how: 'ended', text: error.message }));
    this.child.on('exit', (code, signal) => this.died(howItDied(code, signal, this.errors)));
    this.child.unref();
    (this.child.channel as unknown as { unref(): void } | undefined)?.unref();
    (this.child.stderr as unknown as { unref(): void }).unref();
  }

  async explore(
    milliseconds: number,
    states: number,
  ): Promise<{ readonly system: ActorSystem; readonly looks: readonly Look[] } | Failed> {
    const time = Math.min(milliseconds, 2 ** 31 - 20_000);
    // What has no limit has none in JSON either.
    const most = Math.min(states, Number.MAX_SAFE_INTEGER);
    const reply = await this.ask(
      { kind: 'explore', milliseconds: time, states: most },
      time + this.limits.grace,
    );
    if (reply.kind === 'explored') return { system: reply.system, looks: reply.looks };
    if (reply.kind === 'failed' || reply.kind === 'died') return reply;
    throw new Error('impossible: an exploration ends in one of these');
  }

  /** Null: the run happens as it is told. */
  async replay(moves: readonly Move[]): Promise<string | null> {
    const reply = await this.ask({ kind: 'replay', moves });
    if (reply.kind === 'replayed') return reply.different;
    return reply.kind === 'died' || reply.kind === 'failed' ? 'the real system did not answer' : 'no answer';
  }

  ask(request: Request, milliseconds = this.limits.milliseconds): Promise<Reply | Failed> {
    if (this.dead !== null) return Promise.resolve(this.dead);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.died({ kind: 'died', how: 'time', text: `${Math.round(milliseconds / 1000)} seconds` });
      }, milliseconds);
      this.waiting = (reply) => {
        clearTimeout(timer);
        this.waiting = null;
        resolve(reply);
      };
      this.child.send(request, (error) => {
        if (error !== null) this.died({ kind: 'died', how: 'ended', text: error.message });
      });
    });
  }

  private answer(reply: Reply | Failed): void {
    this.waiting?.(reply);
  }

  private died(how: Failed): void {
    this.dead ??= how;
    this.child.kill('SIGKILL');
    this.answer(this.dead ?? how);
    this.close();
  }

  close(): void {
    this.dead ??= { kind: 'died', how: 'ended', text: 'closed' };
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function howItDied(code: number | null, signal: string | null, errors: string): Failed {
  if (/heap out of memory|Allocation failed/.test(errors)) return { kind: 'died', how: 'memory', text: '' };
  if (code === 13) return { kind: 'died', how: 'never-settles', text: '' };
  return { kind: 'died', how: 'ended', text: signal ?? `exit code ${code}` };
}

/**
 * Node, so that it dies with us: an endless loop in a module hears nothing, so a killed check would leave it running for ever. Linux can tell
 * the kernel so; elsewhere it is ended by us or not at all, which docs/xstate.md says.
 */
function mortalCommand(): [string, ...string[]] {
  const wrapper = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  if (process.platform !== 'linux' || wrapper === undefined) return [process.execPath];
  return [wrapper, '--pdeathsig', 'KILL', process.execPath];
}

/** The permission model has two names; where there is none, nothing is said, and docs/xstate.md says so. */
function permissions(readable: readonly string[]): string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const flag = major > 23 || (major === 23 && minor >= 5) ? '--permission' : '--experimental-permission';
  return [flag, ...readable.map((path) => `--allow-fs-read=${path}`), '--no-warnings'];
}
