import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { render } from '../source/diagnostic.ts';
import { SourceFile } from '../source/source.ts';
import { explore, objection, walk } from './concrete/explore.ts';
import { showState } from './concrete/state.ts';
import { after } from './concrete/step.ts';
import { readModel } from './resolve/read.ts';
import { prepare } from './safety/formula.ts';
import { Induction } from './safety/induction.ts';
import { Decider } from './solver/decider.ts';

async function go(text: string) {
  const r = readModel(new SourceFile('m.ecfsm', text));
  for (const d of r.diagnostics) console.log(render(d));
  const m = r.model!;
  const d = new Decider();
  const t0 = performance.now();
  const res = await new Induction(prepare(m.protocol, m.invariant), d).run(UNLIMITED, 10, () => {});
  console.log(performance.now() - t0, res.obligations, res.cases, d.counts);
  for (const f of res.failures) {
    const ex = f.kind === 'initial' ? f.state : f.example?.state;
    console.log(
      f.kind,
      f.kind === 'step' ? m.invariant[f.disjunct]!.name + ' ' + f.action.name : '',
      ex ? showState(m.protocol, ex) : 'no example',
      f.kind === 'step' && f.example
        ? '==> ' + showState(m.protocol, after(f.example.state, f.action, f.example.parameter))
        : '',
    );
  }
  const e = explore(m.protocol, 2000, (s) => objection(m.protocol, m.invariant, s));
  console.log(
    e.states.length,
    e.complete,
    e.found?.what,
    e.found?.run.steps.map((s) => s.action.name + s.parameter).join(' '),
  );
  const w = walk(m.protocol, { seed: 1, walks: 100, length: 60 }, (s) =>
    objection(m.protocol, m.invariant, s),
  );
  console.log(w?.what);
}
test('x', async () => {
  const text = readFileSync('corpus/ecfsm/minor-sync.ecfsm', 'utf8');
  await go(text);
  await go(text.replace('A.VA <= firstp(B->A)', 'A.VA < firstp(B->A)'));
  await go(text.replace('step1(A->B),', ''));
  await go(text.replace('do VA := sn + 1;', 'do VA := sn;'));
  await go(text.replace('P7 = control', '//'));
});
