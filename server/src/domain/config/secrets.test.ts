import { keptSecret } from '@farlink/contract/config/config.ts';
import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { int, rows, secret, text } from '@farlink/gateway/kit/field.ts';
import { list } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { describe, expect, it } from 'vitest';
import { maskDoc, openDoc, sealDoc } from '../../config-doc/sealed.ts';
import { loggedChange, shownDifferences } from './differences.ts';
import { withKeptSecrets } from './kept-secrets.ts';

const page = list('test_page', {
  title: ['测试', 'Test'],
  summary: ['测试', 'Test'],
  key: 'name',
  maxRows: 8,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    password: secret(['密码', 'Password']),
    level: int(['级别', 'Level']),
    peers: rows(['对端', 'Peers'], { max: 4 }, { host: text(['主机', 'Host']), key: secret(['密钥', 'Key']) }),
  },
});
const a: JsonObject = { name: 'a', password: 'one', peers: [{ host: 'x', key: 'k1' }, { host: 'y' }] };
const b: JsonObject = { name: 'b', password: 'two', level: 1 };
const doc: JsonObject = { rows: [a, b] };
const key = Buffer.alloc(32, 7);

describe('secrets of a document', () => {
  it('are sealed one by one, differently each time, and opened to the same values', () => {
    const one = sealDoc(page, doc, key);
    const two = sealDoc(page, doc, key);
    expect(JSON.stringify(one)).not.toMatch(/"one"|"two"|"k1"/);
    expect(one).not.toEqual(two);
    expect(openDoc(page, one, key)).toEqual(doc);
    const odd: JsonObject = { rows: [{ name: 'a', password: { sealed: 'v1.x' } }] };
    expect(openDoc(page, sealDoc(page, odd, key), key)).toEqual(odd);
    expect(maskDoc(page, one)).toMatchObject({ rows: [{ password: keptSecret, peers: [{ key: keptSecret }, { host: 'y' }] }, {}] });
  });

  it('keep their value if their mask is sent back, also if their row has moved', () => {
    const [first = {}, second = {}] = rowsOf(maskDoc(page, doc));
    const turned = { rows: [second, first] };
    expect(withKeptSecrets(page, turned, [doc])).toEqual({ values: { rows: [b, a] }, problems: [] });
    const newer = { rows: [{ name: 'b', password: 'three' }] };
    expect(withKeptSecrets(page, { rows: [second] }, [newer, doc]).values).toMatchObject({ rows: [{ password: 'three' }] });
  });

  it('must be entered again if a mask is sent back where no secret is stored', () => {
    const moved = {
      rows: [
        { name: 'a', peers: [{ host: 'y' }, { host: 'x', key: keptSecret }] },
        { name: 'c', password: keptSecret },
      ],
    };
    expect(withKeptSecrets(page, moved, [doc]).problems.map(({ path }) => path)).toEqual(['rows[0].peers[1].key', 'rows[1].password']);
  });

  it('are reported as changed without their values', () => {
    const after: JsonObject = {
      rows: [
        { ...a, password: 'other', peers: [{ host: 'x', key: 'k2' }] },
        { name: 'c', password: 'two' },
      ],
    };
    const shown = shownDifferences(page, doc, after);
    expect(JSON.stringify(shown)).not.toMatch(/other|k1|k2|two/);
    expect(shown).toMatchObject([
      { what: 'changed', row: 'a', field: 'password', before: null, after: null },
      { what: 'changed', row: 'a', field: 'peers', after: [{ host: 'x', key: keptSecret }] },
      { what: 'added', row: 'c', field: null, before: null, after: { name: 'c', password: keptSecret } },
      { what: 'removed', row: 'b', field: null, before: { name: 'b', password: keptSecret, level: 1 }, after: null },
    ]);
    expect(loggedChange(page, doc, after).after).toMatchObject({ 'a.password': keptSecret, c: { password: keptSecret }, b: null });
  });
});
