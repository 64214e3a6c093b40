import type { Origin } from '@farlink/contract/config/config.ts';
import type { TemplatePart } from '@farlink/contract/config/config-template.ts';
import { Random } from '@farlink/contract/kit/random.ts';
import { factoryOf, keyOf, rowsOf } from '@farlink/gateway/kit/document.ts';
import { bool, choice, int, rows as lines, secret, text } from '@farlink/gateway/kit/field.ts';
import { form, type GatewayPage, isSection, list } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { describe, expect, it } from 'vitest';
import { effective, type Layer, type SectionState } from './layers.ts';
import { ownPathsAfter } from './own-values.ts';
import { expand, type Lookup, variablesIn } from './variables.ts';

const texts = { title: ['页', 'Page'], summary: ['页', 'Page'] } as const;
const fields = {
  a: text(['甲', 'A'], { default: 'factory' }),
  b: int(['乙', 'B'], { default: 5, min: 0, max: 99 }),
  c: bool(['丙', 'C'], { default: true }),
  mode: choice(['方式', 'Mode'], { off: ['关', 'Off'], on: ['开', 'On'] }, { default: 'off' }),
  d: text(['丁', 'D'], { required: true, default: 'there', when: ['mode', 'on'] }),
  e: text(['戊', 'E'], { max: 64 }),
  s: secret(['密', 'S'], { max: 64 }),
};
const shape = form('test_form', { ...texts, fields });
const rows = list('test_list', {
  ...texts,
  key: 'name',
  maxRows: 50,
  fields: { name: text(['名', 'Name'], { required: true }), ...fields },
});

const platform: Origin = { from: 'platform', name: 'P' };
const vno: Origin = { from: 'vno', name: 'V' };
const group: Origin = { from: 'group', name: 'G' };
const none: Lookup = () => undefined;
const layer = (origin: Origin, part: TemplatePart, lookup: Lookup = none): Layer => ({ origin, part, lookup });
const bare = (page: GatewayPage): SectionState => ({ doc: factoryOf(page), own: [] });

describe('a form under templates', () => {
  it('has factory values where no layer sets one, on every page', () => {
    for (const page of [...gatewayPages.values()].filter(isSection))
      expect(effective(page, [], bare(page)), page.key).toMatchObject({ doc: factoryOf(page), origins: {} });
  });

  it('takes each value from the nearest layer that sets it, and names this layer', () => {
    const layers = [
      layer(platform, { set: { a: 'p', b: 1, e: 'p' } }),
      layer(vno, { set: { b: 2, e: 'v' } }),
      layer(group, { set: { e: 'g' } }),
    ];
    const state = { doc: { ...factoryOf(shape), e: 'own' }, own: [] };
    expect(effective(shape, layers, state)).toEqual({
      doc: { a: 'p', b: 2, c: true, mode: 'off', e: 'g' },
      origins: { a: platform, b: vno, e: group },
      problems: [],
    });
    expect(effective(shape, layers, { ...state, own: ['e'] })).toMatchObject({
      doc: { e: 'own' },
      origins: { e: { from: 'device' } },
    });
  });

  it('can be emptied by a template or the device, and gets the default of a field that becomes active', () => {
    const emptied = effective(shape, [layer(platform, { set: { a: 'p' } }), layer(vno, { set: { a: null } })], bare(shape));
    expect(emptied.doc).not.toHaveProperty('a');
    const own = effective(shape, [layer(platform, { set: { e: 'p' } })], { doc: factoryOf(shape), own: ['e'] });
    expect(own.doc).not.toHaveProperty('e');
    expect(effective(shape, [layer(vno, { set: { mode: 'on' } })], bare(shape)).doc).toMatchObject({ mode: 'on', d: 'there' });
  });

  it('names the invalid field of a template', () => {
    const { problems } = effective(shape, [layer(vno, { set: { b: 1000 } })], bare(shape));
    expect(problems.map(({ path }) => path)).toEqual(['b']);
  });
});

