import { errors } from '@farlink/contract/errors.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { accountFields } from '@farlink/contract/user/user-fields.ts';
import { sql } from 'kysely';
import type { SessionInfo } from '../../../db/column-types.ts';
import { postSale } from '../../../domain/ledger/post-sale.ts';
import { grantPackages } from '../../../domain/metering/store/grant-packages.ts';
import { findPackage, type PackageRow, refuseNotOffered } from '../../../domain/package/find-package.ts';
import { insertSubscribers } from '../../../domain/subscriber/insert-subscribers.ts';
import type { Db } from '../../../kit/deps.ts';
import { fail } from '../../../kit/fail.ts';
import type { Account, Candidate, Fault, Outcome, Terms } from './terms.ts';

/** Operator and transaction of an opening; `id` is the id of the opening. */
export interface Opener {
  readonly db: Db;
  readonly key: Buffer;
  readonly me: SessionInfo;
  readonly id: number;
  now(): number;
}

const exists: Text = fill(errors.duplicate.text, accountFields.account.label);
const twice: Text = ['与第{0}行的账号重复', 'Duplicate of the account in line {0}'];

export const takenAccounts = async (db: Db, accounts: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ name: string }>`
    select lower(account) as name from subscriber where lower(account) = any(${accounts.map((a) => a.toLowerCase())}::text[])`.execute(db);
  return new Set(rows.map(({ name }) => name));
};

/** Separates the candidates that cannot be opened from the others. */
const splitCandidates = async (db: Db, candidates: readonly Candidate[]) => {
  const taken = await takenAccounts(
    db,
    candidates.flatMap((c) => (c.desired ? [c.account] : [])),
  );
  const first = new Map<string, number>();
  const faults: Fault[] = [];
  const desired: Account[] = [];
  for (const { row, account, desired: it, fault, cells } of candidates) {
    const name = account.toLowerCase();
    const before = first.get(name);
    const message = fault ?? (before === undefined ? undefined : fill(twice, before)) ?? (taken.has(name) ? exists : undefined);
    if (message || !it) faults.push({ row, account, message: message ?? exists, ...(cells && { cells }) });
    else desired.push(it);
    if (it && before === undefined) first.set(name, row);
  }
  return { faults, desired };
};

/** Refuses the whole opening if the device would exceed its account limit. The lock lets others insert rows that refer to the device. */
export const refuseFull = async (db: Db, deviceId: number | null, count: number) => {
  if (deviceId === null) return;
  const device = await db.selectFrom('device').select('account_count').where('id', '=', deviceId).forNoKeyUpdate().executeTakeFirst();
  if (device && device.account_count + count > limits.accountsPerDevice)
    throw fail('device_full', { fields: { device_id: errors.device_full.text } });
};

/** Current package: it may have changed while the job waited. */
export const packageOf = async (
  opener: Pick<Opener, 'db' | 'me' | 'now'>,
  { package_id, place: binding, way }: Terms,
): Promise<PackageRow | null> => {
  if (package_id === null) return null;
  const sold = await findPackage(opener, package_id, 'online');
  await refuseNotOffered(opener.db, sold, binding);
  if (way === 'open_temp') refusePeriodic(sold);
  return sold;
};

export const refusePeriodic = ({ cycle_length }: PackageRow) => {
  const { text } = errors.temp_card_periodic;
  if (cycle_length !== null) throw fail('temp_card_periodic', { fields: { package_id: text } });
};

const cause = { open_batch: 'batch', open_import: 'import', open_temp: 'temp' } as const;

const only = <T>(values: readonly T[]): T | null => (new Set(values).size === 1 ? (values[0] ?? null) : null);

