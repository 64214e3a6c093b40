import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditStreams, isAuditStream, trafficText } from './audit.ts';
import { parse } from './shape.ts';
import { batchOf } from './stream.ts';

const read = (max: number, raw: unknown) => parse(trafficText(max), raw);
const textOf = (max: number, raw: string) => {
  const parsed = read(max, raw);
  if ('reason' in parsed) throw new Error(parsed.reason);
  return parsed.value;
};

describe('a text from traffic', () => {
  it('is stored unchanged if it is valid', () => {
    for (const text of ['', 'news', '出海日记', '😀', 'a  b', "'; drop table --"]) expect(textOf(64, text)).toBe(text);
  });

  it('loses control characters, direction marks, line separators and outer spaces', () => {
    expect(textOf(64, ' a\0\u0001b\r\n\u202ec\u2028d\ufeff\t')).toBe('a b c d');
  });

  it('is truncated between characters', () => {
    expect(textOf(4, 'abc😀')).toBe('abc');
    expect(textOf(5, 'abc😀')).toBe('abc😀');
    expect(textOf(4, 'abc def')).toBe('abc');
    expect(textOf(8, 'x'.repeat(100_000))).toBe('x'.repeat(8));
  });

  it('replaces lone surrogates', () => {
    expect(textOf(64, 'a\ud800b\udc00')).toBe('a\ufffdb\ufffd');
  });

  it('is well-formed, storable and within the limit, and reading it again changes nothing', () => {
    const characters = fc.constantFrom('a', ' ', '😀', '\ud83d', '\ude00', '\0', '\u202e', '中', '\n', 'é', '\u0301');
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 80 }), fc.integer({ min: 1, max: 20 }), (chars, max) => {
        const text = textOf(max, chars.join(''));
        expect(text.length).toBeLessThanOrEqual(max);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(textOf(max, text)).toBe(text);
      }),
    );
  });

  it.each([5, null, undefined, {}, ['a'], true])('cannot be %s', (raw) => {
    expect(read(64, raw)).toEqual({ reason: 'body: a text' });
  });
});

describe('audit streams', () => {
  const salt = '00112233445566778899aabbccddeeff';
  const rows = {
    a_auth: { at: 1, acc: 'anna', act: 'login' },
    a_id: { at: 1, acc: 'anna', app: 'QQ', id: '1' },
    a_url: { at: 1, acc: '', h: 'x.example' },
    a_bbs: { at: 1, acc: 'anna', f: 'BBS', act: 'post', salt },
    a_mail: { at: 1, acc: 'anna', dir: 'send', salt },
    a_term: { at: 1, mac: 'AA:bb:CC:00:11:22', os: 'ios' },
  } as const;
  const batch = (stream: keyof typeof rows, more: Readonly<Record<string, unknown>> = {}) => {
    const row: Readonly<Record<string, unknown>> = { ...rows[stream], ...more };
    return parse(batchOf(stream), { b: 'boot1', seq: 1, t0: 1, c: Object.keys(row), v: [Object.values(row)] });
  };

  it('are recognised by name', () => {
    expect(Object.keys(auditStreams).toSorted()).toEqual(Object.keys(rows).toSorted());
    expect([isAuditStream('a_url'), isAuditStream('user'), isAuditStream('toString')]).toEqual([true, false, false]);
  });

  it.each(['a_auth', 'a_id', 'a_url', 'a_bbs', 'a_mail', 'a_term'] as const)('%s needs its required fields only', (stream) => {
    const read = batch(stream);
    expect(read).toMatchObject({ value: { rows: [{ at: 1 }] } });
    for (const missing of Object.keys(rows[stream])) {
      const columns = Object.entries(rows[stream]).filter(([name]) => name !== missing);
      const body = { b: 'boot1', seq: 1, t0: 1, c: columns.map(([name]) => name), v: [columns.map(([, value]) => value)] };
      expect(parse(batchOf(stream), body)).toEqual({ reason: `c: a column ${missing}` });
      expect(batch(stream, { [missing]: null })).toHaveProperty('reason');
    }
  });

  it('convert a MAC address to lower case', () => {
    expect(batch('a_term')).toMatchObject({ value: { rows: [{ mac: 'aa:bb:cc:00:11:22' }] } });
    expect(batch('a_term', { mac: 'aa-bb-cc-00-11-22' })).toEqual({ reason: 'v[0].mac: a MAC address' });
  });

  it.each([
    ['a_auth', { pip: 'x' }],
    ['a_auth', { pr: '1-2-3' }],
    ['a_auth', { act: 'x' }],
    ['a_auth', { acc: 'a b' }],
    ['a_url', { sp: 65_536 }],
    ['a_mail', { n: -1 }],
    ['a_mail', { sz: 2 ** 41 }],
    ['a_bbs', { salt: 'zz' }],
    ['a_term', { sig: 1 }],
  ] as const)('%s refuses %o and names the field', (stream, more) => {
    expect(batch(stream, more)).toMatchObject({ reason: expect.stringContaining(`v[0].${Object.keys(more)[0]}: `) });
  });
});
