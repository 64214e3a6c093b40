import { cashHandover, handoverReceipt as fields, handoverCalls } from '@farlink/contract/finance/handover.ts';
import { priceText } from '@farlink/contract/kit/money.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ReceiptFrame } from '../../kit/actions/receipt-frame.tsx';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { call } from '../../kit/net/call.ts';
import { isRow } from '../../kit/net/wire.ts';
import { zonedTimeText } from '../../ui/format.ts';

const title: Text = ['交款收据', 'Receipt of a hand-over'];

const HandoverReceipt = ({ id }: { readonly id: number }) => {
  const { data, isError, refetch } = useQuery({
    queryKey: ['handover', id],
    queryFn: () => call(handoverCalls.read, { id }, { silent: true, overlay: false }),
    retry: false,
  });
  if (!data) return isError ? <ReadFailed retry={() => void refetch()} /> : null;
  const lines: readonly (readonly [Text, string])[] = [
    [fields.receipt_no.label, data.receipt_no],
    [fields.create_at.label, zonedTimeText(data.create_at)],
    [fields.agent_name.label, data.agent_name],
    [fields.clerk.label, data.clerk],
    [fields.receiver.label, data.receiver],
    [fields.cash_before.label, priceText(data.cash_before)],
    [fields.cash_after.label, priceText(data.cash_after)],
    [fields.remark.label, data.remark ?? ''],
  ];
  return (
    <>
      {data.agent_logo && <img className="receipt-logo" src={data.agent_logo} alt={data.agent_name} />}
      <dl>
        {lines.map(
          ([label, value]) =>
            value !== '' && (
              <div key={t(label)} style={{ display: 'contents' }}>
                <dt>{t(label)}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        <dt>{t(fields.amount.label)}</dt>
        <dd className="receipt-total">{priceText(data.amount)}</dd>
      </dl>
    </>
  );
};

/** A recorded hand-over shows its receipt. */
const CashHandover = () => {
  const [shown, setShown] = useState<number>();
  const run: Run = {
    create: (_, actions) => actions.openForm('create', [], (reply) => isRow(reply) && setShown(reply.id)),
    reverse: (row, actions) => actions.openForm('reverse', [row], (reply) => isRow(reply) && setShown(reply.id)),
    receipt: ({ id }) => setShown(id),
  };
  return (
    <>
      <ResourcePage page={cashHandover} run={run} link="receipt" />
      {shown !== undefined && (
        <ReceiptFrame title={title} onClose={() => setShown(undefined)}>
          <HandoverReceipt id={shown} />
        </ReceiptFrame>
      )}
    </>
  );
};
export default CashHandover;
