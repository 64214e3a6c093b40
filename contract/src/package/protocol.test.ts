import { describe, expect, it } from 'vitest';
import { categoryName, expand, isProtocol, isSelectable, parsePair, protocolName, protocolOfFlow, protocolTree } from './protocol.ts';
import { protocolMap } from './protocol-map.ts';

const entries = protocolMap.flatMap((category) => category.protocols.map(([id, zh, en]) => ({ id, zh, en, pair: `${category.id}.${id}` })));
const repeated = <T>(list: readonly T[]) => list.filter((item, i) => list.indexOf(item) !== i);

describe('the protocol map', () => {
  it('has more than 600 protocols', () => {
    expect(entries.length).toBeGreaterThan(600);
  });

  it('gives each protocol and each category a unique id', () => {
    expect(repeated(entries.map((e) => e.id))).toEqual([]);
    expect(repeated(protocolMap.map((c) => c.id))).toEqual([]);
  });

  it('uses the protocol id 0 only for unidentified traffic', () => {
    expect(entries.filter((e) => e.id === 0).map((e) => e.pair)).toEqual(['0.0']);
    expect(protocolMap.find((c) => c.id === 0)?.protocols).toHaveLength(1);
  });

  it('has a name in both languages for each entry, without leading or trailing spaces', () => {
    const names = [...entries.flatMap((e) => [e.zh, e.en]), ...protocolMap.flatMap((c) => c.label)];
    expect(names.filter((name) => name === '' || name !== name.trim())).toEqual([]);
  });

  it('never gives two protocols or two categories the same name', () => {
    expect(repeated(entries.map((e) => e.zh))).toEqual([]);
    expect(repeated(entries.map((e) => e.en.toLowerCase()))).toEqual([]);
    expect(repeated(protocolMap.map((c) => c.label[0]))).toEqual([]);
    expect(repeated(protocolMap.map((c) => c.label[1]))).toEqual([]);
  });

  it('has no Chinese in English names and Chinese in the name of every category', () => {
    const han = /\p{Script=Han}|[（）：、]/u;
    expect([...entries.map((e) => e.en), ...protocolMap.map((c) => c.label[1])].filter((name) => han.test(name))).toEqual([]);
    expect(protocolMap.filter((c) => !han.test(c.label[0]))).toEqual([]);
  });

  it('has at least one protocol in each category', () => {
    expect(protocolMap.filter((c) => c.protocols.length === 0)).toEqual([]);
  });

  it('keeps the ids of nDPI and has its own ids outside the range of nDPI', () => {
    const name = new Map(entries.map((e) => [e.id, e.en]));
    expect([5, 7, 48, 62, 91, 124, 133, 188, 189, 197, 200, 257].map((id) => name.get(id))).toEqual([
      'DNS',
      'HTTP',
      'QQ',
      'Thunder (Xunlei)',
      'TLS (HTTPS)',
      'YouTube',
      'Netflix',
      'QUIC',
      'Zoom',
      'WeChat',
      'Weibo',
      'Genshin Impact',
    ]);
    expect(entries.filter((e) => e.id > 281 && e.id < 10_000)).toEqual([]);
    expect(protocolMap.filter((c) => c.id > 105 && c.id < 1000)).toEqual([]);
  });
});

describe('the protocol tree', () => {
  it('holds every protocol exactly once, under its category', () => {
    const protocolNodes = protocolTree().flatMap((node) => (node.children.length > 0 ? node.children : [node]));
    expect(protocolNodes.map((node) => node.id)).toEqual(entries.map((e) => e.pair));
    for (const node of protocolTree()) {
      expect(node.children.filter((leaf) => parsePair(leaf.id)?.parent !== parsePair(node.id)?.parent)).toEqual([]);
    }
  });

  it('has unique node keys', () => {
    expect(repeated(protocolTree().flatMap((node) => [node.id, ...node.children.map((leaf) => leaf.id)]))).toEqual([]);
  });
});

describe('a protocol pair', () => {
  it('of every protocol and every category resolves to its names', () => {
    for (const e of entries) {
      expect(isProtocol(e.pair)).toBe(true);
      expect(protocolName(e.pair)).toEqual([e.zh, e.en]);
    }
    for (const c of protocolMap) {
      expect(isSelectable(`${c.id}.0`)).toBe(true);
      expect(protocolName(`${c.id}.0`)).toEqual(c.label);
    }
  });

  it('resolves to the name of its category', () => {
    expect(protocolName('9.197')).toEqual(['微信', 'WeChat']);
    expect(categoryName('9.197')).toEqual(['即时通讯', 'Messaging']);
    expect(categoryName('77.1')).toEqual(['77.0', '77.0']);
  });

  it('of a whole category can be selected but is not a protocol', () => {
    expect([isProtocol('8.0'), isSelectable('8.0')]).toEqual([false, true]);
    expect([isProtocol('0.0'), isSelectable('0.0')]).toEqual([true, true]);
  });

  it('that is not in the map is shown as its numbers and cannot be selected', () => {
    for (const pair of ['8.99999', '77.1', '9.74', '8.64']) {
      expect(isProtocol(pair) || isSelectable(pair)).toBe(false);
      expect(protocolName(pair)).toEqual([pair, pair]);
    }
  });

  it('is parsed into two numbers', () => {
    expect(parsePair('8.74')).toEqual({ parent: 8, child: 74 });
    expect(parsePair('1001.10160')).toEqual({ parent: 1001, child: 10_160 });
  });

  it.each(['', '8', '8.', '.74', '08.74', '8.074', '8.74 ', '8.74\n', '-8.74', '8.7.4', '8.1e3', '8,74', '8.123456'])(
    'cannot be %j',
    (value) => {
      expect(parsePair(value)).toBeUndefined();
      expect(isSelectable(value)).toBe(false);
    },
  );
});

describe('expanding a selection', () => {
  const live = protocolMap.find((c) => c.id === 17)?.protocols.map(([id]) => `17.${id}`) ?? [];

  it('replaces a category by all its protocols', () => {
    expect(live.length).toBeGreaterThan(1);
    expect(expand(['17.0'])).toEqual(live);
  });

  it('lists a protocol once, even if it is selected twice or together with its category', () => {
    expect(expand(['17.195', '17.0', '17.195'])).toEqual(live);
  });

  it('returns the order of the map, not the order of selection', () => {
    expect(expand(['0.0', '8.74', '9.48', '9.197'])).toEqual(['9.197', '9.48', '8.74', '0.0']);
  });

  it('omits pairs that are not in the map', () => {
    expect(expand(['9.197', '9.74', 'x'])).toEqual(['9.197']);
  });

  it('of all categories returns all protocols', () => {
    expect(expand(protocolTree().map((node) => node.id))).toEqual(entries.map((e) => e.pair));
  });
});

describe('a flow that a gateway counted', () => {
  it.each([
    ['the application, over TLS', '91.124', '26.124'],
    ['the application, over QUIC', '188.124', '26.124'],
    ['the application, looked up by DNS', '5.197', '9.197'],
    ['the carrier if the application is missing', '91.0', '5.91'],
    ['an application without carrier', '0.37', '7.37'],
    ['the carrier of an unknown application', '91.9999', '5.91'],
    ['unidentified traffic if nothing is known', '0.0', '0.0'],
    ['unidentified traffic if it is not a pair of numbers', 'TLS.YouTube', '0.0'],
  ])('counts as %s', (_, flow, pair) => {
    expect(protocolOfFlow(flow)).toBe(pair);
  });
});
