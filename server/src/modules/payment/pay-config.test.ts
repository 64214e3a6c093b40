import { generateKeyPairSync } from 'node:crypto';
import { payConfigCalls as calls } from '@farlink/contract/advanced/pay-config.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Channel } from '@farlink/simulator/payment/order-book.ts';
import { type StandIn, startStandIn } from '@farlink/simulator/payment/stand-in.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { fileOf, formOf, sendChannel } from '../../../test/payment/pay-world.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { openSecrets } from '../../domain/payment/secrets.ts';

let api: Api;
let standIn: StandIn;
let east: Caller;
let west: Caller;

beforeAll(async () => {
  api = await startApi();
  standIn = await startStandIn({ clock: api.clock });
  ({ east, west } = await makeBranches(api));
});
afterAll(async () => {
  await standIn.stop();
  await api.close();
});

const rowOf = async (by: Caller, channel: Channel) => {
  const { data } = await by.call(calls.list, { channel });
  const [row] = data.list;
  if (!row || data.total !== 1) throw new Error('one row a channel');
  return row;
};
const send = async (channel: Channel, values: object, by = east) => {
  const { id, version } = await rowOf(by, channel);
  return sendChannel(api, by, id, { version, ...values });
};
const refusalAt = async (channel: Channel, values: object, field: string) => {
  const reply = await send(channel, values);
  expect(reply, JSON.stringify(reply)).toMatchObject({ code: errors.bad_input.code, data: { fields: { [field]: expect.any(String) } } });
  return reply.data;
};
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('payment channels of a VNO', () => {
  it('are WeChat Pay and Alipay, separate for each VNO and not configured at first', async () => {
    const { data } = await east.call(calls.list);
    expect(data.list.map((row) => row.channel).sort()).toEqual(['alipay', 'wechat']);
    for (const row of data.list)
      expect(row).toMatchObject({ status: 0, merchant_id: null, api_key: null, app_secret: null, cert_names: [] });
    const theirs = await west.call(calls.list);
    expect(theirs.data.list.map(({ id }) => id)).not.toEqual(data.list.map(({ id }) => id));
  });

  it.each([
    ['wechat', ['api_key', 'app_secret']],
    ['alipay', ['private_key', 'app_cert', 'alipay_cert', 'root_cert']],
  ] as const)('require every missing setting of %s', async (channel, missing) => {
    const reply = await send(channel, { merchant_id: '123', app_id: '456', status: 1 });
    expect(reply).toMatchObject({ code: errors.bad_input.code });
    expect(Object.keys(reply.data instanceof Object && 'fields' in reply.data ? Object(reply.data.fields) : {})).toEqual(missing);
  });

  it('refuse each invalid setting at its field', async () => {
    const alipay = formOf(standIn, 'alipay');
    await refusalAt('alipay', { ...alipay, merchant_id: 'abc' }, 'merchant_id');
    await refusalAt('alipay', { ...alipay, app_id: 'wx1' }, 'app_id');
    await refusalAt('alipay', { ...alipay, private_key: fileOf(stranger, 'other.key') }, 'app_cert');
    const wechat = formOf(standIn, 'wechat');
    expect(await refusalAt('wechat', { ...wechat, api_key: 'tooshort' }, 'api_key')).toEqual({
      fields: { api_key: 'APIv3密钥应为32个字符' },
    });
    await refusalAt('wechat', { ...wechat, private_key: fileOf(stranger, 'other.key') }, 'cert');
    await refusalAt('wechat', { ...wechat, cert: undefined }, 'cert');
    await refusalAt('wechat', { ...wechat, public_key_id: 'PUB_KEY_ID_1' }, 'public_key');
    await refusalAt('wechat', { ...wechat, public_key_id: 'PUB_KEY_ID_1', public_key: 'no key' }, 'public_key');
    expect(await rowOf(east, 'wechat')).toMatchObject({ merchant_id: null, status: 0 });
  });

  it.each([
    ['app_cert', 'app.pem', '-----BEGIN'],
    ['app_cert', 'app.crt', 'not a certificate'],
    ['private_key', 'app.key', 'not a key'],
    ['private_key', 'app.key', 'x'.repeat(1024 * 1024 + 1)],
  ])('refuse a %s from file %s with invalid content', async (field, name, text) => {
    const reply = await send('alipay', { ...formOf(standIn, 'alipay'), [field]: fileOf(text, name) });
    expect([errors.wrong_media.code, errors.too_large.code]).toContain(reply.code);
    expect(reply.data).toMatchObject({ fields: { [field]: expect.any(String) } });
  });

  it('refuse a JSON object in place of a file', async () => {
    const { id, version } = await rowOf(east, 'alipay');
    const forged = { path: `${api.deps.config.dataDir}/secret.key`, sha256: 'x', name: 'a.key', extension: 'key', size: 1 };
    const files = { private_key: forged, app_cert: forged, alipay_cert: forged, root_cert: forged };
    const reply = await east.call(calls.save, { id, version, merchant_id: '1', app_id: '2', status: 1, ...files });
    expect(reply.code).toBe(errors.bad_input.code);
    expect(await rowOf(east, 'alipay')).toMatchObject({ merchant_id: null });
  });
});

