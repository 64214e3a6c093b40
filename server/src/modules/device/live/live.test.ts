import { authCalls } from '@farlink/contract/auth/auth.ts';
import type { LiveUpdate } from '@farlink/contract/device/live.ts';
import { limits } from '@farlink/contract/limits.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';
import { seesDevice } from '../../../kit/list/scope.ts';
import { notifyChange } from '../../../orders/notify.ts';
import { deviceScope } from '../device-query.ts';
import { LiveClient, maxBufferedBytes } from './client.ts';
import { liveHubOf } from './live.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let east: number;
let west: number;
let child: number;
const open: AbortController[] = [];

const makeDevice = async (agent_id: number, sn: string) =>
  (await api.db.insertInto('device').values({ agent_id, name: sn, sn, create_at: 1 }).returning('id').executeTakeFirstOrThrow()).id;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  east = await makeDevice(world.eastId, 'EAST-1');
  west = await makeDevice(world.westId, 'WEST-1');
  child = await makeDevice(world.childId, 'CHILD-1');
});
afterEach(async () => {
  for (const stop of open.splice(0)) stop.abort();
  await expect.poll(() => liveHubOf(api.deps).count()).toBe(0);
});
afterAll(() => api.close());

/** A tab that watches devices: returns the messages in order, `undefined` at the end of the stream. */
const follow = async ({ session }: Caller, watch: { ids?: readonly number[]; any?: string }) => {
  const stop = new AbortController();
  open.push(stop);
  const query = new URLSearchParams({ lang: 'en', ...(watch.ids && { ids: watch.ids.join(',') }), ...(watch.any && { any: watch.any }) });
  const response = await fetch(`${api.base}/agt/v1/live?${query}`, {
    headers: session ? { authorization: session.token } : {},
    signal: stop.signal,
  });
  const pieces = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  const next = async (): Promise<LiveUpdate | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (line.startsWith('data: ')) return JSON.parse(line.slice(6));
        continue;
      }
      const piece = await pieces?.next();
      if (!piece || piece.done) return undefined;
      text += piece.value;
    }
  };
  return { response, next, stop: () => stop.abort() };
};

const change = (id: number, what: Parameters<typeof notifyChange>[1] = 'status') => notifyChange(api.db, what, [id]);

describe('a live stream', () => {
  it('begins with the current state and continues with changes', async () => {
    const tab = await follow(world.east, { ids: [east] });
    expect(tab.response.headers.get('content-type')).toContain('text/event-stream');
    expect(tab.response.headers.get('cache-control')).toBe('no-store');
    const first = await tab.next();
    expect(first?.rows).toHaveLength(1);
    expect(first?.rows?.[0]).toMatchObject({ id: east, what: [], columns: { name: 'EAST-1', online_state: 0, network: null } });
    await api.db.updateTable('device').set({ online_state: 1, network: 'lte', current_link: 'lte' }).where('id', '=', east).execute();
    await change(east, 'online');
    await change(east, 'link');
    const update = await tab.next();
    expect(update?.rows).toEqual([
      expect.objectContaining({ id: east, columns: expect.objectContaining({ online_state: 1, network: 'lte' }) }),
    ]);
    expect(new Set(update?.rows?.[0]?.what)).toEqual(new Set(['online', 'link']));
    expect(JSON.stringify(update)).not.toMatch(/key_hash|device_key|conn_id/);
  });

  it('combines the changes within a second into one message', async () => {
    const tab = await follow(world.east, { ids: [east] });
    await tab.next();
    await change(east);
    await tab.next();
    const began = performance.now();
    for (let i = 0; i < 50; i++) await change(east);
    expect((await tab.next())?.rows).toHaveLength(1);
    expect(performance.now() - began).toBeGreaterThan(700);
  });

  it('reports a kind of event of any visible device, without naming the device', async () => {
    const tab = await follow(world.east, { any: 'command,nonsense' });
    await change(west, 'command');
    await change(east, 'status');
    await change(child, 'command');
    expect(await tab.next()).toEqual({ any: ['command'] });
  });

  it('reports when a device is no longer visible', async () => {
    const moving = await makeDevice(world.eastId, 'MOVING-1');
    const tab = await follow(world.east, { ids: [moving] });
    expect((await tab.next())?.rows).toHaveLength(1);
    await api.db.updateTable('device').set({ agent_id: world.westId }).where('id', '=', moving).execute();
    await change(moving, 'record');
    expect(await tab.next()).toEqual({ gone: [moving] });
    const both = await follow(world.east, { ids: [moving, east] });
    expect((await both.next())?.rows?.map((r) => r.id)).toEqual([east]);
  });
});

it('a change while the database listener is disconnected is delivered after it reconnects', { tags: 'all' }, async () => {
  const tab = await follow(world.east, { ids: [east] });
  await tab.next();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(api.db);
  await api.db.updateTable('device').set({ remark: 'unheard' }).where('id', '=', east).execute();
  await change(east, 'record');
  const update = await tab.next();
  expect(update?.rows?.[0]).toMatchObject({ id: east, columns: { remark: 'unheard' } });
});

