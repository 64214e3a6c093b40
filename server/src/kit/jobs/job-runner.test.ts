import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { emptyTables } from '../../../test/setup/empty-tables.ts';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { fail } from '../fail.ts';
import { cancelJob, enqueue, type JobKind, type JobKinds, type JobRun, jobChannel, orderJob } from './job.ts';
import { leaseS } from './job-lease.ts';
import { type JobRunner, startJobs } from './job-runner.ts';

let service: ServiceDeps;
const greedy = 101;
const modest = 102;
const runners: JobRunner[] = [];

beforeAll(async () => {
  service = await serviceDeps();
  await service.deps.pool.query('create table effect (id bigint generated always as identity, job_id bigint, note text)');
  await service.deps.pool.query(`
    with role as (insert into role (agent_id, kind, name, scope, permissions, creator, create_at, update_at) values (${service.me.agent_id}, 'agent', 'VNO', 'unlimited', '{}', '', 1, 1) returning id)
    insert into agent (id, name, code, parent_id, path, agent_level, agent_mode, role_id, create_at, update_at)
    select n, 'VNO ' || n, 'vno' || n, top.id, top.path || n || '/', 1, 1, role.id, 1, 1
    from unnest(array[${greedy}, ${modest}]) n, role, agent top where top.parent_id is null`);
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((r) => r.stop()));
  await emptyTables(service.deps.pool, ['job', 'effect']);
});
afterAll(() => service.close());

/** A runner without polling: the test triggers it. */
const runner = (kinds: JobKinds, options: Parameters<typeof startJobs>[2] = {}) => {
  const made = startJobs(service.deps, kinds, { pollMs: 0, beatMs: 60_000, graceMs: 20, ...options });
  runners.push(made);
  return made;
};
const add = (kind: string, order: Partial<Parameters<typeof enqueue>[2]> = {}) =>
  enqueue(service.deps.db, service.clock.now(), { kind, ...order });
const jobOf = (id: number) => service.deps.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const effects = async () =>
  (await service.deps.pool.query<{ job_id: number; note: string }>('select job_id, note from effect order by id')).rows;
const write = (run: JobRun, note = '') =>
  run.commit(async (db) => {
    await sql`insert into effect (job_id, note) values (${run.job.id}, ${note})`.execute(db);
    return { note };
  });
/** A promise that the test resolves. */
const deferred = () => Promise.withResolvers<void>();
const effectKind: JobKind = { run: (run) => write(run) };

test('a job runs once, with its effect, its result and its times', async () => {
  const id = await add('effect', { payload: { n: 1 } });
  await runner({ effect: effectKind }).tick();
  expect(await effects()).toEqual([{ job_id: id, note: '' }]);
  const now = service.clock.now();
  expect(await jobOf(id)).toMatchObject({
    state: 'done',
    progress: 100,
    attempts: 1,
    result: { note: '' },
    start_at: now,
    finish_at: now,
    owner: null,
  });
  await runner({ effect: effectKind }).tick();
  expect(await effects()).toHaveLength(1);
});

test('the runner that makes the job of a round runs it, and wakes no other', async () => {
  const listener = await service.deps.pool.connect();
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push(payload));
  await listener.query(`listen ${jobChannel}`);
  await runner({ effect: { ...effectKind, everyS: 60 } }).tick();
  expect(await effects()).toHaveLength(1);
  const id = await add('effect');
  await cancelJob(service.deps.db, service.clock.now(), id);
  await expect.poll(() => heard).toEqual(['', String(id)]);
  listener.release(true);
});

test('a kind keeps its completed jobs as long as it declares, and failed ones longer', async () => {
  const kinds: JobKinds = {
    often: {
      run: async ({ job }) => {
        if (job.payload && Object.keys(job.payload).length > 0) throw fail('unchanged');
      },
      retentionS: 60,
    },
    seldom: { run: async () => {} },
  };
  const statesOf = async (kind: string) =>
    (await service.deps.db.selectFrom('job').select('state').where('kind', '=', kind).orderBy('id').execute()).map((j) => j.state);
  for (const kind of ['often', 'seldom']) await add(kind);
  await add('often', { payload: { refuse: true } });
  await runner(kinds).tick();
  service.clock.advance(61);
  for (const kind of ['often', 'seldom']) await add(kind);
  await runner(kinds).tick();
  expect(await statesOf('often')).toEqual(['failed', 'done']);
  expect(await statesOf('seldom')).toEqual(['done', 'done']);
});

