import type { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import { sql } from 'kysely';
import { brandOf, logoUrl } from '../../domain/brand/brand.ts';
import { extraName, unlessHidden } from '../../domain/package/package-sql.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';

export const readReceipt: Handler<typeof receiptCalls.read> = async (ctx, { bill_no }) => {
  const row = await ctx.db
    .selectFrom('ledger_entry')
    .leftJoin('ledger_entry as taken', 'taken.id', 'ledger_entry.reverses_id')
    .leftJoin('package', 'package.id', 'ledger_entry.package_id')
    .leftJoin('recharge_card', 'recharge_card.id', 'ledger_entry.card_id')
    .select([
      'ledger_entry.bill_no',
      'ledger_entry.create_at',
      sql<string | null>`case ledger_entry.channel when 'online' then coalesce(taken.bill_no, ledger_entry.bill_no) end`.as('online_no'),
      sql<string | null>`case ledger_entry.channel when 'card' then ledger_entry.bill_no end`.as('card_no'),
      // The VNO that issued a card bills it; the receipt of the seller names the seller.
      sql<number>`case when ${inScope(ctx.me, 'ledger_entry.agent_id')} then ledger_entry.agent_id else ${ctx.me.agent_id}::bigint end`.as(
        'named_id',
      ),
      'ledger_entry.account',
      'ledger_entry.user_name',
      'ledger_entry.count',
      // The price: the bill counts the part of the balance as income of the top-up.
      sql<string>`ledger_entry.income + greatest(ledger_entry.balance_part, 0)`.as('income'),
      'ledger_entry.discount',
      sql<string>`ledger_entry.expend + greatest(-ledger_entry.balance_part, 0)`.as('expend'),
      'ledger_entry.balance_part',
      sql<string>`ledger_entry.net_income`.as('net_income'),
      'ledger_entry.pay_method',
      operatorName(ctx, 'ledger_entry.operator').as('operator'),
      'ledger_entry.remark',
      'recharge_card.number as card_number',
      sql<'open' | 'recharge' | 'change_package' | 'extra_package' | 'refund'>`ledger_entry.expense_type`.as('expense_type'),
      sql<string>`round((ledger_entry.income + greatest(ledger_entry.balance_part, 0)) / ledger_entry.count, 2)`.as('price'),
      unlessHidden<string>(ctx.me, 'ledger_entry.package_name').as('package_name'),
      extraName(ctx.me, 'ledger_entry.package_name').as('extra_name'),
    ])
    .where('ledger_entry.bill_no', '=', bill_no)
    .where('ledger_entry.expense_type', '<>', 'card_stock')
    .where((eb) =>
      eb.or([inScope(ctx.me, 'ledger_entry.agent_id', 'ledger_entry.device_id'), eb('ledger_entry.customer_id', '=', ctx.me.uid)]),
    )
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const { named_id, ...receipt } = row;
  const { name, logo } = await brandOf(ctx.db, named_id);
  return { ...receipt, agent_name: name, agent_logo: logoUrl(logo) };
};
