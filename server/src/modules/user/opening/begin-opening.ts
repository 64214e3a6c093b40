import { errors } from '@farlink/contract/errors.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { OpeningResult, OpeningWay } from '@farlink/contract/user/opening.ts';
import type { PackageRow } from '../../../domain/package/find-package.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Db } from '../../../kit/deps.ts';
import { fail } from '../../../kit/fail.ts';
import { orderJob } from '../../../kit/jobs/job.ts';
import { record } from '../../../kit/log/record.ts';
import { seal } from '../../../kit/session/secret.ts';
import { openAccounts, packageOf, refuseFull } from './open-accounts.ts';
import { reportOf } from './report.ts';
import type { Candidate, Outcome, Terms } from './terms.ts';

/** Source of the candidates; sealed while it waits, because it contains passwords. */
export interface Order<Spec> {
  readonly terms: Terms;
  readonly spec: Spec;
  readonly total: number;
}

export const wayName: Record<OpeningWay, Text> = {
  open_batch: ['批量开户', 'Batch opening'],
  open_import: ['导入用户', 'User import'],
  open_temp: ['生成临时卡账号', 'Making of temporary cards'],
};

/** Text for the operator log. */
export const contentOf = ({ way, place: binding }: Terms, outcome: Outcome): Text => {
  const [zh, en] = wayName[way];
  const done = outcome.opened.length;
  const failed = outcome.total - outcome.opened.length;
  return [
    `${zh}（${binding.bind_name}）：成功 ${done}，失败 ${failed}`,
    `${en} at ${binding.bind_name}: ${done} succeeded, ${failed} failed`,
  ];
};

export const changeOf = ({ terms, total }: Pick<Order<unknown>, 'terms' | 'total'>, outcome?: Outcome) => ({
  after: {
    total,
    ...(outcome && { success: outcome.opened.length }),
    package_id: terms.package_id,
    device_id: terms.place.device_id,
    device_group_id: terms.place.device_group_id,
    ...terms.sale,
    remark: terms.remark,
  },
});

/** Stored result: counts and the first faults for the page. The list is sealed, because it contains passwords. */
export const resultOf = (outcome: Outcome, terms: Terms, key: Buffer) => {
  const report = reportOf(outcome, terms);
  return {
    total: outcome.total,
    success: outcome.opened.length,
    fail: outcome.total - outcome.opened.length,
    errors: outcome.faults.slice(0, limits.namedFaults).map(({ row, account, message }) => ({ row, account, message })),
    ...(report && { list: seal(key, JSON.stringify(report)) }),
  };
};

/** Stores a finished opening as a job, so it appears in the same list as background openings. */
const keep = async (ctx: Ctx, way: OpeningWay): Promise<number> => {
  const now = ctx.now();
  const { id } = await ctx.db
    .insertInto('job')
    .values({
      kind: way,
      payload: '{}',
      state: 'done',
      progress: 100,
      run_at: now,
      customer_id: ctx.me.uid,
      agent_id: ctx.me.agent_id,
      lang: ctx.lang,
      create_at: now,
      start_at: now,
      finish_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Checks the maximum of the bill at the request, while the operator waits. */
const refuseOverBillMax = ({ sale, way }: Terms, sold: PackageRow | null, count: number) => {
  if (!sale || !sold) return;
  const income = cents(sold.price) * BigInt(count);
  if (cents(sale.discount ?? '0') > income) throw fail('discount_too_high', { fields: { discount: errors.discount_too_high.text } });
  if (way !== 'open_import' && income > cents(limits.billMax)) throw fail('bill_too_large', { args: [limits.billMax] });
};

/** Opens few accounts at once and many in a job. Checks that need no job run at once. */
export const beginOpening = async <Spec>(
  ctx: Ctx,
  order: Order<Spec>,
  expand: (db: Db) => Promise<readonly Candidate[]>,
): Promise<OpeningResult> => {
  const { terms, spec, total } = order;
  const key = ctx.deps.config.secretKey;
  refuseOverBillMax(terms, await packageOf(ctx, terms), total);
  if (terms.way !== 'open_import') await refuseFull(ctx.db, terms.place.device_id, total);
  if (total > limits.openAtOnce) {
    const payload = { terms, total, sealed: seal(key, JSON.stringify(spec)), ip: ctx.ip, user_agent: ctx.userAgent };
    const id = await orderJob(ctx.db, ctx.now(), { kind: terms.way, payload, me: ctx.me, lang: ctx.lang });
    const [zh, en] = wayName[terms.way];
    record(ctx, [`提交${zh}任务，共 ${total} 个`, `${en} of ${total} accounts submitted`], changeOf(order));
    return { id, job_id: id, total, success: 0, fail: 0, errors: [] };
  }
  const id = await keep(ctx, terms.way);
  const outcome = await openAccounts({ db: ctx.db, key, me: ctx.me, id, now: ctx.now }, terms, await expand(ctx.db));
  const { errors: faults, ...result } = resultOf(outcome, terms, key);
  await ctx.db
    .updateTable('job')
    .set({ result: JSON.stringify({ ...result, errors: faults }) })
    .where('id', '=', id)
    .execute();
  record(ctx, contentOf(terms, outcome), {
    ...changeOf(order, outcome),
    ...(outcome.opened.length === 0 && { message: faults[0]?.message ?? errors.wrong_state.text }),
  });
  const { success, fail } = result;
  return { id, job_id: null, total, success, fail, errors: faults.map((f) => ({ ...f, message: say(f.message, ctx.lang) })) };
};
