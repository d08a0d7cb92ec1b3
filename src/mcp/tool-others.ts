// audit, convert, models, explain, docs.

import { audit as auditCertificate, convert as convertModel } from '../api/api.ts';
import { LANGUAGES, languageFor, languageOf } from '../check/languages.ts';
import { hasErrors, render, suggest } from '../source/diagnostic.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import { searchPages, sectionOf } from './pages.ts';
import { Refusal } from './schema.ts';
import { shortened, type Tool } from './tool.ts';
import { MODEL_ARGUMENTS } from './workspace.ts';

export const audit: Tool = {
  name: 'audit',
  title: 'Audit a certificate',
  description:
    'Checks the certificate of a proof again against the model, apart from the analysis that made it, in exact integers. Rejected after a change of the model: check again.',
  schema: {
    type: 'object',
    properties: {
      ...MODEL_ARGUMENTS,
      report: {
        type: 'integer',
        minimum: 1,
        description: 'number of a report of this session (default: the last)',
      },
      property: { type: 'string', description: 'whose certificate; default: the first that has one' },
      file: { type: 'string', description: 'instead of a report: the file of a certificate' },
    },
    required: ['model'],
    additionalProperties: false,
  },
  run: async (call, workspace) => {
    const file = call.text('file');
    const report = call.number('report') ?? workspace.reports().at(-1)?.number;
    if (file === undefined && report === undefined)
      throw new Refusal('there is no report yet: call check first, or name a file');
    const certificate =
      file === undefined
        ? workspace.certificateOf(report!, call.text('property'))
        : (workspace.document(file) as CertificateDocument);
    if (typeof certificate !== 'object' || certificate === null) throw new Refusal(`${file}: no certificate`);
    const input = workspace.input(call);
    const audited = await workspace.inTurn(() => auditCertificate({ ...input, certificate }));
    if (audited.kind === 'accepted')
      return { text: `accepted\n${audited.says.join('\n')}`, data: { accepted: true } };
    if (audited.kind === 'errors') throw new Refusal(audited.diagnostics.map(render).join('\n'));
    return { text: `${audited.kind}: ${audited.reason}`, data: { accepted: false } };
  },
};

export const convert: Tool = {
  name: 'convert',
  title: 'Convert a model',
  description: `Writes a model in another format. ${LANGUAGES.flatMap(({ name, formats }) => (formats === undefined ? [] : [`${name}: ${formats.join(', ')}`])).join('; ')}.`,
  schema: {
    type: 'object',
    properties: { ...MODEL_ARGUMENTS, to: { type: 'string', description: 'the format' } },
    required: ['model', 'to'],
    additionalProperties: false,
  },
  run: async (call, workspace) => {
    const input = workspace.input(call);
    const format = call.text('to')!;
    const { formats = [], name } = languageFor(String(input.model), input.files, call.text('language')) ?? {
      name: 'such',
    };
    if (!formats.includes(format))
      throw new Refusal(
        `${name} models are written as ${formats.join(', ') || 'nothing else'}, not as '${format}'`,
      );
    const { text, diagnostics } = await workspace.inTurn(() => convertModel({ ...input, format }));
    if (hasErrors(diagnostics) || text === null)
      throw new Refusal(diagnostics.map(render).join('\n') || 'it cannot be written');
    const notes = diagnostics.map(({ message }) => `note: ${message}`);
    return {
      text: shortened(
        [...notes, text].join('\n'),
        `spillway convert ${String(input.model)} --to ${format} writes all of it`,
        40_000,
      ),
    };
  },
};

const MOST_MODELS = 200;
const MOST_FILES = 20_000;

export const models: Tool = {
  name: 'models',
  title: 'List models',
  description: 'The models below the server’s folder, by the extensions that belong to a language.',
  schema: {
    type: 'object',
    properties: { folder: { type: 'string', description: 'only below this folder' } },
    additionalProperties: false,
  },
  run: async (call, { host }) => {
    const files = host.list(call.text('folder') ?? '.', MOST_FILES);
    const found = files.flatMap((path) => {
      const language = languageOf(path);
      // Modules and configurations share their extensions with everything else.
      return language === null || language.name === 'xstate' ? [] : [{ path, language: language.name }];
    });
    const shown = found.slice(0, MOST_MODELS);
    const left = found.length - shown.length;
    const lines = shown.map(({ path, language }) => `${path}  (${language})`);
    return {
      text:
        found.length === 0
          ? 'no model here'
          : [...lines, ...(left > 0 ? [`… and ${left} more: give a folder`] : [])].join('\n'),
      data: { models: shown, more: left },
    };
  },
};

export const explain: Tool = {
  name: 'explain',
  title: 'Explain a word of Spillway',
  description:
    'What a diagnostic code (SPW1003), the reason of an unknown (time-limit) or a property (bounded) means, and what can be done.',
  schema: {
    type: 'object',
    properties: { code: { type: 'string', description: 'the code, the reason or the property' } },
    required: ['code'],
    additionalProperties: false,
  },
  run: async (call, { host }) => {
    const code = call.text('code')!;
    const known = await host.explanations();
    const found = known.get(code) ?? known.get(code.toUpperCase()) ?? known.get(code.replace(/:.*/s, ''));
    if (found !== undefined) return { text: `${code}: ${found.title}\n${found.explanation}` };
    const near = suggest(code, known.keys());
    throw new Refusal(
      `nothing is called '${code}'${near === null ? '; docs searches the documentation' : `; did you mean '${near}'?`}`,
    );
  },
};

export const docs: Tool = {
  name: 'docs',
  title: 'Look up the documentation',
  description:
    'Spillway’s documentation: search for words, or read a page or one of its sections. Languages, properties, options, formats, how proofs are checked.',
  schema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'words to search for' },
      page: { type: 'string', description: 'a page to read: promela, boundedness, cli, …' },
      section: { type: 'string', description: 'only the section with this heading' },
    },
    additionalProperties: false,
  },
  run: async (call, { host }) => {
    const pages = host.pages();
    if (pages.size === 0) throw new Refusal('the pages are not installed beside the program');
    const [page, section, query] = [call.text('page'), call.text('section'), call.text('query')];
    if (page !== undefined) {
      const text = pages.get(page.replace(/\.md$/, ''));
      if (text === undefined)
        throw new Refusal(`there is no page '${page}'; there are ${[...pages.keys()].join(', ')}`);
      return {
        text: shortened(sectionOf(text, section), 'give a section', section === undefined ? 6000 : 12_000),
      };
    }
    if (query === undefined) return { text: `pages: ${[...pages.keys()].join(', ')}` };
    const hits = searchPages(pages, query);
    if (hits.length === 0) return { text: `nothing says '${query}'; pages: ${[...pages.keys()].join(', ')}` };
    return {
      text: hits.map(({ page: name, heading, excerpt }) => `## ${name}: ${heading}\n${excerpt}`).join('\n\n'),
      data: { hits: hits.map(({ page: name, heading }) => ({ page: name, section: heading })) },
    };
  },
};
