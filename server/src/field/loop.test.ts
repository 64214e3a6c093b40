import type { Gateway } from '@farlink/simulator/gateway.ts';
import type { GatewayOptions } from '@farlink/simulator/gateway-options.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FieldTestServer, openFieldTestServer } from '../../test/field.ts';
import { syncOnce } from '../domain/access/sync-run.ts';
import { chargeOnce } from '../domain/metering/run/charge-waiting.ts';
import { remindOfExpiry } from '../domain/metering/run/remind.ts';
import { sweepAccounts } from '../domain/metering/run/sweep-accounts.ts';
import { grantPackages } from '../domain/metering/store/grant-packages.ts';
import { insertSubscribers, type NewSubscriber } from '../domain/subscriber/insert-subscribers.ts';
import { seal } from '../kit/session/secret.ts';

const MB = 1024 ** 2;
let server: FieldTestServer;
let n = 0;
beforeAll(async () => {
  server = await openFieldTestServer();
});
afterAll(() => server.close());

const now = () => server.clock.now();
const sync = async () => {
  while (await syncOnce(server.deps));
};
const charge = async () => {
  while (await chargeOnce(server.deps));
};

const openAccount = async (device_id: number | null, more: Partial<NewSubscriber> = {}) => {
  const account = `loop${++n}`;
  const row: NewSubscriber = {
    agent_id: server.platformId,
    account,
    password: 'secret-pass',
    account_type: 'personal',
    account_source: 'counter',
    name: '水手',
    phone: '13900000000',
    expire_at: now() + 365 * 86_400,
    device_id,
    create_at: now(),
    ...more,
  };
  const [id = 0] = await insertSubscribers(server.db, server.deps.config.secretKey, [row]);
  return { id, account, password: 'secret-pass' };
};

