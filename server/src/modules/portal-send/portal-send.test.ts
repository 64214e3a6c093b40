import { randomBytes } from 'node:crypto';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { langs } from '@farlink/contract/kit/text.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { portalReasons } from '@farlink/contract/market/portal-reasons.ts';
import { portalSendCalls as calls } from '@farlink/contract/market/portal-send.ts';
import { signHandover } from '@farlink/gateway/protocol/portal.ts';
import { views } from '@farlink/portal/view.ts';
import type { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { testPhone } from '@farlink/simulator/portal/portal-server.ts';
import { entryOf } from '@farlink/simulator/sample-accounts.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/api.ts';
import { type FleetApi, startFleetApi } from '../../../test/fleet-api.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makeBranches } from '../../../test/world.ts';
import { buildBundle, bundleOf } from '../../domain/portal/build-bundle.ts';
import { savedSite } from '../../domain/portal/current-site.ts';
import { storeImage } from '../../domain/portal/portal-image.ts';
import { dispatchPortals } from '../../domain/portal/portal-task-job.ts';
import { removeBundles } from '../../domain/portal/remove-bundles.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { bundleKey } from '../../orders/portal-section.ts';

let fleet: FleetApi;
let world: Awaited<ReturnType<typeof makeBranches>>;
let east: Caller;
let counter = 0;

beforeAll(async () => {
  fleet = await startFleetApi();
  world = await makeBranches(fleet);
});
beforeEach(async () => {
  east = await fleet.login('east');
});
afterAll(() => fleet.close());

const makePortal = async (agent_id = world.eastId, more: { billing_type?: 'free' | 'charged' } = {}) =>
  (
    await fleet.db
      .insertInto('portal')
      .values({ agent_id, name: `Portal ${++counter}`, create_at: 1, ...more })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** Saves a new revision with this title. */
const saveTitle = async (portal_id: number, rev: number, title: string) => {
  const saved = await savedSite(fleet.db, portal_id, rev - 1);
  if (!saved) throw new Error('no portal');
  const document = JSON.stringify({ ...saved.doc, title: [title, title] });
  await fleet.db.insertInto('portal_revision').values({ portal_id, rev, document, operator: 'test', create_at: 1 }).execute();
  await fleet.db.updateTable('portal').set({ rev }).where('id', '=', portal_id).execute();
};

const ship = async (options: Partial<GatewayOptions> = {}, agentId = world.eastId) => {
  const { id, gateway } = await fleet.addGateway(agentId, `P-${++counter}`, { calm: true, bill: 1, ...options });
  return { id, gateway };
};
const online = async (...ships: readonly { id: number; gateway: Gateway }[]) => {
  for (const { gateway } of ships) expect(await gateway.connect()).toBe(true);
  for (const { id } of ships) await expect.poll(async () => (await deviceOf(id)).online_state).toBe(1);
};
const deviceOf = (id: number) => fleet.db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const send = (portal: number, device_ids: readonly number[], more: object = {}, by = east) =>
  by.call(calls.send, { id: portal, target: 'device', device_ids, send_mode: 'immediate', ...more });
type Task = OutputOf<typeof calls.tasks>['list'][number] & { readonly device_id?: number | null };
const tasksOf = async (portal_id: number, by = east): Promise<readonly Task[]> =>
  (await by.call(calls.tasks, { portal_id, limit: 100, lang: 'zh' })).data.list;
const statusOf = async (portal: number, device: number) => (await tasksOf(portal)).find((task) => task.device_id === device)?.status;

describe('a portal bundle', () => {
  it('has the same bytes for the same document, and is stored once', async () => {
    const portal_id = await makePortal();
    const one = await bundleOf(fleet.deps, { portal_id, rev: 1 });
    const two = await bundleOf(fleet.deps, { portal_id, rev: 1 });
    expect(one.equals(two)).toBe(true);
    const stored = await buildBundle(fleet.deps, { portal_id, rev: 1 }, 1);
    expect(await buildBundle(fleet.deps, { portal_id, rev: 1 }, 2)).toEqual(stored);
    expect(stored.size).toBeLessThan(100_000);
  });

  it('is deleted when it is older than a day and no gateway, open task or current revision needs it', async () => {
    const old = await makePortal();
    const desired = await makePortal();
    const previous = await makePortal();
    const newer = await makePortal();
    const keeps = await ship();
    const waits = await ship();
    const build = (portal_id: number, rev: number) => buildBundle(fleet.deps, { portal_id, rev }, fleet.clock.now());
    await saveTitle(old, 2, 'Second');
    const first = await build(old, 2);
    const served = await build(desired, 1);
    const before = await build(previous, 1);
    expect((await send(desired, [keeps.id])).data.success).toBe(1);
    expect((await send(previous, [waits.id])).data.success).toBe(1);
    await fleet.db.updateTable('portal_task').set({ ended: true }).where('portal_id', '=', previous).execute();
    for (const portal of [desired, previous]) await saveTitle(portal, 2, 'Second');
    await saveTitle(old, 3, 'Third');
    expect((await send(previous, [waits.id])).data.success).toBe(1);
    const present = await build(old, 3);
    await removeBundles(fleet.deps);
    const sizeOf = ({ sha256 }: { sha256: string }) => openFileStore(fleet.deps.config).size(bundleKey(sha256));
    expect(await sizeOf(first)).toBe(first.size);

    fleet.clock.advance(86_401);
    const young = await build(newer, 1);
    await saveTitle(newer, 2, 'Second');
    await removeBundles(fleet.deps);
    await expect(sizeOf(first)).rejects.toThrow();
    for (const bundle of [served, before, present, young]) expect(await sizeOf(bundle)).toBe(bundle.size);
    const rows = await fleet.db.selectFrom('portal_bundle').select('sha256').where('portal_id', '=', old).execute();
    expect(rows).toEqual([{ sha256: present.sha256 }]);
    expect(await build(old, 2)).toEqual(first);
    expect(await sizeOf(first)).toBe(first.size);
  });

  it('that is too large is refused with the names of its images', async () => {
    const portal_id = await makePortal();
    const saved = await savedSite(fleet.db, portal_id, 1);
    const noise = await sharp(randomBytes(900 * 900 * 3), { raw: { width: 900, height: 900, channels: 3 } })
      .png()
      .toBuffer();
    const stored = await storeImage(fleet.deps, noise);
    if (!stored || !saved) throw new Error('no image');
    const { bytes, ...image } = stored;
    await fleet.db
      .insertInto('portal_resource')
      .values({ agent_id: world.eastId, ...image, bytes, name: 'sunset.png', operator: 'x', create_at: 1 })
      .execute();
    const document = JSON.stringify({ ...saved.doc, theme: { ...saved.doc.theme, image } });
    await fleet.db.insertInto('portal_revision').values({ portal_id, rev: 2, document, operator: 'test', create_at: 1 }).execute();
    await fleet.db.updateTable('portal').set({ rev: 2 }).where('id', '=', portal_id).execute();
    const here = await ship();
    const reply = await send(portal_id, [here.id]);
    expect(reply.data).toMatchObject({ success: 0, list: [{ success: false, message: expect.stringContaining('sunset.png') }] });
  });
});

describe('a portal sent to gateways', () => {
  it('is installed on online gateways, waits for offline ones, and is refused for a wrong billing mode', async () => {
    const portal = await makePortal();
    const here = await ship();
    const away = await ship();
    const aaa = await ship({ bill: 2 });
    await online(here, aaa);
    const reply = await send(portal, [here.id, away.id, aaa.id]);
    expect(reply.data.list.map((row) => row.message)).toEqual(['', '', errors.billing_mismatch.text[0]]);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
    expect(await deviceOf(here.id)).toMatchObject({ portal_id: portal, portal_rev: 1 });
    expect((await tasksOf(portal)).find((task) => task.device_id === away.id)).toMatchObject({
      status: 0,
      message: portalReasons.offline[0],
    });
    expect(await deviceOf(away.id)).toMatchObject({ portal_id: null });
    // The URL of the first message would have expired.
    fleet.clock.advance(3 * 86_400);
    east = await fleet.login('east');
    await online(away);
    await expect.poll(() => statusOf(portal, away.id)).toBe(105);
    expect(await deviceOf(away.id)).toMatchObject({ portal_id: portal, portal_rev: 1 });
  });

  it('is served byte for byte as the console renders it', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    await send(portal, [here.id]);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
    const site = (await savedSite(fleet.db, portal, 1))?.site;
    const data = { root: '/', here: '/zh/', other: '/en/', account: 'crew', notices: [{ title: 'T', content: 'C', at: 'now' }] };
    for (const view of views)
      for (const lang of langs) expect(here.gateway.portal.served?.pages.page(view, lang, data)).toBe(site?.page(view, lang, data));
  });

  it.each([
    ['corrupt', 203, portalReasons.E_CORRUPT[0]],
    ['unpack', 102, '设备解压失败：manifest.json: damaged'],
    ['probe', 101, portalReasons.E_PROBE[0]],
  ] as const)('with the fault %s ends with status %i, and the previous portal stays active', async (fault, code, message) => {
    const first = await makePortal();
    const second = await makePortal();
    const here = await ship();
    await online(here);
    await send(first, [here.id]);
    await expect.poll(() => statusOf(first, here.id)).toBe(105);
    here.gateway.faults.portal = fault;
    await send(second, [here.id]);
    await expect.poll(() => statusOf(second, here.id)).toBe(code);
    expect((await tasksOf(second))[0]).toMatchObject({ message, ended: true });
    expect(await deviceOf(here.id)).toMatchObject({ portal_id: first });
    expect(here.gateway.portal.served?.section.id).toBe(first);
  });

  it('is downloaded again one minute after a failed download', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    here.gateway.faults.file = 'missing';
    await send(portal, [here.id]);
    await expect.poll(async () => (await tasksOf(portal))[0]?.message).toMatch(/^下载失败，稍后重试/);
    here.gateway.faults.file = undefined;
    fleet.clock.advance(61);
    await dispatchPortals(fleet.deps);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
  });

  it('waits on L-band, and shows the download progress on another link', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    await fleet.db.updateTable('device').set({ network: 'l_band' }).where('id', '=', here.id).execute();
    await send(portal, [here.id]);
    expect((await tasksOf(portal))[0]).toMatchObject({ status: 0, message: portalReasons.link[0] });
    here.gateway.faults.hold = 40;
    await fleet.db.updateTable('device').set({ network: '6d' }).where('id', '=', here.id).execute();
    here.gateway.sendHello();
    await expect.poll(async () => (await tasksOf(portal))[0]).toMatchObject({ status: 1, progress: 39 });
    here.gateway.faults.hold = undefined;
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
  });

  it('is replaced when another portal is sent', async () => {
    const first = await makePortal();
    const second = await makePortal();
    const here = await ship();
    await online(here);
    here.gateway.faults.hold = 10;
    await send(first, [here.id]);
    await expect.poll(() => statusOf(first, here.id)).toBe(1);
    await send(second, [here.id]);
    here.gateway.faults.hold = undefined;
    await expect.poll(() => statusOf(second, here.id)).toBe(105);
    expect((await tasksOf(first))[0]).toMatchObject({ status: 201, message: portalReasons.replaced[0] });
    expect(await deviceOf(here.id)).toMatchObject({ portal_id: second });
  });

  it('can be stopped before and during the download, and the previous portal stays active', async () => {
    const first = await makePortal();
    const second = await makePortal();
    const waiting = await makePortal();
    const here = await ship();
    await online(here);
    await send(first, [here.id]);
    await expect.poll(() => statusOf(first, here.id)).toBe(105);
    const stop = async (portal: number) => {
      const [task] = await tasksOf(portal);
      return east.call(calls.stop, { id: Number(task?.id) });
    };
    const sectionRow = async () =>
      await fleet.db
        .selectFrom('desired_section')
        .select(['settled', 'doc'])
        .where('device_id', '=', here.id)
        .where('section', '=', 'portal')
        .executeTakeFirstOrThrow();
    const move = (network: 'l_band' | '6d') => fleet.db.updateTable('device').set({ network }).where('id', '=', here.id).execute();
    // A portal is not downloaded over L-band.
    await move('l_band');
    await send(waiting, [here.id]);
    expect(await sectionRow()).toMatchObject({ doc: { id: waiting }, settled: false });
    expect((await stop(waiting)).code).toBe(0);
    expect(await statusOf(waiting, here.id)).toBe(201);
    expect(await sectionRow()).toMatchObject({ doc: { id: first } });
    await move('6d');
    here.gateway.faults.hold = 10;
    await send(second, [here.id]);
    await expect.poll(() => statusOf(second, here.id)).toBe(1);
    expect((await stop(second)).code).toBe(0);
    here.gateway.faults.hold = undefined;
    await expect.poll(async () => (await sectionRow()).settled).toBe(true);
    expect(await sectionRow()).toMatchObject({ doc: { id: first } });
    expect(await deviceOf(here.id)).toMatchObject({ portal_id: first });
    expect(here.gateway.portal.served?.section.id).toBe(first);
    expect(await statusOf(second, here.id)).toBe(201);
    expect(await stop(second)).toMatchObject({ code: errors.portal_task_ended.code });
  });

  it('is sent at the scheduled time with the revision of that time', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    const send_at = fleet.clock.now() + 600;
    expect((await send(portal, [here.id], { send_mode: 'timed', send_at })).data.success).toBe(1);
    await dispatchPortals(fleet.deps);
    expect((await tasksOf(portal))[0]).toMatchObject({ status: 0, message: portalReasons.timed[0] });
    await saveTitle(portal, 2, 'Later');
    fleet.clock.advance(600);
    await dispatchPortals(fleet.deps);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
    expect(await deviceOf(here.id)).toMatchObject({ portal_rev: 2 });
    expect(here.gateway.portal.served?.pages.title('zh')).toBe('Later');
  });

  it('is sent to all devices of a group', async () => {
    const portal = await makePortal();
    const a = await ship();
    const b = await ship();
    const { id: group } = await fleet.db
      .insertInto('device_group')
      .values({ agent_id: world.eastId, name: `G ${counter}`, create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await fleet.db.updateTable('device').set({ device_group_id: group }).where('id', 'in', [a.id, b.id]).execute();
    const reply = await east.call(calls.send, { id: portal, target: 'group', device_group_id: group, send_mode: 'immediate' });
    expect(reply.data.success).toBe(2);
    expect(await tasksOf(portal)).toHaveLength(2);
  });

  it('is refused for old firmware, for devices outside the branch of the portal, and to other VNOs', async () => {
    const portal = await makePortal();
    const old = await ship({ version: '02.09.00' });
    const foreign = await ship({}, world.westId);
    const child = await ship({}, world.childId);
    await online(old);
    expect((await send(portal, [old.id])).data.list[0]).toMatchObject({ success: false, message: '网关不支持门户，请升级网关' });
    expect(await send(portal, [foreign.id])).toMatchObject({ code: errors.bad_input.code });
    const below = await makePortal(world.childId);
    const own = await ship();
    expect((await send(below, [own.id])).data.list[0]).toMatchObject({ success: false, message: errors.portal_elsewhere.text[0] });
    expect((await send(portal, [child.id])).data.success).toBe(1);
    const west = await fleet.login('west');
    expect(await send(portal, [foreign.id], {}, west)).toMatchObject({ code: errors.not_found.code });
    expect(await tasksOf(portal, west)).toEqual([]);
    const [task] = await tasksOf(portal);
    expect(await west.call(calls.stop, { id: Number(task?.id) })).toMatchObject({ code: errors.not_found.code });
  });

  it('is cancelled when the device is deleted, and its task stays in the list', async () => {
    const portal = await makePortal();
    const away = await ship();
    await send(portal, [away.id]);
    await fleet.db.deleteFrom('device').where('id', '=', away.id).execute();
    await dispatchPortals(fleet.deps);
    expect((await tasksOf(portal))[0]).toMatchObject({ status: 201, message: portalReasons.device_gone[0] });
  });

  it('has an estimate of devices that wait, fail or serve an older revision', async () => {
    const portal = await makePortal();
    const here = await ship();
    const away = await ship();
    const aaa = await ship({ bill: 2 });
    await online(here, aaa);
    await send(portal, [here.id]);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
    const outdated = async () => (await east.call(portalCalls.read, { id: portal })).data.outdated_ids;
    expect(await outdated()).toEqual([]);
    await saveTitle(portal, 2, 'Newer');
    expect(await outdated()).toEqual([here.id]);
    const notes = async (device_ids: readonly number[]) =>
      (await east.call(calls.estimate, { ids: [portal], target: 'device', device_ids, lang: 'en' })).data.notes.map((note) => note.text);
    expect(await notes([here.id, away.id, aaa.id])).toEqual([
      expect.stringMatching(/^About \d+(\.\d+)? KB each, devices: 2$/),
      expect.stringMatching(/^Serve an older revision, updated to revision 2: 1 \(ship /),
      'Offline, sent when they come online: 1',
      'Will fail because the billing mode does not match this portal: 1',
    ]);
    expect(await notes([away.id])).toContainEqual(expect.stringMatching(/^Devices that are not selected and serve an older revision: 1/));
    here.gateway.power('off');
    await expect.poll(async () => (await deviceOf(here.id)).online_state).toBe(0);
    await send(portal, [here.id]);
    expect(await outdated()).toEqual([]);
  });

  it('can also be set on the device page', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    expect((await east.call(deviceCalls.setPortal, { ids: [here.id], portal_id: portal })).data.success).toBe(1);
    await expect.poll(async () => (await deviceOf(here.id)).portal_id).toBe(portal);
    expect(await statusOf(portal, here.id)).toBe(105);
  });

  it('is stored with an encrypted signing key, and gets a new section hash when the device is replaced', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    await send(portal, [here.id]);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
    const key = here.gateway.portal.served?.section.key ?? '';
    const { rows } = { rows: await fleet.db.selectFrom('desired_section').select('doc').where('device_id', '=', here.id).execute() };
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(JSON.stringify(await fleet.db.selectFrom('reported_section').selectAll().execute())).not.toContain(key);
    const before = await deviceOf(here.id);
    here.gateway.power('off');
    await expect.poll(async () => (await deviceOf(here.id)).online_state).toBe(0);
    const order = { id: here.id, operate: 'replace', new_sn: `N-${counter}`, keep_users: true, version: before.revision };
    expect(await east.call(deviceCalls.change, order)).toMatchObject({ code: 0 });
    const { hash } = await fleet.db
      .selectFrom('desired_section')
      .select('hash')
      .where('device_id', '=', here.id)
      .where('section', '=', 'portal')
      .executeTakeFirstOrThrow();
    expect(hash).not.toBe(here.gateway.sections.get('portal')?.hash);
    expect(await deviceOf(here.id)).toMatchObject({ portal_id: null, portal_rev: null });
  });
});

