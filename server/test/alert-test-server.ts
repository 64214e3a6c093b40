import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { alertMailJobs } from '../src/domain/alert-mail/gather.ts';
import { markNotified } from '../src/domain/alert-mail/mail-content.ts';
import { mailJobs } from '../src/domain/mail/send-mails.ts';
import { openField } from '../src/field/field.ts';
import { beat } from '../src/field/sweep.ts';
import { startJobs } from '../src/kit/jobs/job-runner.ts';
import { seal } from '../src/kit/session/secret.ts';
import { openSink } from './mail-sink.ts';
import { serviceDeps } from './setup/service-deps.ts';

export interface Ship {
  readonly id: number;
  readonly sn: string;
}

interface RuleOf {
  readonly events?: string[];
  readonly emails?: string[];
  readonly kind?: 'status' | 'ap';
  readonly ap_mac?: string;
  readonly lang?: 'zh' | 'en';
}

export const noTransport = { deliver: () => {}, ackHello: () => {}, drained: () => {} };

/** Gateway messages go in and mails of a real mail server come out. The test controls the clock. */
export const openAlertTestServer = async () => {
  const service = await serviceDeps();
  const { deps, clock, me } = service;
  const { db } = deps;
  const sink = await openSink();
  const field = openField(deps, noTransport);
  await beat(deps.pool, field.node, 1);
  let count = 0;

  const setServer = async (agent_id: number, more: { enable?: boolean; password?: string } = {}) => {
    const { enable = true, password = sink.form.password } = more;
    const at = { host: '127.0.0.1', port: sink.port, secure: 'none', username: sink.form.user } as const;
    const row = { ...at, enable, password: seal(deps.config.secretKey, password), name: '远联', sign: '签名' };
    await db
      .insertInto('mail_server')
      .values({ agent_id, ...row, update_at: 1 })
      .onConflict((oc) => oc.column('agent_id').doUpdateSet(row))
      .execute();
  };
  await setServer(me.agent_id);

  const addVno = async (parent_id: number, name: string, agent_level: number) => {
    const made = { name, create_at: 1, update_at: 1 };
    const role = { ...made, agent_id: parent_id, kind: 'agent', scope: 'unlimited', permissions: '{}', creator: 'x' } as const;
    const { id: role_id } = await db.insertInto('role').values(role).returning('id').executeTakeFirstOrThrow();
    const parent = await db.selectFrom('agent').select('path').where('id', '=', parent_id).executeTakeFirstOrThrow();
    const agent = { ...made, parent_id, role_id, agent_level, code: name, agent_mode: 1, path: '' } as const;
    const { id } = await db.insertInto('agent').values(agent).returning('id').executeTakeFirstOrThrow();
    const path = `${parent.path}${id}/`;
    await db.updateTable('agent').set({ path }).where('id', '=', id).execute();
    return id;
  };

  const addShip = async (more: { agent_id?: number; name?: string; auth_expire_at?: number; auth_status?: 'test' } = {}): Promise<Ship> => {
    const sn = `N${++count}`;
    const row = { agent_id: me.agent_id, name: `船${count}`, sn, create_at: 1, ...more };
    const { id } = await db.insertInto('device').values(row).returning('id').executeTakeFirstOrThrow();
    return { id, sn };
  };

  const addRules = async (ships: readonly Ship[], rule: RuleOf = {}): Promise<number[]> => {
    const { events = ['offline'], emails = ['noc@sea.cn'], kind = 'status', ap_mac, lang = 'zh' } = rule;
    const common = { kind, events, emails, lang, ap_mac: ap_mac ?? null, creator: 'x', create_at: 1, update_at: 1 };
    const rows = await db
      .insertInto('notify_rule')
      .values(ships.map(({ id }) => ({ ...common, device_id: id })))
      .returning('id')
      .execute();
    return rows.map((r) => r.id);
  };

  /** All ships send at the same time, as after an outage. */
  const publish = (ships: readonly Ship[], tail: string, body: object, conn = 'c', by = field) =>
    Promise.all(
      ships.map(
        ({ sn }) =>
          new Promise<void>((done, refused) =>
            by.receive(sn, tail, JSON.stringify(body), `${conn}-${sn}`, (v) => (v.ok ? done() : refused(new Error(v.reason)))),
          ),
      ),
    );

  const runJobs = async () => {
    const runner = startJobs(deps, { ...alertMailJobs, ...mailJobs(markNotified) }, { pollMs: 0 });
    await runner.tick();
    await runner.stop();
  };

  return {
    ...service,
    db,
    sink,
    field,
    setServer,
    addVno,
    addShip,
    addShips: (n: number) => Promise.all(Array.from({ length: n }, () => addShip())),
    addRules,
    publish,
    comeOnline: (ships: readonly Ship[], conn?: string, by?: typeof field) =>
      publish(ships, 'hello', { boot: 'boot1', fw: '1.0.0', h: digestOf({}) }, conn, by),
    goOffline: (ships: readonly Ship[], conn?: string) => publish(ships, 'bye', { r: 'lost' }, conn),
    runJobs,
    /** Advances the clock and runs due jobs at each step. */
    pass: async (seconds: number, step = 30) => {
      for (let left = seconds; left > 0; left -= step) {
        clock.advance(Math.min(step, left));
        await runJobs();
      }
    },
    /** Resets the state for the next test. */
    clear: async () => {
      await db.deleteFrom('notify_rule').execute();
      await db.deleteFrom('outbox').execute();
      for (const list of [sink.mails, sink.replies, sink.logins]) list.length = 0;
    },
    close: async () => {
      await field.close();
      await sink.close();
      await service.close();
    },
  };
};

export type AlertTestServer = Awaited<ReturnType<typeof openAlertTestServer>>;

/** SNs of the devices in a mail. */
export const namedIn = ({ text }: { readonly text: string }) => (text.match(/\| N\d+ \|/g) ?? []).map((sn) => sn.slice(2, -2)).sort();
