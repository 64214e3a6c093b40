import type { Text } from '@farlink/contract/kit/text.ts';
import { copyText } from '../../ui/browser/copy.ts';
import { t } from '../chrome/lang.ts';
import { notify } from '../chrome/notify.tsx';

const texts = {
  copy: ['复制为CSV', 'Copy as CSV'],
  copied: ['图表数据已复制', 'Chart data copied'],
  notCopied: ['浏览器不允许复制，请使用导出', 'The browser does not allow copying. Use the export instead.'],
} as const satisfies Record<string, Text>;

/** Copies the figures of a chart. `csv` runs on the click. */
export const CopyCsv = ({ csv }: { readonly csv: () => string }) => {
  const copy = async () => ((await copyText(csv())) ? notify.success(t(texts.copied)) : notify.warning(t(texts.notCopied)));
  return (
    <button type="button" className="act" onClick={() => void copy()}>
      {t(texts.copy)}
    </button>
  );
};
