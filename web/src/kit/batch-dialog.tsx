import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Button } from '../ui/button.ts';
import { BatchTable } from './batch-table.tsx';
import { Dialog } from './dialog.tsx';
import { t } from './lang.ts';

const title: Text = ['{0}结果', '{0}: result'];
const close: Text = ['关闭', 'Close'];

interface BatchDialogProps {
  readonly action: Text;
  readonly result: BatchResult;
  readonly nameOf: (id: number) => string;
  readonly onClose: () => void;
}

const BatchDialog = ({ action, result, nameOf, onClose }: BatchDialogProps) => (
  <Dialog open title={t(title, action)} width={640} onClose={onClose} footer={<Button onClick={onClose}>{t(close)}</Button>}>
    <BatchTable result={result} nameOf={nameOf} />
  </Dialog>
);
export default BatchDialog;
