import { test } from 'vitest';
import { readFileSync } from 'node:fs';
import { SourceFile } from '../source/source.ts';
import { render } from '../source/diagnostic.ts';
import { readModel } from './resolve/read.ts';
import { PRELUDE } from './sequence/prelude.ts';
import { parse } from './syntax/parse.ts';
import { proveDefinitions } from './sequence/prove.ts';
test('x', () => {
  const text = readFileSync('corpus/ecfsm/minor-sync.ecfsm', 'utf8');
  const r = readModel(new SourceFile('m.ecfsm', text));
  for (const d of r.diagnostics) console.log(render(d));
  console.log(JSON.stringify(r.model?.invariant.map(d => [d.name, d.relations.length, d.languages[0].key])));
  console.log(r.model?.frame.length);
  console.log(proveDefinitions(r.model!.protocol.definitions, () => true).map(u => u.kind + u.name + u.span.file.text.slice(u.span.start, u.span.end)));
});
