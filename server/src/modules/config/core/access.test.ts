import { createHash } from 'node:crypto';
import { configCalls as calls, keptSecret } from '@farlink/contract/config/config.ts';
import { gatewayAccountCalls } from '@farlink/contract/config/gateway-config.ts';
import { assignLogCalls } from '@farlink/contract/device/assign-log.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import { factoryDocs } from '@farlink/gateway/kit/config.ts';
import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, fieldsOf, grantsOf, readReply } from '../../../../test/api.ts';
import { type ConfigApi, startConfigApi } from '../../../../test/config-api.ts';
import { patience } from '../../../../test/patience.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';

let api: ConfigApi;
let east: Caller;
let west: Caller;
let eastId: number;
let westId: number;

const allPermissions = Object.fromEntries([...gatewayPages.values()].map((page): [string, Grant] => [gatewayPermission(page), '11']));

beforeAll(async () => {
  api = await startConfigApi();
  const world = await makeBranches(api);
  await api.db
    .updateTable('role')
    .set({ gateway_permissions: JSON.stringify(allPermissions) })
    .execute();
  ({ eastId, westId } = world);
  east = await api.login('east');
  west = await api.login('west');
});
afterAll(() => api?.close());

let people = 0;
const someone = async (gates: Readonly<Record<string, Grant>>) => {
  const name = `crew${++people}`;
  const role = await makeRole(east, name, grantsOf(['device_list', 'assign_log']), { gateway_permissions: gates });
  await makeStaff(east, `${name}_staff`, role);
  return api.login(`${name}_staff`);
};

describe('rights on configuration pages', () => {
  it('do not include devices of another branch', async () => {
    const gateway = await api.addTestGateway(eastId, 'WHO1');
    const device = { device_id: gateway.id };
    const page = { ...device, page: 'network_wan' };
    for (const reply of [
      await west.call(calls.tree, device),
      await west.call(calls.page, page),
      await west.call(calls.draft, { ...page, base_rev: 0, doc: { rows: [] } }),
      await west.call(calls.review, device),
      await west.call(calls.apply, { ...device, pages: ['network_wan'] }),
      await west.call(calls.resolveDrift, { ...page, take: 'gateway', local_hash: 'x' }),
      await west.call(gatewayAccountCalls.grants, device),
      await west.call(gatewayAccountCalls.save, { ...device, permissions: {} }),
    ])
      expect(reply.code).toBe(errors.not_found.code);
  });

  it('are granted per page: operable, show only or invisible', async () => {
    const gateway = await api.addTestGateway(eastId, 'WHO2');
    const gates = { gw_network_wan: '10', gw_network_lan: '11', gw_quick_menu_reboot: '11', gw_hidden_debug: '11' } as const;
    const crew = await someone(gates);
    const tree = (await crew.call(calls.tree, { device_id: gateway.id })).data;
    const nodes = tree.groups.flatMap(({ pages }) => pages);
    // A quick menu entry needs access to its target page.
    expect(nodes.map(({ key, writable, hidden }) => [key, writable, hidden]).toSorted()).toEqual([
      ['hidden_debug', true, true],
      ['network_lan', true, false],
      ['network_wan', false, false],
    ]);
    const of = (page: string) => ({ device_id: gateway.id, page });
    expect((await crew.call(calls.page, of('network_wan'))).data.writable).toBe(false);
    expect((await crew.call(calls.draft, { ...of('network_wan'), base_rev: 0, doc: { rows: [] } })).code).toBe(errors.denied.code);
    expect((await crew.call(calls.page, of('network_vlan'))).code).toBe(errors.denied.code);
    expect((await crew.call(calls.revisions, { device_id: gateway.id, section: 'network_vlan' })).code).toBe(errors.denied.code);
    expect((await crew.call(calls.page, of('network_nowhere'))).code).toBe(errors.not_found.code);
    expect((await crew.call(calls.apply, { device_id: gateway.id, pages: ['network_lan'] })).data).toEqual({
      fields: { pages: '所选页面没有草稿' },
    });
    expect((await crew.call(calls.apply, { device_id: gateway.id, pages: ['network_vlan'] })).code).toBe(errors.denied.code);
  });

  it('hide an invisible page also in drafts and applied changes', async () => {
    const gateway = await api.addTestGateway(eastId, 'WHO3');
    const device = { device_id: gateway.id };
    const dns = (min_ttl: number) => ({ ...device, page: 'network_dns', base_rev: 0, doc: { ...factoryDocs.get('network_dns'), min_ttl } });
    const crew = await someone({ gw_network_dns: '11', gw_network_lan: '11' });
    expect((await crew.call(calls.draft, dns(60))).code).toBe(0);
    expect((await crew.call(calls.review, device)).data.pages).toMatchObject([{ page: 'network_dns' }]);
    await api.db
      .updateTable('role')
      .set({ gateway_permissions: JSON.stringify({ gw_network_lan: '11' }) })
      .where('name', '=', `crew${people}`)
      .execute();
    const later = await api.login(`crew${people}_staff`);
    await gateway.connect();
    expect((await east.call(calls.draft, dns(99))).code).toBe(0);
    expect((await east.call(calls.apply, { ...device, pages: ['network_dns'], keep: 0 })).code).toBe(0);
    expect((await later.call(calls.review, device)).data).toMatchObject({ pages: [], problems: [] });
    await vi.waitFor(() => expect(gateway.bundles).toHaveLength(1), patience);
    const err = 'E_FIELD network_dns.min_ttl: 99 is too much';
    if (gateway.bundles[0]) await gateway.reply(gateway.bundles[0], (_, { rev }) => ({ rev, ok: false, err }));
    const applyOf = async (by: Caller) => (await by.call(calls.tree, device)).data.apply;
    await vi.waitFor(async () => expect(await applyOf(east)).toMatchObject({ state: 4, pages: ['network_dns'], err }), patience);
    expect(await applyOf(later)).toMatchObject({ state: 4, pages: [], err: null });
    expect((await later.call(calls.applies, device)).data.list).toMatchObject([{ state: 4, pages: [], err: null }]);
  });
});

