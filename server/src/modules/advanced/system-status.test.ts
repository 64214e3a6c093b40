import { randomUUID } from 'node:crypto';
import { receivedAnnouncementCalls } from '@farlink/contract/advanced/announcement.ts';
import { systemStatusCalls as calls, type SystemStatus } from '@farlink/contract/advanced/system-status.ts';
import { errors } from '@farlink/contract/errors.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { makePartitions } from '../../db/partitions.ts';
import { updateAlarms } from '../../domain/system-status/alarms.ts';
import { statusGauges } from '../../domain/system-status/gauges.ts';
import { statusJobs } from '../../domain/system-status/status-job.ts';
import { openMetrics } from '../../kit/http/metrics.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { open } from '../../kit/session/secret.ts';

const day = 86_400;
let api: Api;
let admin: Caller;
let east: Caller;
let eastId: number;
beforeAll(async () => {
  api = await startApi({ ALARM_MAIL: 'noc@farlink.example' });
  ({ admin, east, eastId } = await makeBranches(api));
  await makePartitions(api.deps.pool, api.clock.now());
  await api.db.insertInto('installation').values({ key_mark: '-', create_at: api.clock.now() }).execute();
});
afterAll(() => api?.close());

const figures = {
  loop_ms: 12,
  cpu_percent: 3,
  memory_bytes: 200_000_000,
  pool: { used: 2, waiting: 0, max: 20 },
  disk: { free_bytes: 50, total_bytes: 100 },
  certificates: [],
  listeners: [{ transport: 'endpoint', is_connected: true, gateways: 7, waiting: 0, accepted_per_s: 2.5, refused_per_s: 0 }],
};
const allRoles = ['api', 'worker', 'field', 'radius'];

const addNode = async (name: string, more: { roles?: string[]; version?: string; seen?: number; figures?: object } = {}) => {
  const { roles = allRoles, version = '3.0.0', seen = 0 } = more;
  const text = JSON.stringify({ ...figures, ...more.figures });
  await sql`insert into process_node (id, name, roles, version, address, started_at, seen_at, figures)
    values (${randomUUID()}, ${name}, ${roles}, ${version}, '10.0.0.1:8080', now() - interval '1 day', now() - make_interval(secs => ${seen}), ${text}::jsonb)`.execute(
    api.db,
  );
};

beforeEach(async () => {
  // Lets all caches expire.
  api.clock.advance(120);
  await api.db.deleteFrom('process_node').execute();
  await api.db.deleteFrom('system_backup').execute();
  await api.db.deleteFrom('system_alarm').execute();
  await addNode('one');
});

const read = async (): Promise<SystemStatus> => {
  api.clock.advance(120);
  const reply = await admin.call(calls.read);
  if (reply.code !== 0) throw new Error(reply.msg);
  return reply.data;
};
const names = ({ findings }: { readonly findings: readonly { readonly name: string }[] }) => findings.map(({ name }) => name);

test('a healthy installation reports level ok and the figures of its parts', async () => {
  const now = api.clock.now();
  await api.db
    .insertInto('system_backup')
    .values({ started_at: now, ended_at: now, bytes: 1000, file_name: '/b/farlink.tar', result: 'done' })
    .execute();
  const status = await read();
  expect(status).toMatchObject({ level: 'ok', at: api.clock.now() });
  expect(status.nodes.figures).toMatchObject([
    {
      name: 'one',
      roles: allRoles,
      version: '3.0.0',
      is_gone: false,
      is_older: false,
      cpu_percent: 3,
      pool: { used: 2, waiting: 0, max: 20 },
    },
  ]);
  expect(status.lag.figures).toMatchObject({ ingest_s: 0, rollup_s: 0, seal_s: 0, job_s: 0 });
  expect(status.backup.figures).toMatchObject({ last_at: now, file_name: '/b/farlink.tar', bytes: 1000, error: null });
  expect(status.broker.figures).toMatchObject({ gateways: 7, listeners: [{ node: 'one', accepted_per_s: 2.5 }] });
  expect(status.database.figures?.bytes).toBeGreaterThan(1_000_000);
  const partitioned = status.database.figures?.tables.find(({ weeks }) => weeks.length > 0);
  expect(partitioned?.weeks.at(-1)?.from_at).toBeGreaterThan(now - 200 * day);
});

