import { announcementCalls as calls } from '@farlink/contract/advanced/announcement.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { headOf } from '@farlink/contract/menu.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { notifyConsoles } from '../../domain/announcement/notify-consoles.ts';
import { type Announcement, type AnnouncementValues, insertAnnouncement, publishAnnouncement } from '../../domain/announcement/publish.ts';
import { receivedBy } from '../../domain/announcement/received.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

const scope = (ctx: Ctx) => inScope(ctx.me, 'notice.agent_id');

type State = 'draft' | 'sent' | 'disabled' | 'expired';

const stateOf = (now: number) => sql<State>`case when notice.send_at is null then 'draft' when notice.expire_at <= ${now} then 'expired'
  when notice.status = 0 then 'disabled' else 'sent' end`;

const announcementQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('notice')
    .innerJoin('agent', 'agent.id', 'notice.agent_id')
    .select([
      'notice.id',
      'notice.version',
      'notice.title',
      'notice.content',
      'notice.target',
      'notice.status',
      'notice.send_at',
      'notice.publisher',
      'notice.expire_at',
      'notice.create_at',
      sql<'admin' | 'vno'>`case when agent.agent_level = 0 then 'admin' else 'vno' end`.as('source'),
      stateOf(ctx.now()).as('state'),
    ])
    .where(scope(ctx));

export const listAnnouncements: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, announcementQuery(ctx));

const namesOf = async (ctx: Ctx, ids: readonly number[]) => {
  if (ids.length === 0) return [];
  const rows = await ctx.db.selectFrom('agent').select('name').where('id', 'in', ids).where(inScope(ctx.me, 'agent.id')).execute();
  return rows.map(({ name }) => name).sort();
};

const allVnos: Text = ['全部', 'All'];

/** An announcement that the operator receives. Its targets and readers concern only the publisher. */
const readReceived = async (ctx: Ctx, id: number) => {
  const row = await receivedBy(ctx.db, ctx.me.uid, ctx.now())
    .select(['notice.version', 'notice.target', 'notice.status', 'notice.create_at'])
    .where('notice.id', '=', id)
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const { is_read: _, ...notice } = row;
  return { ...notice, state: 'sent' as const, vno_ids: null, vno_names: [], read_count: null };
};

export const readAnnouncement: Handler<typeof calls.read> = async (ctx, { id }) => {
  if (!mayOpen(headOf('noticeManage'), ctx.me)) return readReceived(ctx, id);
  const readers = sql<number>`(select count(*) from notice_read r where r.notice_id = notice.id and r.revision = notice.revision)`;
  const row = await announcementQuery(ctx)
    .select(['notice.vno_ids', readers.as('read_count')])
    .where('notice.id', '=', id)
    .executeTakeFirst();
  if (!row) return readReceived(ctx, id);
  const vno_names = row.vno_ids === null && row.target !== 'admin' ? [say(allVnos, ctx.lang)] : await namesOf(ctx, row.vno_ids ?? []);
  return { ...row, vno_names };
};

const targetTexts = {
  admin: ['仅总平台可以向总平台发布', 'Only the admin platform can address the admin platform'],
  vnos: ['请选择可通知的VNO', 'Please select VNOs that you may notify'],
  limited: ['您的角色限定了VNO，请选择VNO', 'Your role is limited to VNOs. Please select VNOs.'],
} as const satisfies Record<string, Text>;

/** VNOs that an announcement can name: below its publisher; for subscribers also the publisher. */
const canName = (sender: { readonly id: number; readonly path: string }, target: Announcement['target']): RawBuilder<SqlBool> =>
  target === 'subscriber'
    ? sql<SqlBool>`agent.path like ${`${sender.path}%`} and agent.agent_level > 0`
    : sql<SqlBool>`agent.path like ${`${sender.path}%`} and agent.id <> ${sender.id}`;

