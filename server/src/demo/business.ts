import type { PayMethod } from '@farlink/contract/finance/choices.ts';
import type { Random } from '@farlink/contract/kit/random.ts';
import type { Insertable } from 'kysely';
import type { Database } from '../db/tables.ts';
import { refreshPackages } from '../domain/metering/store/refresh-packages.ts';
import type { Db } from '../kit/deps.ts';
import type { PastSale } from './sales.ts';
import { usageDays } from './usage-history.ts';

const day = 86_400;
const methods: readonly PayMethod[] = ['cash', 'cash', 'wechat', 'wechat', 'alipay', 'pos', 'transfer'];
export const fleets = ['近海 Coastal', '远洋 Ocean'] as const;

interface When {
  readonly now: number;
  readonly since: number;
}

const seedFleets = async (db: Db, random: Random, { since }: When) => {
  const devices = await db.selectFrom('device').select(['id', 'agent_id']).orderBy('id').execute();
  for (const [agent_id, own] of Map.groupBy(devices, (d) => d.agent_id)) {
    const groups = await db
      .insertInto('device_group')
      .values(fleets.map((name) => ({ agent_id, name, create_at: since })))
      .returning('id')
      .execute();
    for (const { id } of own) {
      const group = random.pick(groups);
      await db.updateTable('device').set({ device_group_id: group.id }).where('id', '=', id).execute();
    }
  }
};

type Subscriber = Pick<Database['subscriber'], 'account' | 'name' | 'account_type' | 'account_source' | 'device_id'> & {
  readonly id: number;
  readonly agent_id: number;
  readonly create_at: number;
};

/** Purchases of one subscriber: an opening, renewals and some extra packages. */
const purchasesOf = (
  random: Random,
  subscriber: Subscriber,
  sold: readonly SoldPackage[],
  operators: readonly Operator[],
  { now }: When,
) => {
  const online = random.pick(sold.filter((p) => p.kind === 'online' && (subscriber.account_type === 'small_station' || !p.is_hide)));
  const extra = random.pick(sold.filter((p) => p.kind === 'extra'));
  const length =
    online.time_capacity === null ? 365 * day : Math.max(day, online.time_capacity * (online.time_unit === 'hour' ? 3600 : day));
  const sales: PastSale[] = [];
  const holdings: Insertable<Database['holding']>[] = [];
  const buy = (p: SoldPackage, expense_type: 'open' | 'recharge' | 'extra_package', at: number, last = false) => {
    const by = random.pick(operators);
    sales.push({
      at,
      by: { agent_id: subscriber.agent_id, customer_id: by.id, operator: by.name },
      sale: {
        expense_type,
        pay_method: random.pick(methods),
        income: p.price,
        package: { id: p.id, name: p.name },
        discount: random.next() < 0.12 ? `${random.int(1, 9)}.00` : '0.00',
        buyer: { ...subscriber, device_group_id: null },
      },
    });
    // Old holdings are omitted; only their bills remain. Usage comes from the gateways.
    if (!last && at + length < now - usageDays * day) return;
    holdings.push({
      subscriber_id: subscriber.id,
      agent_id: subscriber.agent_id,
      package_id: p.id,
      price: p.price,
      start_at: at,
      create_at: at,
    });
  };
  // Most subscribers renew until today; some stop earlier.
  const until = random.next() < 0.8 ? now : random.int(subscriber.create_at, now);
  const dates = [subscriber.create_at];
  for (let at = subscriber.create_at; dates.length < 40; ) {
    at += Math.max(length, 20 * day) + random.int(0, 25) * day;
    if (at >= until) break;
    dates.push(at);
  }
  if (until === now && length < 20 * day) dates.push(now - random.int(1, Math.floor(length * 0.9)));
  for (const [i, at] of dates.entries()) buy(online, i === 0 ? 'open' : 'recharge', at, i === dates.length - 1);
  for (let n = random.int(-2, 2); n > 0; n--) buy(extra, 'extra_package', random.int(subscriber.create_at, now - 3600));
  return { sales, holdings };
};

type SoldPackage = Awaited<ReturnType<typeof packagesOf>>[number];
type Operator = { readonly id: number; readonly agent_id: number; readonly name: string };

const packagesOf = (db: Db) =>
  db
    .selectFrom('package')
    .select(['id', 'agent_id', 'kind', 'name', 'price', 'is_hide', 'time_capacity', 'time_unit', 'flow_capacity', 'flow_unit'])
    .orderBy('id')
    .execute();

const inChunks = async <T>(rows: readonly T[], insert: (chunk: readonly T[]) => Promise<unknown>) => {
  for (let at = 0; at < rows.length; at += 500) await insert(rows.slice(at, at + 500));
};

/** Sets unusual account states, which operators look at first. */
const seedStates = async (db: Db, random: Random, ids: readonly number[], { now }: When) => {
  for (const id of ids) {
    const chance = random.next();
    if (chance < 0.05)
      await db.updateTable('subscriber').set({ status: 'disabled', resume_status: 'normal' }).where('id', '=', id).execute();
    else if (chance < 0.07) await db.updateTable('subscriber').set({ status: 'reserved_shutdown' }).where('id', '=', id).execute();
    else if (chance < 0.08) await db.updateTable('subscriber').set({ status: 'frozen' }).where('id', '=', id).execute();
    else if (chance < 0.14)
      await db
        .updateTable('subscriber')
        .set({ status: 'expired', expire_at: now - random.int(1, 60) * day })
        .where('id', '=', id)
        .execute();
  }
};

/** Holdings of subscribers after two years of openings, renewals and extra packages. Returns the sales, which are posted later. */
export const seedBusiness = async (db: Db, random: Random, when: When): Promise<PastSale[]> => {
  await seedFleets(db, random, when);
  const subscribers = await db
    .selectFrom('subscriber')
    .select(['id', 'agent_id', 'account', 'name', 'account_type', 'account_source', 'device_id', 'create_at'])
    .orderBy('id')
    .execute();
  const sold = Map.groupBy(await packagesOf(db), (p) => p.agent_id);
  const staff = await db.selectFrom('customer').select(['id', 'agent_id', 'name']).where('kind', '<>', 'sub').orderBy('id').execute();
  const operators = Map.groupBy(staff, (s) => s.agent_id);
  const purchases = subscribers.map((subscriber) =>
    purchasesOf(random, subscriber, sold.get(subscriber.agent_id) ?? [], operators.get(subscriber.agent_id) ?? [], when),
  );
  await inChunks(
    purchases.flatMap((c) => c.holdings),
    (chunk) =>
      db
        .insertInto('holding')
        .values([...chunk])
        .execute(),
  );
  const ids = subscribers.map((s) => s.id);
  await inChunks(ids, (chunk) => refreshPackages(db, chunk, when.now));
  await seedStates(db, random, ids, when);
  return purchases.flatMap((c) => c.sales);
};