describe('the portal that a gateway serves', () => {
  it('logs a subscriber in, and the console shows the session', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    await send(portal, [here.id]);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
    here.gateway.accounts.applyPage({ from: 0, to: 1, a: [entryOf('crew7')], x: [], all: true, end: true }, new Set());
    const { id } = await fleet.db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id: world.eastId, account: 'crew7' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const port = await here.gateway.portalServer.listen(0);
    const form = { method: 'POST', body: new URLSearchParams({ account: 'crew7', password: 'pw-crew7' }), redirect: 'manual' } as const;
    expect((await fetch(`http://127.0.0.1:${port}/zh/login`, { ...form, headers: { 'x-sim-mac': testPhone } })).status).toBe(303);
    const sessions = () =>
      fleet.db.selectFrom('online_session').selectAll().where('subscriber_id', '=', id).where('logout_at', 'is', null).execute();
    await expect.poll(async () => (await sessions()).map(({ mac }) => mac)).toEqual([testPhone]);
  });

  it('forwards purchases and feedback with a signature, and an invalid signature is refused', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    await send(portal, [here.id]);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
    const port = await here.gateway.portalServer.listen(0);
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init, headers: { ...init.headers, 'x-sim-mac': testPhone } });
    const notices = await ask('/zh/notices');
    expect([notices.status, await notices.text()]).toEqual([200, expect.stringContaining('href="/zh/"')]);
    expect((await ask('/zh/buy?package=1')).status).toBe(401);
    const form = new FormData();
    for (const [name, value] of Object.entries({ type: 'network', level: 'general', content: '信号不好', phone: '13800000000' }))
      form.set(name, value);
    expect((await ask('/zh/feedback', { method: 'POST', body: form })).status).toBeLessThan(500);
    const clients = () => fleet.db.selectFrom('portal_session').select(['mac', 'device_id']).where('device_id', '=', here.id).execute();
    expect(await clients()).toEqual([{ mac: testPhone, device_id: here.id }]);
    const { host = '', key = '' } = here.gateway.portal.served?.section ?? {};
    const client = { sn: here.gateway.sn, mac: '02:00:00:00:00:77', ip: '10.0.0.9', t: fleet.clock.now() };
    const status = async (headers: Record<string, string>) => (await fetch(`${host}gateway-data`, { headers })).status;
    expect(await status({ 'x-farlink-client': signHandover(key, client) })).toBe(200);
    expect(await status({ 'x-farlink-client': signHandover('x'.repeat(43), client) })).toBe(403);
    expect(await status({ 'x-farlink-client': signHandover(key, { ...client, t: client.t - 3600 }) })).toBe(403);
    expect(await status({})).toBe(403);
  });

  it('shows the login page to a phone', async () => {
    const portal = await makePortal();
    const here = await ship();
    await online(here);
    await send(portal, [here.id]);
    await expect.poll(() => statusOf(portal, here.id)).toBe(105);
    const port = await here.gateway.portalServer.listen(0);
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-sim-mac': testPhone } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('action="/zh/login"')]);
  });
});
