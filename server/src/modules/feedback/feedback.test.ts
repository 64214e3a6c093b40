import { errors } from '@farlink/contract/errors.ts';
import { exportCalls } from '@farlink/contract/export/export.ts';
import { feedbackCalls as calls } from '@farlink/contract/feedback/feedback.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { exportedText } from '../../../test/exported-text.ts';
import { unzip } from '../../../test/setup/unzip.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makeBranches, makeRole, makeStaff, makeVno } from '../../../test/world.ts';
import { feedbackOf } from '../../domain/feedback/feedback-of.ts';
import { type NewFeedback, submitFeedback } from '../../domain/feedback/submit-feedback.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { feedbackExports } from './feedback.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let deviceId: number;
let subscriberId: number;

const addDevice = async (agent_id: number, sn: string) =>
  (
    await api.db
      .insertInto('device')
      .values({ agent_id, name: `Ship ${sn}`, sn, create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  deviceId = await addDevice(world.childId, 'FB-1');
  const row = subscriberRow({ agent_id: world.childId, account: 'crew1', name: 'Crew', device_id: deviceId });
  subscriberId = (await api.db.insertInto('subscriber').values(row).returning('id').executeTakeFirstOrThrow()).id;
});
afterAll(() => api.close());

const png = (color = '#2f6fed') =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer();

const submit = async (more: Partial<NewFeedback> = {}) => {
  const input: NewFeedback = {
    agent_id: world.childId,
    device_id: deviceId,
    subscriber_id: subscriberId,
    account: 'crew1',
    phone: '13800000001',
    type: 'network',
    level: 'general',
    content: '网络很慢',
    attachments: [],
    ...more,
  };
  return (await submitFeedback(api.deps, input)).id;
};
const list = async (by: Caller, filters: Record<string, unknown> = {}) =>
  (await by.call(calls.list, { page: 1, limit: 50, ...filters })).data.list;
const idsOf = async (by: Caller, filters: Record<string, unknown> = {}) => (await list(by, filters)).map(({ id }) => id);
const info = async (by: Caller, id: number) => (await by.call(calls.info, { id })).data;
const handle = async (by: Caller, id: number, more: Record<string, unknown> = {}) =>
  by.call(calls.edit, { id, version: (await info(by, id)).version, status: 1, level: 'general', remark: '已处理', ...more });
const file = ({ session }: Caller, path: string) =>
  fetch(`${api.base}/agt/v1/${path}`, { headers: session ? { authorization: session.token } : {} });
const clear = () => api.db.deleteFrom('feedback').execute();

describe('the list of feedback', () => {
  it('shows all columns, only to the VNO and to the VNOs above it', async () => {
    const id = await submit({ attachments: [await png()] });
    const row = {
      id,
      type: 'network',
      level: 'general',
      content: '网络很慢',
      account: 'crew1',
      phone: '13800000001',
      sn: 'FB-1',
      device_name: 'Ship FB-1',
      attach: [`user_feedback/preview/${id}?image=0`],
      status: 0,
      remark: null,
      handler: null,
      handle_at: null,
      agent_name: 'VNO child',
      create_at: api.clock.now(),
      user_id: subscriberId,
    };
    for (const by of [world.admin, world.east, world.child]) expect(await list(by)).toMatchObject([row]);
    expect(await list(world.west)).toEqual([]);
    await clear();
  });

  it('can be filtered, and sorted by urgency', async () => {
    const general = await submit();
    const urgent = await submit({ level: 'urgent', type: 'device', content: '无法登录 100%' });
    const middle = await submit({ level: 'middle', device_id: null, subscriber_id: null, account: 'guest7' });
    const by = world.admin;
    expect(await idsOf(by, { orderby: 'level desc' })).toEqual([urgent, middle, general]);
    expect(await idsOf(by, { level: 'urgent' })).toEqual([urgent]);
    expect(await idsOf(by, { type: 'device' })).toEqual([urgent]);
    expect(await idsOf(by, { content: '100%' })).toEqual([urgent]);
    expect(await idsOf(by, { account: 'guest' })).toEqual([middle]);
    expect(await idsOf(by, { sn: 'FB-' })).toEqual([urgent, general]);
    expect(await idsOf(by, { device_id: deviceId })).toEqual([urgent, general]);
    expect(await idsOf(by, { vno_id: world.westId })).toEqual([]);
    expect((await handle(by, general)).code).toBe(0);
    expect(await idsOf(by, { status: 1 })).toEqual([general]);
    const now = api.clock.now();
    expect(await idsOf(by, { create_at_start: now - 5, create_at_end: now + 5 })).toHaveLength(3);
    const long = await by.call(calls.list, { page: 1, limit: 10, create_at_start: now - 200 * 86_400, create_at_end: now });
    expect(fieldsOf(long)).toHaveProperty('create_at_end');
    await clear();
  });

  it('is limited to the devices of a role, and is denied in agent mode 2', async () => {
    const other = await addDevice(world.childId, 'FB-2');
    const mine = await submit();
    const others = await submit({ device_id: other });
    await submit({ device_id: null });
    const limit = { scope: 'device', device_limit: 'specified', device_ids: [deviceId] };
    await makeStaff(world.child, 'child_ship', await makeRole(world.child, 'Ship', grantsOf(['feedback_list']), limit));
    const staff = await api.login('child_ship');
    expect(await idsOf(staff)).toEqual([mine]);
    expect((await staff.call(calls.info, { id: others })).status).toBe(404);
    await makeVno(world.admin, 'fb_focus', world.role, { agent_mode: 2, agent_child_enable: false });
    expect((await (await api.login('fb_focus')).call(calls.list)).code).toBe(errors.denied.code);
    await clear();
  });
});

describe('the phone', () => {
  it('is masked in list, detail and export for staff without the right to reveal it', async () => {
    const id = await submit();
    await makeStaff(world.child, 'fb_clerk', await makeRole(world.child, 'Clerk', grantsOf(['feedback_list'])));
    const clerk = await api.login('fb_clerk');
    expect((await list(clerk)).map(({ phone }) => phone)).toEqual(['138****0001']);
    expect((await info(clerk, id)).phone).toBe('138****0001');
    expect(await exportedText(api, clerk, calls.export)).toContain('138****0001');
    expect((await info(world.child, id)).phone).toBe('13800000001');
    expect(await exportedText(api, world.child, calls.export)).toContain('13800000001');
    await clear();
  });
});

describe('handling feedback', () => {
  it('stores the answer for the subscriber, and is final', async () => {
    const id = await submit();
    expect((await handle(world.east, id, { level: 'urgent', remark: '已重启网关' })).code).toBe(0);
    expect(await info(world.child, id)).toMatchObject({
      status: 1,
      level: 'urgent',
      remark: '已重启网关',
      handle_at: api.clock.now(),
      version: 2,
    });
    expect((await feedbackOf(api.db, subscriberId))[0]).toMatchObject({ id, status: 1, remark: '已重启网关' });
    for (const more of [{ status: 0 }, { status: 1, remark: '另一个' }])
      expect((await handle(world.admin, id, more)).code).toBe(errors.feedback_handled.code);
    expect(await info(world.child, id)).toMatchObject({ status: 1, remark: '已重启网关' });
    const log = await api.db
      .selectFrom('syslog')
      .selectAll()
      .where('module', '=', 'feedback')
      .where('result', '=', 'success')
      .executeTakeFirstOrThrow();
    expect(log).toMatchObject({ content_en: 'Handled the feedback of account crew1', after: { status: 1, remark: '已重启网关' } });
    await clear();
  });

  it('can first store a note that the subscriber does not see, and refuses an unchanged, stale or invalid change', async () => {
    const id = await submit();
    expect((await handle(world.child, id, { status: 0, remark: '处理中' })).code).toBe(0);
    expect(await info(world.child, id)).toMatchObject({ status: 0, remark: '处理中', handler: null, handle_at: null });
    expect((await feedbackOf(api.db, subscriberId))[0]).toMatchObject({ remark: null });
    expect((await handle(world.child, id, { status: 0, remark: '处理中' })).code).toBe(errors.unchanged.code);
    expect((await handle(world.child, id, { version: 1 })).code).toBe(errors.stale.code);
    expect(fieldsOf(await handle(world.child, id, { remark: '' }))).toHaveProperty('remark');
    expect(fieldsOf(await handle(world.child, id, { remark: 'say "x"' }))).toHaveProperty('remark');
    expect(fieldsOf(await handle(world.child, id, { remark: 'x'.repeat(513) }))).toHaveProperty('remark');
    expect(fieldsOf(await handle(world.child, id, { status: 2 }))).toHaveProperty('status');
    await clear();
  });

  it('is refused for another branch and for a show-only role', async () => {
    const id = await submit({ attachments: [await png()] });
    for (const call of [calls.info, calls.around, calls.attach, calls.preview])
      expect((await world.west.call(call, { id })).status).toBe(404);
    expect((await world.west.call(calls.edit, { id, version: 1, status: 1, remark: 'x' })).status).toBe(404);
    await makeStaff(world.child, 'child_reader', await makeRole(world.child, 'Reader', grantsOf(['feedback_list'], '10')));
    const reader = await api.login('child_reader');
    expect((await reader.call(calls.info, { id })).code).toBe(0);
    expect((await handle(reader, id)).code).toBe(errors.denied.code);
    await clear();
  });
});

describe('attachments', () => {
  it('are previewed as the re-encoded image, one by one', async () => {
    const id = await submit({ attachments: [await png(), await png('#ff0000')] });
    const second = await file(world.child, `user_feedback/preview/${id}?image=1`);
    expect(second.headers.get('content-type')).toBe('image/png');
    expect(second.headers.get('x-content-type-options')).toBe('nosniff');
    expect(second.headers.get('content-disposition')).toBeNull();
    const { dominant } = await sharp(Buffer.from(await second.arrayBuffer())).stats();
    expect(dominant.r).toBeGreaterThan(dominant.b);
    expect((await file(world.child, `user_feedback/preview/${id}?image=2`)).status).toBe(404);
    expect((await file(world.child, `user_feedback/preview/${id}?image=7`)).status).toBe(400);
    await clear();
  });

  it('are downloaded as a file, several as a ZIP', async () => {
    const one = await submit({ attachments: [await png()] });
    const many = await submit({ attachments: [await png(), await png()] });
    const none = await submit();
    const single = await file(world.child, `user_feedback/attach/${one}`);
    expect(single.headers.get('content-disposition')).toContain(`attachment; filename="feedback-${one}-1.png"`);
    expect(single.headers.get('x-content-type-options')).toBe('nosniff');
    const zip = await file(world.child, `user_feedback/attach/${many}`);
    expect(zip.headers.get('content-disposition')).toContain(`filename="feedback-${many}.zip"`);
    const entries = unzip(Buffer.from(await zip.arrayBuffer()));
    expect(Object.keys(entries)).toEqual([`feedback-${many}-1.png`, `feedback-${many}-2.png`]);
    expect((await file(world.child, `user_feedback/attach/${none}`)).status).toBe(404);
    await clear();
  });
});

describe('the state of the device around a feedback', () => {
  it('contains online state, links, access points, load, traffic, sessions and events', async () => {
    const now = api.clock.now() - 3600;
    const id = await submit();
    await api.db.updateTable('feedback').set({ create_at: now }).where('id', '=', id).execute();
    const of = { agent_id: world.childId, device_id: deviceId, sn: 'FB-1' };
    const event = (kind: string, at: number, doc: Record<string, unknown>, agent_id = world.childId) =>
      api.db
        .insertInto('device_event')
        .values({ ...of, agent_id, id: `${kind}${at}`, kind, at, reported_at: at, doc: JSON.stringify(doc), create_at: at })
        .execute();
    await event('online', now - 9000, {});
    await event('offline', now - 300, { why: 'lost' });
    await event('online', now + 60, {});
    await event('link', now - 600, { from: '6d', to: 'lte' });
    const change = { ...of, source: 'wan' } as const;
    await api.db
      .insertInto('wan_change')
      .values([
        { ...change, to_link: '6d', network: '6d', create_at: now - 8000 },
        { ...change, from_link: '6d', to_link: 'lte', network: 'lte', create_at: now - 600 },
        { ...change, to_link: 'l_band', network: 'l_band', create_at: now - 500, agent_id: world.westId },
      ])
      .execute();
    await event('ap', now - 10, { ap: 'Hidden', s: 0 }, world.westId);
    const link = { ...of, link: 'lte', network: 'lte' } as const;
    await api.db
      .insertInto('wan_link_log')
      .values([
        { ...link, link_state: 'off', create_at: now - 7000, duration: 6100 },
        { ...link, link_state: 'on', create_at: now - 900 },
      ])
      .execute();
    await api.db
      .insertInto('ap_link_log')
      .values([{ ...of, ap_name: 'Deck 1', ap_state: 'up', create_at: now - 100 }])
      .execute();
    await api.db
      .insertInto('device_load')
      .values({ device_id: deviceId, at: now - 60, cpu: 90, memory: 50 })
      .execute();
    await api.db
      .insertInto('device_flow')
      .values([
        { device_id: deviceId, at: now - 60, seconds: 60, link: 'lte', up_bytes: 600, down_bytes: 6000 },
        { device_id: deviceId, at: now - 60, seconds: 60, link: '6d', up_bytes: 600, down_bytes: 0 },
      ])
      .execute();
    const session = { subscriber_id: subscriberId, agent_id: world.childId, device_id: deviceId };
    await api.db
      .insertInto('online_session')
      .values([
        { ...session, session_id: 'a', login_at: now - 5000, logout_at: now - 4000 },
        { ...session, session_id: 'b', login_at: now - 4000, logout_at: now - 200 },
      ])
      .execute();
    const { data } = await world.child.call(calls.around, { id });
    const start = now - 1800;
    const end = now + 1800;
    expect(data).toMatchObject({ at: now, start, end });
    expect(data.online).toEqual([
      { start, end: now - 300, state: 'on' },
      { start: now - 300, end: now + 60, state: 'off' },
      { start: now + 60, end, state: 'on' },
    ]);
    expect(data.current).toEqual([
      { start, end: now - 600, state: '6D' },
      { start: now - 600, end, state: 'LTE' },
    ]);
    expect(data.links).toEqual([
      {
        name: 'LTE',
        network: 'lte',
        spans: [
          { start, end: now - 900, state: 'off' },
          { start: now - 900, end, state: 'on' },
        ],
      },
    ]);
    expect(data.aps).toEqual([{ name: 'Deck 1', spans: [{ start: now - 100, end, state: 'up' }] }]);
    expect(data.load).toEqual([{ at: Math.floor((now - 60) / 60) * 60, cpu: 90, memory: 50 }]);
    expect(data.flow).toEqual([{ at: now - 60, up: 20, down: 100 }]);
    expect(data.sessions).toMatchObject([{ start, end: now - 200, login_at: now - 4000, logout_at: now - 200 }]);
    expect(data.events.map(({ kind }) => kind)).toEqual(['link', 'offline', 'online']);
    await clear();
  });

  it('is empty without a device, and ends one minute from now for a new feedback', async () => {
    const id = await submit({ device_id: null, subscriber_id: null, account: 'guest' });
    const now = api.clock.now();
    expect((await world.child.call(calls.around, { id })).data).toEqual({
      at: now,
      start: now - 1800,
      end: now + 60,
      online: [],
      current: [],
      links: [],
      aps: [],
      sessions: [],
      load: [],
      flow: [],
      events: [],
    });
    await clear();
  });
});

describe('an export', () => {
  it('contains the filtered rows in the scope of the operator, escapes formulas, and is refused if it is empty', async () => {
    await submit({ content: '=1+1', attachments: [await png()] });
    await submit({ level: 'urgent', account: 'other' });
    expect(await world.west.call(calls.export, { format: 'csv' })).toMatchObject({
      code: errors.export_empty.code,
      msg: '没有可导出的数据',
    });
    const { code, data } = await world.child.call(calls.export, { format: 'csv', level: 'general' });
    expect(code).toBe(0);
    const jobs = startJobs(api.deps, exportJobs(feedbackExports), { pollMs: 0 });
    await jobs.tick();
    await jobs.stop();
    const [job] = (await world.child.call(calls.exports)).data.list;
    expect(job).toMatchObject({ id: data.id, job_id: String(data.id), status: 1, total: 1, progress: 100 });
    expect(job?.file_url).toBe(`export/download/${data.id}`);
    expect((await world.west.call(calls.exports)).data.total).toBe(0);
    const text = await (await file(world.child, exportCalls.download.path.replace('{id}', String(data.id)))).text();
    const [head, row] = text.split('\r\n');
    expect(head?.split(',')).toHaveLength(14);
    expect(row).toMatch(/^网络问题,一般,.*=1\+1.*,crew1,13800000001,FB-1,Ship FB-1,1,待处理,/);
    expect(row).not.toContain(',=1+1');
    await clear();
  });
});
