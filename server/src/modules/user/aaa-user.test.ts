import { errors } from '@farlink/contract/errors.ts';
import { aaaUserCalls as calls } from '@farlink/contract/user/aaa-user.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeVno, makeVnoRole } from '../../../test/world.ts';
import { seal } from '../../kit/session/secret.ts';

let api: Api;
let admin: Caller;
let east: Caller;
let west: Caller;
let billing: BillingFixture;
let nasId: number;

beforeAll(async () => {
  api = await startApi();
  const branches = await makeBranches(api);
  ({ admin, east, west } = branches);
  billing = await makeBillingFixture(api, branches.eastId, 'East');
  const secret = seal(api.deps.config.secretKey, 'secret');
  const nas = { agent_id: branches.eastId, name: 'Hotel', identifier: 'hotel', secret, create_at: 1, update_at: 1 };
  ({ id: nasId } = await api.db.insertInto('nas').values(nas).returning('id').executeTakeFirstOrThrow());
});
afterAll(() => api.close());

const session = async (sid: string, more: Record<string, unknown> = {}) => {
  const account = await billing.makeAccount();
  const row = {
    subscriber_id: account.id,
    agent_id: billing.agent_id,
    nas_id: nasId,
    acct_id: sid,
    source: 'aaa' as const,
    session_id: sid,
  };
  const { id } = await api.db
    .insertInto('online_session')
    .values({ ...row, nas_ip: '10.1.1.1', ip: '10.2.2.2', mac: 'aa:bb:cc:dd:ee:ff', login_at: api.clock.now() - 100, ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, account };
};
const online = async (by: Caller, more = {}) => (await by.call(calls.online, { page: 1, limit: 50, lang: 'en', ...more })).data.list;

describe('AAA online users', () => {
  it('are the open RADIUS sessions, found by each filter', async () => {
    const { id, account } = await session('s1', { up_bytes: 5, down_bytes: 6, down_speed: 7, device_id: billing.device_id });
    await session('s2', { logout_at: api.clock.now(), terminate_cause: 'session' });
    await session('s3', { source: 'gateway' });
    const found = {
      account: account.account,
      device_id: billing.device_id,
      ip: '10.2',
      mac: 'aa:bb',
      nas_ip: '10.1.1',
      vno_id: billing.agent_id,
    };
    for (const [name, value] of Object.entries(found))
      expect(
        (await online(east, { [name]: value })).map((r) => r.id),
        name,
      ).toContain(id);
    expect(await online(east, { account: account.account })).toMatchObject([
      {
        id,
        device_name: 'East 1',
        sn: 'East-1',
        nas_ip: '10.1.1.1',
        session_id: 's1',
        duration: 100,
        up_bytes: 5,
        down_bytes: 6,
        up_speed: null,
        down_speed: 7,
        agent_name: 'VNO east',
        kick_state: null,
      },
    ]);
    expect((await online(east)).map((r) => r.session_id)).not.toEqual(expect.arrayContaining(['s2', 's3']));
    expect(await online(west)).toEqual([]);
  });

  it('show the NAS name of a session without a device, and the state of a kick with its refusal reason', async () => {
    const { id, account } = await session('k1');
    const kick = () => east.call(userCalls.kick, { ids: [id], source: 'aaa' });
    expect((await kick()).data).toMatchObject({ success: 1 });
    const shown = async () => (await online(east, { account: account.account }))[0];
    expect(await shown()).toMatchObject({ device_name: 'Hotel', kick_state: 'Waiting', is_kicking: true });
    const reportState = (state: 'sent' | 'refused' | 'no_answer', error_cause: number | null) =>
      api.db.updateTable('coa_task').set({ state, error_cause }).where('session_id', '=', id).execute();
    await reportState('sent', null);
    expect(await shown()).toMatchObject({ kick_state: 'Sent' });
    await reportState('refused', 506);
    expect(await shown()).toMatchObject({ kick_state: 'Refused: resources unavailable', is_kicking: false });
    await reportState('no_answer', null);
    expect(await shown()).toMatchObject({ kick_state: 'No answer', is_kicking: false });
    expect((await kick()).data).toMatchObject({ success: 1 });
    expect(await api.db.selectFrom('coa_task').select('operator').where('session_id', '=', id).execute()).toHaveLength(2);
    const log = await api.db.selectFrom('syslog').select('content_en').orderBy('id', 'desc').executeTakeFirstOrThrow();
    expect(log.content_en).toBe(`Kicked AAA user ${account.account} offline`);
  });

  it('get one request for repeated kicks, and cannot be kicked by another VNO or after logout', async () => {
    const { id } = await session('k2');
    const requests = () => api.db.selectFrom('coa_task').select('id').where('session_id', '=', id).execute();
    expect((await west.call(userCalls.kick, { ids: [id], source: 'aaa' })).data).toMatchObject({ success: 0, fail: 1 });
    expect(await requests()).toEqual([]);
    for (let i = 0; i < 2; i++) expect((await east.call(userCalls.kick, { ids: [id], source: 'aaa' })).data).toMatchObject({ success: 1 });
    expect(await requests()).toHaveLength(1);
    await api.db.updateTable('online_session').set({ logout_at: 1 }).where('id', '=', id).execute();
    expect((await east.call(userCalls.kick, { ids: [id], source: 'aaa' })).data).toMatchObject({ success: 0, fail: 1 });
  });

  it('and their log are denied in agent modes 1 and 4', async () => {
    const role = await makeVnoRole(admin, 'aaa', grantsOf(['aaa_user_online', 'aaa_user_log', 'user_list']));
    for (const agent_mode of [1, 4]) {
      await makeVno(admin, `mode${agent_mode}`, role, { agent_mode });
      const vno = await api.login(`mode${agent_mode}`);
      for (const call of [calls.online, calls.log]) expect((await vno.call(call, { page: 1, limit: 10 })).code).toBe(errors.denied.code);
    }
  });
});

describe('the AAA log', () => {
  it('lists ended sessions with their terminate cause', async () => {
    const { id, account } = await session('e1', { logout_at: api.clock.now(), terminate_cause: 'expired', up_bytes: 9 });
    const { data } = await east.call(calls.log, { page: 1, limit: 10, terminate_cause: 'expired' });
    expect(data).toMatchObject({
      total: 1,
      list: [{ id, account: account.account, duration: 100, terminate_cause: 'expired', up_bytes: 9 }],
    });
    expect((await west.call(calls.log, { page: 1, limit: 10 })).data.list).toEqual([]);
    for (const orderby of ['account asc', 'login_at asc', 'logout_at desc', 'duration asc', 'up_bytes desc', 'down_bytes asc'])
      expect((await east.call(calls.log, { page: 1, limit: 10, orderby })).code, orderby).toBe(0);
  });
});
