// Communicating finite state machines: `.fsa`, `.cms`, session types, choreographies. Properties `bounded`, `deadlock-free`, `unspecified-reception`,
// `orphan-message`, `safe`.

import { audit as auditBounds } from '../certificate/document.ts';
import type { Audited, Language, Loaded, WorkRequest } from '../engine/language.ts';
import { netOf } from '../machines/net.ts';
import { readGlobal } from '../machines/project.ts';
import { readFsa } from '../machines/read-fsa.ts';
import { isCms, isSessionTypes, readTypes } from '../machines/read-types.ts';
import { MachineSimulation, replayMachines, showsFault, simulateMachines } from '../machines/run.ts';
import type { MachineSystem } from '../machines/system.ts';
import { drawMachines, writeFsa, writeMachinesAsPromela } from '../machines/write.ts';
import { plainNet } from '../net/petri.ts';
import { auditPetri } from '../petri/document.ts';
import { writePnml } from '../petri/write-pnml.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import {
  channelSums,
  MACHINE_PORTFOLIO,
  MACHINE_PROPERTIES,
  machineDeadProblem,
} from './machines/engines.ts';
import { mapped, readOneFile } from './one-file.ts';
import { unknownProperty } from './requests.ts';
import { acceptedBounds } from './whole-bounds.ts';

const FORMATS: Readonly<Record<string, (system: MachineSystem) => string>> = {
  fsa: writeFsa,
  promela: (system) => writeMachinesAsPromela(system),
  pnml: (system) => writePnml(plainNet(netOf(system), { name: system.name }).petri),
};

export const machines: Language<MachineSystem> = {
  name: 'machines',
  load: async (request) => {
    request.observer.stage('parse');
    return read(request);
  },
  questions: (_, asked) => ({
    properties: asked.length > 0 ? [...new Set(asked)] : MACHINE_PROPERTIES,
    diagnostics: asked
      .filter((property) => !MACHINE_PROPERTIES.includes(property))
      .map((property) => unknownProperty(property, MACHINE_PROPERTIES)),
  }),
  portfolio: [
    ...MACHINE_PORTFOLIO,
    {
      engine: {
        name: 'pictures',
        settles: () => false,
        run: ({ model }, _budget, _observer, learn) =>
          learn({ kind: 'pictures', graphs: drawMachines(model) }),
      },
      pictures: true,
    },
  ],
  graphs: async (request) => mapped(read(request), drawMachines),
  simulate: async (request) =>
    mapped(read(request), (system) => ({
      begin: () => new MachineSimulation(system) as never,
      random: (seed, steps) => simulateMachines(system, seed, steps),
      isBad: ({ kind }) => MACHINE_PROPERTIES.includes(kind),
    })),
  replay: async (recorded, request) => mapped(read(request), (system) => replayMachines(system, recorded)),
  shows: showsFault,
  audit: async (document, request) => audit(document, read(request)),
  convert: async (request) => {
    const { model, diagnostics } = read(request);
    return { text: model === null ? null : FORMATS[request.format]!(model), diagnostics };
  },
};

const read = (request: Pick<WorkRequest, 'paths' | 'files'>): Loaded<MachineSystem> =>
  readOneFile(request, (file) => {
    const { path, text } = file;
    const isProcess = path.endsWith('.cms') || isCms(text) || isSessionTypes(text);
    const isGlobal = /\.(sgg|gc)$/.test(path);
    const { system, diagnostics } = isGlobal ? readGlobal(file) : isProcess ? readTypes(file) : readFsa(file);
    return { model: system, diagnostics };
  });

function audit(
  document: CertificateDocument,
  { model: system, diagnostics }: Loaded<MachineSystem>,
): Audited {
  if (system === null) return { kind: 'errors', diagnostics };
  const rejected = (reason: string): Audited => ({ kind: 'rejected', reason });
  if (document.property === 'deadlock-free' && document.kind === 'marking-equation') {
    const { plain, question } = machineDeadProblem(system);
    const audited = auditPetri(document, plain.petri, { kind: 'never', question, targets: [] });
    return audited.ok
      ? { kind: 'accepted', says: ['the machines are never stuck'] }
      : rejected(audited.error);
  }
  const net = netOf(system);
  const names = system.channels.map(({ name }) => name);
  if (document.property === 'bounded' && document.kind === 'coverability') {
    const plain = plainNet(net);
    const audited = auditPetri(document, plain.petri, { kind: 'bounds', sums: channelSums(plain, system) });
    return audited.ok ? acceptedBounds(audited.value, names) : rejected(audited.error);
  }
  const audited = auditBounds(document, net);
  if (!audited.ok) return rejected(audited.error);
  return audited.value.property === 'bounded'
    ? acceptedBounds(audited.value.queues, names)
    : rejected('this is no certificate of machines');
}
