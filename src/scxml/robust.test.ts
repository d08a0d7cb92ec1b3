// Whatever is in a file, the answer is a chart or a diagnostic with a place; what never ends is told.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { exploreSystem } from '../actors/explore.ts';
import { render } from '../source/diagnostic.ts';
import { ChartBehaviour } from './behaviour.ts';
import { dataModels } from './models.ts';
import { type Engine, loadEngine } from './sandbox.ts';
import { loadSystem } from './system.ts';
import { randomChart } from './testing/random-chart.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 15);
const load = (text: string, path = 'a.scxml') =>
  loadSystem(path, { read: (file) => (file === path ? text : null) });
const chart = (inside: string, attributes = '') =>
  `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" ${attributes}>${inside}</scxml>`;

/** Codes of the diagnostics, each of which can be shown. */
function codes(text: string, path?: string): string[] {
  const { diagnostics } = load(text, path);
  for (const diagnostic of diagnostics) expect(render(diagnostic)).toContain(diagnostic.code);
  return diagnostics.map(({ code }) => code);
}

test('broken XML never breaks the reader', () => {
  fc.assert(
    fc.property(
      randomChart,
      fc.nat(),
      fc.nat({ max: 30 }),
      fc.constantFrom('', '<', '>', '"', '&', '</state>', '<x>', ']]>', '<!--', '\0', 'initial="nowhere"'),
      (text, at, length, other) => {
        const place = at % text.length;
        const broken = text.slice(0, place) + other + text.slice(place + length);
        const { system, diagnostics } = load(broken);
        expect(system === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
        for (const diagnostic of diagnostics) {
          expect(diagnostic.span).not.toBeNull();
          expect(diagnostic.span!.end).toBeGreaterThan(diagnostic.span!.start);
          expect(diagnostic.span!.end).toBeLessThanOrEqual(broken.length + 1);
          render(diagnostic);
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 3_600_000);

describe('documents', () => {
  test.each([
    ['nothing', '', 'SPW6000'],
    ['no XML', 'hello', 'SPW6000'],
    ['an open tag', '<scxml>', 'SPW6000'],
    ['another root', '<html/>', 'SPW6010'],
    ['another namespace', '<scxml xmlns="urn:other"/>', 'SPW6010'],
    ['no states', chart(''), 'SPW6016'],
    ['an element that does not exist', chart('<state id="a"/><stat id="b"/>'), 'SPW6011'],
    ['an element in the wrong place', chart('<state id="a"><raise event="x"/></state>'), 'SPW6011'],
    ['a missing attribute', chart('<state id="a"><onentry><raise/></onentry></state>'), 'SPW6012'],
    [
      'a wrong value',
      chart(
        '<state id="a"><history id="h" type="flat"><transition target="b"/></history><state id="b"/></state>',
      ),
      'SPW6013',
    ],
    [
      'an unknown target',
      chart('<state id="start"><transition event="e" target="strat"/></state>'),
      'SPW6014',
    ],
    ['two states of one name', chart('<state id="a"/><state id="a"/>'), 'SPW6015'],
    [
      'an initial state elsewhere',
      chart('<state id="a" initial="c"><state id="b"/></state><state id="c"/>'),
      'SPW6017',
    ],
    [
      'targets that exclude each other',
      chart('<state id="a"><transition event="e" target="b c"/></state><state id="b"/><state id="c"/>'),
      'SPW6017',
    ],
    ['an unknown data model', chart('<state id="a"/>', 'datamodel="xpath"'), 'SPW6018'],
    [
      'HTTP',
      chart(
        '<state id="a"><onentry><send type="http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor" event="e" target="http://x"/></onentry></state>',
      ),
      'SPW6019',
    ],
    ['a missing script', chart('<script src="nowhere.js"/><state id="a"/>'), 'SPW6020'],
    [
      'an expression that is none',
      chart('<state id="a"><transition cond="1 +" target="a"/></state>'),
      'SPW6030',
    ],
    [
      'an expression without a data model',
      chart('<state id="a"><transition event="e" cond="x > 1" target="a"/></state>', 'datamodel="null"'),
      'SPW6031',
    ],
    [
      'a change of what is built in',
      chart('<script>Array.prototype.last = 1</script><state id="a"/>'),
      'SPW6032',
    ],
    [
      'entities without end',
      `<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${chart('<state id="&b;"/>')}`,
      'SPW6000',
    ],
    ['depth without end', chart(`${'<state>'.repeat(5000)}${'</state>'.repeat(5000)}`), 'SPW6001'],
    ['depth without an end', '<state>'.repeat(100_000), 'SPW6001'],
    ['size', chart(`<state id="a"/><!--${' '.repeat(17_000_000)}-->`), 'SPW6001'],
    [
      'an environment that is no JSON',
      chart(
        '<spillway:environment xmlns:spillway="urn:spillway"><spillway:event name="e" data="{a}"/></spillway:environment><state id="a"/>',
      ),
      'SPW6013',
    ],
  ])('%s', (_, text, code) => {
    expect(codes(text)).toContain(code);
  });

  test('a large chart is read', () => {
    const states = Array.from(
      { length: 5000 },
      (_, i) => `<state id="s${i}"><transition event="e" target="s${(i + 1) % 5000}"/></state>`,
    );
    expect(load(chart(states.join(''))).system!.instances[0]!.chart.states).toHaveLength(5001);
  });
});

describe('systems', () => {
  const system = (text: string) =>
    loadSystem('a.system.json', {
      read: (file) =>
        file === 'a.system.json'
          ? text
          : file === 'c.scxml'
            ? chart('<datamodel><data id="x"/></datamodel><state id="a"/>')
            : null,
    });
  test.each([
    ['no JSON', '{', 'SPW6050', 1],
    ['a comma too many', '{"instances": {"a": {"chart": "c.scxml"},}}', 'SPW6050', 1],
    ['no object', '[]', 'SPW6051', 1],
    ['no instances', '{}', 'SPW6051', 1],
    ['an unknown key', '{"instances": {"a": {"chart": "c.scxml", "target": {}}}}', 'SPW6051', 1],
    [
      'an unknown instance',
      '{"instances": {"a": {"chart": "c.scxml",\n "targets": {"#_b": "b"}}}}',
      'SPW6052',
      2,
    ],
    ['unknown data', '{"instances": {"a": {"chart": "c.scxml",\n\n "data": {"y": 1}}}}', 'SPW6052', 3],
    ['a missing chart', '{"instances": {"a": {"chart": "d.scxml"}}}', 'SPW6053', 1],
    [
      'an environment that is no list',
      '{"instances": {"a": {"chart": "c.scxml", "environment": "any"}}}',
      'SPW6051',
      1,
    ],
  ])('%s', (_, text, code, line) => {
    const { system: loaded, diagnostics } = system(text);
    expect(loaded).toBeNull();
    const found = diagnostics.find((diagnostic) => diagnostic.code === code)!;
    expect(found.span!.file.position(found.span!.start).line).toBe(line);
  });

  test('several instances of one chart', () => {
    const { system: loaded, diagnostics } = system(
      '{"name": "two", "instances": {"a": {"chart": "c.scxml", "targets": {"#_peer": "b"}, "data": {"x": [1]}}, "b": {"chart": "c.scxml", "environment": ["e", {"event": "f", "data": 1}]}}}',
    );
    expect(diagnostics).toEqual([]);
    expect(loaded!.instances.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(loaded!.instances[0]!.chart).toBe(loaded!.instances[1]!.chart);
    expect(loaded!.instances[1]!.environment).toHaveLength(2);
  });
});

describe('charts that never come to rest', () => {
  function explored(text: string): { codes: string[]; errors: string[]; unseen: number } {
    const { system } = load(text);
    const models = dataModels(engine);
    const behaviour = new ChartBehaviour(system!, models.modelOf);
    const result = exploreSystem(behaviour, 'scxml', 'all', { states: 500, actors: 20 });
    models.dispose();
    return {
      codes: behaviour.diagnostics().map(({ code }) => code),
      errors: result.ok
        ? result.system.actors.flatMap(({ states }) => states.flatMap(({ error }) => error ?? []))
        : [result.limit],
      unseen: behaviour.caveats().filter(({ kind }) => kind === 'unseen').length,
    };
  }

  test.each([
    [
      'an eventless loop',
      chart('<state id="a"><transition target="b"/></state><state id="b"><transition target="a"/></state>'),
      'SPW6071',
      0,
    ],
    [
      'events raised for ever',
      chart('<state id="a"><onentry><raise event="e"/></onentry><transition event="e" target="a"/></state>'),
      'SPW6071',
      0,
    ],
    [
      'more and more events',
      chart(
        '<state id="a"><onentry><raise event="e"/><raise event="e"/></onentry><transition event="e" target="a"/></state>',
      ),
      'SPW6071',
      1,
    ],
    [
      'a counter on the way',
      chart(
        '<datamodel><data id="n" expr="0"/></datamodel><state id="a"><transition cond="n >= 0"><assign location="n" expr="n + 1"/></transition></state>',
      ),
      'SPW6071',
      1,
    ],
    [
      'a script',
      chart('<state id="a"><onentry><script>while (true);</script></onentry></state>'),
      'SPW6070',
      1,
    ],
    [
      'a condition',
      chart(
        '<script>function f() { for (;;); }</script><state id="a"><transition event="e" cond="f()" target="a"/></state>',
      ),
      'SPW6070',
      1,
    ],
    [
      'random numbers',
      chart('<state id="a"><transition event="e" cond="Math.random() > 0.5" target="a"/></state>'),
      'SPW6073',
      1,
    ],
    [
      'closures',
      chart(
        '<script>var f = (function () { var n = 0; return function () { return n++ } })()</script><state id="a"/>',
      ),
      'SPW6072',
      1,
    ],
  ])('%s', (_, text, code, unseen) => {
    const found = explored(text);
    expect(found.codes).toContain(code);
    expect(found.errors.length).toBeGreaterThan(0);
    expect(found.unseen).toBe(unseen);
    if (unseen === 0) expect(found.errors[0]).toMatch(/^an endless macrostep/);
  });

  test('a chart that invokes itself', () => {
    const text = chart('<state id="a"><invoke src="a.scxml"/></state>');
    expect(explored(text).errors).toEqual(['actors']);
  });

  test('an error that nobody handles is told at its place', () => {
    const found = explored(
      chart('<state id="a"><onentry><assign location="nowhere" expr="1"/></onentry></state>'),
    );
    expect(found.codes).toEqual(['SPW6074']);
    expect(
      explored(
        chart(
          '<state id="a"><onentry><assign location="nowhere" expr="1"/></onentry><transition event="error" target="a"/></state>',
        ),
      ).codes,
    ).not.toContain('SPW6074');
  });
});