test('a job enqueued in a failed transaction never runs', async () => {
  const failing = service.deps.db.transaction().execute(async (db) => {
    await enqueue(db, service.clock.now(), { kind: 'effect' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await runner({ effect: effectKind }).tick();
  expect(await effects()).toEqual([]);
});

test('the same key gives the same job, for any number of concurrent calls', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => add('effect', { key: 'once' })));
  expect(new Set(ids).size).toBe(1);
  await runner({ effect: effectKind }).tick();
  expect(await add('effect', { key: 'once' })).toBe(ids[0]);
  await runner({ effect: effectKind }).tick();
  expect(await effects()).toHaveLength(1);
});

test('two runners share a queue without ever running a job twice', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => add('effect')));
  const started: number[] = [];
  const kind: JobKind = {
    run: async (run) => {
      started.push(run.job.id);
      await write(run);
    },
  };
  await Promise.all([runner({ effect: kind }).tick(), runner({ effect: kind }).tick(), runner({ effect: kind }).tick()]);
  expect(started.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  expect((await effects()).map((e) => e.job_id).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
});

test('no more than two jobs of one kind run together in one runner', async () => {
  let now = 0;
  let highest = 0;
  const both = deferred();
  const kind: JobKind = {
    run: async (run) => {
      now++;
      highest = Math.max(highest, now);
      if (now === 2) both.resolve();
      await both.promise;
      await run.progress(50);
      now--;
    },
  };
  for (let i = 0; i < 10; i++) await add('effect');
  await runner({ effect: kind }).tick();
  expect(highest).toBe(2);
});

test('a job of a dead runner is taken over after its lease, and the dead runner cannot commit any more', async () => {
  const id = await add('effect');
  const started = deferred();
  const release = deferred();
  let refusedCommit: unknown;
  const dead = runner({
    effect: {
      run: async (run) => {
        started.resolve();
        await release.promise;
        refusedCommit = await write(run, 'zombie').catch((error) => error);
      },
    },
  });
  const zombie = dead.tick();
  await started.promise;

  const heir = runner({ effect: { run: (run) => write(run, 'heir') } });
  await heir.tick();
  expect(await effects()).toEqual([]);
  service.clock.advance(leaseS + 1);
  await heir.tick();
  expect(await effects()).toEqual([{ job_id: id, note: 'heir' }]);

  release.resolve();
  await zombie;
  expect(refusedCommit).toMatchObject({ message: expect.stringContaining('another runner') });
  expect(await effects()).toEqual([{ job_id: id, note: 'heir' }]);
  expect(await jobOf(id)).toMatchObject({ state: 'done', attempts: 2 });
});

test('a runner without a lease cannot commit, even while its successor is still working', async () => {
  const id = await add('effect');
  const started = deferred();
  const release = deferred();
  const taken = deferred();
  const finish = deferred();
  const zombie = runner({
    effect: {
      run: async (run) => {
        started.resolve();
        await release.promise;
        await write(run, 'zombie');
      },
    },
  }).tick();
  await started.promise;
  service.clock.advance(leaseS + 1);
  const heir = runner({
    effect: {
      run: async (run) => {
        taken.resolve();
        await finish.promise;
        await write(run, 'heir');
      },
    },
  }).tick();
  await taken.promise;
  release.resolve();
  await zombie;
  expect(await jobOf(id)).toMatchObject({ state: 'running' });
  finish.resolve();
  await heir;
  expect(await effects()).toEqual([{ job_id: id, note: 'heir' }]);
});

test('a heartbeat keeps a long job with its runner', async () => {
  const id = await add('effect');
  const started = deferred();
  const release = deferred();
  const slow = runner(
    {
      effect: {
        run: async (run) => {
          started.resolve();
          await release.promise;
          await write(run, 'slow');
        },
      },
    },
    { beatMs: 5 },
  );
  const running = slow.tick();
  await started.promise;
  service.clock.advance(leaseS + 1);
  const until = service.clock.now() + leaseS;
  await expect.poll(async () => (await jobOf(id)).lease_until).toBe(until);
  await runner({ effect: { run: (run) => write(run, 'thief') } }).tick();
  release.resolve();
  await running;
  expect(await effects()).toEqual([{ job_id: id, note: 'slow' }]);
});

