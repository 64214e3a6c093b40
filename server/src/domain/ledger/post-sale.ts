import { cashMethod, type PayMethod } from '@farlink/contract/finance/choices.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { sql } from 'kysely';
import { runPrepared } from '../../db/prepare.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { refuseShortBalance } from './available-balance.ts';
import { postEntry } from './post-entry.ts';

/** Seller, and the VNO whose ledger is used. */
export interface Seller {
  readonly agent_id: number;
  readonly customer_id: number | null;
  readonly operator: string;
}

/** Buyer at the time of the sale. A sale to several buyers has no single id and name. */
export interface Buyer {
  readonly id: number | null;
  readonly account: string;
  readonly name: string | null;
  readonly account_type: string | null;
  readonly account_source: string;
  readonly device_id: number | null;
  readonly device_group_id: number | null;
}

export interface Sale {
  /** Idempotency key: the same cause again is the same sale. */
  readonly cause: string;
  readonly channel: 'counter' | 'online' | 'card';
  readonly expense_type: 'open' | 'recharge' | 'change_package' | 'extra_package' | 'refund';
  readonly pay_method: PayMethod | null;
  /** Before the discount. */
  readonly income: string;
  readonly discount?: string | null | undefined;
  /** Refund at the same time. */
  readonly expend?: string | undefined;
  /** Part paid from the balance; negative: returned to it. With the method `balance` it is the whole amount due. */
  readonly balance_part?: string | undefined;
  /** Revenue, or added to the subscriber's balance; a refund of the balance is taken from it. */
  readonly into?: 'revenue' | 'balance';
  readonly buyer?: Buyer | undefined;
  readonly package?: { readonly id: number; readonly name: string } | undefined;
  readonly count?: number;
  readonly bind_name?: string | null | undefined;
  readonly card_id?: number;
  readonly order_id?: number;
  readonly remark?: string | null | undefined;
  /** The sale has happened already, so the collection limit cannot refuse it; it still counts. */
  readonly ignoresLimit?: boolean;
}

/** Adds cash to what the operator holds, up to the collection limit. The row lock prevents two counters from exceeding it together. */
const collect = async (db: Db, customerId: number, amount: string, ignoresLimit: boolean) => {
  const update = db
    .updateTable('customer')
    .set({ income_used: sql`income_used + ${amount}::numeric` })
    .where('id', '=', customerId)
    .where(
      sql<boolean>`(${ignoresLimit}::boolean or income_limit is null or ${amount}::numeric <= 0 or income_used + ${amount}::numeric <= income_limit)`,
    );
  const { numAffectedRows } = await runPrepared(db, update);
  if (numAffectedRows === 0n) throw fail('collection_limit');
};

/**
 * Amounts of a sale in cents. The bill has what is received and returned in money; the part of the balance came in with its top-up, so it
 * is not income again.
 */
const amountsOf = (sale: Sale) => {
  const income = cents(sale.income);
  const expend = cents(sale.expend ?? '0');
  // A free sale is a full discount.
  const discount = sale.pay_method === 'free' ? income : cents(sale.discount ?? '0');
  if (discount > income) throw fail('discount_too_high');
  const due = income - discount - expend;
  const isOfBalance = sale.pay_method === 'balance';
  const part = isOfBalance ? due : cents(sale.balance_part ?? '0');
  const bill = isOfBalance
    ? { income: discount, expend: 0n }
    : { income: part > 0n ? income - part : income, expend: part < 0n ? expend + part : expend };
  return { income, discount, expend, part, received: due - part, bill };
};

/**
 * Posts a sale, in the caller's transaction: amount received by payment method or paid from the balance, discount and refund against the
 * revenue. Returns the bill; for a repeated cause, the first one.
 */
export const postSale = async (db: Db, by: Seller, sale: Sale, now: number): Promise<{ id: number; bill_no: string; isNew: boolean }> => {
  const { income, discount, expend, part, received, bill } = amountsOf(sale);
  const { buyer } = sale;
  if (part !== 0n && buyer?.id == null) throw fail('balance_short');
  if (part > 0n) await refuseShortBalance(db, Number(buyer?.id), part);
  const source =
    sale.channel === 'card' ? ({ kind: 'card_debt' } as const) : ({ kind: 'collected', detail: sale.pay_method ?? '' } as const);
  const target =
    sale.into === 'balance'
      ? ({ kind: 'balance', detail: String(sale.buyer?.id) } as const)
      : ({ kind: 'revenue', detail: sale.expense_type } as const);
  const entry = await postEntry(
    db,
    {
      agent_id: by.agent_id,
      cause: sale.cause,
      channel: sale.channel,
      expense_type: sale.expense_type,
      pay_method: sale.pay_method,
      income: yuan(bill.income),
      discount: yuan(discount),
      expend: yuan(bill.expend),
      balance_part: yuan(part),
      count: sale.count ?? 1,
      subscriber_id: buyer?.id ?? null,
      account: buyer?.account ?? null,
      user_name: buyer?.name ?? null,
      account_type: buyer?.account_type ?? null,
      account_source: buyer?.account_source ?? null,
      device_id: buyer?.device_id ?? null,
      device_group_id: buyer?.device_group_id ?? null,
      bind_name: sale.bind_name ?? null,
      package_id: sale.package?.id ?? null,
      package_name: sale.package?.name ?? null,
      card_id: sale.card_id ?? null,
      order_id: sale.order_id ?? null,
      customer_id: by.customer_id,
      operator: by.operator,
      remark: sale.remark ?? null,
      create_at: now,
    },
    [
      { ...source, amount: received },
      { kind: 'balance', detail: String(buyer?.id), amount: part },
      { kind: 'discount', amount: discount },
      { kind: 'refund', amount: sale.into === 'balance' ? 0n : expend },
      { ...target, amount: sale.into === 'balance' ? expend - income : -income },
    ],
  );
  if (entry.isNew && sale.channel === 'counter' && sale.pay_method === cashMethod && by.customer_id !== null)
    await collect(db, by.customer_id, yuan(received), sale.ignoresLimit ?? false);
  return entry;
};