test('VNOs and staff without the page are refused, staff with the page reads it', async () => {
  await makeStaff(admin, 'clerk', await makeRole(admin, 'Logs', grantsOf(['system_log'])));
  await makeStaff(admin, 'night', await makeRole(admin, 'Night', grantsOf(['system_status'])));
  for (const refused of [await api.login('clerk'), east]) expect((await refused.call(calls.read)).code).toBe(errors.denied.code);
  expect((await api.anonymous.call(calls.read)).code).toBe(errors.session_ended.code);
  expect((await (await api.login('night')).call(calls.read)).code).toBe(0);
});

describe('processes', () => {
  test('a process without a heartbeat is gone, and a role without a process is critical', async () => {
    await addNode('field 1', { roles: ['field'], seen: 31 });
    await addNode('nas', { roles: ['other'], seen: 40 });
    const { nodes } = await read();
    expect(nodes.figures?.filter(({ is_gone }) => is_gone).map(({ name }) => name)).toEqual(['field 1', 'nas']);
    expect(nodes.level).toBe('critical');
    expect(nodes.findings.map(({ level, reason }) => [level, reason[1]])).toEqual([
      ['critical', 'No process runs the role other'],
      ['warning', expect.stringMatching(/^Process field 1 has had no heartbeat for 3\ds$/)],
      ['warning', expect.stringMatching(/^Process nas has had no heartbeat for 4\ds$/)],
    ]);
  });

  test('older versions, full disks, slow event loops, exhausted connection pools and wrong clocks are reported', async () => {
    await addNode('old', { version: '2.9.10' });
    const disk = { free_bytes: 3, total_bytes: 100 };
    await addNode('busy', { figures: { loop_ms: 900, pool: { used: 20, waiting: 4, max: 20 }, disk, clock_offset_ms: -7000 } });
    const { nodes } = await read();
    expect(nodes.figures?.filter(({ is_older }) => is_older).map(({ name }) => name)).toEqual(['old']);
    expect(names(nodes).map((name) => name.split(':')[0])).toEqual(['clock', 'loop', 'pool', 'disk', 'versions']);
    expect(nodes.level).toBe('critical');
  });

  test('figures in an unknown format are shown as null', async () => {
    await addNode('strange', { figures: { loop_ms: 'x', pool: [1], disk: null, listeners: 5, certificates: [{ use: 'mqtt' }] } });
    const { nodes } = await read();
    expect(nodes.figures?.[1]).toMatchObject({ name: 'strange', loop_ms: null, pool: null, disk: null });
  });
});

test('a lag is reported when waiting work exceeds its limit', async () => {
  const now = api.clock.now() + 120;
  await sql`insert into traffic_dirty (kind, device_id, hour, marked_at, touched_at) values ('dpi_usr', 1, 3600, ${now - 8000}, ${now}), ('flow_usr', 1, 7200, ${now - 100}, ${now})`.execute(
    api.db,
  );
  await enqueue(api.db, now - 700, { kind: 'late_job' });
  await enqueue(api.db, now, { kind: 'late_job', runAt: now + day });
  const usage = { seconds: 1, up_bytes: 1, down_bytes: 1, device_id: null, subscriber_id: 1, at: now };
  await api.db
    .insertInto('usage')
    .values([
      { ...usage, create_at: now - 90 },
      { ...usage, create_at: now },
    ])
    .execute();
  const { lag, queues } = await read();
  expect(lag.figures).toMatchObject({ ingest_s: 90, rollup_s: 8000, rollup_hour: 3600, job_s: 700, job_kind: 'late_job' });
  expect(lag.findings.map(({ name, level }) => [name, level])).toEqual([
    ['ingest_lag', 'warning'],
    ['rollup_lag', 'critical'],
    ['job_lag', 'critical'],
  ]);
  expect(queues.figures).toMatchObject({ usage: 2, jobs: [{ kind: 'late_job', waiting: 2, running: 0, failed: 0 }] });
  for (const { reason, todo } of lag.findings) for (const text of [...reason, ...todo]) expect(text).toMatch(/\S/);
  await sql`truncate traffic_dirty, job, usage cascade`.execute(api.db);
});

