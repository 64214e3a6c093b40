import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import { say } from '@farlink/contract/kit/text.ts';
import type { quoteCalls } from '@farlink/contract/user/money.ts';
import type { Quote } from '@farlink/contract/user/quote.ts';
import { findPackage, type PackageRow, refuseNotOffered } from '../../domain/package/find-package.ts';
import { orRefusal, type QuoteLine, quotedName, quoteOfLines } from '../../domain/sale/quote-notes.ts';
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

const lineOf = (ctx: Ctx, input: Payment, price: string, count: number, pkg: PackageRow | null, refund = 0n): QuoteLine => {
  const { terms } = termsOf(input, price, count);
  return {
    name: pkg && quotedName(ctx, pkg),
    price: cents(price),
    count,
    income: cents(terms.income),
    discount: cents(terms.discount),
    refund,
  };
};

/** Applies the rules of the sale per row: refused rows are named, the others are added up. */
const quoteEach = async (ctx: Ctx, ids: readonly number[], selection: Selection, price: (chosen: Chosen) => Promise<QuoteLine>) => {
  const lines: QuoteLine[] = [];
  const refused: string[] = [];
  for (const id of ids) {
    try {
      lines.push(await price(selection.get(id)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [text] = Object.values(error.details.fields ?? {});
      refused.push(`${selection.accounts.get(id)?.account ?? `#${id}`}: ${say(text ?? error.text, ctx.lang)}`);
    }
  }
  return quoteOfLines(lines, refused, ctx.lang);
};

const rechargeQuote: QuoteHandler<typeof quoteCalls.recharge> = async (ctx, input) => {
  if (input.kind === 'card') return { notes: [] };
  const selection = await readSelection(ctx, input.ids);
  const packages = await packagesOf(ctx, input.ids);
  const now = ctx.now();
  return quoteEach(ctx, input.ids, selection, async ({ account, state }) => {
    refuseRecharge(account, state, now);
    if (input.kind === 'amount') return lineOf(ctx, input, input.amount ?? '0', 1, null);
    const count = input.count ?? 1;
    const pkg = renewable(packages, state, count, now);
    return lineOf(ctx, input, pkg.price, count, pkg);
  });
};

const extraQuote: QuoteHandler<typeof quoteCalls.addPackage> = async (ctx, input) => {
  const pkg = await findPackage(ctx, input.package_id, 'extra');
  const selection = await readSelection(ctx, input.ids);
  return quoteEach(ctx, input.ids, selection, async ({ account, state }) => {
    refuseExtra(account, state, ctx.now());
    await refuseNotOffered(ctx.db, pkg, account);
    return lineOf(ctx, input, pkg.price, input.count, pkg);
  });
};

const changeQuote: QuoteHandler<typeof quoteCalls.changePackage> = async (ctx, input) => {
  const pkg = await findPackage(ctx, input.package_id, 'online');
  const selection = await readSelection(ctx, input.ids);
  refuseSelection(selection);
  const { paid } = await holdingsOf(ctx, input.ids);
  const now = ctx.now();
  return quoteEach(ctx, input.ids, selection, async (chosen) => {
    await refuseNotOffered(ctx.db, pkg, chosen.account);
    return lineOf(ctx, input, pkg.price, 1, pkg, changeOf(chosen, paid, pkg, input, now).refund);
  });
};

export const quoteRecharge: Handler<typeof quoteCalls.recharge> = (ctx, input) => orRefusal(ctx.lang, () => rechargeQuote(ctx, input));
export const quoteExtra: Handler<typeof quoteCalls.addPackage> = (ctx, input) => orRefusal(ctx.lang, () => extraQuote(ctx, input));
export const quoteChange: Handler<typeof quoteCalls.changePackage> = (ctx, input) => orRefusal(ctx.lang, () => changeQuote(ctx, input));