describe('a saved payment channel', () => {
  it.each(['wechat', 'alipay'] as const)('of %s keeps settings that a form leaves empty, and returns no secret', async (channel) => {
    const form = formOf(standIn, channel);
    expect(await send(channel, form)).toMatchObject({ code: 0 });
    const row = await rowOf(east, channel);
    const secrets = await Promise.all(Object.values(form).map((v) => (v instanceof File ? v.text() : undefined)));
    const output = JSON.stringify(row);
    for (const secret of [...secrets, form.api_key, form.app_secret])
      if (typeof secret === 'string') expect(output).not.toContain(secret.length > 60 ? secret.slice(30, 60) : secret);
    expect(row).toMatchObject({
      status: 1,
      merchant_id: form.merchant_id,
      ...(channel === 'wechat' && { api_key: '******', app_secret: '******' }),
    });
    expect(row.cert_names).toEqual(
      channel === 'wechat' ? ['apiclient_key', 'apiclient.crt'] : ['app.key', 'app.crt', 'alipay.crt', 'root.crt'],
    );

    const { merchant_id, app_id } = form;
    expect(await send(channel, { merchant_id, app_id, status: 1 })).toMatchObject({ code: errors.unchanged.code });
    expect(await send(channel, form)).toMatchObject({ code: errors.unchanged.code });
    expect(await send(channel, { merchant_id, app_id, status: 0 })).toMatchObject({ code: 0 });
    const stored = await api.db.selectFrom('payment_channel').select('secrets').where('id', '=', row.id).executeTakeFirstOrThrow();
    expect(Object.keys(openSecrets(api.deps.config.secretKey, stored.secrets))).toHaveLength(4);
    expect(stored.secrets).toMatch(/^v1\./);
  });

  it('refuses an old version', async () => {
    const { id, version } = await rowOf(east, 'alipay');
    const reply = await sendChannel(api, east, id, { ...formOf(standIn, 'alipay'), version: (version ?? 1) - 1 });
    expect(reply.code).toBe(errors.stale.code);
  });

  it('is not found by other VNOs, including parent and child', async () => {
    const { id, version } = await rowOf(east, 'wechat');
    const admin = await api.login('admin');
    const child = await api.login('child');
    for (const by of [admin, child, west])
      expect(await sendChannel(api, by, id, { ...formOf(standIn, 'wechat'), version })).toMatchObject({ code: errors.not_found.code });
  });

  it('can be read but not changed by a view-only role', async () => {
    const role = await makeRole(east, 'reader', grantsOf(['pay_config'], '10'));
    await makeStaff(east, 'pay_reader', role);
    const reader = await api.login('pay_reader');
    expect((await reader.call(calls.list)).data.total).toBe(2);
    expect((await send('wechat', formOf(standIn, 'wechat'), reader)).code).toBe(errors.denied.code);
  });

  it('clears the URL of the stand-in provider when the merchant ID changes', async () => {
    const { id } = await rowOf(east, 'wechat');
    await api.db.updateTable('payment_channel').set({ gateway: 'http://127.0.0.1:1' }).where('id', '=', id).execute();
    const gateway = async () =>
      (await api.db.selectFrom('payment_channel').select('gateway').where('id', '=', id).executeTakeFirstOrThrow()).gateway;
    expect(await send('wechat', { ...formOf(standIn, 'wechat'), status: 1 })).toMatchObject({ code: 0 });
    expect(await gateway()).toBe('http://127.0.0.1:1');
    expect(await send('wechat', { ...formOf(standIn, 'wechat'), merchant_id: '1234567890' })).toMatchObject({ code: 0 });
    expect(await gateway()).toBeNull();
  });

  it('is logged with the names of replaced fields, but without their content', async () => {
    const rows = await api.db.selectFrom('syslog').selectAll().where('content_en', 'like', 'Changed the payment configuration%').execute();
    expect(rows.length).toBeGreaterThan(3);
    const output = JSON.stringify(rows);
    expect(output).toContain('alipay_cert');
    expect(output).not.toContain('BEGIN');
    expect(output).not.toContain(standIn.credentials.wechat.api_key);
  });
});
