// Keeps the direction of imports. docs/architecture.md explains the map; a new edge is a design decision, not a convenience.
//   1. A room under src/ (a folder, or a folder in one that is a room of its own) imports only the rooms that scripts/rooms.json lists for it;
//      what is listed and not used is struck off.
//   2. The list has no cycle.
//   3. Files that import each other at run time, round in a circle, stand together in one of the folders listed as knots, with the reason.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(new URL('..', import.meta.url).pathname);
const { imports: rooms, knots } = JSON.parse(readFileSync(join(root, 'scripts/rooms.json'), 'utf8'));
const problems = [];

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder)) {
    const file = join(folder, entry);
    if (statSync(file).isDirectory()) yield* sourceFiles(file);
    else if (file.endsWith('.ts')) yield file;
  }
}

const inRepository = (file) => relative(root, file);
const roomOf = (file) => {
  const parts = relative(join(root, 'src'), file).split('/');
  const inner = parts.slice(0, 2).join('/');
  if (parts.length > 2 && inner in rooms) return inner;
  return parts.length > 1 ? parts[0] : null;
};

/** Tests may reach further (to build models, to compare engines); shipped code may not. */
const shipped = [...sourceFiles(join(root, 'src'))].filter((file) => !/\.(test|fuzz)\.ts$/.test(file));
const texts = new Map(shipped.map((file) => [file, readFileSync(file, 'utf8')]));

const used = new Map(Object.keys(rooms).map((room) => [room, new Set()]));
for (const [file, text] of texts) {
  const room = roomOf(file);
  if (room === null) continue;
  if (!(room in rooms)) {
    problems.push(`${inRepository(file)}: the room '${room}' is not listed in scripts/rooms.json`);
    continue;
  }
  for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)) {
    const target = roomOf(resolve(dirname(file), specifier));
    if (target === null || target === room) continue;
    used.get(room).add(target);
    if (!rooms[room].includes(target))
      problems.push(`${inRepository(file)}: '${room}' must not import '${target}'`);
  }
}
for (const [room, targets] of Object.entries(rooms))
  for (const target of targets)
    if (!used.get(room).has(target))
      problems.push(`scripts/rooms.json: '${room}' does not import '${target}' any more`);

/** Cycles of a graph: its strongly connected components with more than one member (Tarjan). */
function cycles(nodes, successors) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of successors(node)) {
      if (!index.has(next)) {
        visit(next);
        low.set(node, Math.min(low.get(node), low.get(next)));
      } else if (stack.includes(next)) low.set(node, Math.min(low.get(node), index.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) found.push(component);
  };
  for (const node of nodes) if (!index.has(node)) visit(node);
  return found;
}

for (const cycle of cycles(Object.keys(rooms), (room) => rooms[room] ?? []))
  problems.push(`scripts/rooms.json: these rooms import each other: ${cycle.join(', ')}`);

/** What a file imports when it runs: types are gone by then, and `import()` waits until it is called. */
function runtimeImports(file) {
  const found = [];
  for (const [, isType, names, specifier] of texts
    .get(file)
    .matchAll(/^(?:import|export)\s+(type\s+)?([^;]*?)\s*from\s*'(\.[^']*)'/gms)) {
    const listed = names.startsWith('{') ? names.slice(1, names.lastIndexOf('}')).split(',') : [''];
    const onlyTypes = names.startsWith('{') && listed.every((name) => /^\s*(type\s|$)/.test(name));
    const target = resolve(dirname(file), specifier);
    if (!isType && !onlyTypes && texts.has(target)) found.push(target);
  }
  return found;
}
const tied = new Set();
for (const cycle of cycles([...texts.keys()], runtimeImports)) {
  const knot = Object.keys(knots).find((folder) =>
    cycle.every((file) => dirname(inRepository(file)) === folder),
  );
  if (knot === undefined)
    problems.push(`these files import each other round in a circle: ${cycle.map(inRepository).join(', ')}`);
  else tied.add(knot);
}
for (const folder of Object.keys(knots))
  if (!tied.has(folder))
    problems.push(`scripts/rooms.json: nothing in ${folder} imports in a circle any more`);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log(`imports: ${Object.keys(rooms).length} rooms, one direction, ${tied.size} knots`);
