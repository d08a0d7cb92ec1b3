import { VERSION } from '../base/version.ts';
import { commandOf, type ModelReport } from '../verdict/verdict.ts';

/** The JSON of docs/cli.md, schema 1. One model is an object, several are an array of them. */
export function reportJson(reports: readonly ModelReport[]): string {
  const documents = reports.map((report) => ({
    schema: 1,
    tool: { name: 'spillway', version: VERSION },
    model: { files: report.files, language: report.language },
    properties: report.properties.map(({ reproduce, ...rest }) => ({
      ...rest,
      reproduce: commandOf(reproduce),
    })),
    diagnostics: report.diagnostics.map(({ code, severity, message, at, help }) => ({
      code,
      severity,
      file: at?.file ?? null,
      line: at?.line ?? null,
      column: at?.column ?? null,
      ...(at === null ? {} : { endLine: at.endLine, endColumn: at.endColumn }),
      message,
      ...(help === undefined ? {} : { help }),
    })),
  }));
  return `${JSON.stringify(documents.length === 1 ? documents[0] : documents, null, 2)}\n`;
}
