import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import { say } from '@farlink/contract/kit/text.ts';
import type { quoteCalls } from '@farlink/contract/user/money.ts';
import type { Quote } from '@farlink/contract/user/quote.ts';
import { refuseUnbound } from '../../domain/access/unbound.ts';
import { availableBalances, refuseShort } from '../../domain/ledger/available-balance.ts';
import { findPackage, type PackageRow, refuseNotOffered } from '../../domain/package/find-package.ts';
import { cashLimitNotes } from '../../domain/sale/cash-limit-note.ts';
import { dueOf, orRefusal, type QuoteLine, quotedName, quoteOfLines } from '../../domain/sale/quote-preview.ts';
import { refuseRecharge } from '../../domain/subscriber/refuse-recharge.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { Refusal } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { readSelection, type Selection } from './account.ts';
import { refuseExtra } from './add-package.ts';
import { changeOf, holdingsOf, refuseSelection } from './change-package.ts';
import { packagesOf, renewable } from './recharge.ts';
import { termsOf } from './terms.ts';

type Chosen = ReturnType<Selection['get']>;
type Payment = Parameters<typeof termsOf>[0];
type QuoteHandler<E> = (ctx: Ctx, input: InputOf<E>) => Promise<Quote>;

interface Returned {
  readonly refund: bigint;
  readonly toBalance: bigint;
}

const lineOf = (
  ctx: Ctx,
  input: Payment,
  price: string,
  count: number,
  pkg: PackageRow | null,
  { refund, toBalance }: Returned = { refund: 0n, toBalance: 0n },
): QuoteLine => {
  const { terms, paid } = termsOf(input, price, count);
  return {
    name: pkg && quotedName(ctx, pkg),
    price: cents(price),
    count,
    income: cents(terms.income),
    discount: cents(terms.discount),
    refund,
    balancePart: input.pay_method === 'balance' ? paid - refund : -toBalance,
  };
};

/** Applies the rules of the sale per row: refused rows are named, the others are added up. */
const quoteEach = async (
  ctx: Ctx,
  { ids, pay_method }: Payment & { readonly ids: readonly number[] },
  selection: Selection,
  price: (chosen: Chosen) => Promise<QuoteLine>,
) => {
  const balances = await availableBalances(ctx.db, ids);
  const lines: QuoteLine[] = [];
  const refused: string[] = [];
  for (const id of ids) {
    try {
      const line = await price(selection.get(id));
      refuseShort(balances.get(id) ?? 0n, line.balancePart ?? 0n);
      lines.push(line);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [text] = Object.values(error.details.fields ?? {});
      refused.push(`${selection.accounts.get(id)?.account ?? `#${id}`}: ${say(text ?? error.text, ctx.lang)}`);
    }
  }
  const available = ids.length === 1 ? balances.get(ids[0] ?? 0) : undefined;
  const quote = quoteOfLines(lines, refused, ctx.lang, { ...(available !== undefined && { available }) });
  return (pay_method ?? 'cash') === 'cash' ? { ...quote, notes: [...quote.notes, ...(await cashLimitNotes(ctx, dueOf(lines)))] } : quote;
};

const rechargeQuote: QuoteHandler<typeof quoteCalls.recharge> = async (ctx, input) => {
  if (input.kind === 'card') return { notes: [] };
  const selection = await readSelection(ctx, input.ids);
  const packages = await packagesOf(ctx, input.ids);
  const now = ctx.now();
  return quoteEach(ctx, input, selection, async ({ account, state }) => {
    refuseRecharge(account, state, now);
    if (input.kind === 'amount') return lineOf(ctx, input, input.amount ?? '0', 1, null);
    await refuseUnbound(ctx.db, account);
    const count = input.count ?? 1;
    const pkg = renewable(packages, state, count, now);
    return lineOf(ctx, input, pkg.price, count, pkg);
  });
};

const extraQuote: QuoteHandler<typeof quoteCalls.addPackage> = async (ctx, input) => {
  const pkg = await findPackage(ctx, input.package_id, 'extra');
  const selection = await readSelection(ctx, input.ids);
  return quoteEach(ctx, input, selection, async ({ account, state }) => {
    refuseExtra(account, state, ctx.now());
    await refuseUnbound(ctx.db, account);
    await refuseNotOffered(ctx.db, pkg, account);
    return lineOf(ctx, input, pkg.price, input.count, pkg);
  });
};

const changeQuote: QuoteHandler<typeof quoteCalls.changePackage> = async (ctx, input) => {
  const pkg = await findPackage(ctx, input.package_id, 'online');
  const selection = await readSelection(ctx, input.ids);
  refuseSelection(selection);
  const before = await holdingsOf(ctx, input.ids);
  const now = ctx.now();
  return quoteEach(ctx, input, selection, async (chosen) => {
    await refuseUnbound(ctx.db, chosen.account);
    await refuseNotOffered(ctx.db, pkg, chosen.account);
    return lineOf(ctx, input, pkg.price, 1, pkg, changeOf(chosen, before, pkg, input, now));
  });
};

export const quoteRecharge: Handler<typeof quoteCalls.recharge> = (ctx, input) => orRefusal(ctx.lang, () => rechargeQuote(ctx, input));
export const quoteExtra: Handler<typeof quoteCalls.addPackage> = (ctx, input) => orRefusal(ctx.lang, () => extraQuote(ctx, input));
export const quoteChange: Handler<typeof quoteCalls.changePackage> = (ctx, input) => orRefusal(ctx.lang, () => changeQuote(ctx, input));
