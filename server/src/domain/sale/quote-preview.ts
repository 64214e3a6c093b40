import { priceText, yuan } from '@farlink/contract/kit/money.ts';
import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import type { Quote } from '@farlink/contract/user/quote.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { Refusal } from '../../kit/fail.ts';
import type { PackageRow } from '../package/find-package.ts';

/** A hidden package is renewed without its name for readers who may not see it. */
export const quotedName = ({ me, lang }: Pick<Ctx, 'me' | 'lang'>, { name, is_hide }: Pick<PackageRow, 'name' | 'is_hide'>): string =>
  is_hide && !me.view_hide_pkg ? say(noteTexts.hidden, lang) : name;

/** Charge of one account, in cents. */
export interface QuoteLine {
  readonly name: string | null;
  readonly price: bigint;
  readonly count: number;
  readonly income: bigint;
  readonly discount: bigint;
  readonly refund: bigint;
  /** Part paid from the balance; negative: returned to it. */
  readonly balancePart?: bigint;
}

/** What the balance is before the sale; known for one account. */
interface QuoteOptions {
  readonly available?: bigint;
}

const noteTexts = {
  hidden: ['当前套餐', 'Current package'],
  each: ['{0}：{1} × {2} = {3}', '{0}: {1} × {2} = {3}'],
  amount: ['充值 {0}', 'Top-up {0}'],
  many: ['{0} 个账号，合计 {1}', '{0} accounts, {1} in total'],
  discount: ['优惠 -{0}', 'Discount -{0}'],
  refund: ['退还未使用部分 -{0}', 'Unused part refunded -{0}'],
  balance: ['余额支付 {0}', 'Paid from the balance {0}'],
  balanceLeft: ['账户余额 {0}，支付后剩余 {1}', 'Balance {0}, after this sale {1}'],
  toBalance: ['其中退回余额 {0}', 'Of this, {0} returns to the balance'],
  due: ['应收 {0}', 'Amount due {0}'],
  owed: ['应退 {0}', 'Amount to refund {0}'],
} as const satisfies Record<string, Text>;

const sumOf = (lines: readonly QuoteLine[], field: 'income' | 'discount' | 'refund' | 'balancePart') =>
  lines.reduce((sum, line) => sum + (line[field] ?? 0n), 0n);

/** Money to collect, in cents; negative: to give back. */
export const dueOf = (lines: readonly QuoteLine[]): bigint =>
  sumOf(lines, 'income') - sumOf(lines, 'discount') - sumOf(lines, 'refund') - sumOf(lines, 'balancePart');

const balanceTexts = (part: bigint, available: bigint | undefined): Text[] => {
  if (part < 0n) return [fill(noteTexts.toBalance, priceText(-part))];
  if (part === 0n) return [];
  const left = available === undefined ? [] : [fill(noteTexts.balanceLeft, priceText(available), priceText(available - part))];
  return [fill(noteTexts.balance, priceText(part)), ...left];
};

const isSame = (a: QuoteLine, b: QuoteLine) => a.name === b.name && a.price === b.price && a.count === b.count;

const priceLine = (line: QuoteLine): Text =>
  line.name === null
    ? fill(noteTexts.amount, priceText(line.income))
    : fill(noteTexts.each, line.name, priceText(line.price), line.count, priceText(line.income));

/** Unit price, quantity, discount, refund and amount to collect. `refused` lists the accounts that are left out, with reasons. */
export const quoteOfLines = (
  lines: readonly QuoteLine[],
  refused: readonly string[],
  lang: Lang,
  { available }: QuoteOptions = {},
): Quote => {
  const [first] = lines;
  const warnings = refused.map((text): PreviewNote => ({ text, tone: 'warning' }));
  if (!first) return { notes: warnings };
  const income = sumOf(lines, 'income');
  const discount = sumOf(lines, 'discount');
  const refund = sumOf(lines, 'refund');
  const part = sumOf(lines, 'balancePart');
  const due = dueOf(lines);
  const texts: Text[] = [
    ...(lines.every((line) => isSame(line, first)) ? [priceLine(first)] : []),
    ...(lines.length > 1 ? [fill(noteTexts.many, lines.length, priceText(income))] : []),
    ...(discount > 0n ? [fill(noteTexts.discount, priceText(discount))] : []),
    ...(refund > 0n ? [fill(noteTexts.refund, priceText(refund))] : []),
    ...balanceTexts(part, available),
  ];
  const total = fill(due < 0n ? noteTexts.owed : noteTexts.due, priceText(due < 0n ? -due : due));
  return {
    notes: [...texts.map((text) => ({ text: say(text, lang) })), { text: say(total, lang), tone: 'total' }, ...warnings],
    values: { received: yuan(due < 0n ? 0n : due) },
  };
};

/** A refused sale has no price; the reason is returned instead. */
export const orRefusal = async (lang: Lang, quote: () => Promise<Quote>): Promise<Quote> => {
  try {
    return await quote();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [text] = Object.values(error.details.fields ?? {});
    return { notes: [{ text: say(text ?? error.text, lang), tone: 'warning' }] };
  }
};
