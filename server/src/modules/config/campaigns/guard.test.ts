import { configCampaignCalls as calls } from '@farlink/contract/config/campaign.ts';
import { configCalls, keptSecret } from '@farlink/contract/config/config.ts';
import { errors } from '@farlink/contract/errors.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, fieldsOf, grantsOf, type Reply } from '../../../../test/api.ts';
import { type ConfigApi, startConfigApi, type TestGateway } from '../../../../test/config-api.ts';
import { gates, openGates } from '../../../../test/gates.ts';
import { patience } from '../../../../test/patience.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';
import { configCampaignJobs } from '../../../domain/config/campaign/campaign-job.ts';
import { enqueue } from '../../../kit/jobs/job.ts';
import { startJobs } from '../../../kit/jobs/job-runner.ts';

let api: ConfigApi;
let east: Caller;
let eastId: number;

beforeAll(async () => {
  api = await startConfigApi();
  ({ eastId } = await makeBranches(api));
  await openGates(api);
  east = await api.login('east');
});
afterAll(() => api?.close());

const ok = <T>(reply: Reply<T>): T => {
  expect(reply.code, JSON.stringify(reply)).toBe(0);
  return reply.data;
};
const work = () => startJobs(api.deps, configCampaignJobs, { pollMs: 0 }).tick();
const bulk = (some: readonly TestGateway[], page: string, field: string, value: unknown, more: object = {}) =>
  east.call(calls.bulk, { page, field, value: { value }, target: 'devices', device_ids: some.map(({ id }) => id), keep: 0, ...more });
const page = async (gateway: TestGateway, key: string) => ok(await east.call(configCalls.page, { device_id: gateway.id, page: key }));
const counts = async (id: number) => ok(await east.call(calls.read, { id })).counts;
const applySyslog = async (gateway: TestGateway) => {
  const doc = { ...factoryDocs.get('advanced_syslog'), local_size: 128 };
  ok(await east.call(configCalls.draft, { device_id: gateway.id, page: 'advanced_syslog', base_rev: 0, doc }));
  return ok(await east.call(configCalls.apply, { device_id: gateway.id, pages: ['advanced_syslog'], keep: 0 })).id;
};

describe('stopping a campaign', () => {
  it('keeps the pending changes of another operator for an offline device', async () => {
    const gateway = await api.addTestGateway(eastId, 'GUARD1');
    const first = await applySyslog(gateway);
    const { id } = ok(await bulk([gateway], 'network_dns', 'min_ttl', 78));
    await work();
    ok(await east.call(calls.stop, { id }));
    expect(await counts(id)).toMatchObject({ stopped: 1, waiting: 0 });
    expect(await page(gateway, 'network_dns')).toMatchObject({ state: 'none', rev: 0 });
    expect(await page(gateway, 'advanced_syslog')).toMatchObject({ state: 'pending', rev: 1, doc: { local_size: 128 } });
    await gateway.connect();
    await vi.waitFor(() => expect(gateway.bundles).toHaveLength(1), patience);
    const [set] = gateway.bundles;
    expect(Object.keys(set?.s ?? {})).toEqual(['advanced_syslog']);
    if (set) await gateway.accept(set);
    await vi.waitFor(async () => expect((await page(gateway, 'advanced_syslog')).state).toBe('applied'), patience);
    const { list } = ok(await east.call(configCalls.applies, { device_id: gateway.id }));
    expect(list.find((row) => row.id === first)).toMatchObject({ state: 3, pages: ['advanced_syslog'] });
  });

  it('keeps the changes of another campaign, which still tracks them', async () => {
    const gateway = await api.addTestGateway(eastId, 'GUARD2');
    const { id: earlier } = ok(await bulk([gateway], 'network_dns', 'min_ttl', 79));
    await work();
    const { id } = ok(await bulk([gateway], 'network_cellular', 'mtu', 1400));
    await work();
    ok(await east.call(calls.stop, { id }));
    expect(await counts(id)).toMatchObject({ stopped: 1 });
    expect(await counts(earlier)).toMatchObject({ waiting: 1 });
    await gateway.connect();
    await vi.waitFor(() => expect(gateway.bundles).toHaveLength(1), patience);
    const [set] = gateway.bundles;
    expect(Object.keys(set?.s ?? {})).toEqual(['network_dns']);
    if (set) await gateway.accept(set);
    await vi.waitFor(async () => expect(await counts(earlier)).toMatchObject({ applied: 1 }), patience);
  });

  it('counts a device as stopped if it is deleted after it received the changes', async () => {
    const gateway = await api.addTestGateway(eastId, 'GUARD9');
    await gateway.connect();
    const { id } = ok(await bulk([gateway], 'network_dns', 'min_ttl', 82));
    await work();
    await vi.waitFor(() => expect(gateway.bundles).toHaveLength(1), patience);
    ok(await east.call(calls.stop, { id }));
    expect(await counts(id)).toMatchObject({ waiting: 1 });
    await api.db.deleteFrom('device').where('id', '=', gateway.id).execute();
    await enqueue(api.db, api.clock.now(), { kind: 'config_campaign_sweep' });
    await work();
    expect(await counts(id)).toMatchObject({ waiting: 0, stopped: 1 });
    expect(ok(await east.call(calls.read, { id })).state).toBe('stopped');
  });

  it('is allowed, like a retry, only to an operator who manages all of its devices', async () => {
    const mine = await api.addTestGateway(eastId, 'GUARD3');
    const other = await api.addTestGateway(eastId, 'GUARD4');
    const { id } = ok(await bulk([mine, other], 'network_dns', 'min_ttl', 80));
    await work();
    const role = await makeRole(east, 'one ship', grantsOf(['device_list', 'config_campaign']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [mine.id],
      gateway_permissions: gates,
    });
    await makeStaff(east, 'one_ship', role);
    const crew = await api.login('one_ship');
    expect(ok(await crew.call(calls.devices, { id })).list.map(({ sn }) => sn)).toEqual(['GUARD3']);
    expect((await crew.call(calls.stop, { id })).code).toBe(errors.denied.code);
    expect(await page(other, 'network_dns')).toMatchObject({ state: 'pending' });
    ok(await east.call(calls.stop, { id }));
    expect((await crew.call(calls.retry, { id })).code).toBe(errors.denied.code);
    expect(await counts(id)).toMatchObject({ stopped: 2 });
  });
});

