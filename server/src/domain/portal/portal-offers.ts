import type { Lang } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { AccountStatus } from '../../db/column-types.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { blockOf } from '../access/access.ts';
import { type AccountBinding, isUnbound, refuseUnbound } from '../access/unbound.ts';
import type { MeterState } from '../metering/engine/types.ts';
import { currentHolding } from '../metering/store/current-holding.ts';
import { loadMeters } from '../metering/store/load-meters.ts';
import { type DeviceBinding, offeredAt, type PackageRow } from '../package/find-package.ts';
import { nameForSubscriber } from '../package/name-for-subscriber.ts';
import { capacityText, cycleText } from '../package/package-sql.ts';
import { isPeriodic, refuseTooLong } from '../subscriber/refuse-recharge.ts';

/** Packages on the page of all packages. */
const maxOffers = 200;

export interface Buyer extends AccountBinding {
  readonly id: number;
  readonly account_type: string;
  readonly status: AccountStatus;
  readonly expire_at: number;
}

/** A visitor, or a subscriber with the state of its packages. */
type For = { readonly binding: DeviceBinding } | { readonly buyer: Buyer; readonly state: MeterState };

const nothing: MeterState = { clock: 0, holdings: [], overrun: { bytes: 0, seconds: 0 } };

export const stateOf = async (db: Db, subscriberId: number): Promise<MeterState> =>
  (await loadMeters(db, [subscriberId])).get(subscriberId) ?? nothing;

/** An extra package needs an online package that is active or exhausted. */
const takesExtras = (state: MeterState, now: number) => {
  const { status } = currentHolding(state, now);
  return status === 'normal' || status === 'exhausted';
};

/** An account without access could not use what it pays for. */
export const refuseBlocked = async (db: Db, buyer: Buyer, now: number) => {
  if (blockOf(buyer, now) !== null) throw fail('account_blocked');
  await refuseUnbound(db, buyer);
};

/**
 * Packages on sale in a portal: neither hidden nor expired, and offered where the subscriber is. Job accounts cannot buy, and periodic
 * packages cannot be renewed.
 */
const onSale = (db: Db, to: For, now: number) => {
  const isBuyer = 'buyer' in to;
  return db
    .selectFrom('package')
    .where('package.is_hide', '=', false)
    .where((eb) => eb.or([eb('package.expire_at', 'is', null), eb('package.expire_at', '>', now)]))
    .where(offeredAt(isBuyer ? to.buyer : to.binding))
    .$if(!isBuyer || !takesExtras(to.state, now), (q) => q.where('package.kind', '=', 'online'))
    .$if(isBuyer && to.buyer.account_type === 'temp_card', (q) => q.where('package.cycle_length', 'is', null))
    .$if(isBuyer && to.buyer.account_type === 'job', (q) => q.where(sql<boolean>`false`))
    .$if(isBuyer && isPeriodic(to.state, now), (q) =>
      q.where((eb) =>
        eb.or([
          eb('package.kind', '=', 'extra'),
          eb(
            'package.id',
            'not in',
            eb
              .selectFrom('holding')
              .select('package_id')
              .where('subscriber_id', '=', isBuyer ? to.buyer.id : 0),
          ),
        ]),
      ),
    );
};

export interface PortalOffer {
  readonly id: number;
  readonly name: string;
  readonly kind: 'online' | 'extra';
  readonly price: string;
  readonly capacity: string;
  readonly cycle: string | null;
  readonly description: string | null;
}

export const portalOffers = async (db: Db, to: For, lang: Lang, now: number): Promise<PortalOffer[]> => {
  const rows = await onSale(db, to, now)
    .innerJoin('agent', 'agent.id', 'package.agent_id')
    .select(['package.id', 'package.name', 'package.kind', 'package.price', 'package.description', 'agent.name as vno'])
    .select([capacityText(lang).as('capacity'), cycleText(lang).as('cycle')])
    .orderBy('package.weight', 'desc')
    .orderBy('package.name')
    .limit(maxOffers)
    .execute();
  return rows.map(({ vno, ...row }) => ({ ...row, name: nameForSubscriber(row.name, vno) }));
};

/** Packages that this subscriber can buy now. */
export const offersFor = async (db: Db, buyer: Buyer, lang: Lang, now: number): Promise<PortalOffer[]> =>
  blockOf(buyer, now) !== null || (await isUnbound(db, buyer))
    ? []
    : portalOffers(db, { buyer, state: await stateOf(db, buyer.id) }, lang, now);

/** The package that a subscriber buys, with the type of the bill. After the payment nothing can be refused. */
export const findOffer = async (
  db: Db,
  buyer: Buyer,
  packageId: number,
  now: number,
): Promise<{ readonly pkg: PackageRow; readonly expense_type: 'open' | 'recharge' | 'change_package' | 'extra_package' }> => {
  await refuseBlocked(db, buyer, now);
  if (buyer.account_type === 'job') throw fail('job_not_sold');
  const state = await stateOf(db, buyer.id);
  const pkg = await onSale(db, { buyer, state }, now).selectAll('package').where('package.id', '=', packageId).executeTakeFirst();
  if (!pkg) throw fail('not_found');
  const holdings = await db.selectFrom('holding').select(['id', 'package_id']).where('subscriber_id', '=', buyer.id).execute();
  const same = new Set(holdings.filter((one) => one.package_id === pkg.id).map(({ id }) => id));
  refuseTooLong(
    pkg,
    state.holdings.filter(({ id }) => same.has(id)),
    1,
    now,
  );
  if (pkg.kind === 'extra') return { pkg, expense_type: 'extra_package' };
  if (holdings.length === 0) return { pkg, expense_type: 'open' };
  return { pkg, expense_type: same.size > 0 ? 'recharge' : 'change_package' };
};
