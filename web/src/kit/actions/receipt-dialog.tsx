import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { createPortal } from 'react-dom';
import { Button } from '../../ui/antd/button.ts';
import { t } from '../chrome/lang.ts';
import { Dialog } from '../form/dialog.tsx';
import { BatchTable } from './batch-table.tsx';
import { type BillLine, ManyReceipts, OneReceipt } from './receipt-view.tsx';
import '../../ui/styles/receipt.css';

const texts = {
  title: ['收据', 'Receipt'],
  print: ['打印收据', 'Print receipt'],
  close: ['关闭', 'Close'],
} as const satisfies Record<string, Text>;

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
  const content = bills.length === 1 ? <OneReceipt billNo={first.bill_no} /> : <ManyReceipts bills={bills} />;
  const buttons = (
    <>
      <Button onClick={() => print()}>{t(texts.print)}</Button>
      <Button type="primary" data-first onClick={onClose}>
        {t(texts.close)}
      </Button>
    </>
  );
  return (
    <Dialog open title={t(texts.title)} width={bills.length > 1 ? 640 : undefined} onClose={onClose} footer={buttons}>
      {result && result.fail > 0 && <BatchTable result={result} nameOf={nameOf} />}
      <div className="receipt">{content}</div>
      {createPortal(
        <div className="receipt receipt-sheet" aria-hidden>
          <h1>{t(texts.title)}</h1>
          {content}
        </div>,
        document.body,
      )}
    </Dialog>
  );
};
export default ReceiptDialog;