describe('a file of a configuration page', () => {
  const upload = async (by: Caller, deviceId: number, field: string, name: string, content: string) => {
    const form = new FormData();
    for (const [key, value] of Object.entries({ device_id: String(deviceId), page: 'vpn_certificate', field, lang: 'zh' }))
      form.set(key, value);
    form.set('file', new Blob([content]), name);
    const response = await fetch(`${api.base}/agt/v1/device/config/file`, {
      method: 'POST',
      headers: { authorization: by.session?.token ?? '' },
      body: form,
    });
    return readReply<{ name: string; size: number; sha256: string }>(response);
  };

  it('is validated by its field, can be referenced only after its upload, and is offered only to the gateway', async () => {
    const gateway = await api.addTestGateway(eastId, 'FILE1');
    await gateway.connect();
    expect((await upload(east, gateway.id, 'cert_file', 'cert.txt', 'x')).data).toEqual({ fields: { file: '.crt证书文件' } });
    expect((await upload(east, gateway.id, 'cert_file', 'cert.crt', 'x'.repeat(1024 * 1024 + 1))).code).toBe(errors.bad_input.code);
    expect((await upload(east, gateway.id, 'name', 'cert.crt', 'x')).code).toBe(errors.not_found.code);
    expect((await upload(west, gateway.id, 'cert_file', 'cert.crt', 'x')).code).toBe(errors.not_found.code);
    const cert = (await upload(east, gateway.id, 'cert_file', 'ship.crt', 'a certificate')).data;
    expect(cert).toEqual({ name: 'ship.crt', size: 13, sha256: createHash('sha256').update('a certificate').digest('hex') });
    const key = (await upload(east, gateway.id, 'key_file', 'ship.key', 'a private key')).data;
    const row = { name: 'ship', usage: 'client', source: 'upload', cert_file: cert, key_file: key };
    const put = (rows: object[]) => east.call(calls.draft, { device_id: gateway.id, page: 'vpn_certificate', base_rev: 0, doc: { rows } });
    expect((await put([{ ...row, cert_file: { ...cert, sha256: '0'.repeat(64) } }])).data).toEqual({
      fields: { 'rows[0].cert_file': '请重新上传文件' },
    });
    expect((await put([row])).code).toBe(0);
    expect((await put([{ ...row, key_file: keptSecret, remark: 'x' }])).code).toBe(0);
    expect((await east.call(calls.apply, { device_id: gateway.id, pages: ['vpn_certificate'] })).code).toBe(0);
    await vi.waitFor(() => expect(gateway.bundles).toHaveLength(1), patience);
    const [set] = gateway.bundles;
    expect(set?.s.vpn_certificate).toMatchObject({ doc: { rows: [{ cert_file: cert, key_file: key }] } });
    expect(await (await fetch(set?.f?.[cert.sha256] ?? '')).text()).toBe('a certificate');
    expect(await (await fetch(set?.f?.[key.sha256] ?? '')).text()).toBe('a private key');
    // No other address leads to the file, and no operator gets the address.
    expect((await fetch(`${api.base}/depot/${key.sha256}`)).status).toBe(404);
    expect(JSON.stringify(await east.call(calls.page, { device_id: gateway.id, page: 'vpn_certificate' }))).not.toContain('/depot/');
    // A secret file is stored sealed.
    const { localStore } = await import('../../../kit/files/local-store.ts');
    const { text } = await import('node:stream/consumers');
    const stored = await text(await localStore(`${api.deps.config.dataDir}/files`).get(`config/${key.sha256}.sealed`));
    expect(stored).toMatch(/^v1\./);
  });

  it('is used by VNOs above and below the one that uploaded it, and not by others, even if they know its hash', async () => {
    const ours = await api.addTestGateway(eastId, 'FILE3');
    const theirs = await api.addTestGateway(westId, 'FILE4');
    const cert_file = (await upload(west, theirs.id, 'cert_file', 'own.crt', 'a certificate of west')).data;
    const key_file = (await upload(east, ours.id, 'key_file', 'own.key', 'the key of east')).data;
    const rows = [{ name: 'ship', usage: 'client', source: 'upload', cert_file, key_file }];
    const put = (by: Caller) => by.call(calls.draft, { device_id: theirs.id, page: 'vpn_certificate', base_rev: 0, doc: { rows } });
    expect(fieldsOf(await put(west))).toEqual({ 'rows[0].key_file': '请重新上传文件' });
    expect((await put(await api.login('admin'))).code).toBe(0);
    expect((await upload(west, theirs.id, 'key_file', 'own.key', 'the key of east')).data).toEqual(key_file);
    expect((await put(west)).code).toBe(0);
  });

  it('is used to transfer a document that is too long for a message', async () => {
    const gateway = await api.addTestGateway(eastId, 'FILE2');
    await gateway.connect();
    const rows = Array.from({ length: 256 }, (_, i) => ({
      name: `route${i}`,
      destination: `10.${i}.0.0/16`,
      route_type: 'blackhole',
      remark: '远'.repeat(120),
    }));
    const page = { device_id: gateway.id, page: 'network_static_route' };
    expect((await east.call(calls.draft, { ...page, base_rev: 0, doc: { rows } })).code).toBe(0);
    expect((await east.call(calls.apply, { device_id: gateway.id, pages: ['network_static_route'], keep: 0 })).code).toBe(0);
    await vi.waitFor(() => expect(gateway.bundles).toHaveLength(1), patience);
    const one = gateway.bundles[0]?.s.network_static_route;
    if (!one || !('url' in one)) throw new Error('it was not left out');
    const response = await fetch(one.url);
    const body = await response.text();
    expect(Buffer.byteLength(body)).toBe(one.n);
    expect(JSON.parse(body)).toMatchObject({ rows: [{ name: 'route0' }, ...Array.from({ length: 255 }, () => ({}))] });
  });
});

