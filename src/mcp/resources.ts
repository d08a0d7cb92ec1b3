// What a client can read by address: the reports of this session, whole, their runs and certificates as files that other verbs take, and
// the pages of the documentation.

import { render } from '../api/api.ts';
import { Refusal } from './schema.ts';
import type { Workspace } from './workspace.ts';

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly mimeType: string;
}

const JSON_TYPE = 'application/json';

export function listResources(workspace: Workspace): Resource[] {
  const reports = workspace.reports().flatMap(({ number, report }) => {
    const base = `spillway://report/${number}`;
    const title = report.files.join(' ');
    return [
      { uri: base, name: `report-${number}.json`, title, mimeType: JSON_TYPE },
      { uri: `${base}/text`, name: `report-${number}.txt`, title, mimeType: 'text/plain' },
      ...report.properties.flatMap(({ id, evidence }) =>
        evidence?.kind === 'run' || evidence?.kind === 'certificate'
          ? [
              {
                uri: `${base}/${evidence.kind}/${encodeURIComponent(id)}`,
                name: `${evidence.kind} of ${id}`,
                title,
                mimeType: JSON_TYPE,
              },
            ]
          : [],
      ),
    ];
  });
  const pages = [...workspace.host.pages().keys()].map((name) => ({
    uri: `spillway://docs/${name}`,
    name: `${name}.md`,
    mimeType: 'text/markdown',
  }));
  return [...reports, ...pages];
}

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'spillway://report/{number}',
    name: 'report',
    description: 'a report as `spillway check --format json` writes it',
    mimeType: JSON_TYPE,
  },
  { uriTemplate: 'spillway://report/{number}/text', name: 'report as text', mimeType: 'text/plain' },
  {
    uriTemplate: 'spillway://report/{number}/run/{property}',
    name: 'run',
    description: 'a counterexample, for `spillway replay`',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: 'spillway://report/{number}/certificate/{property}',
    name: 'certificate',
    description: 'for `spillway audit`',
    mimeType: JSON_TYPE,
  },
  { uriTemplate: 'spillway://docs/{page}', name: 'documentation', mimeType: 'text/markdown' },
] as const;

/** Throws a refusal for what is not there. */
export async function readResource(
  workspace: Workspace,
  uri: string,
): Promise<{ readonly mimeType: string; readonly text: string }> {
  const [, page] = /^spillway:\/\/docs\/([\w-]+)$/.exec(uri) ?? [];
  if (page !== undefined) {
    const text = workspace.host.pages().get(page);
    if (text === undefined) throw new Refusal(`there is no page '${page}'`);
    return { mimeType: 'text/markdown', text };
  }
  const [, number, part, id] =
    /^spillway:\/\/report\/(\d{1,9})(?:\/(text|run|certificate)(?:\/(.+))?)?$/.exec(uri) ?? [];
  if (number === undefined) throw new Refusal(`there is no resource ${uri}`);
  const { report } = workspace.report(Number(number));
  const property = id === undefined ? undefined : decoded(id);
  if (part === 'run') return json(workspace.runOf(Number(number), property));
  if (part === 'certificate') return json(workspace.certificateOf(Number(number), property));
  return part === 'text'
    ? { mimeType: 'text/plain', text: await render([report], 'text') }
    : { mimeType: JSON_TYPE, text: await render([report], 'json') };
}

const json = (value: unknown): { mimeType: string; text: string } => ({
  mimeType: JSON_TYPE,
  text: JSON.stringify(value),
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