test('a job whose runners all die fails after three runners', async () => {
  const id = await add('effect');
  const logged: string[] = [];
  const release = deferred();
  const deadly: JobKind = {
    run: () => release.promise,
    failed: async (_, job, why) => {
      logged.push(`${job.id} ${why[1]}`);
    },
  };
  for (let i = 1; i <= 3; i++) {
    runner({ effect: deadly }).tick();
    await expect.poll(async () => (await jobOf(id)).attempts).toBe(i);
    service.clock.advance(leaseS + 1);
  }
  await runner({ effect: deadly }).tick();
  expect(await jobOf(id)).toMatchObject({ state: 'failed', attempts: 4 });
  expect(logged).toEqual([`${id} Internal error, reference job-${id}`]);
  release.resolve();
});

test('a job with an unexpected error is retried with increasing delays, and fails at the third attempt', async () => {
  const id = await add('effect');
  const waits: number[] = [];
  const bad = runner({
    effect: {
      run: async () => {
        throw new Error('boom');
      },
    },
  });
  for (;;) {
    await bad.tick();
    const job = await jobOf(id);
    if (job.state !== 'waiting') break;
    waits.push(job.run_at - service.clock.now());
    await bad.tick();
    expect((await jobOf(id)).attempts).toBe(job.attempts);
    service.clock.advance(job.run_at - service.clock.now());
  }
  expect(waits).toEqual([10, 40]);
  expect(await jobOf(id)).toMatchObject({ state: 'failed', attempts: 3, error: `系统错误，编号 job-${id}` });
});

test('a commit that fails half way leaves nothing behind, and succeeds at the next attempt', async () => {
  const id = await add('effect');
  let tries = 0;
  const kind: JobKind = {
    run: (run) =>
      run.commit(async (db) => {
        await db
          .insertInto('sms_outbox')
          .values({ phone: String(run.job.id), body: 'half', create_at: 1 })
          .execute();
        if (++tries === 1) throw new Error('crash between two statements');
      }),
  };
  const one = runner({ effect: kind });
  await one.tick();
  service.clock.advance(10);
  await one.tick();
  expect(await service.deps.db.selectFrom('sms_outbox').selectAll().where('phone', '=', String(id)).execute()).toHaveLength(1);
});

test('a refused job fails at once with its reason, in the language of the requester', async () => {
  const id = await add('effect', { lang: 'en' });
  let logged: readonly string[] = [];
  const kind: JobKind = {
    run: async () => {
      throw fail('account_disabled');
    },
    failed: async (_, __, why) => {
      logged = why;
    },
  };
  await runner({ effect: kind }).tick();
  expect(await jobOf(id)).toMatchObject({ state: 'failed', attempts: 1, error: 'The account is disabled' });
  expect(logged).toEqual(['账号已被禁用', 'The account is disabled']);
});

test('a waiting job is cancelled at once, and cannot be cancelled again', async () => {
  const id = await add('effect');
  expect(await cancelJob(service.deps.db, service.clock.now(), id)).toBe(true);
  await runner({ effect: effectKind }).tick();
  expect(await effects()).toEqual([]);
  expect(await jobOf(id)).toMatchObject({ state: 'cancelled', finish_at: service.clock.now() });
  expect(await cancelJob(service.deps.db, service.clock.now(), id)).toBe(false);
});

test('a running job sees its cancellation at the next step and cannot commit after it', async () => {
  const id = await add('effect');
  const started = deferred();
  const release = deferred();
  let seen = false;
  const running = runner({
    effect: {
      run: async (run) => {
        started.resolve();
        await release.promise;
        await run.progress(10);
        seen = run.cancelled();
        await write(run);
      },
    },
  }).tick();
  await started.promise;
  expect(await cancelJob(service.deps.db, service.clock.now(), id)).toBe(true);
  release.resolve();
  await running;
  expect(seen).toBe(true);
  expect(await effects()).toEqual([]);
  expect(await jobOf(id)).toMatchObject({ state: 'cancelled' });
});