describe('the permissions of a gateway account', () => {
  it('are stored, sent to the gateway and logged, and cannot exceed the rights of the operator', async () => {
    const gateway = await api.addTestGateway(eastId, 'ACCT1');
    const crew = await someone({ gw_network_wan: '11', gw_network_lan: '10' });
    const device = { device_id: gateway.id };
    const read = (await crew.call(gatewayAccountCalls.grants, device)).data;
    expect(read).toMatchObject({ account: null, accounts: [] });
    expect(read.list.flatMap(({ children }) => children.map(({ key }) => key)).toSorted()).toEqual(['gw_network_lan', 'gw_network_wan']);
    expect((await east.call(gatewayAccountCalls.save, { ...device, permissions: { gw_status_link: '11' } })).code).toBe(0);
    expect((await crew.call(gatewayAccountCalls.save, { ...device, permissions: { gw_network_lan: '11' } })).code).toBe(
      errors.role_exceeds.code,
    );
    expect((await crew.call(gatewayAccountCalls.save, { ...device, permissions: { gw_network_wan: '11' }, read_all: true })).code).toBe(0);
    const account = await api.db.selectFrom('device_account').selectAll().where('device_id', '=', gateway.id).executeTakeFirstOrThrow();
    expect(account).toMatchObject({ username: 'admin', permissions: { gw_network_wan: '11', gw_network_lan: '10', gw_status_link: '11' } });
    expect((await crew.call(gatewayAccountCalls.save, { ...device, permissions: { gw_network_wan: '11' }, read_all: true })).code).toBe(
      errors.unchanged.code,
    );
    const desiredSections = await api.db
      .selectFrom('desired_section')
      .select(['section', 'doc', 'rev'])
      .where('device_id', '=', gateway.id)
      .execute();
    expect(desiredSections).toEqual([
      { section: 'accounts', rev: 2, doc: { accounts: { admin: { w: ['status_link', 'network_wan'], r: ['network_lan'] } } } },
    ]);
    const lines = (await crew.call(assignLogCalls.list, { device_id: gateway.id })).data.list;
    expect(lines.map(({ result, before, after }) => [result, before, after]).toSorted()).toEqual([
      ['fail', 'gw_status_link 11, gw_network_lan 00', 'gw_status_link 00, gw_network_lan 11'],
      ['success', 'gw_network_wan 00, gw_network_lan 00', 'gw_network_wan 11, gw_network_lan 10'],
      ['success', 'gw_status_link 00', 'gw_status_link 11'],
    ]);
  });
});
