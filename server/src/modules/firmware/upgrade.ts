import type { upgradeCalls as calls } from '@farlink/contract/firmware/upgrade.ts';
import { fullVersion } from '@farlink/contract/firmware/version.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { advance } from '../../domain/firmware/advance.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { type Plan, planRollback, planUpgrade, type Target, targetsOf } from './targets.ts';

interface Order {
  readonly kind: 'upgrade' | 'rollback';
  readonly version: string;
  readonly ids: readonly number[];
  readonly remark: string | null;
  /** Start time; undefined means now. */
  readonly at: number | undefined;
}

const createCampaign = (ctx: Ctx, { kind, version, remark, at }: Order) => {
  const now = ctx.now();
  const send_at = at ?? now;
  return ctx.db
    .insertInto('upgrade_campaign')
    .values({
      kind,
      version,
      remark,
      agent_id: ctx.me.agent_id,
      customer_id: ctx.me.uid,
      operator: ctx.me.name,
      send_mode: at === undefined ? 'immediate' : 'timed',
      send_at,
      state: 'waiting',
      device_count: 0,
      deadline: send_at + limits.upgradeWaitHours * 3600,
      create_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
};

const addDevice = async (ctx: Ctx, campaignId: number, target: Target, plan: Plan) => {
  const { name: device_name, sn, agent_id, version: from_version } = target;
  const added = await ctx.db
    .insertInto('upgrade_device')
    .values({ campaign_id: campaignId, device_id: target.id, device_name, sn, agent_id, from_version, ...plan })
    .onConflict((oc) => oc.column('device_id').where('state', 'in', ['queued', 'sending', 'verifying']).doNothing())
    .returning('id')
    .executeTakeFirst();
  // Another campaign added the device first.
  if (!added) throw fail('device_upgrading');
};

const contentOf = (kind: Order['kind'], name: string, version: string): Text =>
  kind === 'upgrade'
    ? [`升级设备 ${name} 至 ${version}`, `Upgrade of device ${name} to ${version}`]
    : [`设备 ${name} 版本回退至 ${version}`, `Rollback of device ${name} to ${version}`];

/** Each request creates a campaign, even for one device: the result comes later and must be tracked. */
const begin = async (ctx: Ctx, order: Order, planOf: typeof planUpgrade) => {
  const targets = new Map((await targetsOf(ctx.db, ctx, order.ids, order.version)).map((t) => [t.id, t]));
  const request = { version: order.version, now: ctx.now(), isImmediate: order.at === undefined };
  const nameOf = (id: number) => targets.get(id)?.name ?? `#${id}`;
  const campaign = await createCampaign(ctx, order);
  const result = await eachOf(
    ctx,
    order.ids,
    (id) => ({ content: contentOf(order.kind, nameOf(id), order.version), subject: `device:${id}` }),
    async (inner, id) => {
      const target = targets.get(id);
      if (!target) throw fail('not_found');
      await addDevice(inner, campaign.id, target, planOf(target, request));
      record(inner, contentOf(order.kind, target.name, order.version), {
        subject: `device:${id}`,
        before: { version: target.version },
        after: { version: order.version, campaign_id: campaign.id },
      });
    },
  );
  if (result.success === 0) {
    await ctx.db.deleteFrom('upgrade_campaign').where('id', '=', campaign.id).execute();
    return { ...result, campaign_id: null };
  }
  await ctx.db.updateTable('upgrade_campaign').set({ device_count: result.success }).where('id', '=', campaign.id).execute();
  await advance(ctx.db, ctx.deps.config, { ...campaign, device_count: result.success }, ctx.now());
  return { ...result, campaign_id: campaign.id };
};

export const upgradeDevices: Handler<typeof calls.upgrade> = (ctx, { version, send_mode, send_at, ids }) =>
  begin(
    ctx,
    { kind: 'upgrade', version: fullVersion(version), ids, remark: null, at: send_mode === 'timed' ? (send_at ?? undefined) : undefined },
    planUpgrade,
  );

export const rollbackDevices: Handler<typeof calls.rollback> = (ctx, { version, remark, ids }) =>
  begin(ctx, { kind: 'rollback', version: fullVersion(version), ids, remark: remark ?? null, at: undefined }, planRollback);