describe('a bulk edit', () => {
  it('leaves no secret in the operator log, at any depth', async () => {
    const gateway = await api.addTestGateway(eastId, 'GUARD5');
    const open = `${'A'.repeat(43)}=`;
    const hidden = `${'Q'.repeat(43)}=`;
    const peers = [{ peer_name: 'shore', public_key: open, preshared_key: hidden, allowed_ips: [{ subnet: '10.0.0.0/24' }] }];
    ok(await bulk([gateway], 'vpn_wireguard', 'peers', peers, { row: '*' }));
    ok(await bulk([gateway], 'network_cellular', 'password', 'Sesame2026'));
    const logged = JSON.stringify(await api.db.selectFrom('syslog').select(['before', 'after']).execute());
    expect(logged).toContain(open);
    expect(logged).not.toContain(hidden);
    expect(logged).not.toContain('Sesame2026');
  });

  it('is refused if it would set a secret to its placeholder, or an unknown field', async () => {
    const gateway = await api.addTestGateway(eastId, 'GUARD6');
    expect(fieldsOf(await bulk([gateway], 'network_cellular', 'password', keptSecret))).toEqual({ value: '请重新输入' });
    const peers = [
      { peer_name: 'shore', public_key: `${'A'.repeat(43)}=`, preshared_key: keptSecret, allowed_ips: [{ subnet: '10.0.0.0/24' }] },
    ];
    expect(fieldsOf(await bulk([gateway], 'vpn_wireguard', 'peers', peers, { row: '*' }))).toHaveProperty(['value[0].preshared_key']);
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(fieldsOf(await bulk([gateway], 'network_dns', name, 'x'))).toHaveProperty('field');
  });
});

describe('a page with a secret that cannot be decrypted', () => {
  it('does not block other pages of its device or campaigns of other pages', async () => {
    const lost = await api.addTestGateway(eastId, 'GUARD10');
    const other = await api.addTestGateway(eastId, 'GUARD11');
    const rows = [{ account: 'crew', password: { sealed: 'v1.of_a_key_that_is_gone' } }];
    await api.db
      .insertInto('desired_section')
      .values({ device_id: lost.id, section: 'auth_local_user', rev: 1, hash: 'x', doc: JSON.stringify({ rows }), update_at: 1 })
      .execute();
    expect((await east.call(configCalls.page, { device_id: lost.id, page: 'auth_local_user' })).code).toBe(errors.internal.code);
    await applySyslog(lost);
    const { id } = ok(await bulk([lost, other], 'network_dns', 'min_ttl', 83));
    await work();
    expect(await counts(id)).toMatchObject({ waiting: 2 });
  });
});

describe('a gateway that reports invalid documents', () => {
  it('blocks neither its pages nor a campaign', async () => {
    const odd = await api.addTestGateway(eastId, 'GUARD7');
    const other = await api.addTestGateway(eastId, 'GUARD8');
    await odd.connect();
    await odd.change('network_cellular', 0, { password: { sealed: 'v1.x' } });
    await odd.change('network_lan', 0, { rows: [1, null, { name: { a: 1 } }] });
    await odd.change('network_wan', 0, { rows: 5 });
    for (const key of ['network_cellular', 'network_lan', 'network_wan']) expect(await page(odd, key)).toMatchObject({ state: 'none' });
    expect(await page(odd, 'network_cellular')).toMatchObject({ doc: { password: keptSecret } });
    await applySyslog(odd);
    const { id } = ok(await bulk([odd, other], 'network_dns', 'min_ttl', 81));
    await work();
    expect(await counts(id)).toMatchObject({ waiting: 2 });
  });
});
