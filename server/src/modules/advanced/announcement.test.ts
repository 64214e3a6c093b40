import { receivedAnnouncementCalls as board, announcementCalls as calls } from '@farlink/contract/advanced/announcement.ts';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import type { LiveUpdate } from '@farlink/contract/device/live.ts';
import { errors } from '@farlink/contract/errors.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff, makeVno } from '../../../test/world.ts';
import { announcementsForSubscriber } from '../../domain/announcement/announcements-for-subscriber.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let admin: Caller;
let east: Caller;
let west: Caller;
let child: Caller;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  ({ admin, east, west, child } = world);
});
afterAll(() => api.close());

const input = (title: string, more: Record<string, unknown> = {}) => ({
  title,
  content: `内容 ${title}`,
  target: 'vno',
  expire_at: api.clock.now() + 3600,
  ...more,
});
const create = async (by: Caller, title: string, more: Record<string, unknown> = {}) => {
  const reply = await by.call(calls.create, input(title, more));
  expect(reply).toMatchObject({ code: 0 });
  return reply.data.id;
};
const send = async (by: Caller, id: number) => expect((await by.call(calls.send, { id })).code).toBe(0);
const publish = async (by: Caller, title: string, more: Record<string, unknown> = {}) => {
  const id = await create(by, title, more);
  await send(by, id);
  return id;
};
const unread = async (by: Caller) => (await by.call(board.unread)).data.unread;
const received = async (by: Caller) => (await by.call(board.received, { page: 1, limit: 50 })).data.list;
const titles = async (by: Caller) => (await received(by)).map(({ title }) => title);
const read = (by: Caller, ids?: readonly number[]) => by.call(board.markRead, ids ? { ids } : {});
const row = async (by: Caller, id: number) => (await by.call(calls.read, { id })).data;
const edit = async (by: Caller, id: number, more: Record<string, unknown>) =>
  by.call(calls.update, { id, version: (await row(by, id)).version, ...more });
const clear = () => api.db.deleteFrom('notice').execute();

