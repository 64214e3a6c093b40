import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { PaymentError } from '../../domain/payment/payment-error.ts';
import type { Deps } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { bookPayment, type OrderRow } from './book.ts';
import { loadChannel } from './provider-of.ts';
import { completeRefund } from './refund.ts';

/** For `startJobs`: what has run out of time and what is being refunded every minute, what may have been paid unheard every three. */
export const payEvery = { pay_sweep: 60, pay_check: 180 };

const atOnce = 100;
/** An order whose provider cannot be asked any more waits no longer than this after its time. */
const stopAfterS = 86_400;
/** Younger than this, a refund is still in the hands of who asked for it. */
const refundGraceS = 60;
const keepS = 3600;

const endOrder = (deps: Deps, id: number, state: 'expired' | 'withdrawn') =>
  deps.db.updateTable('pay_order').set({ state }).where('id', '=', id).where('state', '=', 'waiting').execute();

/** Asks the provider what became of a waiting order, and does likewise. */
const follow = async (deps: Deps, order: OrderRow) => {
  const { row, provider } = await loadChannel(deps, order.channel_id);
  const trade = await provider.query(order.order_no);
  if (trade.state === 'paid') return bookPayment(deps, row, { ...trade, order_no: order.order_no });
  if (trade.state !== 'waiting') return endOrder(deps, order.id, trade.state);
  if (order.expire_at <= deps.clock.now()) await endOrder(deps, order.id, 'expired');
};

/** One after the other; a channel that does not answer is left alone for this round. */
const each = async ({ deps, signal }: JobRun, orders: readonly OrderRow[], work: (order: OrderRow) => Promise<unknown>) => {
  const silent = new Set<number | null>();
  for (const order of orders) {
    if (signal.aborted) return;
    if (silent.has(order.channel_id)) continue;
    try {
      await work(order);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      deps.log.warn({ reason: error.reason, code: error.code, order: order.id }, 'payment order could not be followed');
      if (error.reason === 'network') silent.add(order.channel_id);
    }
  }
};

/** The first of each channel, so that one which is not to be reached holds up its own orders alone. */
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

const sweep = async (run: JobRun) => {
  const { deps } = run;
  const now = deps.clock.now();
  await each(run, await firstOf(deps, 'waiting', 'expire_at', sql`expire_at <= ${now}`), (order) => follow(deps, order));
  await deps.db
    .updateTable('pay_order')
    .set({ state: 'expired' })
    .where('state', '=', 'waiting')
    .where('expire_at', '<=', now - stopAfterS)
    .execute();
  const refunds = await firstOf(deps, 'paid', 'withdraw_at', sql`withdraw_at <= ${now - refundGraceS}`);
  await each(run, refunds, ({ id }) => completeRefund(deps, id, false));
  await forgetRounds(run);
};

const check = async (run: JobRun) => {
  const { deps } = run;
  const open = await firstOf(deps, 'waiting', 'expire_at', sql`expire_at > ${deps.clock.now()}`);
  await each(run, open, (order) => follow(deps, order));
  await forgetRounds(run);
};

/** The traces of earlier rounds; the next one comes long before. */
const forgetRounds = ({ deps, job, commit }: JobRun) =>
  commit(async (db) => {
    await db
      .deleteFrom('job')
      .where('kind', '=', job.kind)
      .where('state', '=', 'done')
      .where('finish_at', '<', deps.clock.now() - keepS)
      .execute();
  });

export const payJobs: JobKinds = { pay_sweep: { run: sweep }, pay_check: { run: check } };
