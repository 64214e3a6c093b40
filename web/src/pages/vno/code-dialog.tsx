import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { copyText } from '../../ui/browser/copy.ts';
import { Button } from '../../ui/native/button.tsx';
import { CopyIcon } from '../../ui/theme/icons.ts';
import './vno.css';

const texts = {
  title: ['授权码', 'Authorization code'],
  once: ['授权码仅显示这一次，请立即复制并妥善保存。', 'The code is shown only once. Copy it now and keep it safe.'],
  copy: ['复制', 'Copy'],
  copied: ['已复制', 'Copied'],
  notCopied: ['复制失败，请手动选择复制', 'Copying failed. Select the text and copy it.'],
  close: ['我已保存', 'I have saved it'],
} as const satisfies Record<string, Text>;

const CodeDialog = ({ code, onClose }: { readonly code: string; readonly onClose: () => void }) => {
  const copy = async () => {
    if (await copyText(code)) notify.success(t(texts.copied));
    else notify.warning(t(texts.notCopied));
  };
  return (
    <Dialog open title={t(texts.title)} onClose={onClose} footer={<Button onClick={onClose}>{t(texts.close)}</Button>}>
      <p>{t(texts.once)}</p>
      <div className="row box code-box">
        <code className="mono">{code}</code>
        <Button icon={<CopyIcon aria-hidden />} onClick={() => void copy()}>
          {t(texts.copy)}
        </Button>
      </div>
    </Dialog>
  );
};
export default CodeDialog;