test('failed jobs and unsent mail and SMS messages are reported', async () => {
  const now = api.clock.now() + 120;
  await api.db
    .insertInto('job')
    .values({ kind: 'sum_bills', payload: '{}', state: 'failed', run_at: now - 60, create_at: now - 60, finish_at: now - 30 })
    .execute();
  const letter = { recipient: 'x', state: 'waiting', next_at: now } as const;
  await api.db
    .insertInto('outbox')
    .values([
      { ...letter, channel: 'mail', create_at: now - 3600 },
      { ...letter, channel: 'sms', create_at: now - 7200 },
    ])
    .execute();
  const { queues } = await read();
  expect(names(queues)).toEqual(['job_failed:sum_bills', 'mail_queue', 'sms_queue']);
  expect(queues).toMatchObject({
    level: 'critical',
    figures: { mails: { waiting: 1, oldest_s: 3600, has_server: false }, sms: { waiting: 1 } },
  });
  await sql`truncate job, outbox cascade`.execute(api.db);
});

test('certificates of domains and processes are reported before they expire', async () => {
  const now = api.clock.now() + 120;
  const certify = (type: 'console' | 'portal', domain: string, expireAt: number | null) =>
    api.db
      .updateTable('domain')
      .set({ https: true, status: 1, proven_at: now, domain, cert_expire_at: expireAt })
      .where('agent_id', '=', eastId)
      .where('domain_type', '=', type)
      .execute();
  await certify('console', 'console.example', now + 300 * day);
  await certify('portal', 'portal.example', now + 4 * day);
  const mqtt = { use: 'mqtt', host: 'mqtt.example', expire_at: now + 10 * day };
  await addNode('two', { figures: { certificates: [mqtt] } });
  await addNode('three', { figures: { certificates: [{ ...mqtt, expire_at: now + 20 * day }] } });
  const { certificates } = await read();
  expect(certificates.figures?.map(({ host }) => host)).toEqual(['portal.example', 'mqtt.example', 'console.example']);
  expect(certificates.findings.map(({ name, level }) => [name, level])).toEqual([
    ['certificate:domain:portal.example', 'critical'],
    ['certificate:mqtt:mqtt.example', 'warning'],
  ]);
  await certify('portal', 'portal.example', null);
});

test('a broker is critical only if no process is connected to it', async () => {
  const broker = { ...figures.listeners[0], transport: 'broker', is_connected: false };
  await addNode('standby', { roles: ['field'], figures: { listeners: [broker] } });
  expect((await read()).broker).toMatchObject({ level: 'critical', findings: [{ name: 'broker_lost', level: 'critical' }] });
  await addNode('leader', { roles: ['field'], figures: { listeners: [{ ...broker, is_connected: true }] } });
  expect((await read()).broker.level).toBe('ok');
});