test('a cancellation aborts the running job without a poll', async () => {
  const started = deferred();
  runner(
    {
      effect: {
        run: (run) => {
          started.resolve();
          return new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)));
        },
      },
    },
    { pollMs: 30_000 },
  );
  const id = await add('effect');
  await started.promise;
  await cancelJob(service.deps.db, service.clock.now(), id);
  await expect.poll(async () => (await jobOf(id)).state).toBe('cancelled');
});

test('an enqueue wakes the runner without a poll', async () => {
  runner({ effect: effectKind }, { pollMs: 30_000 });
  await expect
    .poll(
      async () =>
        (await service.deps.pool.query("select 1 from pg_stat_activity where query like 'listen %' and datname = current_database()"))
          .rowCount,
    )
    .toBe(1);
  await add('effect');
  await expect.poll(effects).toHaveLength(1);
});

test('a runner whose listening connection was cut listens again', async () => {
  runner({ effect: effectKind }, { pollMs: 20 });
  const listening = async () =>
    (
      await service.deps.pool.query<{ pid: number }>(
        "select pid from pg_stat_activity where query like 'listen %' and datname = current_database()",
      )
    ).rows[0]?.pid;
  await expect.poll(listening).toBeDefined();
  const first = await listening();
  await service.deps.pool.query('select pg_terminate_backend($1::int)', [first]);
  await expect.poll(listening).not.toBe(first);
  await expect.poll(listening).toBeDefined();
});

test('progress is stored in whole percent from 0 to 100', async () => {
  const id = await add('effect');
  const seen: number[] = [];
  const kind: JobKind = {
    run: async (run) => {
      for (const percent of [-5, 0.2, 33.4, 33.9, 250]) {
        await run.progress(percent);
        seen.push((await jobOf(id)).progress);
      }
    },
  };
  await runner({ effect: kind }).tick();
  expect(seen).toEqual([0, 0, 33, 33, 100]);
});

test('a job has the rights and the language of its requester', async () => {
  await add('effect', { me: service.me, lang: 'en', payload: { of: '卡' } });
  let job: JobRun['job'] | undefined;
  await runner({
    effect: {
      run: async (run) => {
        job = run.job;
      },
    },
  }).tick();
  expect(job).toMatchObject({
    rights: service.me,
    lang: 'en',
    customer_id: service.me.uid,
    agent_id: service.me.agent_id,
    payload: { of: '卡' },
  });
});

test('a job waits for its start time and for a runner that knows its kind', async () => {
  await add('effect', { runAt: service.clock.now() + 100 });
  const one = runner({ effect: effectKind });
  await one.tick();
  await runner({ other: effectKind }).tick();
  expect(await effects()).toEqual([]);
  service.clock.advance(100);
  await runner({ other: effectKind }).tick();
  expect(await effects()).toEqual([]);
  await one.tick();
  expect(await effects()).toHaveLength(1);
});

test('a periodic job runs once per period, with any number of runners', async () => {
  const kinds = { effect: { ...effectKind, everyS: 3600 } };
  const both = [runner(kinds), runner(kinds)];
  await Promise.all(both.map((r) => r.tick()));
  await Promise.all(both.map((r) => r.tick()));
  expect(await effects()).toHaveLength(1);
  service.clock.advance(3600);
  await Promise.all(both.map((r) => r.tick()));
  expect(await effects()).toHaveLength(2);
});

test('a round without work makes no job, and the next one looks again', async () => {
  const isDue: JobKind['isDue'] = ({ clock }) => sql`exists (select from effect where ${clock.now()} > 0)`;
  const periodic = runner({ effect: { ...effectKind, everyS: 60, isDue }, always: { run: async () => {}, everyS: 60 } });
  const kindsOf = async () => (await service.deps.db.selectFrom('job').select('kind').orderBy('id').execute()).map(({ kind }) => kind);
  await periodic.tick();
  expect(await kindsOf()).toEqual(['always']);
  await service.deps.pool.query("insert into effect (note) values ('work')");
  await periodic.tick();
  expect(await kindsOf()).toEqual(['always']);
  service.clock.advance(60);
  await periodic.tick();
  expect((await kindsOf()).toSorted()).toEqual(['always', 'always', 'effect']);
});

