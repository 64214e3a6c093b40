import type { Insertable } from 'kysely';
import type { Database } from '../src/db/tables.ts';
import { grantPackages } from '../src/domain/metering/store/grant-packages.ts';
import { refreshPackages } from '../src/domain/metering/store/refresh-packages.ts';
import type { Api } from './api.ts';
import { subscriberRow } from './subscriber.ts';

type NewPackage = Partial<Insertable<Database['package']>>;
type NewSubscriber = Partial<Insertable<Database['subscriber']>>;

export const day = 86_400;
export const gigabyte = 1024 ** 3;

/** A VNO with a device, packages and accounts. Rows are inserted directly, so that a test can start in any state. */
export const makeBillingFixture = async (api: Api, agent_id: number, name: string) => {
  const { db } = api;
  let n = 0;
  const stamp = () => ({ create_at: api.clock.now(), update_at: api.clock.now() });
  const makeDevice = async () =>
    (
      await db
        .insertInto('device')
        .values({ agent_id, name: `${name} ${++n}`, sn: `${name}-${n}`, create_at: api.clock.now() })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const device_id = await makeDevice();

  /** By default thirty days for 98 yuan. */
  const makePackage = (more: NewPackage = {}) =>
    db
      .insertInto('package')
      .values({
        agent_id,
        kind: 'online',
        name: `${name} package ${++n}`,
        package_type: 'time',
        time_capacity: 30,
        time_unit: 'day',
        price: '98.00',
        device_ids: [device_id],
        ...stamp(),
        ...more,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  const flow = { package_type: 'flow', time_capacity: null, time_unit: null, flow_capacity: 10, flow_unit: 'GB' } as const;

  const makeAccount = (more: NewSubscriber = {}) =>
    db
      .insertInto('subscriber')
      .values(subscriberRow({ agent_id, account: `${name}${++n}`, name: `${name} sailor`, device_id, ...stamp(), ...more }))
      .returningAll()
      .executeTakeFirstOrThrow();

  /** A holding of an account; with `activated_at` it is already in use. */
  const grantHolding = async (
    subscriber_id: number,
    pkg: { id: number; price: string },
    more: { activated_at?: number; used_flow?: number; start_at?: number; price?: string } = {},
  ) => {
    const { activated_at, used_flow, start_at = api.clock.now(), price = pkg.price } = more;
    await grantPackages(db, [{ subscriber_id, agent_id, package_id: pkg.id, price, count: 1, start_at }], api.clock.now());
    const { id } = await db
      .selectFrom('holding')
      .select('id')
      .where('subscriber_id', '=', subscriber_id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    if (activated_at !== undefined || used_flow !== undefined)
      await db
        .updateTable('holding')
        .set({ ...(activated_at !== undefined && { activated_at, start_at: activated_at }), ...(used_flow !== undefined && { used_flow }) })
        .where('id', '=', id)
        .execute();
    await refreshPackages(db, [subscriber_id], api.clock.now());
    return id;
  };

  const holdings = (subscriber_id: number) =>
    db.selectFrom('holding').selectAll().where('subscriber_id', '=', subscriber_id).orderBy('id').execute();
  const account = (id: number) => db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const bills = (subscriber_id: number) =>
    db.selectFrom('ledger_entry').selectAll().where('subscriber_id', '=', subscriber_id).orderBy('id').execute();

  return { agent_id, device_id, makeDevice, makePackage, flow, makeAccount, grantHolding, holdings, account, bills };
};

export type BillingFixture = Awaited<ReturnType<typeof makeBillingFixture>>;