test('a missing, old or failed backup is reported', async () => {
  await api.db
    .updateTable('installation')
    .set({ create_at: api.clock.now() - 10 * day })
    .execute();
  expect((await read()).backup).toMatchObject({
    level: 'critical',
    findings: [{ name: 'backup_age', reason: ['还没有备份', 'There is no backup'] }],
  });
  const now = api.clock.now();
  const row = { bytes: 5, file_name: '/b/one.tar' };
  await api.db
    .insertInto('system_backup')
    .values([
      { ...row, started_at: now - 2 * day, ended_at: now - 2 * day, result: 'done' },
      { ...row, started_at: now - day, ended_at: now - day, result: 'failed', error: 'No space left' },
      { ...row, started_at: now, ended_at: null },
    ])
    .execute();
  const { backup } = await read();
  expect(backup).toMatchObject({ level: 'warning', figures: { last_at: now - 2 * day, failed_at: now - day, error: 'No space left' } });
  expect(names(backup)).toEqual(['backup_age', 'backup_failed']);
});

test('a part that cannot be read is critical, and the other parts are still reported', async () => {
  await sql`alter table system_backup rename to system_backup_away`.execute(api.db);
  try {
    const status = await read();
    expect(status.backup).toMatchObject({ level: 'critical', figures: null, findings: [{ name: 'unreadable:backup' }] });
    expect(status.nodes.level).toBe('ok');
    expect(status.database.figures?.bytes).toBeGreaterThan(0);
  } finally {
    await sql`alter table system_backup_away rename to system_backup`.execute(api.db);
  }
});

describe('alarms', () => {
  const check = async () => {
    await enqueue(api.db, api.clock.now(), { kind: 'check_status' });
    const runner = startJobs(api.deps, statusJobs, { pollMs: 0 });
    await runner.tick();
    await runner.stop();
    // The mails themselves are not sent here.
    await api.db.deleteFrom('job').execute();
  };
  const titles = async () => {
    const { data } = await admin.call(receivedAnnouncementCalls.received, { page: 1, limit: 100 });
    return data.list
      .map(({ title }) => title)
      .filter((title) => title?.includes('System'))
      .reverse();
  };
  const mails = async () => {
    const rows = await api.db.selectFrom('outbox').select(['recipient', 'body']).where('channel', '=', 'mail').orderBy('id').execute();
    return rows.map(({ recipient, body }) => ({ recipient, ...JSON.parse(open(api.deps.config.secretKey, body ?? '')) }));
  };
  const pass = async (seconds: number) => {
    api.clock.advance(seconds);
    await check();
  };

  test('are sent once when a problem persists, and once when it has been resolved for some minutes', async () => {
    const now = api.clock.now();
    await api.db.insertInto('system_backup').values({ started_at: now, ended_at: now, file_name: 'x', result: 'done' }).execute();
    await api.db
      .updateTable('process_node')
      .set({ roles: ['api', 'worker'] })
      .execute();
    await check();
    expect([await titles(), await mails()]).toEqual([[], []]);
    await pass(60);
    const raised = '系统告警：没有进程在运行角色 field / System alarm: No process runs the role field';
    expect(await titles()).toEqual([raised]);
    expect(await mails()).toMatchObject([
      { recipient: 'noc@farlink.example', subject: raised, text: expect.stringContaining('Start a process whose ROLES contain field') },
    ]);
    for (let i = 0; i < 3; i++) await pass(60);
    // A recovery of only one minute changes nothing.
    await api.db.updateTable('process_node').set({ roles: allRoles }).execute();
    await pass(60);
    await api.db
      .updateTable('process_node')
      .set({ roles: ['api', 'worker'] })
      .execute();
    await pass(60);
    expect(await titles()).toEqual([raised]);
    await api.db.updateTable('process_node').set({ roles: allRoles }).execute();
    for (let i = 0; i < 5; i++) await pass(60);
    const recovered = '系统恢复：没有进程在运行角色 field / System recovered: No process runs the role field';
    expect(await titles()).toEqual([raised, recovered]);
    expect(await mails()).toHaveLength(2);
    expect(await api.db.selectFrom('system_alarm').selectAll().execute()).toEqual([]);
    const vno = await api.login('east');
    expect((await vno.call(receivedAnnouncementCalls.received, { page: 1, limit: 100 })).data.list).toEqual([]);
  });

  test('combine several problems of one check into one mail', async () => {
    await sql`truncate outbox cascade`.execute(api.db);
    await api.db
      .updateTable('process_node')
      .set({ roles: ['worker'] })
      .execute();
    await check();
    await pass(60);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail.subject).toContain('System alarm: 3 critical problems');
    for (const text of ['No process runs the role api\n→ ', 'No process runs the role field', 'There is no backup'])
      expect(mail.text).toContain(text);
  });

  test('go to the accounts that have an address and may open the page if ALARM_MAIL is not set', async () => {
    await sql`truncate outbox cascade`.execute(api.db);
    for (const [username, email] of [
      ['night', 'night@farlink.example'],
      ['clerk', 'clerk@farlink.example'],
      ['east', 'east@farlink.example'],
    ] as const)
      await api.db.updateTable('customer').set({ email }).where('username', '=', username).execute();
    const deps = { clock: api.clock, config: { ...api.deps.config, alarmMail: [] } };
    const finding = { name: 'x', level: 'critical', reason: ['甲', 'A <b>'], todo: ['乙', 'B'] } as const;
    await api.db.transaction().execute((db) => updateAlarms(db, deps, [finding]));
    api.clock.advance(60);
    await api.db.transaction().execute((db) => updateAlarms(db, deps, [finding]));
    expect(await mails()).toMatchObject([{ recipient: 'night@farlink.example', html: expect.stringContaining('A &lt;b&gt;') }]);
  });

  test('come from a job that also records the database size once an hour, to show its growth', async () => {
    await api.db.deleteFrom('system_size').execute();
    await check();
    await check();
    expect(await api.db.selectFrom('system_size').selectAll().execute()).toHaveLength(1);
    await api.db.updateTable('system_size').set({ bytes: 1000 }).execute();
    api.clock.advance(day);
    admin = await api.login('admin');
    const { bytes, day_growth_bytes, week_growth_bytes } = (await read()).database.figures ?? {};
    expect(day_growth_bytes).toBe((bytes ?? 0) - 1000);
    expect(week_growth_bytes).toBeNull();
  });
});

