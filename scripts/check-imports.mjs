// Keeps the direction of imports: each room under src/ may import only the rooms listed for it in scripts/rooms.json.
// docs/architecture.md explains the map; a new edge is a design decision, not a convenience.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(new URL('..', import.meta.url).pathname);
const rooms = JSON.parse(readFileSync(join(root, 'scripts/rooms.json'), 'utf8'));
const problems = [];

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder)) {
    const file = join(folder, entry);
    if (statSync(file).isDirectory()) yield* sourceFiles(file);
    else if (file.endsWith('.ts')) yield file;
  }
}

const roomOf = (file) => {
  const parts = relative(join(root, 'src'), file).split('/');
  return parts.length > 1 ? parts[0] : null;
};

/** The rooms reachable through the allowed edges: importing a room implies its foundations. */
function closure(room, seen = new Set()) {
  for (const next of rooms[room] ?? []) {
    if (!seen.has(next)) {
      seen.add(next);
      closure(next, seen);
    }
  }
  return seen;
}

for (const file of sourceFiles(join(root, 'src'))) {
  const room = roomOf(file);
  if (room === null) continue;
  const where = relative(root, file);
  if (!(room in rooms)) {
    problems.push(`${where}: the room '${room}' is not listed in scripts/rooms.json`);
    continue;
  }
  // Tests may reach further (to build models, to compare engines); shipped code may not.
  if (/\.(test|fuzz)\.ts$/.test(file)) continue;
  const allowed = closure(room);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)) {
    const target = roomOf(resolve(dirname(file), specifier));
    if (target !== null && target !== room && !allowed.has(target)) {
      problems.push(`${where}: '${room}' must not import '${target}'`);
    }
  }
}

for (const room of Object.keys(rooms)) {
  if (closure(room).has(room)) problems.push(`scripts/rooms.json: '${room}' can reach itself`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log(`imports: ${Object.keys(rooms).length} rooms, one direction`);
