// Published schemas as judges of what the reports write.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import { runProgram } from './run-program.ts';

/** The formats the SARIF schema uses, as strictly as needed to notice a path that is not an address. */
const FORMATS = {
  uri: (text: string) => /^[a-z][a-z\d+.-]*:/i.test(text) && URL.canParse(text) && onlyAllowed(text),
  'uri-reference': (text: string) =>
    URL.canParse(text, 'file:///a/') && onlyAllowed(text) && !/^[^/]*:(?!\/\/)/.test(text),
  'date-time': (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text),
};

const onlyAllowed = (text: string): boolean => /^([\w.~:/?#[\]@!$&'()*+,;=-]|%[\dA-F]{2})*$/i.test(text);

let sarif: ValidateFunction | null = null;

/** What the whole published schema of SARIF 2.1.0 says against a document; empty when it is valid. */
export function sarifProblems(document: unknown): string[] {
  if (sarif === null) {
    const path = createRequire(import.meta.url).resolve('schemastore/schemas/json/sarif-2.1.0.json');
    const schema = JSON.parse(readFileSync(path, 'utf8'));
    sarif = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false, formats: FORMATS }).compile(
      schema,
    );
  }
  sarif(document);
  return (sarif.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

interface SarifLocation {
  readonly physicalLocation?: {
    readonly artifactLocation?: { readonly uri?: string };
    readonly region?: Readonly<Record<string, number>>;
  };
}
interface SarifResult {
  readonly ruleId?: string;
  readonly message?: { readonly text?: string };
  readonly locations?: readonly SarifLocation[];
  readonly partialFingerprints?: Readonly<Record<string, string>>;
  readonly codeFlows?: readonly {
    readonly threadFlows: readonly { readonly locations: readonly { readonly location: SarifLocation }[] }[];
  }[];
}

/** What GitHub code scanning demands beyond the schema (its documentation, "SARIF support for code scanning"). */
export function codeScanningProblems(document: {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly Record<string, unknown>[] } };
    readonly results: readonly SarifResult[];
  }[];
}): string[] {
  const problems: string[] = [];
  const demand = (holds: unknown, problem: string): void => void (holds || problems.push(problem));
  for (const run of document.runs) {
    for (const rule of run.tool.driver.rules)
      for (const key of ['shortDescription', 'fullDescription', 'help'])
        demand((rule[key] as { text?: string } | undefined)?.text, `rule ${rule['id']} has no ${key}`);
    for (const result of run.results) {
      demand(
        run.tool.driver.rules.some((rule) => rule['id'] === result.ruleId),
        `no rule ${result.ruleId}`,
      );
      demand(result.message?.text, 'no message');
      demand(result.partialFingerprints?.['primaryLocationLineHash'], 'no fingerprint');
      demand((result.locations ?? []).length > 0, 'no location');
      const flows = (result.codeFlows ?? []).flatMap((flow) => flow.threadFlows);
      const steps = flows.flatMap((flow) => flow.locations.map((step) => step.location));
      demand(steps.length <= 10_000, 'a flow with too many places');
      for (const location of [...(result.locations ?? []), ...steps])
        problems.push(...placeProblems(location));
    }
  }
  return problems;
}

function placeProblems({ physicalLocation: place }: SarifLocation): string[] {
  const uri = place?.artifactLocation?.uri ?? '';
  const region = place?.region ?? {};
  const numbers = ['startLine', 'startColumn', 'endLine', 'endColumn'].filter((key) => !(region[key]! >= 1));
  return [
    ...(uri === '' || uri.startsWith('/') || uri.startsWith('file:')
      ? [`not a relative address: '${uri}'`]
      : []),
    ...numbers.map((key) => `${uri}: ${key} is ${region[key]}`),
    ...(region['startLine'] === region['endLine'] && region['endColumn']! <= region['startColumn']!
      ? [`${uri}: an empty stretch`]
      : []),
  ];
}

/** What xmllint says against JUnit XML: null when it is valid. */
export function junitProblems(xml: string): string | null {
  const schema = fileURLToPath(new URL('../report/junit.xsd', import.meta.url));
  const { status, stderr } = runProgram('xmllint', ['--noout', '--schema', schema, '-'], { input: xml });
  return status === 0 ? null : stderr;
}
