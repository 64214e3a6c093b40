import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import { BatchTable } from './batch-table.tsx';
import { ReceiptFrame } from './receipt-frame.tsx';
import { type BillLine, ManyReceipts, OneReceipt } from './receipt-view.tsx';

interface ReceiptDialogProps {
  readonly bills: readonly BillLine[];
  /** For a batch with refused rows. */
  readonly result?: BatchResult | undefined;
  readonly nameOf?: (id: number) => string;
  readonly onClose: () => void;
}

/** The charged bills, for reading or printing. */
const ReceiptDialog = ({ bills, result, nameOf = String, onClose }: ReceiptDialogProps) => {
  const [first] = bills;
  if (!first) return null;
  const refused = result && result.fail > 0 && <BatchTable result={result} nameOf={nameOf} />;
  return (
    <ReceiptFrame width={bills.length > 1 ? 640 : undefined} above={refused} onClose={onClose}>
      {bills.length === 1 ? <OneReceipt billNo={first.bill_no} /> : <ManyReceipts bills={bills} />}
    </ReceiptFrame>
  );
};
export default ReceiptDialog;
