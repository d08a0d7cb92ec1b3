// Builds the playground into web/dist: plain files for any server. With --serve it is shown on localhost.

import { createReadStream, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyModules, copySolver, withoutNode } from './without-node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** An example is a file; further ones that it names lie beside it. */
function examples() {
  const list = JSON.parse(readFileSync(join(root, 'web/examples.json'), 'utf8'));
  return list.map(({ group, title, file, beside = [] }) => {
    const path = basename(file);
    const read = (name) => [name, readFileSync(join(root, dirname(file), name), 'utf8')];
    return { group, title, path, files: Object.fromEntries([path, ...beside].map(read)) };
  });
}

/** The report's style, as the report has it, then the page's own. */
async function style(out) {
  const file = join(out, 'style.mjs');
  await build({
    entryPoints: [join(root, 'src/report/html/style.ts')],
    outfile: file,
    bundle: true,
    format: 'esm',
    logLevel: 'warning',
  });
  const { STYLE } = await import(`${file}?${Date.now()}`);
  await rm(file);
  return `${STYLE}\n${await readFile(join(root, 'web/page.css'), 'utf8')}`;
}

export async function buildWeb(out = join(root, 'web/dist')) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { metafile } = await build({
    entryPoints: {
      page: join(root, 'web/page.ts'),
      worker: join(root, 'web/worker.ts'),
      reader: join(root, 'web/reader.ts'),
    },
    outdir: out,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    chunkNames: 'part-[hash]',
    define: { SPILLWAY_EXAMPLES: JSON.stringify(examples()) },
    plugins: [withoutNode()],
    metafile: true,
    logLevel: 'warning',
  });
  await copyFile(join(root, 'web/index.html'), join(out, 'index.html'));
  await copyModules(out);
  await copySolver(join(out, 'z3'));
  await writeFile(join(out, 'page.css'), await style(out));
  return metafile;
}

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** With them a page has memory shared between threads, which z3 needs. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

/** Only for this machine: files of the folder, nothing else. */
export function serve(folder, port, headers = ISOLATED) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const file = join(folder, path === '/' ? 'index.html' : path);
    const found = file.startsWith(folder) && (await stat(file).catch(() => null))?.isFile();
    if (!found) return response.writeHead(404).end('not found');
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, ...headers });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = join(root, 'web/dist');
  await buildWeb(out);
  const names = await readdir(out);
  console.log(`web/dist: ${names.length} files, to be put on any server`);
  if (process.argv.includes('--serve')) {
    const port = Number(process.env['PORT'] ?? 8080);
    await serve(out, port);
    console.log(`http://localhost:${port}/ (Ctrl-C ends it)`);
  }
}
