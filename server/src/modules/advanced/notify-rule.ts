import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { mailboxTexts } from '@farlink/contract/rules.ts';
import { type Selectable, sql } from 'kysely';
import type { NotifyRuleTable } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

/** One table stores the rules of two lists: device status and access point links. */
export type RuleKind = NotifyRuleTable['kind'];
type Rule = Selectable<NotifyRuleTable>;

const names: Record<RuleKind, Text> = {
  status: ['设备状态通知', 'device status notification'],
  ap: ['AP链路通知', 'AP link notification'],
};

export const rulesOf = (ctx: Ctx, kind: RuleKind) =>
  ctx.db
    .selectFrom('notify_rule')
    .innerJoin('device', 'device.id', 'notify_rule.device_id')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select([
      'notify_rule.id',
      'notify_rule.version',
      'notify_rule.device_id',
      'device.name as device_name',
      'device.sn',
      'notify_rule.events',
      'notify_rule.emails',
      sql<string>`array_to_string(notify_rule.emails, ' ')`.as('email'),
      'notify_rule.status',
      'notify_rule.last_notify_at',
      'agent.name as agent_name',
      'agent.id as vno_id',
      'notify_rule.remark',
      'notify_rule.create_at',
    ])
    .where('notify_rule.kind', '=', kind)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'));

const findDevice = async (ctx: Ctx, id: number) => {
  const found = await ctx.db
    .selectFrom('device')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .executeTakeFirst();
  if (!found) throw failAt('device_id', ['请选择有效的设备', 'Please select a valid device']);
  return found;
};

const findRule = async (ctx: Ctx, kind: RuleKind, id: number): Promise<Rule> => {
  const found = await ctx.db
    .selectFrom('notify_rule')
    .innerJoin('device', 'device.id', 'notify_rule.device_id')
    .selectAll('notify_rule')
    .where('notify_rule.id', '=', id)
    .where('notify_rule.kind', '=', kind)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .forUpdate('notify_rule')
    .executeTakeFirst();
  if (!found) throw fail('not_found');
  return found;
};

type RuleValues = Pick<Rule, 'device_id' | 'ap_mac' | 'events' | 'emails' | 'status' | 'remark'>;

/**
 * spec §5: a device has at most three mailboxes over all rules of a kind, without duplicates. The lock serializes writers of one device, so
 * two concurrent rules cannot exceed the limit.
 */
const refuseMailboxes = async (ctx: Ctx, kind: RuleKind, { device_id, ap_mac, emails }: RuleValues, id?: number) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`notify ${device_id}`}, 0))`.execute(ctx.db);
  const others = await ctx.db
    .selectFrom('notify_rule')
    .select(['emails', 'ap_mac'])
    .where('device_id', '=', device_id)
    .where('kind', '=', kind)
    .where('id', '<>', id ?? 0)
    .execute();
  const mine = emails.map((mailbox) => mailbox.toLowerCase());
  const overlaps = (other: (typeof others)[number]) => ap_mac === null || other.ap_mac === null || other.ap_mac === ap_mac;
  const taken = others.filter(overlaps).flatMap((other) => other.emails.map((mailbox) => mailbox.toLowerCase()));
  if (mine.some((mailbox) => taken.includes(mailbox))) throw failAt('emails', mailboxTexts.same);
  const all = new Set([...mine, ...others.flatMap((other) => other.emails.map((mailbox) => mailbox.toLowerCase()))]);
  if (all.size > limits.mailboxesPerDevice) throw failAt('emails', mailboxTexts.most);
};

const plain = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : (value ?? null));

interface RuleInput {
  readonly device_id?: number | null | undefined;
  readonly ap_mac?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly emails?: readonly string[] | null | undefined;
  readonly status?: 0 | 1 | null | undefined;
  readonly remark?: string | null | undefined;
}

/** Values after the change; an absent field keeps its stored value. */
const ruleValuesOf = (input: RuleInput, stored?: Rule): RuleValues => ({
  device_id: input.device_id ?? stored?.device_id ?? 0,
  ap_mac: (input.ap_mac === undefined ? stored?.ap_mac : input.ap_mac?.toLowerCase()) ?? null,
  events: [...new Set(input.events ?? stored?.events ?? [])],
  emails: [...(input.emails ?? stored?.emails ?? [])],
  status: input.status ?? stored?.status ?? 1,
  remark: (input.remark === undefined ? stored?.remark : input.remark) ?? null,
});

export const createRule = async (ctx: Ctx, kind: RuleKind, input: RuleInput): Promise<{ id: number }> => {
  const row = ruleValuesOf(input);
  const device = await findDevice(ctx, row.device_id);
  await refuseMailboxes(ctx, kind, row);
  const now = ctx.now();
  const made = await ctx.db
    .insertInto('notify_rule')
    .values({ ...row, kind, lang: ctx.lang, creator: ctx.me.username, create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [zh, en] = names[kind];
  record(ctx, [`新增${zh} ${device.name}`, `Created a ${en} of ${device.name}`], { after: { ...row } });
  return made;
};

export const updateRule = async (ctx: Ctx, kind: RuleKind, input: RuleInput & { readonly id: number; readonly version: number }) => {
  const stored = await findRule(ctx, kind, input.id);
  if (stored.version !== input.version) throw fail('stale');
  const row = ruleValuesOf(input, stored);
  const changed = Object.entries(row).filter(
    ([name, value]) => plain(value) !== plain(new Map<string, unknown>(Object.entries(stored)).get(name)),
  );
  if (changed.length === 0) throw fail('unchanged');
  const device = await findDevice(ctx, row.device_id);
  await refuseMailboxes(ctx, kind, row, stored.id);
  await ctx.db
    .updateTable('notify_rule')
    // Mails use the language of the operator who set the mailboxes. Enabling or disabling the rule keeps it.
    .set({ ...row, ...(input.emails && { lang: ctx.lang }), update_at: ctx.now(), version: stored.version + 1 })
    .where('id', '=', stored.id)
    .execute();
  const before = new Map<string, unknown>(Object.entries(stored));
  const [zh, en] = names[kind];
  record(ctx, [`修改${zh} ${device.name}`, `Changed a ${en} of ${device.name}`], {
    before: Object.fromEntries(changed.map(([name]) => [name, before.get(name)])),
    after: Object.fromEntries(changed),
  });
};

export const removeRule = async (ctx: Ctx, kind: RuleKind, id: number) => {
  const stored = await findRule(ctx, kind, id);
  const device = await findDevice(ctx, stored.device_id);
  await ctx.db.deleteFrom('notify_rule').where('id', '=', id).execute();
  const [zh, en] = names[kind];
  const { ap_mac, events, emails, status, remark } = stored;
  record(ctx, [`删除${zh} ${device.name}`, `Deleted a ${en} of ${device.name}`], { before: { ap_mac, events, emails, status, remark } });
};