test('metrics have the same figures, and omit only figures that cannot be read', async () => {
  const register = openMetrics(api.deps, statusGauges(api.deps));
  expect(await register.metrics()).not.toMatch(/^farlink_backup_age_seconds /m);
  api.clock.advance(120);
  const now = api.clock.now();
  await sql`truncate job cascade`.execute(api.db);
  await enqueue(api.db, now - 42, { kind: 'late_job' });
  await addNode('two', { figures: { certificates: [{ use: 'radsec', host: 'aaa.example', expire_at: now + 1000 }] } });
  await api.db
    .insertInto('system_backup')
    .values({ started_at: now - 50, ended_at: now - 40, file_name: 'x', result: 'done' })
    .execute();
  const text = await register.metrics();
  expect(text).toContain('farlink_ingest_lag_seconds 0\n');
  expect(text).toContain('farlink_rollup_lag_seconds 0\n');
  expect(text).toContain('farlink_seal_lag_seconds 0\n');
  expect(text).toContain('farlink_job_lag_seconds 42\n');
  expect(text).toContain('farlink_jobs_waiting{kind="late_job"} 1\n');
  expect(text).toContain('farlink_backup_age_seconds 40\n');
  expect(text).toContain('farlink_certificate_expiry_seconds{host="aaa.example"} 1000\n');
  expect(text).toContain('farlink_status_level{part="lag"} 0\n');
  await sql`truncate job cascade`.execute(api.db);
  await sql`alter table system_backup rename to system_backup_away`.execute(api.db);
  api.clock.advance(120);
  const later = await register.metrics();
  await sql`alter table system_backup_away rename to system_backup`.execute(api.db);
  expect(later).not.toMatch(/^farlink_backup_age_seconds /m);
  expect(later).not.toContain('late_job');
  expect(later).toContain('farlink_job_lag_seconds 0\n');
});
