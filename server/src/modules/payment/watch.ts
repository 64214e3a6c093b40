import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { OrderRow } from '../../domain/payment/book.ts';
import { followOrder } from '../../domain/payment/follow-order.ts';
import { PaymentError } from '../../domain/payment/payment-error.ts';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { completeRefund } from './refund.ts';

const atOnce = 100;
/** An order expires at the latest this long after its end, even if the provider cannot be reached. */
const stopAfterS = 86_400;
/** Younger refunds are still handled by the request that started them. */
const refundGraceS = 60;
/** Retention of completed jobs. */
const retentionS = 3600;

/** Sequential; a channel with a network error is skipped for the rest of this run. */
const each = async ({ deps, signal }: JobRun, orders: readonly OrderRow[], work: (order: OrderRow) => Promise<unknown>) => {
  const unreachable = new Set<number | null>();
  for (const order of orders) {
    if (signal.aborted) return;
    if (unreachable.has(order.channel_id)) continue;
    try {
      await work(order);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      deps.log.warn({ reason: error.reason, code: error.code, order: order.id }, 'payment order check failed');
      if (error.reason === 'network') unreachable.add(order.channel_id);
    }
  }
};

/** First orders of each channel, so an unreachable channel does not delay the others. */
const firstOf = async ({ db }: Deps, state: 'waiting' | 'paid', by: 'expire_at' | 'withdraw_at', until: RawBuilder<SqlBool>) => {
  const { rows } = await sql<OrderRow>`
    select * from pay_order where id in (
      select id from (
        select id, row_number() over (partition by channel_id order by ${sql.ref(by)}, id) as turn
        from pay_order where state = ${state} and ${until}) ranked
      where turn <= ${atOnce})
    order by ${sql.ref(by)}, id`.execute(db);
  return rows;
};

const expired = (now: number) => sql<boolean>`expire_at <= ${now}`;
const unrefunded = (now: number) => sql<boolean>`withdraw_at <= ${now - refundGraceS}`;
const open = (now: number) => sql<boolean>`expire_at > ${now}`;

const sweep = async (run: JobRun) => {
  const { deps } = run;
  const now = deps.clock.now();
  await each(run, await firstOf(deps, 'waiting', 'expire_at', expired(now)), (order) => followOrder(deps, order));
  await deps.db
    .updateTable('pay_order')
    .set({ state: 'expired' })
    .where('state', '=', 'waiting')
    .where('expire_at', '<=', now - stopAfterS)
    .execute();
  const refunds = await firstOf(deps, 'paid', 'withdraw_at', unrefunded(now));
  await each(run, refunds, ({ id }) => completeRefund(deps, id, false));
};

const check = async (run: JobRun) => {
  const { deps } = run;
  const waiting = await firstOf(deps, 'waiting', 'expire_at', open(deps.clock.now()));
  await each(run, waiting, (order) => followOrder(deps, order));
};

/** Expired orders and open refunds every minute, other waiting orders every three minutes. */
export const payJobs: JobKinds = {
  pay_sweep: {
    run: sweep,
    everyS: 60,
    isDue: ({ clock }) => sql`(exists (select from pay_order where state = 'waiting' and ${expired(clock.now())})
      or exists (select from pay_order where state = 'paid' and ${unrefunded(clock.now())}))`,
    retentionS,
  },
  pay_check: {
    run: check,
    everyS: 180,
    isDue: ({ clock }) => sql`exists (select from pay_order where state = 'waiting' and ${open(clock.now())})`,
    retentionS,
  },
};
