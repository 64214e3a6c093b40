import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { Dialog } from '../../kit/form/dialog.tsx';
import { Button } from '../../ui/native/button.tsx';
import { OpeningView } from './opening-view.tsx';

const close: Text = ['关闭', 'Close'];

interface OpeningDialogProps {
  readonly id: number;
  readonly title: Text;
  readonly onClose: () => void;
}

/** Result of an opening, shown over the list. */
export const OpeningDialog = ({ id, title, onClose }: OpeningDialogProps) => (
  <Dialog open title={t(title)} width={640} onClose={onClose} footer={<Button onClick={onClose}>{t(close)}</Button>}>
    <OpeningView id={id} />
  </Dialog>
);
