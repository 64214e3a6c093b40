import type { CardBindType } from '@farlink/contract/card/choices.ts';
import { exportState } from '@farlink/contract/export/export.ts';
import { sql } from 'kysely';
import { unlessHidden } from '../../domain/package/package-sql.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';

type Reader = Pick<Ctx, 'me' | 'lang'>;

const bindType = (table: 'card_rule' | 'recharge_card') =>
  sql<CardBindType>`case when ${sql.ref(`${table}.device_id`)} is not null then 'device' when ${sql.ref(`${table}.device_group_id`)} is not null then 'group' else 'none' end`;

export const ruleScope = (me: Ctx['me']) => inScope(me, 'card_rule.agent_id', 'card_rule.device_id');
export const cardScope = (me: Ctx['me']) => inScope(me, 'recharge_card.agent_id', 'recharge_card.device_id');

export const ruleQuery = (db: Db, { me, lang }: Reader) =>
  db
    .selectFrom('card_rule')
    .leftJoin('agent', 'agent.id', 'card_rule.agent_id')
    .leftJoin('package', 'package.id', 'card_rule.package_id')
    .leftJoin('device', 'device.id', 'card_rule.device_id')
    .leftJoin('device_group', 'device_group.id', 'card_rule.device_group_id')
    .leftJoin('export_task', 'export_task.id', 'card_rule.export_id')
    .select([
      'card_rule.id',
      'card_rule.version',
      'card_rule.batch_no',
      'card_rule.name',
      'card_rule.state',
      'card_rule.card_type',
      unlessHidden<string>(me, 'package.name').as('package_name'),
      'card_rule.period',
      'card_rule.denomination',
      'card_rule.count',
      'card_rule.made_count',
      'card_rule.used_count',
      sql<number>`card_rule.used_count * 100 / card_rule.count`.as('usage'),
      bindType('card_rule').as('bind_type'),
      sql<string | null>`coalesce(device.name, device_group.name)`.as('bind_name'),
      sql<ReturnType<typeof exportState.id>>`coalesce(export_task.state, ${exportState.id('waiting')})`.as('export_status'),
      'card_rule.revealed_at',
      operatorName({ me, lang }, 'card_rule.producer').as('producer'),
      'agent.name as agent_name',
      'card_rule.remark',
      'card_rule.expire_at',
      'card_rule.create_at',
      'card_rule.id as rule_id',
      'card_rule.package_id',
      'card_rule.device_id',
      'card_rule.device_group_id',
      'card_rule.agent_id as vno_id',
    ])
    .where(ruleScope(me));

/** Shown in place of a password; only a `reveal` call returns it. */
export const maskedPassword = '****************';

export const cardQuery = (db: Db, { me, lang }: Reader, password: 'masked' | 'sealed' = 'masked') =>
  db
    .selectFrom('recharge_card')
    .leftJoin('card_rule', 'card_rule.id', 'recharge_card.rule_id')
    .leftJoin('agent', 'agent.id', 'recharge_card.agent_id')
    .leftJoin('package', 'package.id', 'card_rule.package_id')
    .leftJoin('device', 'device.id', 'recharge_card.device_id')
    .leftJoin('device_group', 'device_group.id', 'recharge_card.device_group_id')
    .select([
      'recharge_card.id',
      'recharge_card.number',
      (password === 'sealed' ? sql<string>`recharge_card.password` : sql<string>`${maskedPassword}::text`).as('password'),
      'card_rule.batch_no',
      'card_rule.card_type',
      'card_rule.period',
      'card_rule.denomination',
      unlessHidden<string>(me, 'package.name').as('package_name'),
      'recharge_card.status',
      bindType('recharge_card').as('bind_type'),
      sql<string | null>`coalesce(device.name, device_group.name)`.as('device_name'),
      operatorName({ me, lang }, 'card_rule.producer').as('producer'),
      'recharge_card.used_user',
      'recharge_card.used_at',
      'agent.name as agent_name',
      'recharge_card.remark',
      'recharge_card.expire_at',
      'recharge_card.create_at',
      'recharge_card.rule_id',
      'card_rule.package_id',
      'recharge_card.device_id',
      'recharge_card.device_group_id',
      'recharge_card.agent_id as vno_id',
    ])
    .where(cardScope(me));