/** Posts one bill for all accounts; returns the amount paid, in cents. */
const sell = async (opener: Opener, terms: Terms, sold: PackageRow, buyers: readonly (Account & { id: number })[]): Promise<bigint> => {
  const { place: binding, sale, remark } = terms;
  const income = cents(sold.price) * BigInt(buyers.length);
  const first = buyers[0];
  const last = buyers.at(-1);
  // An unpaid package has no refund value when it is changed.
  if (!sale || !first || !last) return 0n;
  if (income > cents(limits.billMax)) throw fail('bill_too_large', { args: [limits.billMax] });
  const { uid, name } = opener.me;
  await postSale(
    opener.db,
    { agent_id: binding.agent_id, customer_id: uid, operator: name },
    {
      cause: `${cause[terms.way]}:${opener.id}`,
      channel: 'counter',
      expense_type: 'open',
      pay_method: sale.pay_method,
      income: yuan(income),
      discount: sale.discount,
      count: buyers.length,
      buyer: {
        id: buyers.length === 1 ? first.id : null,
        account: buyers.length === 1 ? first.account : `${first.account} ~ ${last.account}`,
        name: buyers.length === 1 ? first.name : null,
        account_type: only(buyers.map((b) => b.account_type)),
        account_source: 'batch',
        device_id: binding.device_id,
        device_group_id: binding.device_group_id,
      },
      package: { id: sold.id, name: sold.name },
      bind_name: binding.bind_name,
      remark,
    },
    opener.now(),
  );
  return sale.pay_method === 'free' ? 0n : income - cents(sale.discount ?? '0');
};

const isJob = ({ account_type }: Pick<Account, 'account_type'>) => account_type === 'job';

/** The amount in equal parts; remaining cents go to the first ones. */
const sharesOf = (paid: bigint, count: number): string[] => {
  if (count === 0) return [];
  const each = paid / BigInt(count);
  const dearer = Number(paid % BigInt(count));
  return Array.from({ length: count }, (_, i) => yuan(i < dearer ? each + 1n : each));
};

/**
 * Opens the valid candidates, sells the packages on one bill and grants them, in one transaction. Returns a fault for each other candidate.
 */
export const openAccounts = async (opener: Opener, terms: Terms, candidates: readonly Candidate[]): Promise<Outcome> => {
  const { db, key } = opener;
  const now = opener.now();
  const sold = await packageOf(opener, terms);
  const { faults, desired } = await splitCandidates(db, candidates);
  const outcome = { total: candidates.length, faults, package_name: sold?.name ?? null };
  if (desired.length === 0 || (terms.atomic && faults.length > 0)) return { ...outcome, opened: [] };
  const { place: binding, prefix_id, producer } = terms;
  await refuseFull(db, binding.device_id, desired.length);
  // A job that an older version stored does not have the field.
  const { agent_id, device_id, device_group_id, whole_vno = false } = binding;
  // A temporary card is sold at its first use, at the price of today.
  const unsold = terms.way === 'open_temp' && sold ? { is_unsold: true, card_price: sold.price, seller_id: opener.me.uid } : {};
  const same = { agent_id, device_id, device_group_id, whole_vno, producer, account_source: 'batch' as const, create_at: now, ...unsold };
  const ids = await insertSubscribers(
    db,
    key,
    desired.map((account) => ({ remark: terms.remark, prefix_id, ...account, ...same })),
  );
  const buyers = desired.flatMap((account, i) => {
    const id = ids[i];
    return id === undefined ? [] : [{ ...account, id }];
  });
  if (sold && buyers.length > 0) {
    // A job account gets the package without a sale.
    const jobs = buyers.filter(isJob);
    const paying = buyers.filter((buyer) => !isJob(buyer));
    const paid = await sell(opener, terms, sold, paying);
    const prices = sharesOf(paid, paying.length);
    const granted = { agent_id, package_id: sold.id, count: 1 };
    await grantPackages(
      db,
      [
        ...paying.map(({ id }, i) => ({ ...granted, subscriber_id: id, price: prices[i] ?? '0.00' })),
        ...jobs.map(({ id }) => ({ ...granted, subscriber_id: id, price: '0.00' })),
      ],
      now,
    );
  }
  return { ...outcome, opened: desired };
};
