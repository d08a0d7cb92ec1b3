// What comes before the search: reading a medium model, its instances and its net, beside a search of a hundred thousand of its states. Stations in a
// ring pass calls on, each with a protocol of its own over six kinds of messages, sequence numbers, timers and retries: about 900 lines
// with twelve stations. Seconds of processor time. Building must not dominate.
// Run: node bench/building.bench.mjs [STATIONS…] (default 6 12 24)
import { importSource } from './source.mjs';

const { loadPromela, buildNet, compileModel, search, SILENT, UNLIMITED } = await importSource(
  'promela/load.ts',
  'net/build.ts',
  'explore/compile.ts',
  'explore/search.ts',
  'base/budget.ts',
);
const STATES = 100_000;

const station = (i, count) => {
  const next = (i + 1) % count;
  const retries = 2 + (i % 3);
  return `
proctype station${i}() {
  mtype state = idle;
  mtype kind;
  byte number, expected, tries;
  byte from;
  bool isOpen = false;
  do
  :: state == idle && len(line[${next}]) == 0 ->
     if
     :: line[${next}]!request, number, ${i};
        state = asked;
        tries = 0
     :: skip
     fi
  :: line[${i}]?kind, expected, from ->
     if
     :: kind == request ->
        if
        :: state == idle ->
           back[from]!accept, expected, ${i};
           state = busy;
           isOpen = true
        :: else ->
           back[from]!refuse, expected, ${i}
        fi
     :: kind == data ->
        if
        :: isOpen && expected == number ->
           back[from]!ack, expected, ${i};
           number = (number + 1) % ${3 + (i % 4)}
        :: isOpen && expected != number ->
           back[from]!ack, number, ${i}
        :: else ->
           skip
        fi
     :: kind == finish ->
        isOpen = false;
        number = 0;
        state = idle;
        back[from]!ack, expected, ${i}
     :: else ->
        assert(false)
     fi
  :: back[${i}]?kind, expected, from ->
     if
     :: kind == accept && state == asked ->
        state = open;
        line[${next}]!data, number, ${i}
     :: kind == refuse && state == asked ->
        state = idle
     :: kind == ack && state == open ->
        if
        :: expected == number ->
           number = (number + 1) % ${3 + (i % 4)};
           if
           :: number == 0 -> line[${next}]!finish, number, ${i}; state = closing
           :: else -> line[${next}]!data, number, ${i}
           fi
        :: else ->
           line[${next}]!data, number, ${i}
        fi
     :: kind == ack && state == closing ->
        state = idle
     :: else ->
        skip
     fi
  :: timeout && state == asked ->
     if
     :: tries < ${retries} -> tries++; line[${next}]!request, number, ${i}
     :: else -> state = idle
     fi
  od
}
`;
};

const modelOf = (count) => `mtype = { request, accept, refuse, data, ack, finish };
mtype = { idle, asked, open, busy, closing };
chan line[${count}] = [3] of { mtype, byte, byte };
chan back[${count}] = [3] of { mtype, byte, byte };
${Array.from({ length: count }, (_, i) => station(i, count)).join('')}
init { atomic { ${Array.from({ length: count }, (_, i) => `run station${i}()`).join('; ')} } }
`;

function timed(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [6, 12, 24];
for (const count of counts) {
  const text = modelOf(count);
  const read = timed(() => loadPromela('m.pml', { read: (path) => (path === 'm.pml' ? text : null) }));
  const { program } = read.result;
  if (program === null) throw new Error(JSON.stringify(read.result.diagnostics[0]?.message));
  const net = timed(() => buildNet(program));
  const model = timed(() => compileModel(program).value);
  const found = timed(() =>
    search(
      model.result,
      { all: true, assertions: true, endStates: true },
      { ...UNLIMITED, maxStates: STATES },
      SILENT,
    ),
  );
  const built = read.seconds + net.seconds + model.seconds;
  console.log(
    `${String(text.split('\n').length).padStart(5)} lines: reading ${read.seconds.toFixed(2)} s, net ${net.seconds.toFixed(2)} s, machine ${model.seconds.toFixed(2)} s, search of ${found.result.states} states ${found.seconds.toFixed(2)} s; building : search = ${(built / found.seconds).toFixed(2)}`,
  );
}
