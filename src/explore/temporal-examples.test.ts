// The examples that come with SPIN (Debian's package): same answers as SPIN's verifier.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { loadPromela } from '../promela/load.ts';
import { spinVerdicts, toolsAvailable } from './temporal.fuzz.ts';
import type { TemporalProperty } from './temporal.ts';
import { checkTemporal } from './temporal.ts';

const FOLDER = '/usr/share/doc/spin/examples/Examples';
const available = toolsAvailable() && existsSync(FOLDER);
if (!available)
  console.log('spin, gcc or the examples of the package spin are missing: the comparison is skipped');

test
  .skipIf(!available)
  .each([
    'LTL/bakery.pml',
    'LTL/diskhead.pml',
    'LTL/ltl_always_eventually.pml',
    'LTL/mobile1.pml',
    'LTL/mobile2.pml',
    'LTL/petersonN.pml',
    'LTL/pftp.pml',
    'LTL/salesman1.pml',
    'LTL/salesman2.pml',
    ...(process.env['SPILLWAY_FUZZ'] === undefined ? [] : ['LTL/train.pml']),
    'LTL/zune.pml',
    'Book_1991/p123.pml',
    'werkplaats.pml',
    'Exercises/ex_3a.pml',
  ])('%s', (name) => {
  const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
  const { program } = loadPromela('model.pml', { read: (path) => (path === 'model.pml' ? text : null) });
  const properties: TemporalProperty[] = [
    ...program!.formulas.map((formula) => ({ kind: 'formula' as const, formula })),
    ...program!.claims.map((claim) => ({ kind: 'claim' as const, claim })),
  ];
  expect(properties.length).toBeGreaterThan(0);
  const theirs = spinVerdicts(
    text,
    properties.map((property) => (property.kind === 'formula' ? property.formula.name : null)),
  );
  const ours = properties.map((property) => checkTemporal(program!, property, {}, UNLIMITED, SILENT));
  expect(theirs).not.toContain(null);
  expect(ours.map((result) => result.verdict)).toEqual(
    theirs.map((violated) => (violated ? 'refuted' : 'proved')),
  );
});