describe('a notice', () => {
  it('is a draft until it is sent; then the operators of all VNOs below receive it', async () => {
    const id = await create(admin, '维护通知');
    expect(await row(admin, id)).toMatchObject({ source: 'admin', send_at: null, publisher: null, status: 1, vno_names: ['全部'] });
    expect(await unread(east)).toBe(0);
    await send(admin, id);
    for (const caller of [east, west, child]) {
      expect(await unread(caller)).toBe(1);
      expect(await received(caller)).toMatchObject([{ id, title: '维护通知', source: 'admin', publisher: null, is_read: false }]);
    }
    expect(await unread(admin)).toBe(0);
    expect(await row(admin, id)).toMatchObject({ send_at: api.clock.now(), version: 2 });
    const log = await api.db.selectFrom('syslog').select('content_en').orderBy('id', 'desc').executeTakeFirstOrThrow();
    expect(log.content_en).toBe('Sent notice 维护通知');
    await clear();
  });

  it('is listed and filtered as a draft, sent, disabled or expired', async () => {
    const draft = await create(admin, '草稿');
    const sent = await publish(admin, '已发');
    const disabled = await publish(admin, '停用');
    await edit(admin, disabled, { status: 0 });
    const expired = await publish(admin, '过期', { expire_at: api.clock.now() + 5 });
    api.clock.advance(5);
    for (const [state, id] of Object.entries({ draft, sent, disabled, expired })) {
      expect(await row(admin, id)).toMatchObject({ state });
      const found = await admin.call(calls.list, { page: 1, limit: 10, state });
      expect(found.data.list.map((notice) => notice.id)).toEqual([id]);
    }
    await clear();
  });

  it('reaches only the chosen VNOs', async () => {
    const id = await publish(admin, '西部', { vno_ids: [world.westId] });
    expect([await unread(west), await unread(east), await unread(child)]).toEqual([1, 0, 0]);
    expect((await edit(admin, id, { target: 'vno', vno_ids: [world.childId] })).code).toBe(0);
    expect([await unread(west), await unread(east), await unread(child)]).toEqual([0, 0, 1]);
    expect(await row(admin, id)).toMatchObject({ vno_ids: [world.childId], vno_names: ['VNO child'] });
    await clear();
  });

  it('with target admin reaches only platform staff, and shows the name of the publisher', async () => {
    const role = await makeRole(admin, 'Nothing', grantsOf(['system_log']));
    await makeStaff(admin, 'admin_staff', role);
    const staff = await api.login('admin_staff');
    const id = await publish(admin, '平台', { target: 'admin', vno_ids: [world.eastId] });
    expect(await received(staff)).toMatchObject([{ id, publisher: expect.any(String) }]);
    expect([await unread(admin), await unread(east)]).toEqual([1, 0]);
    expect((await staff.call(calls.list)).code).toBe(errors.denied.code);
    expect((await row(admin, id)).vno_ids).toBeNull();
    await clear();
  });

  it('of a VNO reaches only the VNOs below it, and cannot be addressed to others', async () => {
    await publish(east, '东部');
    expect([await unread(child), await unread(east), await unread(west), await unread(admin)]).toEqual([1, 0, 0, 0]);
    expect(await received(child)).toMatchObject([{ source: 'vno', publisher: null }]);
    const refused = async (by: Caller, more: Record<string, unknown>) =>
      Object.keys(fieldsOf(await by.call(calls.create, input('x', more))));
    expect(await refused(east, { target: 'admin' })).toEqual(['target']);
    for (const vno_ids of [[world.westId], [world.eastId], [world.childId, world.westId], [999_999]])
      expect(await refused(east, { vno_ids })).toEqual(['vno_ids']);
    expect(await refused(child, { vno_ids: [world.eastId] })).toEqual(['vno_ids']);
    expect(await refused(east, { target: 'subscriber', vno_ids: [world.westId] })).toEqual(['vno_ids']);
    await clear();
  });

  it('can be changed by the platform, but not by another branch or by a VNO that receives it', async () => {
    const id = await publish(east, '东部');
    for (const by of [west, child]) {
      // The child receives the announcement, so it may read it.
      for (const call of [...(by === west ? [calls.read] : []), calls.send, calls.remove])
        expect((await by.call(call, { id })).status).toBe(404);
      expect((await by.call(calls.update, { id, version: 2, status: 0 })).status).toBe(404);
      expect((await by.call(calls.list)).data.total).toBe(0);
    }
    expect((await admin.call(calls.list)).data.list).toMatchObject([{ id, source: 'vno' }]);
    expect((await edit(admin, id, { status: 0 })).code).toBe(0);
    expect(await unread(child)).toBe(0);
    // The scope of the publisher limits the targets, also if another operator edits the announcement.
    expect(fieldsOf(await edit(admin, id, { target: 'vno', vno_ids: [world.westId] }))).toHaveProperty('vno_ids');
    expect(fieldsOf(await edit(admin, id, { target: 'admin' }))).toHaveProperty('target');
    await clear();
  });

  it('has only those VNOs as target options that its publisher can address', async () => {
    const offered = async (by: Caller, target: string) =>
      Object.keys((await by.call(vnoCalls.option, { subject: 'notice', target })).data).map(Number);
    expect(await offered(east, 'vno')).toEqual([world.childId]);
    expect(await offered(east, 'subscriber')).toEqual([world.eastId, world.childId]);
    expect(await offered(admin, 'subscriber')).not.toContain(admin.session?.agent_id);
  });

  it('refuses an invalid title, content, target or expiry, an unchanged edit and a stale version', async () => {
    const refused = async (more: Record<string, unknown>) => Object.keys(fieldsOf(await admin.call(calls.create, input('x', more))));
    expect(await refused({ title: '' })).toEqual(['title']);
    expect(await refused({ title: 'x'.repeat(51) })).toEqual(['title']);
    expect(await refused({ title: 'say "x"' })).toEqual(['title']);
    expect(await refused({ content: '' })).toEqual(['content']);
    expect(await refused({ content: 'x'.repeat(513) })).toEqual(['content']);
    expect(await refused({ target: 'everyone' })).toEqual(['target']);
    expect(await refused({ expire_at: api.clock.now() })).toEqual(['expire_at']);
    const id = await create(admin, '检查');
    expect((await edit(admin, id, { title: '检查' })).code).toBe(errors.unchanged.code);
    expect((await admin.call(calls.update, { id, version: 7, title: 'y' })).code).toBe(errors.stale.code);
    await clear();
  });

  it('is not sent while it is disabled or expired', async () => {
    const id = await create(admin, '停用', { status: 0, expire_at: api.clock.now() + 10 });
    expect((await admin.call(calls.send, { id })).code).toBe(errors.notice_disabled.code);
    expect((await edit(admin, id, { status: 1 })).code).toBe(0);
    api.clock.advance(10);
    expect((await admin.call(calls.send, { id })).code).toBe(errors.notice_expired.code);
    await clear();
  });

  it('disappears exactly when it expires, is disabled or is deleted', async () => {
    const id = await publish(admin, '短', { expire_at: api.clock.now() + 60 });
    await publish(admin, '长', { expire_at: api.clock.now() + 600 });
    expect((await east.call(board.unread)).data).toEqual({ unread: 2, expires_in: 60 });
    api.clock.advance(59);
    expect((await east.call(board.unread)).data).toEqual({ unread: 2, expires_in: 1 });
    api.clock.advance(1);
    expect((await east.call(board.unread)).data).toEqual({ unread: 1, expires_in: 540 });
    expect(await titles(east)).toEqual(['长']);
    expect((await edit(admin, id, { expire_at: api.clock.now() + 60 })).code).toBe(0);
    expect(await unread(east)).toBe(2);
    expect((await edit(admin, id, { status: 0 })).code).toBe(0);
    expect(await titles(east)).toEqual(['长']);
    expect((await edit(admin, id, { status: 1 })).code).toBe(0);
    expect((await admin.call(calls.remove, { id })).code).toBe(0);
    expect(await titles(east)).toEqual(['长']);
    await clear();
  });
});