describe('a list under templates', () => {
  const part = (...output: NonNullable<TemplatePart['rows']>): TemplatePart => ({ rows: output });

  it('merges rows by key, with each value from the nearest layer and defaults for the rest', () => {
    const layers = [
      layer(platform, part({ key: 'x', set: { a: 'p', e: 'p' } })),
      layer(vno, part({ key: 'x', set: { e: 'v' } }, { key: 'y', set: {} })),
    ];
    const got = effective(rows, layers, bare(rows));
    expect(got.doc).toEqual({
      rows: [
        { name: 'x', a: 'p', b: 5, c: true, mode: 'off', e: 'v' },
        { name: 'y', a: 'factory', b: 5, c: true, mode: 'off' },
      ],
    });
    expect(got.origins).toEqual({ x: vno, y: vno, 'x.a': platform });
  });

  it('keeps the rows of the device in their order, and takes the rest from templates', () => {
    const own = { doc: { rows: [{ name: 'z', a: 'mine', b: 5, c: true, mode: 'off' }] }, own: ['z'] };
    const layers = [
      layer(vno, part({ key: 'z', only: true, set: { a: 'v', b: 7 } }, { key: 'n', only: true, set: { b: 7 } }, { key: 'k', set: {} })),
    ];
    expect(rowsOf(effective(rows, layers, own).doc)).toMatchObject([{ name: 'z', a: 'mine', b: 7 }, { name: 'k' }]);
    expect(rowsOf(effective(rows, layers, { ...own, own: ['z', 'z.b'] }).doc)[0]).toMatchObject({ b: 5 });
  });

  it('omits a row that the device has removed, and drops rows that no template has any more', () => {
    const layers = [layer(platform, part({ key: 'x', set: {} }, { key: 'y', set: {} }))];
    const doc = effective(rows, layers, bare(rows)).doc;
    const without = { rows: rowsOf(doc).filter((row) => row.name !== 'x') };
    const own = ownPathsAfter(rows, [], doc, without);
    expect(rowsOf(effective(rows, layers, { doc: without, own }).doc)).toMatchObject([{ name: 'y' }]);
    expect(effective(rows, [], { doc, own: [] }).doc).toEqual({ rows: [] });
  });
});

describe('variables', () => {
  const lookup: Lookup = (name) => (name === 'ship' ? { value: 'Orca' } : name === 'key' ? { value: 'k3y', secret: true } : undefined);

  it('are replaced in texts at any depth, and a doubled dollar is a dollar', () => {
    expect(expand({ a: [`\${ship}-crew`, { b: `$\${ship} \${ship}` }], n: 3 }, lookup)).toEqual({
      value: { a: ['Orca-crew', { b: `\${ship} Orca` }], n: 3 },
      problems: [],
    });
    expect(variablesIn([`\${ship}`, { a: `$\${no}` }])).toEqual(['ship']);
  });

  it('without a value are reported by name at their field, unless another layer sets it', () => {
    const layers = [layer(platform, { set: { e: `\${port}`, a: 'x' } }, lookup)];
    const { problems } = effective(shape, layers, bare(shape));
    expect(problems).toEqual([{ path: 'e', text: ['变量 port 没有取值', 'Variable port has no value'] }]);
    expect(effective(shape, [...layers, layer(vno, { set: { e: 'set' } })], bare(shape)).problems).toEqual([]);
  });

  it('can be row keys, and become numbers where a number is expected', () => {
    const part: TemplatePart = { rows: [{ key: `\${ship}`, set: { b: `\${ship}` } }] };
    const number: Lookup = () => ({ value: '42' });
    expect(effective(rows, [layer(vno, part, number)], bare(rows))).toMatchObject({ doc: { rows: [{ name: '42', b: 42 }] }, problems: [] });
    expect(effective(rows, [layer(vno, part)], bare(rows)).problems.map(({ path }) => path)).toEqual(['rows']);
  });

  it('that are secret are allowed only in secret fields, also inside lines', () => {
    const secretOnly = (set: JsonObject, page = shape) => effective(page, [layer(vno, { set }, lookup)], bare(page));
    expect(secretOnly({ s: `\${key}` })).toMatchObject({ doc: { s: 'k3y' }, problems: [] });
    expect(secretOnly({ e: `\${key}` }).problems.map(({ path }) => path)).toEqual(['e']);
    const inner = { name: text(['名', 'Name'], {}), pass: secret(['密', 'Pass'], {}) };
    const nested = form('test_nested', { ...texts, fields: { users: lines(['用户', 'Users'], { max: 4 }, inner) } });
    expect(secretOnly({ users: [{ name: 'x', pass: `\${key}` }] }, nested)).toMatchObject({
      doc: { users: [{ pass: 'k3y' }] },
      problems: [],
    });
    expect(secretOnly({ users: [{ name: `\${key}` }] }, nested).problems).toHaveLength(1);
  });

  it('are plain text in own values of a device', () => {
    expect(effective(shape, [], { doc: { ...factoryOf(shape), e: `\${x}` }, own: ['e'] })).toMatchObject({
      doc: { e: `\${x}` },
      problems: [],
    });
  });
});