describe('the scope of a live stream', () => {
  it('excludes devices of another VNO, for any request', async () => {
    const tab = await follow(world.west, { ids: [east, child, west], any: 'status,command,event,online,link' });
    expect((await tab.next())?.rows?.map((r) => r.id)).toEqual([west]);
    for (const id of [east, child]) await change(id);
    await change(west, 'record');
    const update = await tab.next();
    expect(update).toEqual({ rows: [expect.objectContaining({ id: west })] });
    expect(JSON.stringify(update)).not.toMatch(/EAST|CHILD/);
  });

  it('requires a session', async () => {
    const tab = await follow(api.anonymous, { ids: [east] });
    expect(tab.response.status).toBe(401);
  });

  it('is the branch of a child VNO, or the devices of a role limited to devices', async () => {
    const role = await makeRole(world.east, '一台', grantsOf(['device_list']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [child],
    });
    await makeStaff(world.east, 'one_device', role);
    const tab = await follow(await api.login('one_device'), { ids: [east, child] });
    expect((await tab.next())?.rows?.map((r) => r.id)).toEqual([child]);
    const below = await follow(world.child, { ids: [east, child] });
    expect((await below.next())?.rows?.map((r) => r.id)).toEqual([child]);
  });

  it('has only the ids and kinds of changes, without columns, if the right to view devices is missing', async () => {
    await makeStaff(world.east, 'clerk', await makeRole(world.east, '文员', grantsOf(['system_log'])));
    const tab = await follow(await api.login('clerk'), { ids: [east] });
    expect(await tab.next()).toEqual({ rows: [{ id: east, what: [] }] });
    await change(east, 'event');
    expect(await tab.next()).toEqual({ rows: [{ id: east, what: ['event'] }] });
  });

  it('is the same as the scope of queries', async () => {
    const devices = await api.db
      .selectFrom('device')
      .innerJoin('agent', 'agent.id', 'device.agent_id')
      .select(['device.id', 'device.agent_id', 'agent.path'])
      .execute();
    const sessions = await api.db.selectFrom('session').select('info').execute();
    expect(sessions.length).toBeGreaterThan(4);
    for (const { info } of sessions) {
      for (const scope of [{}, { vno_ids: [world.childId] }, { device_ids: [west, child] }]) {
        const me = { ...info, rights: { ...info.rights, ...scope } };
        const found = await api.db.selectFrom('device').select('id').where(deviceScope(me)).orderBy('id').execute();
        expect(
          devices
            .filter((d) => seesDevice(me, d))
            .map((d) => d.id)
            .sort((a, b) => a - b),
        ).toEqual(found.map((d) => d.id));
      }
    }
  });
});

describe('an open live stream', () => {
  it('ends at logout, before any further event', async () => {
    const caller = await api.login('east');
    const tab = await follow(caller, { ids: [east] });
    await tab.next();
    await caller.call(authCalls.logout, {});
    await change(east);
    expect(await tab.next()).toEqual({ over: true });
    expect(await tab.next()).toBeUndefined();
  });

  it('ends when the role changes, and after 15 minutes without activity', async () => {
    const role = await makeRole(world.east, '会变', grantsOf(['device_list']));
    await makeStaff(world.east, 'changing', role);
    const tab = await follow(await api.login('changing'), { ids: [east] });
    await tab.next();
    const { version } = await api.db.selectFrom('role').select('version').where('id', '=', role).executeTakeFirstOrThrow();
    const input = { id: role, name: '变了', scope: 'unlimited', permissions: grantsOf(['system_log']), version };
    expect((await world.east.call(staffRoles.calls.update, input)).code).toBe(0);
    expect(await tab.next()).toEqual({ over: true });

    const idle = await follow(await api.login('west'), { ids: [west] });
    await idle.next();
    await sql`update session set seen_at = seen_at - ${limits.inactivityMs / 1000 + 1} where agent_id = ${world.westId}`.execute(api.db);
    expect(await idle.next()).toEqual({ over: true });
    world = { ...world, west: await api.login('west') };
  });

  it('is disconnected if its client does not read', () => {
    const { session } = world.east;
    if (!session) throw new Error('no session');
    const me = { agent_level: 0, agent_path: '/', uid: 1, rights: {} };
    // @ts-expect-error the test needs the identity of the session, not its rights
    const client = new LiveClient({ sessionId: 1, me, seesColumns: true }, { ids: new Set(), any: new Set() });
    const columns = { remark: 'x'.repeat(10_000) };
    for (let i = 0; i < maxBufferedBytes / 10_000 + 1; i++) {
      client.update.rows.push({ id: i, what: [], columns });
      client.send();
    }
    expect(client.wasSlow).toBe(true);
    expect(client.stream.destroyed).toBe(true);
  });

  it('is one of at most ten per login, and follows at most 500 devices', async () => {
    const tabs = await Promise.all(Array.from({ length: limits.liveStreamsPerLogin }, () => follow(world.child, { ids: [child] })));
    for (const tab of tabs) expect((await tab.next())?.rows).toHaveLength(1);
    expect((await follow(world.child, { ids: [child] })).response.status).toBe(429);
    tabs[0]?.stop();
    await expect.poll(async () => (await follow(world.child, { ids: [child] })).response.status).toBe(200);
    const many = Array.from({ length: limits.liveIds + 1 }, (_, i) => i + 1);
    expect((await follow(world.east, { ids: many })).response.status).toBe(400);
  });

  it('ends when the server stops', async () => {
    const own = await startApi();
    const admin = await own.login('admin');
    const response = await fetch(`${own.base}/agt/v1/live?any=status`, { headers: { authorization: admin.session?.token ?? '' } });
    expect(response.status).toBe(200);
    const ended = response.text().catch(() => undefined);
    await expect.poll(() => liveHubOf(own.deps).count()).toBe(1);
    await own.close();
    await ended;
    expect(liveHubOf(own.deps).count()).toBe(0);
  });
});
