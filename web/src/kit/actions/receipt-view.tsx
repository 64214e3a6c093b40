import { receiptFields as fields, receiptCalls } from '@farlink/contract/finance/receipt.ts';
import type { OutputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import { cents, priceText } from '@farlink/contract/kit/money.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQuery } from '@tanstack/react-query';
import { zonedTimeText } from '../../ui/format.ts';
import { useBrand } from '../chrome/brand.ts';
import { t } from '../chrome/lang.ts';
import { ReadFailed } from '../chrome/read-failed.tsx';
import { fieldHref } from '../list/field-href.ts';
import { LinkedText } from '../list/linked-text.tsx';
import { call } from '../net/call.ts';
import { useMe } from '../net/session.ts';

const texts = {
  total: ['合计实收', 'Total received'],
} as const satisfies Record<string, Text>;

export interface BillLine {
  readonly bill_no: string;
  readonly name: string;
  readonly received: string;
}

type Receipt = OutputOf<typeof receiptCalls.read>;

const labelOf = (options: readonly { readonly id: string | number; readonly label: Text }[] | undefined, id: unknown) => {
  const found = options?.find((each) => each.id === id);
  return found ? t(found.label) : '';
};

const linesOf = (r: Receipt): (readonly [Text, string, Field?])[] => [
  [fields.bill_no.label, r.bill_no, fields.bill_no],
  [fields.create_at.label, zonedTimeText(r.create_at)],
  [fields.agent_name.label, r.agent_name, fields.agent_name],
  [fields.account.label, r.account ?? '', fields.account],
  [fields.user_name.label, r.user_name ?? ''],
  [fields.expense_type.label, labelOf(fields.expense_type.options, r.expense_type)],
  [fields.package_name.label, r.package_name ?? '', fields.package_name],
  [fields.card_number.label, r.card_number ?? ''],
  [fields.price.label, r.package_name ? priceText(r.price) : ''],
  [fields.count.label, r.package_name ? String(r.count) : ''],
  [fields.income.label, priceText(r.income)],
  [fields.discount.label, cents(r.discount) > 0n ? `-${priceText(r.discount)}` : ''],
  [fields.expend.label, cents(r.expend) > 0n ? `-${priceText(r.expend)}` : ''],
  [fields.balance_part.label, cents(r.balance_part) === 0n ? '' : priceText(r.balance_part)],
  [fields.pay_method.label, labelOf(fields.pay_method.options, r.pay_method)],
  [fields.operator.label, r.operator],
  [fields.remark.label, r.remark ?? ''],
];

/** One bill in full. */
export const OneReceipt = ({ billNo }: { readonly billNo: string }) => {
  const me = useMe();
  const { data, isError, refetch } = useQuery({
    queryKey: ['receipt', billNo],
    queryFn: () => call(receiptCalls.read, { bill_no: billNo }, { silent: true, overlay: false }),
    retry: false,
  });
  if (!data) return isError ? <ReadFailed retry={() => void refetch()} /> : null;
  return (
    <>
      {data.agent_logo && <img className="receipt-logo" src={data.agent_logo} alt={data.agent_name} />}
      <dl>
        {linesOf(data).map(
          ([label, value, field]) =>
            value !== '' && (
              <div key={t(label)} style={{ display: 'contents' }}>
                <dt>{t(label)}</dt>
                <dd>
                  <LinkedText text={value} href={field && fieldHref(field, data, me)} />
                </dd>
              </div>
            ),
        )}
        <dt>{t(fields.net_income.label)}</dt>
        <dd className="receipt-total">{priceText(data.net_income)}</dd>
      </dl>
    </>
  );
};

/** Several bills of one sale: amount of each, and total. */
export const ManyReceipts = ({ bills }: { readonly bills: readonly BillLine[] }) => {
  const me = useMe();
  const { name, logo } = useBrand();
  return (
    <>
      {logo === null ? <p className="receipt-name">{name}</p> : <img className="receipt-logo" src={logo} alt={name} />}
      <table>
        <thead>
          <tr>
            <th scope="col">{t(fields.account.label)}</th>
            <th scope="col">{t(fields.bill_no.label)}</th>
            <th scope="col">{t(fields.net_income.label)}</th>
          </tr>
        </thead>
        <tbody>
          {bills.map(({ bill_no, name, received }) => (
            <tr key={bill_no}>
              <td>{name}</td>
              <td>
                <LinkedText text={bill_no} href={fieldHref(fields.bill_no, { bill_no }, me)} />
              </td>
              <td>{priceText(received)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" colSpan={2}>
              {t(texts.total)}
            </th>
            <td>{priceText(bills.reduce((sum, bill) => sum + cents(bill.received), 0n))}</td>
          </tr>
        </tbody>
      </table>
    </>
  );
};
