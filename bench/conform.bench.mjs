// A log of a million events of a deterministic model: events a second of processor time, and how memory depends on the length of the log.
// Run: node bench/conform.bench.mjs (after npm run build)
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = new URL('../dist/cli.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'spillway-conform-'));
const model = join(folder, 'server.pml');
writeFileSync(
  model,
  `chan q = [1] of { byte }; chan r = [1] of { byte };
active proctype client() { byte x; do :: q!x; r?x od }
active proctype server() { byte y; do :: q?y; y = (y + 1) % 200; r!y od }
`,
);

function writeLog(events) {
  const path = join(folder, `${events}.ndjson`);
  const file = openSync(path, 'w');
  let x = 0;
  let block = '';
  for (let i = 0; i < events; i += 4) {
    const y = (x + 1) % 200;
    for (const [process, event, queue, message] of [
      ['client', 'send', 'q', x],
      ['server', 'receive', 'q', x],
      ['server', 'send', 'r', y],
      ['client', 'receive', 'r', y],
    ])
      block += `${JSON.stringify({ process, event, queue, message: String(message) })}\n`;
    x = y;
    if (block.length > 1 << 20) {
      writeSync(file, block);
      block = '';
    }
  }
  writeSync(file, block);
  closeSync(file);
  return path;
}

function run(path) {
  const script = `process.argv = ['node', 'spillway', 'conform', ${JSON.stringify(path)}, ${JSON.stringify(model)}, '--timeout', '3600'];
    process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); process.stderr.write(JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 })) });
    await import(${JSON.stringify(cli)});`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return { said: stdout.trim().replace(/^.*: /, ''), ...JSON.parse(stderr) };
}

try {
  for (const events of [100_000, 1_000_000]) {
    const { said, seconds, megabytes } = run(writeLog(events));
    console.log(
      `${said}: ${seconds.toFixed(1)} s of processor time, ${Math.round(events / seconds).toLocaleString('en')} events/s, ${megabytes.toFixed(0)} MB`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
