import { nasCalls } from '@farlink/contract/advanced/nas.ts';
import { nasDetailCalls as calls } from '@farlink/contract/advanced/nas-detail.ts';
import { errors } from '@farlink/contract/errors.ts';
import { aaaUserCalls } from '@farlink/contract/user/aaa-user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { seal } from '../../kit/session/secret.ts';

let api: Api;
let admin: Caller;
let east: Caller;
let west: Caller;
let billing: BillingFixture;
let id: number;

const nasRow = (name: string, agent_id: number) => ({
  agent_id,
  name,
  identifier: name,
  secret: seal(api.deps.config.secretKey, 'secret'),
  create_at: 1,
  update_at: 1,
});

beforeAll(async () => {
  api = await startApi();
  const branches = await makeBranches(api);
  ({ admin, east, west } = branches);
  billing = await makeBillingFixture(api, branches.eastId, 'East');
  const nas = await api.db.insertInto('nas').values(nasRow('hotel', branches.eastId)).returning('id').executeTakeFirstOrThrow();
  ({ id } = nas);
});
afterAll(() => api.close());

const page = { page: 1, limit: 50, lang: 'en' } as const;
const lists = [calls.rejections, calls.coa, aaaUserCalls.ofNas];
const read = async (by: Caller) => (await by.call(calls.read, { id, lang: 'en' })).data;

const makeSession = async (nas_id: number, session_id: string) => {
  const { id: subscriber_id, account } = await billing.makeAccount();
  const row = { subscriber_id, agent_id: billing.agent_id, nas_id, session_id, acct_id: session_id, source: 'aaa' as const };
  const session = await api.db
    .insertInto('online_session')
    .values({ ...row, login_at: api.clock.now() - 60, grant_up: 64, grant_down: 64 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { subscriber_id, account, session_id: session.id };
};

describe('the page of a NAS', () => {
  it('shows what was seen of it, the address of the server and the last answered request', async () => {
    expect(await read(east)).toMatchObject({ id, name: 'hotel', class_returned: null, login_seen_at: null, coa: null, version: 1 });
    await api.db
      .updateTable('nas')
      .set({ login_seen_at: 7, accounting_seen_at: 8, class_returned: true, clock_offset_s: -3 })
      .where('id', '=', id)
      .execute();
    const { session_id } = await makeSession(id, 'read');
    const task = { session_id, nas_id: id, kind: 'disconnect' as const, reason: 'kick' as const };
    await api.db
      .insertInto('coa_task')
      .values([
        { ...task, state: 'acked', create_at: 1, finish_at: 2 },
        { ...task, state: 'refused', error_cause: 503, create_at: 3, finish_at: 4 },
        { ...task, state: 'waiting', create_at: 5 },
      ])
      .execute();
    const seen = { login_seen_at: 7, accounting_seen_at: 8, class_returned: true, clock_offset_s: -3 };
    const coa = { is_acked: false, text: 'Refused: session not found', at: 4 };
    for (const by of [east, admin]) expect(await read(by)).toMatchObject({ ...seen, coa });
    const { authPort, acctPort } = api.deps.config.radius;
    expect((await read(east)).server).toMatchObject({ auth_port: authPort, acct_port: acctPort });
    const [row] = (await east.call(nasCalls.list, { ...page, identifier: 'hotel' })).data.list;
    expect(row).toMatchObject(seen);
  });

  it('lists its open sessions, refused logins and requests, and none of another NAS', async () => {
    const { id: other } = await api.db
      .insertInto('nas')
      .values(nasRow('other', billing.agent_id))
      .returning('id')
      .executeTakeFirstOrThrow();
    const { subscriber_id, account, session_id } = await makeSession(other, 'own');
    const rejection = { subscriber_id, nas_id: other, reason: 'wrong_mac', mac: 'aa:bb:cc:dd:ee:ff', create_at: 9 };
    await api.db.insertInto('login_rejection').values(rejection).execute();
    const task = { session_id, nas_id: other, kind: 'change' as const, reason: 'change' as const, state: 'no_answer' as const };
    await api.db
      .insertInto('coa_task')
      .values({ ...task, tries: 4, create_at: 3, finish_at: 4 })
      .execute();
    for (const by of [east, admin]) {
      const listOf = async (call: (typeof lists)[number]) => (await by.call(call, { id: other, ...page })).data.list;
      expect(await listOf(calls.rejections)).toMatchObject([{ account, reason: 'wrong_mac', mac: 'aa:bb:cc:dd:ee:ff', create_at: 9 }]);
      expect(await listOf(calls.coa)).toMatchObject([{ account, kind: 'change', result: 'No answer', tries: 4, finish_at: 4 }]);
      expect(await listOf(aaaUserCalls.ofNas)).toMatchObject([{ account, id: session_id, enforcement: 'enforced' }]);
    }
    const names = (await east.call(aaaUserCalls.ofNas, { id, ...page })).data.list.map((row) => row.account);
    expect(names).not.toContain(account);
  });

  it('does not exist for another VNO and for a role limited to devices, and needs the permission of the list', async () => {
    const limited = await makeRole(east, 'ships', grantsOf(['nas_manage']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [billing.device_id],
    });
    await makeStaff(east, 'east_ships', limited);
    const elsewhere = await makeRole(east, 'accounts', grantsOf(['user_list']));
    await makeStaff(east, 'east_accounts', elsewhere);
    const staff = await api.login('east_ships');
    const accounts = await api.login('east_accounts');
    for (const call of lists) {
      for (const by of [west, staff]) expect((await by.call(call, { id, ...page })).code).toBe(errors.not_found.code);
      expect((await accounts.call(call, { id, ...page })).code).toBe(errors.denied.code);
    }
    for (const by of [west, staff]) expect((await by.call(calls.read, { id })).code).toBe(errors.not_found.code);
    expect((await accounts.call(calls.read, { id })).code).toBe(errors.denied.code);
  });
});
