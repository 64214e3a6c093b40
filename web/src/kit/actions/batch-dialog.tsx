import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Link } from 'react-router';
import { Button } from '../../ui/native/button.tsx';
import { t } from '../chrome/lang.ts';
import { Dialog } from '../form/dialog.tsx';
import { BatchTable } from './batch-table.tsx';

const title: Text = ['{0}结果', '{0}: result'];
const close: Text = ['关闭', 'Close'];
const progress: Text = ['查看进度', 'View progress'];

interface BatchDialogProps {
  readonly action: Text;
  readonly result: BatchResult;
  readonly nameOf: (id: number) => string;
  /** Link to the progress of the successful rows. */
  readonly progressHref?: string | undefined;
  readonly onClose: () => void;
}

const BatchDialog = ({ action, result, nameOf, progressHref, onClose }: BatchDialogProps) => (
  <Dialog open title={t(title, action)} width={640} onClose={onClose} footer={<Button onClick={onClose}>{t(close)}</Button>}>
    <BatchTable result={result} nameOf={nameOf} />
    {progressHref !== undefined && result.success > 0 && (
      <Link className="act" to={progressHref} onClick={onClose}>
        {t(progress)}
      </Link>
    )}
  </Dialog>
);
export default BatchDialog;
