// Place/transition nets: PNML, and `.spec` in the notation of MIST and QCover. Properties `bounded`, `deadlock-free`, `cover:NAME`.

import type { Audited, Language, Loaded, WorkRequest } from '../engine/language.ts';
import { auditPetri } from '../petri/document.ts';
import { drawNet } from '../petri/draw.ts';
import type { NetModel } from '../petri/model.ts';
import { coverQuestion, deadQuestion } from '../petri/question.ts';
import { readPnml } from '../petri/read-pnml.ts';
import { readSpec } from '../petri/read-spec.ts';
import { NetSimulation, replayNet, simulateNet } from '../petri/simulate.ts';
import { writePnml } from '../petri/write-pnml.ts';
import { writePromela } from '../petri/write-promela.ts';
import { writeSpec } from '../petri/write-spec.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import { NET_PORTFOLIO } from './nets/engines.ts';
import { netPictures } from './nets/pictures.ts';
import { netQuestions, placeSums, targetOf } from './nets/questions.ts';
import { mapped, readOneFile } from './one-file.ts';
import { acceptedBounds } from './whole-bounds.ts';

const FORMATS: Readonly<Record<string, (model: NetModel) => string>> = {
  pnml: ({ net }) => writePnml(net),
  spec: writeSpec,
  promela: writePromela,
};

export const nets: Language<NetModel> = {
  name: 'net',
  load: async (request) => {
    request.observer.stage('parse');
    return read(request);
  },
  questions: netQuestions,
  portfolio: [...NET_PORTFOLIO, { engine: netPictures, pictures: true }],
  graphs: async (request) => mapped(read(request), ({ net }) => [drawNet(net)]),
  simulate: async (request) =>
    mapped(read(request), ({ net }) => ({
      begin: () => new NetSimulation(net) as never,
      random: (seed, steps) => simulateNet(net, seed, steps),
      isBad: ({ kind }) => kind === 'dead',
    })),
  replay: async (recorded, request) => mapped(read(request), ({ net }) => replayNet(net, recorded)),
  audit: async (document, request) => audit(document, read(request)),
  convert: async (request) => {
    const { model, diagnostics } = read(request);
    return { text: model === null ? null : FORMATS[request.format]!(model), diagnostics };
  },
};

const read = (request: Pick<WorkRequest, 'paths' | 'files'>): Loaded<NetModel> =>
  readOneFile(request, (file) => (/^\s*</.test(file.text) ? readPnml(file) : readSpec(file)));

function audit(document: CertificateDocument, { model, diagnostics }: Loaded<NetModel>): Audited {
  if (model === null) return { kind: 'errors', diagnostics };
  const { property } = document;
  const target = targetOf(model, property);
  if (property !== 'bounded' && property !== 'deadlock-free' && target === null)
    return { kind: 'rejected', reason: `the model has no property '${property}'` };
  const audited = auditPetri(
    document,
    model.net,
    property === 'bounded'
      ? { kind: 'bounds', sums: placeSums(model) }
      : target === null
        ? { kind: 'never', question: deadQuestion(model.net), targets: [] }
        : { kind: 'never', question: coverQuestion(target.marking), targets: [target.marking] },
  );
  if (!audited.ok) return { kind: 'rejected', reason: audited.error };
  if (property === 'bounded')
    return acceptedBounds(
      audited.value,
      placeSums(model).map(({ name }) => name),
    );
  return {
    kind: 'accepted',
    says: [target === null ? 'no dead marking is reachable' : `${target.name} is never covered`],
  };
}
