// `--certificates DIR`: every proof and every run in a file of its own, named after model and property.

import { evidenceName } from '../report/see-it.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import type { Io } from './verb.ts';

export function writeEvidence(reports: readonly ModelReport[], folder: string, io: Io): void {
  io.makeFolder(folder);
  for (const report of reports) {
    for (const property of report.properties) {
      const name = `${folder}/${evidenceName(report.files, property.id)}`;
      const { evidence } = property;
      const certificate =
        evidence?.kind === 'certificate' || evidence?.kind === 'induction' ? evidence.certificate : undefined;
      if (certificate !== undefined) io.writeFile(`${name}.cert.json`, json(certificate));
      if (evidence?.kind === 'run') {
        io.writeFile(`${name}.run.json`, json(evidence.run));
        if (evidence.harness !== undefined) io.writeFile(`${name}.harness.c`, evidence.harness);
      }
    }
  }
}

/** Lists of numbers on one line each: certificates have many. */
const json = (value: unknown): string =>
  `${JSON.stringify(value, null, 1).replace(/\[[\s\d,-]*\]/g, (list) => list.replace(/\s+/g, ''))}\n`;
