import { payMethod } from '@farlink/contract/finance/choices.ts';
import { saleOf } from '@farlink/contract/finance/sale.ts';
import { priceText, yuan } from '@farlink/contract/kit/money.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { offerCalls } from '@farlink/contract/package/offer.ts';
import { saleFields } from '@farlink/contract/user/add.ts';
import { useMemo } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { narrowing, useOptions } from '../../kit/form/options.ts';
import { useFilled } from '../../kit/form/use-filled.ts';
import type { FormState } from '../../kit/form/use-form.ts';

const noteTexts = {
  total: ['单价 {0} × {1} = {2}', '{0} × {1} = {2}'],
  discount: ['优惠 -{0}', 'Discount -{0}'],
  due: ['应收 {0}', 'Amount due {0}'],
} as const satisfies Record<string, Text>;

const moneyOf = (value: unknown) => (/^\d{1,9}(\.\d{1,2})?$/.test(String(value ?? '').trim()) ? String(value).trim() : undefined);

interface SaleNoteProps {
  readonly form: FormState;
  readonly count: number | undefined;
  /** The form has a field for the received amount. */
  readonly fills?: boolean;
}

/** Amounts of the opening, by the billing rule of the server. */
export const SaleNote = ({ form, count, fills = false }: SaleNoteProps) => {
  const { values } = form;
  const { items } = useOptions(offerCalls.option.path, narrowing(saleFields.package_id, values));
  const found = items.find((item) => item.value === Number(values.package_id))?.more?.price;
  const isPaid = values.account_type !== 'job';
  const price = isPaid && typeof found === 'string' && count !== undefined ? found : undefined;
  const pay_method = payMethod.find((method) => method.id === values.pay_method)?.id;
  const { income, discount, due } = saleOf({ price: price ?? '0', count, discount: moneyOf(values.discount), pay_method });
  // With full discount nothing is received.
  const amount = due > 0n ? yuan(due) : '';
  const filled = useMemo(() => (fills && price !== undefined ? { amount } : {}), [fills, price, amount]);
  useFilled(form, filled);
  if (price === undefined) return null;
  const texts = [
    t(noteTexts.total, priceText(price), count ?? 1, priceText(income)),
    ...(discount > 0n ? [t(noteTexts.discount, priceText(discount))] : []),
    ...(due >= 0n ? [t(noteTexts.due, priceText(due))] : []),
  ];
  return (
    <span className="hint" role="status">
      {texts.join(t(['；', '; ']))}
    </span>
  );
};