const newPackage = async (more: object = {}) => {
  const row = {
    agent_id: server.platformId,
    kind: 'online',
    name: `P${++n}`,
    package_type: 'flow',
    flow_capacity: 10,
    flow_unit: 'MB',
    price: '9.00',
  } as const;
  const made = await server.db
    .insertInto('package')
    .values({ ...row, device_ids: [1], create_at: 1, update_at: 1, ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
};

const newPolicy = async (action: 0 | 1 | 2) => {
  const limits = { limit_up: 16, limit_down: 32 };
  const row = {
    agent_id: server.platformId,
    name: `C${++n}`,
    ratio: 80,
    content: '流量即将用完',
    action,
    ...limits,
    create_at: 1,
    update_at: 1,
  };
  return (await server.db.insertInto('policy').values(row).returning('id').executeTakeFirstOrThrow()).id;
};

const grant = (subscriber_id: number, package_id: number) =>
  server.db
    .transaction()
    .execute((db) => grantPackages(db, [{ subscriber_id, agent_id: server.platformId, package_id, price: '9.00', count: 1 }], now()));

/** A connected gateway that has its accounts; its simulated users do nothing by themselves. */
const ship = async (more: Partial<GatewayOptions> = {}) => {
  const device = await server.addDevice(`LOOP-${++n}`);
  const gateway = server.gateway(device.sn, { key: device.key, bill: 1, version: '03.02.01', ...more });
  gateway.current = '6d';
  await gateway.connect();
  await expect.poll(async () => (await server.device(device.id)).online_state).toBe(1);
  return { ...device, gateway };
};

const acked = async (device: number) => {
  const row = await server.db.selectFrom('account_sync').select(['rev', 'acked']).where('device_id', '=', device).executeTakeFirst();
  return row ? row.acked === row.rev && row.rev > 0 : false;
};
const synced = async (device: number) => {
  await sync();
  await expect.poll(() => acked(device)).toBe(true);
};

/** The account transfers exactly these bytes, and the gateway reports them. */
const use = async (gateway: Gateway, account: string, down: number) => {
  gateway.users.transfer(account, { u: 0, d: down });
  server.clock.advance(60);
  gateway.world.reportTraffic();
  await gateway.flushed();
  await charge();
  await sync();
};

const holdingOf = async (subscriber: number) =>
  server.db.selectFrom('holding').selectAll().where('subscriber_id', '=', subscriber).orderBy('id').execute();
const serviceEvents = async (subscriber: number) =>
  (
    await server.db.selectFrom('service_event').select('kind').where('subscriber_id', '=', subscriber).orderBy('at').orderBy('id').execute()
  ).map((e) => e.kind);

describe('an account opened in the console', () => {
  it('logs in on its gateway, uses its package to the byte, is slowed, and continues with an extra package', async () => {
    const policy_id = await newPolicy(1);
    const { id: device, gateway } = await ship();
    const user = await openAccount(device);
    await grant(user.id, await newPackage({ policy_id }));
    await synced(device);
    expect(await gateway.users.login({ acc: user.account, password: 'wrong' }, false)).toEqual({ why: 'wrong_password' });
    expect(await gateway.users.login({ acc: user.account, password: user.password }, false)).toMatchObject({ session: expect.anything() });
    await use(gateway, user.account, 4 * MB);
    expect((await holdingOf(user.id))[0]).toMatchObject({ used_flow: 4 * MB, state: 'normal', activated_at: expect.any(Number) });
    const rev = gateway.accounts.summary.rev;
    await use(gateway, user.account, 4 * MB);
    expect(gateway.accounts.summary.rev, 'usage alone sends nothing').toBe(rev);
    await use(gateway, user.account, 4 * MB);
    expect((await holdingOf(user.id))[0]).toMatchObject({ used_flow: 10 * MB, state: 'exhausted' });
    expect(gateway.accounts.service(user.account, now())).toMatchObject({ mode: 'slow', up: 16, down: 32 });
    const meter = await server.db.selectFrom('meter').selectAll().where('subscriber_id', '=', user.id).executeTakeFirstOrThrow();
    expect(meter.overrun_bytes).toBe(2 * MB);
    await grant(user.id, await newPackage({ kind: 'extra', flow_capacity: 5 }));
    await synced(device);
    expect(gateway.accounts.service(user.account, now())).toMatchObject({ mode: 'full' });
    await use(gateway, user.account, MB);
    expect((await holdingOf(user.id)).map((h) => h.used_flow)).toEqual([10 * MB, MB]);
    expect(await serviceEvents(user.id)).toEqual(['activated', 'reminder', 'exhausted', 'overrun', 'slow_down', 'lifted', 'activated']);
    const rejections = await server.db.selectFrom('login_rejection').select('reason').where('subscriber_id', '=', user.id).execute();
    expect(rejections).toEqual([{ reason: 'wrong_password' }]);
  });

  it('is stopped at its exact quota by an offline gateway, and its usage is charged after the reconnect', async () => {
    const policy_id = await newPolicy(2);
    const { id: device, gateway } = await ship();
    const user = await openAccount(device);
    await grant(user.id, await newPackage({ policy_id, flow_capacity: 3 }));
    await synced(device);
    expect(await gateway.users.login({ acc: user.account, password: user.password }, false)).toMatchObject({ session: expect.anything() });
    gateway.stop(false);
    await expect.poll(() => gateway.state).not.toBe('online');
    expect(gateway.users.transfer(user.account, { u: MB, d: 5 * MB })).toMatchObject({ u: expect.any(Number) });
    gateway.users.enforce();
    expect(gateway.users.sessions).toEqual([]);
    expect(await gateway.users.login({ acc: user.account, password: user.password }, false)).toEqual({ why: 'shutdown' });
    server.clock.advance(3600);
    gateway.world.reportTraffic();
    await gateway.connect();
    await gateway.flushed();
    await expect
      .poll(async () => {
        await charge();
        return (await holdingOf(user.id))[0]?.used_flow;
      })
      .toBe(3 * MB);
    const row = await server.db.selectFrom('subscriber').select('status').where('id', '=', user.id).executeTakeFirstOrThrow();
    expect(row.status).toBe('shutdown');
    const [session] = await server.db.selectFrom('online_session').selectAll().where('subscriber_id', '=', user.id).execute();
    expect(session).toMatchObject({ terminate_cause: 'quota' });
    expect((session?.up_bytes ?? 0) + (session?.down_bytes ?? 0)).toBe(3 * MB);
  });
});

describe('account synchronization', () => {
  it('sends each change to the gateway at once: disabled, new password, allowed logins, deleted', async () => {
    const { id: device, gateway } = await ship();
    const user = await openAccount(device);
    await grant(user.id, await newPackage());
    await synced(device);
    const login = (password = user.password) => gateway.users.login({ acc: user.account, password }, false);
    await login();
    const patch = async (set: object) => {
      await server.db.updateTable('subscriber').set(set).where('id', '=', user.id).execute();
      await synced(device);
    };
    await patch({ status: 'disabled' });
    expect(gateway.users.sessions).toEqual([]);
    expect(await login()).toEqual({ why: 'disabled' });
    await patch({ status: 'normal', password: seal(server.deps.config.secretKey, 'another-pass') });
    expect(await login()).toEqual({ why: 'wrong_password' });
    expect(await login('another-pass')).toMatchObject({ session: expect.anything() });
    expect(await login('another-pass')).toEqual({ why: 'too_many' });
    await patch({ allow_logins: 2 });
    expect(await login('another-pass')).toMatchObject({ session: expect.anything() });
    await server.db.deleteFrom('subscriber').where('id', '=', user.id).execute();
    await synced(device);
    expect(gateway.users.sessions).toEqual([]);
    expect(gateway.accounts.summary.n).toBe(0);
  });

  it('waits for a gateway that is offline, and logs its reply', async () => {
    const { id: device, gateway } = await ship();
    const kept = await openAccount(device);
    const refused = await openAccount(device);
    await synced(device);
    gateway.stop(true);
    await expect.poll(async () => (await server.device(device)).online_state).toBe(0);
    gateway.faults.refuseAccounts = new Set([refused.account]);
    await server.db.updateTable('subscriber').set({ vlan_id: 7 }).where('id', 'in', [kept.id, refused.id]).execute();
    await sync();
    expect(await acked(device)).toBe(false);
    server.clock.advance(120);
    await gateway.connect();
    await expect.poll(() => acked(device)).toBe(true);
    const lines = await server.db.selectFrom('sync_log').selectAll().where('device_id', '=', device).orderBy('id').execute();
    expect(lines).toMatchObject([
      { total: 2, success_count: 2, fail_count: 0, result: 'success' },
      { total: 2, success_count: 1, fail_count: 1, result: 'partial', duration: 120, message_zh: expect.stringContaining(refused.account) },
    ]);
  });

  it('sends all accounts again, with the remaining quota, to a gateway that lost them', async () => {
    const { id: device, gateway } = await ship();
    const user = await openAccount(device);
    await grant(user.id, await newPackage());
    await synced(device);
    await gateway.users.login({ acc: user.account, password: user.password }, false);
    await use(gateway, user.account, 4 * MB);
    gateway.users.signAllOut('user');
    gateway.accounts.forget();
    gateway.sendHello();
    await gateway.flushed();
    await expect
      .poll(async () => {
        await sync();
        return gateway.accounts.summary.n;
      })
      .toBe(1);
    await expect.poll(() => acked(device)).toBe(true);
    expect(gateway.accounts.remainingBytes(user.account, now())).toBe(6 * MB);
  });
});

describe('many accounts', () => {
  it('are sent in pages, and a later change of eleven sends only these eleven', { timeout: 60_000, tags: 'all' }, async () => {
    const { id: device, gateway } = await ship();
    const row = (i: number): NewSubscriber => ({
      agent_id: server.platformId,
      account: `page${device}x${i}`,
      password: 'p',
      account_type: 'personal',
      account_source: 'batch',
      name: 'n',
      phone: '1',
      expire_at: now() + 86_400,
      device_id: device,
      create_at: now(),
    });
    await insertSubscribers(
      server.db,
      server.deps.config.secretKey,
      Array.from({ length: 1500 }, (_, i) => row(i)),
    );
    await synced(device);
    expect(gateway.accounts.summary.n).toBe(1500);
    const before = gateway.accounts.summary.rev;
    await sql`update subscriber set bind_ip = '10.0.0.9' where account like ${`page${device}x77%`}`.execute(server.db);
    await synced(device);
    expect(gateway.accounts.summary.rev - before).toBe(11);
  });
});

describe('the account sweep', () => {
  it('starts the next cycle, ends the package, and updates the gateway', async () => {
    const { id: device, gateway } = await ship();
    const user = await openAccount(device);
    const policy_id = await newPolicy(2);
    const cycle = { cycle_length: 1, cycle_unit: 'day', cycle_quota: 2, cycle_quota_unit: 'MB' };
    await grant(
      user.id,
      await newPackage({ package_type: 'time_flow', time_capacity: 3, time_unit: 'day', flow_capacity: 20, policy_id, ...cycle }),
    );
    await synced(device);
    await gateway.users.login({ acc: user.account, password: user.password }, false);
    await use(gateway, user.account, 2 * MB);
    expect(gateway.accounts.service(user.account, now())).toMatchObject({ mode: 'stop' });
    server.clock.advance(86_400);
    await server.db.transaction().execute((db) => sweepAccounts(db, server.deps.config, now()));
    await synced(device);
    expect(gateway.accounts.remainingBytes(user.account, now())).toBe(2 * MB);
    server.clock.advance(2 * 86_400);
    await server.db.transaction().execute((db) => sweepAccounts(db, server.deps.config, now()));
    await synced(device);
    expect(gateway.accounts.service(user.account, now())).toMatchObject({ mode: 'stop', reason: 'no_package' });
  });
});

describe('an account of a group', () => {
  it('has one quota on all gateways of the group', async () => {
    const group = await server.db
      .insertInto('device_group')
      .values({ agent_id: server.platformId, name: `G${++n}`, create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const one = await ship();
    const two = await ship();
    await server.db.updateTable('device').set({ device_group_id: group.id }).where('id', 'in', [one.id, two.id]).execute();
    const user = await openAccount(null, { device_group_id: group.id, allow_logins: 2 });
    await grant(user.id, await newPackage({ flow_capacity: 100, policy_id: await newPolicy(2) }));
    await synced(one.id);
    await synced(two.id);
    for (const { gateway } of [one, two])
      expect(await gateway.users.login({ acc: user.account, password: user.password }, false)).toMatchObject({
        session: expect.anything(),
      });
    await use(one.gateway, user.account, 60 * MB);
    await synced(two.id);
    expect(two.gateway.accounts.remainingBytes(user.account, now())).toBe(40 * MB);
    await use(two.gateway, user.account, 90 * MB);
    expect((await holdingOf(user.id))[0]).toMatchObject({ used_flow: 100 * MB, state: 'exhausted' });
    await synced(one.id);
    expect(one.gateway.users.sessions).toEqual([]);
    await server.db.updateTable('device').set({ device_group_id: null }).where('id', '=', two.id).execute();
    await synced(two.id);
    expect([one.gateway.accounts.summary.n, two.gateway.accounts.summary.n]).toEqual([1, 0]);
  });
});

describe('a temporary card', () => {
  const bills = (card: number) =>
    server.db
      .selectFrom('ledger_entry')
      .select(['income', 'customer_id', 'expense_type', 'package_id'])
      .where('subscriber_id', '=', card)
      .execute();

  /** A card that was made for a package, on its gateway. */
  const makeCard = async (device: number, package_id: number, seller_id: number) => {
    const unsold = { is_unsold: true, card_price: '9.00', seller_id };
    const card = await openAccount(device, { account_type: 'temp_card', account_source: 'batch', ...unsold });
    await grant(card.id, package_id);
    return card;
  };

  it('is billed once, at its first use, as income of the operator who created it and at the price of that day', async () => {
    const { id: device, gateway } = await ship();
    const seller = await server.addOperator(`maker${++n}`);
    const own = await newPackage();
    const card = await makeCard(device, own, seller.uid);
    await server.db.updateTable('package').set({ price: '25.00' }).where('id', '=', own).execute();
    await synced(device);
    expect(await bills(card.id)).toEqual([]);
    await gateway.users.login({ acc: card.account, password: card.password }, false);
    await use(gateway, card.account, MB);
    await use(gateway, card.account, MB);
    expect(await bills(card.id)).toEqual([{ income: '9.00', customer_id: seller.uid, expense_type: 'open', package_id: own }]);
    const made = await server.db.selectFrom('customer').select('income_used').where('id', '=', seller.uid).executeTakeFirstOrThrow();
    expect(made.income_used).toBe('9.00');
  });

  it('is not billed for a package that was bought later, and is billed when its own package begins', async () => {
    const { id: device, gateway } = await ship();
    const seller = await server.addOperator(`maker${++n}`);
    const own = await newPackage();
    const first = await newPackage({ priority: 1 });
    const card = await makeCard(device, own, seller.uid);
    const changed = await makeCard(device, own, seller.uid);
    await grant(card.id, first);
    // A change of package ends the own package unused.
    await server.db.updateTable('holding').set({ expire_at: now() }).where('subscriber_id', '=', changed.id).execute();
    await grant(changed.id, first);
    await synced(device);
    for (const { account, password } of [card, changed]) {
      await gateway.users.login({ acc: account, password }, false);
      await use(gateway, account, MB);
    }
    expect((await holdingOf(card.id)).map(({ package_id, used_flow }) => [package_id, used_flow])).toEqual([
      [own, 0],
      [first, MB],
    ]);
    expect([await bills(card.id), await bills(changed.id)]).toEqual([[], []]);
    await use(gateway, card.account, 10 * MB);
    expect(await bills(card.id)).toMatchObject([{ income: '9.00', package_id: own }]);
    expect(await bills(changed.id)).toEqual([]);
  });
});

describe('a reminder', () => {
  const textsTo = async (phone: string) =>
    (await server.db.selectFrom('sms_outbox').select('body').where('phone', '=', phone).orderBy('id').execute()).map(({ body }) => body);

  it('is sent when the ratio of the credit control is reached, and once before the account expires', async () => {
    const { id: device, gateway } = await ship();
    const user = await openAccount(device, { phone: '+6591234567', expire_at: now() + 5 * 86_400 });
    await grant(user.id, await newPackage({ policy_id: await newPolicy(1) }));
    await synced(device);
    await gateway.users.login({ acc: user.account, password: user.password }, false);
    await use(gateway, user.account, 9 * MB);
    for (let i = 0; i < 2; i++) await server.db.transaction().execute((db) => remindOfExpiry(db, server.deps, now()));
    expect(await textsTo('+6591234567')).toEqual([
      expect.stringMatching(new RegExp(`^\\[.+\\] 流量即将用完 \\(account ${user.account}, 80% of the package`)),
      expect.stringMatching(new RegExp(`^\\[.+\\] Account ${user.account} expires on 2025-`)),
    ]);
  });
});

describe('the idle timeout of a VNO', () => {
  it('is part of its accounts on the gateways', async () => {
    const { id: device, gateway } = await ship();
    const user = await openAccount(device);
    await grant(user.id, await newPackage());
    await synced(device);
    const set = { agent_id: server.platformId, name: 'idle_timeout', value: JSON.stringify(10), operator: 'x', update_at: now() };
    await server.db.insertInto('setting').values(set).execute();
    await synced(device);
    expect(gateway.accounts.get(user.account, now())?.entry.id).toBe(600);
    await gateway.users.login({ acc: user.account, password: user.password }, false);
    server.clock.advance(660);
    gateway.users.enforce();
    expect(gateway.users.sessions).toEqual([]);
  });
});

describe('two processes', () => {
  it('charge and synchronize the same accounts once', async () => {
    const { id: device, gateway } = await ship();
    const user = await openAccount(device);
    await grant(user.id, await newPackage());
    await Promise.all([syncOnce(server.deps), syncOnce(server.deps)]);
    await synced(device);
    await gateway.users.login({ acc: user.account, password: user.password }, false);
    gateway.users.transfer(user.account, { u: 0, d: MB });
    server.clock.advance(60);
    gateway.world.reportTraffic();
    await gateway.flushed();
    await Promise.all([chargeOnce(server.deps), chargeOnce(server.deps)]);
    await charge();
    expect((await holdingOf(user.id))[0]?.used_flow).toBe(MB);
  });
});
