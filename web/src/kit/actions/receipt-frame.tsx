import type { Text } from '@farlink/contract/kit/text.ts';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../ui/native/button.tsx';
import { t } from '../chrome/lang.ts';
import { Dialog } from '../form/dialog.tsx';
import '../../ui/styles/receipt.css';

const texts = {
  title: ['收据', 'Receipt'],
  print: ['打印收据', 'Print receipt'],
  close: ['关闭', 'Close'],
} as const satisfies Record<string, Text>;

interface ReceiptFrameProps {
  readonly title?: Text;
  readonly width?: number | undefined;
  /** Above the receipt, not printed. */
  readonly above?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A receipt in a dialog, and on paper when it is printed. */
export const ReceiptFrame = ({ title = texts.title, width, above, onClose, children }: ReceiptFrameProps) => {
  const buttons = (
    <>
      <Button onClick={() => print()}>{t(texts.print)}</Button>
      <Button kind="primary" data-first onClick={onClose}>
        {t(texts.close)}
      </Button>
    </>
  );
  return (
    <Dialog open title={t(title)} width={width} onClose={onClose} footer={buttons}>
      {above}
      <div className="receipt">{children}</div>
      {createPortal(
        <div className="receipt receipt-sheet" aria-hidden>
          <h1>{t(title)}</h1>
          {children}
        </div>,
        document.body,
      )}
    </Dialog>
  );
};
