import { deviceCalls } from '@farlink/contract/device/device.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, startApi } from '../../../test/api.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { makeBranches } from '../../../test/world.ts';
import { enrolLimits } from '../../field/enrolment/enrol-limits.ts';
import { hashToken } from '../../kit/session/secret.ts';

let api: Api;
let fleet: ReturnType<typeof makeFleet>;
let admin: Caller;
let east: Caller;
let west: Caller;
let eastId: number;
let westId: number;
let childId: number;

beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: 'on' });
  const world = await makeBranches(api);
  ({ admin, east, west, eastId, westId, childId } = world);
  fleet = makeFleet(api, 'ENR');
});
afterAll(() => api.close());

const codeOf = async (id: number) => (await api.db.selectFrom('agent').select('code').where('id', '=', id).executeTakeFirstOrThrow()).code;
const post = (body: object, headers: Record<string, string> = {}) =>
  fetch(`${api.base}/gateway/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
/** Reply to a gateway that enrols with this SN and merchant code. */
const ask = async (sn: string, code: string, hw = 'box-1'): Promise<{ st: number; key?: string }> =>
  JSON.parse(await (await post({ sn, code, hw })).text());
const deviceOf = (sn: string) => api.db.selectFrom('device').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();
const decide = async (call: 'approve' | 'reject', by: Caller, id: number) =>
  (await by.call(deviceCalls[call], { ids: [id] })).data.list.map((row) => row.message);

describe('a gateway with an SN that the VNO does not know', () => {
  it('waits for approval by the VNO; then only the hardware that enrolled gets the key', async () => {
    const code = await codeOf(eastId);
    expect(await ask('WAIT1', code)).toEqual({ st: 5 });
    const { id } = await deviceOf('WAIT1');
    const listed = await east.call(deviceCalls.list, { status: 5, page: 1, limit: 10 });
    expect(listed.data.list.map((row) => row.sn)).toEqual(['WAIT1']);
    expect(await decide('approve', west, id)).toEqual(['数据不存在']);
    expect(await ask('WAIT1', code)).toEqual({ st: 5 });
    expect(await decide('approve', east, id)).toEqual(['']);
    expect(await decide('approve', east, id)).toEqual(['该设备不在等待审批']);
    expect(await ask('WAIT1', code, 'another-box')).toEqual({ st: 3 });
    expect(await ask('WAIT1', code)).toMatchObject({ st: 0, key: expect.stringMatching(/^.{43}$/) });
    expect(await deviceOf('WAIT1')).toMatchObject({ agent_id: eastId, status: 0, hardware_id: 'box-1' });
    const log = await api.db.selectFrom('syslog').selectAll().where('subject', '=', `device:${id}`).execute();
    expect(log.map((entry) => entry.content_zh)).toContain('批准设备接入 WAIT1');
  });

  it('is refused after a rejection; another VNO may then take it, and the operator may still approve it', async () => {
    const code = await codeOf(eastId);
    await ask('WAIT2', code);
    const { id } = await deviceOf('WAIT2');
    expect(await ask('WAIT2', await codeOf(westId))).toEqual({ st: 2 });
    expect(await decide('reject', east, id)).toEqual(['']);
    expect(await ask('WAIT2', code)).toEqual({ st: 6 });
    expect(await decide('approve', east, id)).toEqual(['']);
    expect(await ask('WAIT2', code)).toMatchObject({ st: 0 });
    await ask('WAIT3', code);
    await decide('reject', east, (await deviceOf('WAIT3')).id);
    expect(await ask('WAIT3', await codeOf(westId))).toEqual({ st: 5 });
    expect(await deviceOf('WAIT3')).toMatchObject({ agent_id: westId, status: 5 });
  });

  it('is bound at once if the VNO approves new devices automatically', async () => {
    const { data } = await east.call(vnoCalls.read, { id: childId });
    expect(data.enrol_auto).toBe(false);
    expect((await east.call(vnoCalls.update, { ...data, enrol_auto: true })).code).toBe(0);
    expect((await east.call(vnoCalls.read, { id: childId })).data.enrol_auto).toBe(true);
    expect(await ask('AUTO1', await codeOf(childId))).toMatchObject({ st: 0, key: expect.any(String) });
  });
});

describe('an SN that another client enrolled before the real gateway', () => {
  it('is given to the real gateway after a reset by the operator, and the key of the other client becomes invalid', async () => {
    const code = await codeOf(eastId);
    await ask('TAKEN1', code, 'stranger');
    const { id } = await deviceOf('TAKEN1');
    await decide('approve', east, id);
    const { key = '' } = await ask('TAKEN1', code, 'stranger');
    const show = () =>
      fetch(`${api.base}/gateway/key`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sn: 'TAKEN1', key }),
      });
    expect((await show()).status).toBe(204);
    expect(await ask('TAKEN1', code, 'real')).toEqual({ st: 3 });
    expect((await east.call(deviceCalls.resetBinding, { ids: [id] })).data.success).toBe(1);
    expect(await ask('TAKEN1', code, 'stranger')).toEqual({ st: 3 });
    expect(await ask('TAKEN1', code, 'real')).toMatchObject({ st: 0 });
    expect((await show()).status).toBe(401);
  });
});

describe('a foreign client', () => {
  it('without a valid merchant code cannot change a device whose key was never used', async () => {
    const device = await fleet.add(eastId, { merchant_code: 'mine', key_used_at: null });
    for (const code of ['', 'none-such', await codeOf(westId)]) expect((await ask(device.sn, code)).key).toBeUndefined();
    expect(await deviceOf(device.sn)).toMatchObject({ status: 0, merchant_code: 'mine', agent_id: eastId, hardware_id: null });
    await ask('LOOSE1', 'none-such', 'box-1');
    await ask('LOOSE1', '', 'another-box');
    expect(await deviceOf('LOOSE1')).toMatchObject({
      status: 2,
      merchant_code: null,
      hardware_id: hashToken('box-1'),
      model: null,
      version: null,
    });
  });

  it('with a merchant code adds only a limited number of devices an hour', { timeout: 120_000, tags: 'all' }, async () => {
    const { data } = await admin.call(vnoCalls.read, { id: westId });
    await admin.call(vnoCalls.update, { ...data, enrol_auto: true });
    const code = await codeOf(westId);
    const statuses: number[] = [];
    const asks = Array.from({ length: enrolLimits.newPerVno + enrolLimits.sharePerAddress + 20 }, (_, i) => `FLOOD${i}`).values();
    const worker = async () => {
      for (const sn of asks) statuses.push((await post({ sn, code, hw: sn })).status);
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const { n } = await api.db
      .selectFrom('device')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('sn', 'like', 'FLOOD%')
      .executeTakeFirstOrThrow();
    expect(n).toBeLessThanOrEqual(enrolLimits.newPerVno + enrolLimits.sharePerAddress);
    expect(n).toBeGreaterThan(0);
    // The share of another address is not used up.
    expect((await post({ sn: 'OTHER1', code, hw: 'other' }, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
  });
});