describe('the read state of a notice', () => {
  it('is stored per account: other accounts of the VNO still have the notice unread', async () => {
    const role = await makeRole(east, 'Reader', grantsOf(['system_log']));
    await makeStaff(east, 'east_reader', role);
    const staff = await api.login('east_reader');
    const a = await publish(admin, '一');
    const b = await publish(admin, '二');
    expect((await read(east, [a])).data).toMatchObject({ unread: 1 });
    expect((await received(east)).map(({ id, is_read }) => [id, is_read])).toEqual([
      [b, false],
      [a, true],
    ]);
    expect(await unread(staff)).toBe(2);
    expect((await read(staff)).data).toMatchObject({ unread: 0 });
    expect((await read(staff)).data).toMatchObject({ unread: 0 });
    expect(await unread(east)).toBe(1);
    expect((await row(admin, a)).read_count).toBe(2);
    await clear();
  });

  it('does not change for a notice that the account has not received', async () => {
    const id = await publish(admin, '西', { vno_ids: [world.westId] });
    await read(east, [id, 999_999]);
    expect(await api.db.selectFrom('notice_read').selectAll().execute()).toEqual([]);
    await clear();
  });

  it('is reset when the text changes or the notice is sent again, but not when only the expiry changes', async () => {
    const id = await publish(admin, '初稿');
    await read(east);
    await edit(admin, id, { expire_at: api.clock.now() + 7200 });
    expect(await unread(east)).toBe(0);
    await edit(admin, id, { content: '更正' });
    expect(await unread(east)).toBe(1);
    expect((await row(admin, id)).read_count).toBe(0);
    await read(east);
    await send(admin, id);
    expect(await unread(east)).toBe(1);
    await clear();
  });

  it('does not change when an operator who acts as another account reads its notices', async () => {
    await publish(admin, '代');
    const { remoteData } = (await admin.call(vnoCalls.login, { id: world.eastId })).data;
    const reply = await api.anonymous.call(authCalls.remote, { remoteData });
    const acting = api.as(reply.data);
    expect(await titles(acting)).toEqual(['代']);
    await read(acting);
    expect([await unread(acting), await unread(east)]).toEqual([1, 1]);
    await clear();
  });

  it('is available in agent mode 2, which has no page to manage notices', async () => {
    await makeVno(admin, 'focus', world.role, { agent_mode: 2, agent_child_enable: false });
    const focus = await api.login('focus');
    expect((await focus.call(calls.list)).code).toBe(errors.denied.code);
    expect((await focus.call(calls.create, input('x'))).code).toBe(errors.denied.code);
    await publish(admin, '模式二');
    expect(await unread(focus)).toBe(1);
    await read(focus);
    expect(await unread(focus)).toBe(0);
    await clear();
  });
});