/** A VNO notifies its own branch, and a role limited to VNOs only those. */
const refuseTarget = async (ctx: Ctx, senderId: number, { target, vno_ids }: AnnouncementValues) => {
  const sender = await ctx.db
    .selectFrom('agent')
    .select(['id', 'path', 'agent_level'])
    .where('id', '=', senderId)
    .executeTakeFirstOrThrow();
  if (target === 'admin' && sender.agent_level > 0) throw failAt('target', targetTexts.admin);
  if (target === 'admin') return;
  if (vno_ids === null) {
    if (ctx.me.rights.vno_ids) throw failAt('vno_ids', targetTexts.limited);
    return;
  }
  const found = await ctx.db
    .selectFrom('agent')
    .select('id')
    .where('id', 'in', vno_ids)
    .where(canName(sender, target))
    .where(inScope(ctx.me, 'agent.id'))
    .execute();
  if (found.length !== vno_ids.length) throw failAt('vno_ids', targetTexts.vnos);
};

const idsOf = (ids: readonly number[] | null | undefined) => (ids && ids.length > 0 ? [...new Set(ids)].sort((a, b) => a - b) : null);

export const createAnnouncement: Handler<typeof calls.create> = async (ctx, input) => {
  const { title, content, target, expire_at } = input;
  const row = { title, content, target, vno_ids: target === 'admin' ? null : idsOf(input.vno_ids), expire_at, status: input.status ?? 1 };
  await refuseTarget(ctx, ctx.me.agent_id, row);
  const made = await insertAnnouncement(ctx.db, ctx.me.agent_id, row, ctx.now());
  record(ctx, [`新增公告 ${title}`, `Created notice ${title}`], { after: row });
  return made;
};

const lockAnnouncement = (ctx: Ctx, id: number) => {
  return lockRow(ctx, 'notice', id, scope(ctx));
};

const valuesOf = ({ title, content, target, vno_ids, expire_at, status }: AnnouncementValues): AnnouncementValues => ({
  title,
  content,
  target,
  vno_ids,
  expire_at,
  status,
});

type UpdateInput = Parameters<Handler<typeof calls.update>>[1];

/** NoticeValues after the change; an absent field keeps its stored value. */
const changedBy = (input: UpdateInput, stored: Announcement): AnnouncementValues => {
  const target = input.target ?? stored.target;
  const chosen = input.vno_ids === undefined ? stored.vno_ids : idsOf(input.vno_ids);
  return {
    title: input.title ?? stored.title,
    content: input.content ?? stored.content,
    target,
    vno_ids: target === 'admin' ? null : chosen,
    expire_at: input.expire_at ?? stored.expire_at,
    status: input.status ?? stored.status,
  };
};

export const updateAnnouncement: Handler<typeof calls.update> = async (ctx, input) => {
  const stored = await lockAnnouncement(ctx, input.id);
  if (stored.version !== input.version) throw fail('stale');
  const before = valuesOf(stored);
  const after = changedBy(input, stored);
  if (JSON.stringify(after) === JSON.stringify(before)) throw fail('unchanged');
  const sameTarget = after.target === before.target && JSON.stringify(after.vno_ids) === JSON.stringify(before.vno_ids);
  // An announcement that is only disabled keeps its target, even if a VNO of it was deleted since.
  if (!sameTarget) await refuseTarget(ctx, stored.agent_id, after);
  const isNewText = stored.send_at !== null && (after.title !== before.title || after.content !== before.content);
  await ctx.db
    .updateTable('notice')
    .set({ ...after, revision: stored.revision + (isNewText ? 1 : 0), update_at: ctx.now(), version: stored.version + 1 })
    .where('id', '=', stored.id)
    .execute();
  if (stored.send_at !== null) await notifyConsoles(ctx.db);
  record(ctx, [`修改公告 ${stored.title}`, `Changed notice ${stored.title}`], { before, after });
};

export const sendAnnouncement: Handler<typeof calls.send> = async (ctx, { id }) => {
  const stored = await lockAnnouncement(ctx, id);
  const now = ctx.now();
  if (stored.status !== 1) throw fail('notice_disabled');
  if (stored.expire_at <= now) throw fail('notice_expired');
  await publishAnnouncement(ctx.db, stored, ctx.me.name, now);
  record(ctx, [`发布公告 ${stored.title}`, `Sent notice ${stored.title}`], { after: valuesOf(stored) });
  return null;
};

export const removeAnnouncement: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const stored = await lockAnnouncement(ctx, id);
  await ctx.db.deleteFrom('notice').where('id', '=', id).execute();
  if (stored.send_at !== null) await notifyConsoles(ctx.db);
  record(ctx, [`删除公告 ${stored.title}`, `Deleted notice ${stored.title}`], { before: valuesOf(stored) });
};