test('a stop waits for a quick job, and returns a slow one to the queue without counting the attempt', async () => {
  const quick = await add('quick');
  const slow = await add('slow');
  const started = deferred();
  const stopped = runner({
    quick: effectKind,
    slow: {
      run: (run) => {
        started.resolve();
        return new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)));
      },
    },
  });
  stopped.tick();
  await started.promise;
  await stopped.stop();
  expect(await jobOf(quick)).toMatchObject({ state: 'done' });
  expect(await jobOf(slow)).toMatchObject({ state: 'waiting', attempts: 0, owner: null });
  await runner({ slow: effectKind }).tick();
  expect(await jobOf(slow)).toMatchObject({ state: 'done', attempts: 1 });
});

test('a run that ignores the stop is abandoned and cannot commit', async () => {
  const id = await add('effect');
  const started = deferred();
  const release = deferred();
  const deaf = runner({
    effect: {
      run: async (run) => {
        started.resolve();
        await release.promise;
        await write(run, 'deaf');
      },
    },
  });
  const running = deaf.tick();
  await started.promise;
  await deaf.stop();
  expect(await jobOf(id)).toMatchObject({ state: 'waiting' });
  release.resolve();
  await running;
  await runner({ effect: { run: (run) => write(run, 'next') } }).tick();
  expect(await effects()).toEqual([{ job_id: id, note: 'next' }]);
});

test('a run that returns because of a stop is not marked as done', async () => {
  const id = await add('effect');
  const started = deferred();
  const stopped = runner({
    effect: {
      run: (run) => {
        started.resolve();
        return new Promise((done) => run.signal.addEventListener('abort', () => done()));
      },
    },
  });
  stopped.tick();
  await started.promise;
  await stopped.stop();
  expect(await jobOf(id)).toMatchObject({ state: 'waiting', attempts: 0 });
});

test('a VNO with many jobs delays neither the system nor another VNO, and VNOs take turns', async () => {
  const [begun, gates]: [(number | null)[], (() => void)[]] = [[], []];
  const held: JobKind = {
    run: async ({ job }) => {
      const gate = deferred();
      begun.push(job.agent_id);
      gates.push(gate.resolve);
      await gate.promise;
    },
  };
  for (let i = 1; i <= 20; i++) await add('held', { agentId: greedy });
  const one = runner({ held, effect: effectKind });
  const working = one.tick();
  await expect.poll(() => begun).toEqual([greedy, greedy]);

  await add('effect');
  for (let i = 1; i <= 3; i++) await add('held', { agentId: modest });
  one.tick();
  await expect.poll(effects).toHaveLength(1);
  await expect.poll(() => begun).toEqual([greedy, greedy, modest]);
  const endOne = () => {
    gates.shift()?.();
    return begun;
  };
  await expect.poll(endOne, { interval: 20 }).toHaveLength(23);
  while (gates.length > 0) endOne();
  await working;
  expect(begun.lastIndexOf(modest)).toBeLessThan(10);
});

test('one worker alone alternates between VNOs', async () => {
  const begun: (number | null)[] = [];
  const kind: JobKind = {
    run: async ({ job }) => {
      begun.push(job.agent_id);
    },
  };
  for (let i = 1; i <= 4; i++) await add('quick', { agentId: greedy });
  for (let i = 1; i <= 4; i++) await add('quick', { agentId: modest });
  await runner({ quick: kind }, { concurrency: 1 }).tick();
  expect(begun).toEqual([greedy, modest, greedy, modest, greedy, modest, greedy, modest]);
});

test('an account may have a few exports waiting, and parallel requests do not exceed them', async () => {
  const order = () => service.deps.db.transaction().execute((db) => orderJob(db, service.clock.now(), { kind: 'export', me: service.me }));
  const results = await Promise.allSettled(Array.from({ length: 30 }, order));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.waitingExports);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { reason: 'exports_waiting' } });
  const id = await service.deps.db.selectFrom('job').select('id').executeTakeFirstOrThrow();
  await cancelJob(service.deps.db, service.clock.now(), id.id);
  await expect(order()).resolves.toBeGreaterThan(0);
});
