import { payOrderCalls as calls } from '@farlink/contract/finance/pay-order.ts';
import type { OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import type { BillLine } from '../../kit/actions/receipt-view.tsx';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { CallError, call } from '../../kit/net/call.ts';
import { isRow } from '../../kit/net/wire.ts';

const PayOrderDialog = lazy(() => import('./pay-order-dialog.tsx'));
const ReceiptDialog = lazy(() => import('../../kit/actions/receipt-dialog.tsx'));

/** `call` has shown the error; the order is in the list. */
const ignoreRefusal = (error: unknown) => {
  if (!(error instanceof CallError)) throw error;
};

/** Online payment: the form creates the order, the dialog shows its code until it is paid. */
export const usePayOrder = (): { readonly run: Run; readonly dialog: ReactNode } => {
  const [order, setOrder] = useState<OutputOf<typeof calls.read>>();
  const [bill, setBill] = useState<BillLine>();
  const close = useCallback(() => setOrder(undefined), []);
  const paid = useCallback(({ bill_no, user_name, amount }: OutputOf<typeof calls.read>) => {
    if (bill_no) setBill({ bill_no, name: user_name ?? '', received: amount });
  }, []);
  const show = async (id: number) => setOrder(await call(calls.read, { id }));
  return {
    run: {
      online: (_, actions) => actions.openForm('online', [], (reply) => isRow(reply) && void show(reply.id).catch(ignoreRefusal)),
      code: (row) => show(row.id),
      withdraw: (row, actions) =>
        actions.openForm('withdraw', row, (reply) => {
          if (!isRecord(reply) || typeof reply.bill_no !== 'string') return;
          setBill({ bill_no: reply.bill_no, name: String(row.user_name ?? ''), received: `-${reply.amount}` });
        }),
    },
    dialog: (
      <Suspense>
        {order && <PayOrderDialog key={order.id} order={order} onClose={close} onPaid={paid} />}
        {bill && <ReceiptDialog bills={[bill]} onClose={() => setBill(undefined)} />}
      </Suspense>
    ),
  };
};
