import { feedbackCalls as calls, feedbackResource } from '@farlink/contract/feedback/feedback.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { int } from '@farlink/contract/kit/field.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { maskPhone } from '@farlink/contract/user/mask.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import type { SessionInfo } from '../../db/column-types.ts';
import { handleFeedback } from '../../domain/feedback/handle-feedback.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import type { ExportBuilders, JobOwner } from '../../kit/export/export-job.ts';
import { exportLog } from '../../kit/export/export-log.ts';
import { requestFilled } from '../../kit/export/export-task.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

export const feedbackScope = (me: SessionInfo) => inScope(me, 'feedback.agent_id', 'feedback.device_id');

/** `attach` is the number of images. The names of a device and an account outside the scope are not joined. */
const feedbackQuery = (db: Db, { me, lang }: JobOwner) =>
  db
    .selectFrom('feedback')
    .leftJoin('agent', 'agent.id', 'feedback.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'feedback.device_id').on(inScope(me, 'device.agent_id', 'device.id')))
    .leftJoin('subscriber', (join) => join.onRef('subscriber.id', '=', 'feedback.subscriber_id').on(inScope(me, 'subscriber.agent_id')))
    .select([
      'feedback.id',
      'feedback.version',
      'feedback.type',
      'feedback.level',
      'feedback.content',
      'feedback.account',
      'feedback.phone',
      'feedback.sn',
      'feedback.status',
      'feedback.remark',
      'feedback.handle_at',
      operatorName<string | null>({ me, lang }, 'feedback.handler').as('handler'),
      'feedback.create_at',
      'feedback.attach_count as attach',
      'feedback.agent_id as vno_id',
      'agent.name as agent_name',
      'feedback.device_id',
      'device.name as device_name',
      'subscriber.id as user_id',
    ])
    .where(feedbackScope(me));

/** The phone in clear only for those who may reveal that of an account. */
const phoneFor = (me: SessionInfo, phone: string | null) => (phone === null || mayCall(userCalls.reveal, me) ? phone : maskPhone(phone));

const shownTo = <R extends { readonly id: number; readonly phone: string | null; readonly attach: number }>(me: SessionInfo, row: R) => ({
  ...row,
  phone: phoneFor(me, row.phone),
  attach: Array.from({ length: row.attach }, (_, i) => `user_feedback/preview/${row.id}?image=${i}`),
});

export const listFeedback: Handler<typeof calls.list> = async (ctx, input) => {
  const listing = await pageOf(
    ctx.db,
    calls.list,
    input,
    feedbackQuery(ctx.db, ctx),
    ctx.db.selectFrom('feedback').where(feedbackScope(ctx.me)),
  );
  return { ...listing, list: listing.list.map((row) => shownTo(ctx.me, row)) };
};

export const findFeedback = async (ctx: Ctx, id: number) => {
  const row = await feedbackQuery(ctx.db, ctx).where('feedback.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

export const readFeedback: Handler<typeof calls.info> = async (ctx, { id }) => shownTo(ctx.me, await findFeedback(ctx, id));

export const editFeedback: Handler<typeof calls.edit> = async (ctx, { id, version, status, level, remark }) => {
  const stored = await lockRow(ctx, 'feedback', id, feedbackScope(ctx.me));
  if (stored.status === 1) throw fail('feedback_handled');
  if (stored.version !== version) throw fail('stale');
  const before = { status: stored.status, level: stored.level, remark: stored.remark };
  const after = { status, level: level ?? stored.level, remark };
  if (JSON.stringify(after) === JSON.stringify(before)) throw fail('unchanged');
  await handleFeedback(ctx.db, id, after, ctx.me.name, ctx.now());
  record(ctx, [`处理账号 ${stored.account} 的反馈`, `Handled the feedback of account ${stored.account}`], { before, after });
};

const exportKey = operateKey(calls.export);

export const exportFeedback: Handler<typeof calls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.export,
    title: ['问题反馈', 'feedback'],
    format: input.format,
    input,
    query: feedbackQuery(ctx.db, ctx),
  });

export const listFeedbackExports: Handler<typeof calls.exports> = async (ctx, input) => {
  const listing = await pageOf(ctx.db, calls.exports, input, exportLog(ctx, [exportKey]));
  return { ...listing, list: listing.list.map(({ payload: _, ...row }) => row) };
};

/** An export contains the number of images instead of the images. */
const exported = { ...feedbackResource, fields: { ...feedbackResource.fields, attach: int(feedbackResource.fields.attach.label) } };

export const feedbackExports: ExportBuilders = {
  [exportKey]: (deps, owner) => ({
    query: feedbackQuery(deps.db, owner),
    resource: exported,
    values: { phone: (value) => phoneFor(owner.me, typeof value === 'string' ? value : null) },
  }),
};
