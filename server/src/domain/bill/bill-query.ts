import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { JobOwner } from '../../kit/export/export-job.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';
import { extraName, unlessHidden } from '../package/package-sql.ts';

const entries = (db: Db, { me }: JobOwner) =>
  db.selectFrom('ledger_entry').where(inScope(me, 'ledger_entry.agent_id', 'ledger_entry.device_id'));

/** Entries without joins, for counting and skipping rows. */
export const counterEntries = (db: Db, reader: JobOwner, userId?: number | null) =>
  entries(db, reader)
    .where('ledger_entry.channel', '=', 'counter')
    .$if(userId !== undefined && userId !== null, (query) => query.where('ledger_entry.subscriber_id', '=', userId ?? 0));
export const cardEntries = (db: Db, reader: JobOwner) => entries(db, reader).where('ledger_entry.channel', '=', 'card');
export const openingEntries = (db: Db, reader: JobOwner) => entries(db, reader).where('ledger_entry.expense_type', '=', 'open');

/** Ledger entries as bills in the scope of the reader; hidden packages have no name without the hidden-package right. */
const bills = (db: Db, { me, lang }: JobOwner) =>
  db
    .selectFrom('ledger_entry')
    .leftJoin('agent', 'agent.id', 'ledger_entry.agent_id')
    .leftJoin('device', 'device.id', 'ledger_entry.device_id')
    .leftJoin('package', 'package.id', 'ledger_entry.package_id')
    .select([
      'ledger_entry.id',
      'ledger_entry.bill_no',
      'ledger_entry.account',
      'ledger_entry.user_name',
      'ledger_entry.pay_method',
      'ledger_entry.state',
      'ledger_entry.income',
      'ledger_entry.expend',
      'ledger_entry.discount',
      'ledger_entry.net_income',
      'ledger_entry.balance_part',
      operatorName({ me, lang }, 'ledger_entry.operator').as('operator'),
      'ledger_entry.remark',
      'ledger_entry.create_at',
      'ledger_entry.device_id',
      'ledger_entry.agent_id as vno_id',
      'agent.name as agent_name',
      'device.name as device_name',
      // Stock entries are not bills, so `card_stock` never occurs here.
      sql<'open' | 'recharge' | 'change_package' | 'extra_package' | 'refund'>`ledger_entry.expense_type`.as('expense_type'),
      unlessHidden<string>(me, 'ledger_entry.package_name').as('package_name'),
      unlessHidden<number>(me, 'ledger_entry.package_id').as('package_id'),
      extraName(me, 'ledger_entry.package_name').as('extra_name'),
    ])
    .where(inScope(me, 'ledger_entry.agent_id', 'ledger_entry.device_id'));

export const counterBills = (db: Db, reader: JobOwner, userId?: number | null) =>
  bills(db, reader)
    .where('ledger_entry.channel', '=', 'counter')
    .$if(userId !== undefined && userId !== null, (query) => query.where('ledger_entry.subscriber_id', '=', userId ?? 0));

export const cardBills = (db: Db, reader: JobOwner) =>
  bills(db, reader)
    .leftJoin('recharge_card', 'recharge_card.id', 'ledger_entry.card_id')
    .leftJoin('card_rule', 'card_rule.id', 'recharge_card.rule_id')
    .select(['recharge_card.number as card_number', 'card_rule.card_type', 'card_rule.denomination', 'recharge_card.rule_id'])
    .where('ledger_entry.channel', '=', 'card');

export const openingBills = (db: Db, reader: JobOwner) =>
  bills(db, reader)
    .select(['ledger_entry.count', 'ledger_entry.bind_name'])
    .select([
      sql<'personal' | 'small_station' | 'job' | 'temp_card' | 'maritime_crew' | 'maritime_ship' | null>`ledger_entry.account_type`.as(
        'account_type',
      ),
      sql<'counter' | 'personal' | 'batch' | null>`ledger_entry.account_source`.as('account_source'),
    ])
    .where('ledger_entry.expense_type', '=', 'open');

/** Orders without joins, for counting. */
export const onlineOrders = (db: Db, { me }: JobOwner) =>
  db.selectFrom('pay_order').where(inScope(me, 'pay_order.agent_id', 'pay_order.device_id'));

/** A figure of a bill: only a paid order is booked, so that the sums of the list are the sums of its rows. */
const booked = (figure: RawBuilder<unknown>) => sql<string>`(case when pay_order.state = 'paid' then ${figure} else 0 end)::numeric(14, 2)`;

/** Online payment orders with their price. Orders that are unpaid or paid back have no income. */
export const onlineBills = (db: Db, { me, lang }: JobOwner) =>
  db
    .selectFrom('pay_order')
    .leftJoin('agent', 'agent.id', 'pay_order.agent_id')
    .leftJoin('device', 'device.id', 'pay_order.device_id')
    .leftJoin('package', 'package.id', 'pay_order.package_id')
    .leftJoin('ledger_entry as bill', 'bill.order_id', 'pay_order.id')
    .leftJoin('ledger_entry as back', 'back.reverses_id', 'bill.id')
    .select([
      'pay_order.id',
      'bill.bill_no',
      'pay_order.account',
      'pay_order.user_name',
      sql<string>`pay_order.amount + pay_order.balance_part`.as('amount'),
      'pay_order.order_no',
      'pay_order.trade_no',
      'pay_order.expense_type',
      'pay_order.channel as pay_method',
      'pay_order.state',
      'pay_order.pay_at',
      operatorName({ me, lang }, 'pay_order.operator').as('operator'),
      'pay_order.remark',
      'pay_order.create_at',
      'pay_order.device_id',
      'pay_order.agent_id as vno_id',
      'agent.name as agent_name',
      'device.name as device_name',
      booked(sql`coalesce(bill.income, pay_order.amount)`).as('income'),
      booked(sql`coalesce(bill.expend, 0) + coalesce(back.expend, 0)`).as('expend'),
      booked(sql`coalesce(bill.discount, 0)`).as('discount'),
      booked(sql`coalesce(bill.net_income, 0) - coalesce(back.expend, 0)`).as('net_income'),
      booked(sql`coalesce(bill.balance_part, 0)`).as('balance_part'),
      unlessHidden<string>(me, 'pay_order.package_name').as('package_name'),
      unlessHidden<number>(me, 'pay_order.package_id').as('package_id'),
      extraName(me, 'pay_order.package_name').as('extra_name'),
    ])
    .where(inScope(me, 'pay_order.agent_id', 'pay_order.device_id'));