describe('staff', () => {
  it('limited to VNOs must select some of them; staff limited to devices cannot create or delete notices', async () => {
    const grants = grantsOf(['notice_manage']);
    const some = await makeRole(east, 'Some', grants, { scope: 'vno', vno_limit: 'specified', vno_ids: [world.eastId, world.childId] });
    await makeStaff(east, 'east_some', some);
    const limited = await api.login('east_some');
    expect(fieldsOf(await limited.call(calls.create, input('x')))).toHaveProperty('vno_ids');
    const id = await publish(limited, '限定', { vno_ids: [world.childId] });
    expect(await titles(child)).toEqual(['限定']);
    expect((await limited.call(calls.list)).data.list).toMatchObject([{ id }]);
    const device = await api.db
      .insertInto('device')
      .values({ agent_id: world.eastId, name: 'Ship', sn: 'N-1', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const few = await makeRole(east, 'Few', grants, { scope: 'device', device_limit: 'specified', device_ids: [device.id] });
    await makeStaff(east, 'east_few', few);
    const narrow = await api.login('east_few');
    expect((await narrow.call(calls.create, input('x'))).code).toBe(errors.denied.code);
    expect((await narrow.call(calls.remove, { id })).code).toBe(errors.denied.code);
    await clear();
  });
});

describe('subscribers', () => {
  it('see notices of their VNO and of the VNOs above it, addressed to all or to their VNO', async () => {
    const shown = async (agentId: number) => (await announcementsForSubscriber(api.db, agentId, api.clock.now())).map(({ title }) => title);
    const target = 'subscriber';
    await publish(admin, '全网', { target });
    api.clock.advance(1);
    await publish(east, '东部用户', { target });
    api.clock.advance(1);
    await publish(east, '仅东部', { target, vno_ids: [world.eastId] });
    await create(east, '草稿', { target });
    await publish(east, '运营商');
    const id = await publish(east, '快过期', { target, expire_at: api.clock.now() + 5 });
    expect(await shown(world.eastId)).toEqual(['快过期', '仅东部', '东部用户', '全网']);
    expect(await shown(world.childId)).toEqual(['快过期', '东部用户', '全网']);
    expect(await shown(world.westId)).toEqual(['全网']);
    expect([await titles(east), await titles(child)]).toEqual([[], ['运营商']]);
    api.clock.advance(5);
    expect(await shown(world.westId)).toEqual(['全网']);
    expect(await shown(world.eastId)).not.toContain('快过期');
    expect(await announcementsForSubscriber(api.db, world.westId, api.clock.now())).toEqual([
      { id: expect.any(Number), title: '全网', content: '内容 全网', send_at: expect.any(Number) },
    ]);
    expect((await row(east, id)).target).toBe('subscriber');
    await clear();
  });
});

describe('the live stream', () => {
  const follow = async ({ session }: Caller) => {
    const stop = new AbortController();
    const response = await fetch(`${api.base}/agt/v1/live?lang=en&notices=true`, {
      headers: session ? { authorization: session.token } : {},
      signal: stop.signal,
    });
    const pieces = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    let text = '';
    const next = async (): Promise<LiveUpdate['notices']> => {
      for (;;) {
        const found = /data: (.*)\n\n/.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          const update: LiveUpdate = JSON.parse(found[1] ?? '{}');
          return update.notices;
        }
        const piece = await pieces?.next();
        if (!piece || piece.done) return undefined;
        text += piece.value;
      }
    };
    return { next, stop: () => stop.abort() };
  };

  it('starts with the unread count, and sends each change to all tabs of the account', { tags: 'all' }, async () => {
    const [one, two, other] = await Promise.all([follow(east), follow(east), follow(west)]);
    expect(await one.next()).toEqual({ unread: 0, expires_in: null });
    expect(await two.next()).toEqual({ unread: 0, expires_in: null });
    expect(await other.next()).toEqual({ unread: 0, expires_in: null });
    const id = await publish(admin, '直播', { vno_ids: [world.eastId] });
    expect(await one.next()).toEqual({ unread: 1, expires_in: 3600 });
    expect(await two.next()).toEqual({ unread: 1, expires_in: 3600 });
    expect(await other.next()).toEqual({ unread: 0, expires_in: null });
    await read(east);
    expect(await one.next()).toMatchObject({ unread: 0 });
    expect(await two.next()).toMatchObject({ unread: 0 });
    await edit(admin, id, { content: '改' });
    expect(await one.next()).toMatchObject({ unread: 1 });
    await edit(admin, id, { status: 0 });
    expect(await one.next()).toEqual({ unread: 0, expires_in: null });
    for (const tab of [one, two, other]) tab.stop();
    await clear();
  });
});
