import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { runs } from '../../test/soak.ts';

let w: PortalWorld;
let home: string;
beforeAll(async () => {
  w = await startPortalWorld();
  home = await w.enter((await w.account()).account);
});
afterAll(() => w.close());

const each = runs(5000, 120, 30);
const piece = fc.oneof(
  fc.constantFrom(
    'zh',
    'en',
    's',
    'pay',
    'login',
    'buy',
    'register',
    'code',
    'asset',
    'img',
    'captcha',
    'captive',
    'gateway-data',
    '..',
    '%2e',
    '%00',
    '%ff',
    '',
  ),
  fc.string({ maxLength: 20 }).map(encodeURIComponent),
);
const path = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('/'));
const field = fc.constantFrom(
  'account',
  'password',
  'card_no',
  'package',
  'channel',
  'session',
  'captcha',
  'captcha_id',
  'content',
  'type',
  'x',
);
const fields = fc.array(fc.tuple(field, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 6 });

/** No request causes a server error, and no reply reveals internals. */
const expectCalm = ({ status, text }: { readonly status: number; readonly text: string }) => {
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(/node_modules|at \w+ \(|\.ts:\d+/);
};

test('any path and query get a page or a refusal', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(path, fc.webQueryParameters({ size: 'small' }), fc.boolean(), async (tail, query, isIn) => {
      expectCalm(await w.get(`${isIn ? home : ''}${tail}?${query}`.replace(/^\/+(?!portal)/, '')));
    }),
    { numRuns: each },
  );
});

test('any redirect of a router gets a page or a refusal', { timeout: 240_000 }, async () => {
  const names = [
    'res',
    'uamip',
    'uamport',
    'challenge',
    'mac',
    'nasid',
    'userurl',
    'md',
    'link-login-only',
    'link-orig',
    'chap-id',
    'chap-challenge',
    'error',
  ];
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.webUrl(),
    fc.ipV4(),
    fc.constantFrom('notyet', 'success', 'hotspot', '02:00:00:00:00:01', '3990', '0'.repeat(32), 'http://10.0.0.1/login', '\\001', '\0'),
  );
  const { agent_id } = await w.api.db
    .selectFrom('device')
    .select('agent_id')
    .where('id', '=', w.billing.device_id)
    .executeTakeFirstOrThrow();
  const row = { agent_id, name: 'Hotspot', identifier: 'hotspot', secret: '-', create_at: 1, update_at: 1 };
  await w.api.db
    .insertInto('nas')
    .values([
      { ...row, login_protocol: 'mikrotik' },
      { ...row, identifier: 'hotspot2', login_protocol: 'uam' },
    ])
    .execute();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 12 }), async (pairs) => {
      const query = new URLSearchParams([...pairs, ['nasid', 'hotspot'], ['mac', '020000000001']]);
      const reply = await w.get(`?${query}`);
      expectCalm(reply);
      if (reply.location) expectCalm(await w.get(reply.location));
    }),
    { numRuns: each },
  );
});

test('any form gets a page or a refusal', { timeout: 240_000 }, async () => {
  const targets = ['login', 'card', 'logout', 'buy', 'password', 'register', 'register/code', 'feedback', 'pay/P20261117ABCDEFGHJK/cancel'];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), fields, fc.boolean(), async (target, pairs, isMultipart) => {
      await w.advance(61);
      const body = isMultipart ? new FormData() : new URLSearchParams();
      for (const [name, value] of pairs) body.append(name, value);
      expectCalm(await w.send(`zh/${target}`, { method: 'POST', body }));
    }),
    { numRuns: each },
  );
});

test('any bytes as a form, any token and any signed text get a page or a refusal', { timeout: 240_000 }, async () => {
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json', 'text/plain', ''];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ maxLength: 60 }).map(encodeURIComponent),
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => text.replace(/[^\x21-\x7e]/g, '')),
      async (type, bytes, token, signed) => {
        await w.advance(61);
        const headers = { 'x-farlink-client': signed, ...(type && { 'content-type': type }) };
        expectCalm(await w.send('zh/feedback', { method: 'POST', headers, body: new Uint8Array(bytes) }));
        expectCalm(await w.get(`zh/s/${token}/devices?gw=${encodeURIComponent(signed)}`, headers));
        expectCalm(await w.get(`?gw=${encodeURIComponent(signed)}`, headers));
      },
    ),
    { numRuns: Math.floor(each / 3) },
  );
  expect((await w.get('zh/')).status).toBe(200);
});

test('a body that is too large is refused', async () => {
  const big = await w.post('zh/login', { account: 'a'.repeat(20_000), password: 'x' });
  expect(big.status).toBe(413);
});
