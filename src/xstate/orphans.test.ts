// A check that is killed takes the process of the user's module with it, however busy that is.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const canDie = process.platform === 'linux' && existsSync('/usr/bin/setpriv');
if (!canDie) console.log('skipped: only Linux (with util-linux) ends a process with its parent');

test.runIf(canDie)('an endless module does not outlive a killed check', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-orphan-'));
  try {
    const script = join(folder, 'endless.mjs');
    const entry = join(folder, 'session.mjs');
    writeFileSync(script, 'for (;;) {}');
    await build({
      entryPoints: [fileURLToPath(new URL('./session.ts', import.meta.url))],
      outfile: entry,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['esbuild'],
      logLevel: 'error',
    });
    const limits = JSON.stringify({ milliseconds: 1e9, megabytes: 100 });
    const driver = `import { Session } from ${JSON.stringify(entry)};
      const session = new Session(${JSON.stringify(folder)}, ${JSON.stringify(script)}, true, ${limits});
      console.log(session.child.pid); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', driver], { stdio: 'pipe' });
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    expect(isDoomed(pid)).toBe(false);
    const exit = new Promise((resolve) => parent.once('exit', resolve));
    parent.kill('SIGKILL');
    await exit;
    // The kernel tells the child before it tells who waits for the parent.
    const wasDoomed = isDoomed(pid);
    if (!wasDoomed) process.kill(pid, 'SIGKILL');
    expect(wasDoomed).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Is the process gone, going, or told to go? */
function isDoomed(pid: number): boolean {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return true;
  }
  const killed = 1n << 8n;
  const pending = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)/gm)];
  return /^State:\s*[ZX]/m.test(status) || pending.some(([, mask]) => (BigInt(`0x${mask}`) & killed) !== 0n);
}