/** Random templates and devices, with a fixed seed. */
describe('for all templates and devices', () => {
  const random = new Random(7);
  const randomItem = <T>(from: readonly T[]): T => from[Math.floor(random.between(0, from.length))] ?? fail();
  const fail = (): never => {
    throw new Error('nothing to pick from');
  };
  const some = <T>(from: readonly T[]) => from.filter(() => random.chance(0.4));
  const valueFor = (name: string): Json => {
    if (random.chance(0.1)) return name === 'mode' || name === 'd' ? 'on' : null;
    if (name === 'b') return Math.floor(random.between(0, 99));
    if (name === 'c') return random.chance(0.5);
    if (name === 'mode') return randomItem(['on', 'off']);
    return randomItem(['one', 'two', 'three']);
  };
  const setOf = (): JsonObject => Object.fromEntries(some(Object.keys(fields)).map((name) => [name, valueFor(name)]));
  const keys = ['k1', 'k2', 'k3', 'k4'];
  const templatePartOf = (page: GatewayPage): TemplatePart =>
    page.kind === 'list' ? { rows: some(keys).map((key) => ({ key, only: random.chance(0.3), set: setOf() })) } : { set: setOf() };
  const layersOf = (page: GatewayPage) => some([platform, vno, vno, group]).map((origin) => layer({ ...origin }, templatePartOf(page)));
  /** A device with inherited values and later edits. */
  const stateOf = (page: GatewayPage): SectionState => {
    const before = effective(page, layersOf(page), bare(page)).doc;
    const edited = (doc: JsonObject): JsonObject => effective(shape, [layer(vno, { set: { ...doc, ...setOf() } })], bare(shape)).doc;
    const row = (key: string): JsonObject => ({ name: key, ...edited({}) });
    const after: JsonObject =
      page.kind === 'list'
        ? {
            rows: [
              ...rowsOf(before)
                .filter(() => random.chance(0.7))
                .map((row) => (random.chance(0.4) ? { ...row, a: randomItem(['mine', 'yours']) } : row)),
              ...(random.chance(0.5) ? [row('k9')] : []),
            ],
          }
        : edited(before);
    return { doc: after, own: ownPathsAfter(page, [], before, after) };
  };
  const cases = Array.from({ length: 400 }, (_, i) => {
    const page = i % 2 === 0 ? shape : rows;
    return { page, layers: layersOf(page), state: stateOf(page) };
  });

  it('a computed document does not change when it is computed again', () => {
    for (const { page, layers, state } of cases) {
      const once = effective(page, layers, state);
      expect(effective(page, layers, { doc: once.doc, own: state.own })).toEqual(once);
    }
  });

  it('each value comes from the layer that is reported for it', () => {
    for (const { page, layers, state } of cases) {
      const { doc, origins } = effective(page, layers, state);
      const output = (origin: Origin | undefined, name: string, key?: string): Json | undefined => {
        if (!origin) return undefined;
        if (origin.from === 'device') {
          const own = key === undefined ? state.doc : rowsOf(state.doc).find((row) => keyOf(page, row) === key);
          return own?.[name];
        }
        const from = layers.find((one) => one.origin === origin)?.part;
        return key === undefined ? from?.set?.[name] : from?.rows?.findLast((row) => row.key === key)?.set[name];
      };
      if (page.kind !== 'list') {
        for (const [name, value] of Object.entries(doc)) {
          const origin = origins[name];
          if (origin) expect(value).toEqual(output(origin, name));
        }
        continue;
      }
      for (const row of rowsOf(doc))
        for (const [name, value] of Object.entries(row)) {
          const origin = origins[`${row.name}.${name}`];
          if (origin) expect(value, `${row.name}.${name}`).toEqual(output(origin, name, String(row.name)));
        }
    }
  });

  it('own values of a device never change, and rows that it removed stay removed', () => {
    for (const { page, layers, state } of cases) {
      const { doc } = effective(page, layers, state);
      const find = (of: JsonObject, key: string) => rowsOf(of).find((row) => row.name === key);
      for (const path of state.own) {
        if (page.kind !== 'list') {
          // A field hidden by another value is missing.
          if (path in doc) expect(doc[path]).toEqual(state.doc[path]);
          continue;
        }
        const [key = '', name] = path.split('.');
        if (name === undefined) expect(find(doc, key) !== undefined, path).toBe(find(state.doc, key) !== undefined);
        else if (find(doc, key) && name in (find(doc, key) ?? {})) expect(find(doc, key)?.[name]).toEqual(find(state.doc, key)?.[name]);
      }
    }
  });

  it('a nearer template without values changes nothing, and one with all values decides everything except own values', () => {
    for (const { page, layers, state } of cases) {
      const before = effective(page, layers, state);
      expect(effective(page, [...layers, layer(group, page.kind === 'list' ? { rows: [] } : { set: {} })], state)).toEqual(before);
      if (page.kind === 'list') continue;
      const all = { a: 'last', b: 42, c: false, mode: 'off', e: 'last', s: 'last' };
      const { doc, origins } = effective(page, [...layers, layer(group, { set: all })], state);
      for (const [name, value] of Object.entries(all))
        if (!state.own.includes(name)) expect([doc[name], origins[name]]).toEqual([value, group]);
    }
  });
});
