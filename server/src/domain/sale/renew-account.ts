import { cents, priceText } from '@farlink/contract/kit/money.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { type Selectable, sql } from 'kysely';
import type { SubscriberTable } from '../../db/tables.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { fail, Refusal } from '../../kit/fail.ts';
import { systemActor, writeLog } from '../../kit/log/record.ts';
import { isPhone, sendText } from '../../kit/messages/sms.ts';
import { availableBalances, refuseShort } from '../ledger/available-balance.ts';
import type { MeterState } from '../metering/engine/types.ts';
import { currentHolding } from '../metering/store/current-holding.ts';
import { findRenewal, type PackageRow } from '../package/find-package.ts';
import { nameForSubscriber } from '../package/name-for-subscriber.ts';
import { orderAmount, payFromBalance } from '../payment/order.ts';
import { refuseBlocked, stateOf } from '../portal/portal-offers.ts';
import { isPeriodic, refuseTooLong } from '../subscriber/refuse-recharge.ts';

type SubscriberRow = Selectable<SubscriberTable>;

/** A refused renewal is tried again after this time; with a balance that covers the price, at once. */
const retryS = 3600;
/** Maximum accounts per run. */
export const renewalsAtOnce = 200;

const shortText: Text = [
  '您的账号 {0} 的余额{1}不足以自动续订套餐“{2}”（{3}），请充值。',
  'Account {0}: the balance of {1} does not cover the automatic renewal of the package "{2}" ({3}). Please top up.',
];
const remark = '自动续订 Automatic renewal';

/** Accounts whose package has ended or is used up. One with an order that waits for payment is renewed by that order. */
export const dueForRenewal = (db: Db, now: number) =>
  db
    .selectFrom('subscriber')
    .select('id')
    .where('auto_renew', '=', true)
    .where('account_type', '<>', 'job')
    .where('package_status', 'in', ['expired', 'exhausted'])
    .where('status', 'in', ['normal', 'shutdown'])
    .where('expire_at', '>', now)
    .where((eb) =>
      eb.or([
        eb('renew_refused_at', 'is', null),
        eb('renew_refused_at', '<=', now - retryS),
        sql<boolean>`renew_refused_at < ${now} and balance >= renew_price`,
      ]),
    )
    .where(
      sql<boolean>`not exists (select from pay_order o where o.subscriber_id = subscriber.id and o.state = 'waiting' and o.expense_type <> 'extra_package')`,
    );

/** A package that begins later ends the pause by itself; a periodic one gets its quota back at the reset. */
const waitsForPackage = (state: MeterState, now: number) =>
  isPeriodic(state, now) || state.holdings.some(({ kind, start_at }) => kind === 'online' && start_at > now);

const refuseUnable = async (db: Db, account: SubscriberRow, pkg: PackageRow, state: MeterState, now: number) => {
  await refuseBlocked(db, account, now);
  const rows = await db
    .selectFrom('holding')
    .select('id')
    .where('subscriber_id', '=', account.id)
    .where('package_id', '=', pkg.id)
    .execute();
  const same = new Set(rows.map(({ id }) => id));
  refuseTooLong(
    pkg,
    state.holdings.filter(({ id }) => same.has(id)),
    1,
    now,
  );
};

const logOf = ({ id, agent_id, account }: SubscriberRow, pkg: PackageRow, now: number) => ({
  actor: { ...systemActor, agent_id },
  where: { ip: '', userAgent: '', now: () => now },
  entry: {
    module: 'finance',
    action: 'create',
    content: [`用余额自动续订 ${account} 的套餐 ${pkg.name}`, `Renewed package ${pkg.name} of ${account} from the balance`],
    subject: `subscriber:${id}`,
  } as const,
});

const sell = async (db: Db, account: SubscriberRow, pkg: PackageRow, state: MeterState, now: number) => {
  await refuseUnable(db, account, pkg, state, now);
  const amount = orderAmount(pkg.price);
  if (cents(amount) === 0n) throw fail('recharge_no_package');
  refuseShort((await availableBalances(db, [account.id])).get(account.id) ?? 0n, cents(amount));
  const ordered = {
    agent_id: account.agent_id,
    expense_type: 'recharge',
    subscriber_id: account.id,
    user_name: account.name,
    package_id: pkg.id,
    package_name: pkg.name,
    count: 1,
    amount,
    device_id: account.device_id,
    customer_id: null,
    operator: account.account,
    remark,
  } as const;
  const order = await payFromBalance(db, ordered, now);
  const { actor, where, entry } = logOf(account, pkg, now);
  await writeLog(db, actor, where, { ...entry, after: { order_no: order?.order_no, amount, package_name: pkg.name } });
};

const postpone = (db: Db, id: number, price: string | null, now: number) =>
  db.updateTable('subscriber').set({ renew_refused_at: now, renew_price: price }).where('id', '=', id).execute();

/** The first refusal is logged; if the balance is short, the subscriber gets a message. */
const refuse = async (db: Db, { config }: Pick<Deps, 'config'>, account: SubscriberRow, pkg: PackageRow, refusal: Refusal, now: number) => {
  const isShort = refusal.reason === 'balance_short';
  await postpone(db, account.id, isShort ? pkg.price : null, now);
  if (account.renew_refused_at !== null && (account.renew_price !== null) === isShort) return;
  const { actor, where, entry } = logOf(account, pkg, now);
  const [message = refusal.text] = Object.values(refusal.details.fields ?? {});
  await writeLog(db, actor, where, { ...entry, message });
  if (!isShort || !isPhone(account.phone)) return;
  const { name: sender } = await db.selectFrom('agent').select('name').where('id', '=', account.agent_id).executeTakeFirstOrThrow();
  const name = nameForSubscriber(pkg.name, sender);
  const text = fill(shortText, account.account, priceText(account.balance), name, priceText(pkg.price));
  await sendText(db, config, { phone: account.phone, text, sender }, now);
};

/** Renews one account if it is still due, in the caller's transaction. The lock makes each end of a package renew it once. */
export const renewAccount = async (db: Db, deps: Pick<Deps, 'config'>, id: number, now: number): Promise<void> => {
  const account = await db.selectFrom('subscriber').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!account || !(await dueForRenewal(db, now).where('id', '=', id).executeTakeFirst())) return;
  const state = await stateOf(db, id);
  const { status } = currentHolding(state, now);
  if (status !== 'expired' && status !== 'exhausted') return;
  const pkg = waitsForPackage(state, now) ? undefined : await findRenewal(db, account, now);
  if (!pkg) {
    await postpone(db, id, null, now);
    return;
  }
  try {
    await sell(db, account, pkg, state, now);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await refuse(db, deps, account, pkg, error, now);
  }
};

/** Switching it on tries a due renewal at once. */
export const switchRenewal = async (
  db: Db,
  { id, auto_renew, version }: Pick<SubscriberRow, 'id' | 'auto_renew' | 'version'>,
  isOn: boolean,
  now: number,
): Promise<void> => {
  if (auto_renew === isOn) throw fail('unchanged');
  await db
    .updateTable('subscriber')
    .set({ auto_renew: isOn, renew_refused_at: null, renew_price: null, update_at: now, version: version + 1 })
    .where('id', '=', id)
    .execute();
};

/** After a refund the balance is not spent on the same package again. */
export const stopRenewal = (db: Db, id: number) =>
  db.updateTable('subscriber').set({ auto_renew: false }).where('id', '=', id).where('auto_renew', '=', true).execute();
