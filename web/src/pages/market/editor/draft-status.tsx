import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';
import type { DraftStatus as Status } from './use-draft.ts';

const texts = {
  same: ['已保存', 'Saved'],
  saved: ['草稿已保存 · 有未发布的修改', 'Draft saved · unpublished changes'],
  saving: ['正在保存草稿…', 'Saving the draft…'],
  wrong: ['内容有误，草稿未保存', 'Not saved: correct the errors first'],
  failed: ['草稿未保存：{0}', 'Draft not saved: {0}'],
  retry: ['重试', 'Retry'],
  show: ['查看', 'Show'],
} as const satisfies Record<string, Text>;

interface DraftStatusProps {
  readonly status: Status;
  readonly onRetry: () => void;
  readonly onShow: () => void;
}

/** State of the autosave, with the next step if it failed. */
export const DraftStatus = ({ status, onRetry, onShow }: DraftStatusProps) => (
  <span className="draft-status" data-state={status.kind}>
    <span role="status">{status.kind === 'failed' ? t(texts.failed, status.reason) : t(texts[status.kind])}</span>
    {status.kind === 'failed' && (
      <button type="button" className="act" onClick={onRetry}>
        {t(texts.retry)}
      </button>
    )}
    {status.kind === 'wrong' && (
      <button type="button" className="act" onClick={onShow}>
        {t(texts.show)}
      </button>
    )}
  </span>
);
