// What a call of `check` is to do: the models of the command line, or those that the configuration lists, with what is expected of them.

import { join as joinPath } from 'node:path';
import type { CheckOptions } from '../engine/options.ts';
import { CONFIG_FILE, type Config, type Expand, type Job, readConfig } from './config.ts';
import { expandGlob, isGlob } from './glob.ts';
import { analysisOptions, limitsOf } from './model-options.ts';
import type { Io, ParsedArgs } from './verb.ts';
import { InputError, UsageError } from './verb.ts';

export function jobsOf(args: ParsedArgs, io: Io): Config {
  if (args.positional.length > 0) {
    const shared = {
      properties: args.list('property'),
      expect: {},
      options: analysisOptions(args),
      limits: limitsOf(args),
      ...(args.value('language') === undefined ? {} : { language: args.value('language')! }),
    };
    const groups = args.flag('compose') ? [args.positional] : args.positional.map((path) => [path]);
    return { jobs: groups.map((paths) => ({ paths, ...shared })), reports: [], diagnostics: [] };
  }
  const path = args.value('config') ?? CONFIG_FILE;
  const text = io.readFile(path);
  if (text === null && args.value('config') !== undefined)
    throw new InputError(`${path}: no such file, or not readable`);
  if (text === null) throw new UsageError(`which model? give one or more files, or write a ${CONFIG_FILE}`);
  const config = readConfig(path, text, expander(io));
  return { ...config, jobs: config.jobs.map((job) => overridden(job, args)) };
}

/** A file may have the characters of a pattern in its name. */
const expander =
  (io: Io): Expand =>
  (pattern, folder) => {
    const isPath = !isGlob(pattern) || io.readFile(joinPath(folder, pattern)) !== null;
    if (isPath || io.listFolder === undefined) return null;
    // As paths of the configuration are written, so that both can be compared.
    return expandGlob(pattern, folder, io.listFolder).map((path) => joinPath(path));
  };

/** What the command line says wins over the configuration; macros and folders are added to those it lists. */
function overridden(job: Job, args: ParsedArgs): Job {
  const given = analysisOptions(args);
  const asked = args.list('property');
  return {
    ...job,
    ...(args.value('language') === undefined ? {} : { language: args.value('language')! }),
    // What is expected of a property is a wish to have it checked.
    properties:
      asked.length > 0
        ? asked
        : job.properties.length > 0
          ? [...new Set([...job.properties, ...Object.keys(job.expect)])]
          : [],
    limits: { ...job.limits, ...limitsOf(args) },
    options: mergedOptions(job.options, given, args),
  };
}

function mergedOptions(configured: CheckOptions, given: CheckOptions, args: ParsedArgs): CheckOptions {
  const named = new Set(args.list('define').map(macroName));
  const merged: Record<string, unknown> = { ...configured };
  for (const [key, value] of Object.entries(given)) {
    // What the command line leaves out is the configuration's to say: flags that are not set, lists that are empty.
    const isSaid = Array.isArray(value) ? value.length > 0 : value !== DEFAULTS[key];
    if (isSaid || !(key in merged)) merged[key] = value;
  }
  return {
    ...merged,
    defines: [
      ...(configured.defines ?? []).filter((define) => !named.has(macroName(define))),
      ...args.list('define'),
    ],
    includes: [...args.list('include'), ...(configured.includes ?? [])],
  };
}

/** Flags as they are when nobody gave them. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  confirm: true,
  exact: false,
  fair: false,
  reduction: true,
  coverage: false,
  monolithic: false,
  compose: false,
};

const macroName = (define: string): string => define.split('=')[0]!;
