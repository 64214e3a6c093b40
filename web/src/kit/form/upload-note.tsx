import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { ProgressBar } from '../../ui/charts/progress-bar.tsx';
import { t } from '../chrome/lang.ts';

const texts = {
  progress: ['上传进度', 'Upload progress'],
  sent: ['已上传 {0} / {1}', '{0} of {1} uploaded'],
  checked: ['已上传 {0}，正在校验', '{0} uploaded, being checked'],
  resumed: ['从 {0} 处继续', 'went on from {0}'],
  broken: ['上传中断，已传部分已保留', 'Upload interrupted. The uploaded part is kept.'],
} as const satisfies Record<string, Text>;

export interface UploadProgress {
  readonly sent: number;
  readonly total: number;
  /** Bytes that an earlier attempt has sent. */
  readonly before?: number;
  readonly isBroken?: boolean;
}

/** Upload progress below a file field. */
export const UploadNote = ({ sent, total, before = 0, isBroken = false }: UploadProgress) => {
  const isAll = sent >= total && !isBroken;
  return (
    <div className="upload-progress" role="status">
      <ProgressBar percent={Math.round((100 * sent) / total)} label={t(texts.progress)} />
      <span className={isBroken ? 'refusal' : 'hint'}>
        {isBroken ? `${t(texts.broken)} · ` : ''}
        {isAll ? t(texts.checked, bytesText(total)) : t(texts.sent, bytesText(sent), bytesText(total))}
        {before > 0 && !isBroken ? ` · ${t(texts.resumed, bytesText(before))}` : ''}
      </span>
    </div>
  );
};
