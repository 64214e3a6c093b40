import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText, speedText } from '@farlink/contract/kit/units.ts';
import type { RejectReason, ServiceEventKind } from '@farlink/contract/user/choices.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userDetailCalls as calls } from '@farlink/contract/user/user-detail.ts';
import { sql } from 'kysely';
import { unlessHidden } from '../../domain/package/package-sql.ts';
import { coaText } from '../../domain/radius/coa-text.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { actedBy, operatorName, operatorValue } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { findUser, subjectOf } from './find-user.ts';

export const listRejections: Handler<typeof userCalls.rejections> = async (ctx, input) => {
  await findUser(ctx, input.id);
  const query = ctx.db
    .selectFrom('login_rejection')
    .leftJoin('device', 'device.id', 'login_rejection.device_id')
    .select([
      'login_rejection.id',
      'login_rejection.create_at',
      sql<RejectReason>`login_rejection.reason`.as('reason'),
      'login_rejection.mac',
      'device.name as device_name',
    ])
    .where('login_rejection.subscriber_id', '=', input.id);
  return pageOf(ctx.db, userCalls.rejections, input, query);
};

const stopTexts: Readonly<Record<string, Text>> = {
  exhausted: ['额度用尽', 'Quota used up'],
  no_package: ['没有可用套餐', 'No package to use'],
};

interface EventDetail {
  readonly kind: ServiceEventKind;
  readonly bytes: number | null;
  readonly limit_up: number | null;
  readonly limit_down: number | null;
  readonly reason: string | null;
  readonly nas_name: string | null;
  readonly error_cause: number | null;
}

const speedsOf = ({ limit_up, limit_down }: EventDetail): Text =>
  fill(['↑{0} ↓{1}', '↑{0} ↓{1}'], speedText(limit_up ?? 0), speedText(limit_down ?? 0));

/** What a NAS confirmed, or did not do and why. */
const nasText = (event: EventDetail): Text => {
  const { kind, nas_name, reason, error_cause } = event;
  const isUnlimited = !event.limit_up && !event.limit_down;
  const speeds: Text = isUnlimited ? ['不限速', 'no speed limit'] : speedsOf(event);
  if (kind === 'enforced') return fill(['{0}：{1}', '{0}: {1}'], nas_name ?? '', speeds);
  return fill(['{0}：{1}（{2}）', '{0}: {1} ({2})'], nas_name ?? '', speeds, coaText(reason ?? '', error_cause));
};

const detailText = (event: EventDetail): Text => {
  const { kind, bytes, reason } = event;
  if (event.nas_name !== null) return nasText(event);
  // A NAS confirms its limits with an event of its own.
  if (kind === 'slow_down') return speedsOf(event);
  if (bytes !== null) return [bytesText(bytes), bytesText(bytes)];
  return stopTexts[reason ?? ''] ?? [reason ?? '', reason ?? ''];
};

/** What metering did to the account. It belongs to the VNO of that time. */
export const listService: Handler<typeof calls.service> = async (ctx, input) => {
  await findUser(ctx, input.id);
  const query = ctx.db
    .selectFrom('service_event')
    .leftJoin('holding', 'holding.id', 'service_event.holding_id')
    .leftJoin('package', (join) => join.on('package.id', '=', sql<number>`coalesce(service_event.package_id, holding.package_id)`))
    .select([
      'service_event.id',
      'service_event.at',
      'service_event.kind',
      'service_event.bytes',
      'service_event.limit_up',
      'service_event.limit_down',
      'service_event.reason',
      'service_event.nas_name',
      'service_event.error_cause',
      'service_event.create_at',
      unlessHidden<string>(ctx.me, 'package.name').as('package_name'),
    ])
    .where('service_event.subscriber_id', '=', input.id)
    .where(inScope(ctx.me, 'service_event.agent_id'));
  const page = await pageOf(ctx.db, calls.service, input, query);
  return {
    ...page,
    list: page.list.map(({ bytes, limit_up, limit_down, reason, nas_name, error_cause, ...row }) => ({
      ...row,
      content: say(detailText({ kind: row.kind, bytes, limit_up, limit_down, reason, nas_name, error_cause }), ctx.lang),
    })),
  };
};

export const listUsedCards: Handler<typeof calls.cards> = async (ctx, input) => {
  await findUser(ctx, input.id);
  const query = ctx.db
    .selectFrom('recharge_card')
    .innerJoin('card_rule', 'card_rule.id', 'recharge_card.rule_id')
    .leftJoin('package', 'package.id', 'card_rule.package_id')
    .select([
      'recharge_card.id',
      'recharge_card.number',
      'recharge_card.used_at',
      'card_rule.card_type',
      'card_rule.denomination',
      'card_rule.batch_no',
      unlessHidden<string>(ctx.me, 'package.name').as('package_name'),
    ])
    .where('recharge_card.subscriber_id', '=', input.id)
    .where('recharge_card.status', '=', 'used');
  return pageOf(ctx.db, calls.cards, input, query);
};

/** Operator log of one account. */
const logOf = (ctx: Ctx, id: number, lang: Lang) => {
  return ctx.db
    .selectFrom('syslog')
    .select([
      'syslog.id',
      'syslog.action',
      'syslog.result',
      'syslog.create_at',
      sql<string>`${sql.ref(`syslog.content_${lang}`)}`.as('content'),
      sql<string | null>`${sql.ref(`syslog.message_${lang}`)}`.as('message'),
      operatorName({ me: ctx.me, lang }, 'syslog.name', 'syslog.agent_id').as('name'),
      actedBy({ me: ctx.me, lang }, 'syslog.acted_by').as('acted_by'),
      operatorValue(ctx, 'syslog.ip', 'syslog.agent_id').as('ip'),
    ])
    .where('syslog.subject', '=', subjectOf(id));
};

export const listUserLog: Handler<typeof calls.log> = async (ctx, input) => {
  await findUser(ctx, input.id);
  return pageOf(ctx.db, calls.log, input, logOf(ctx, input.id, ctx.lang));
};
