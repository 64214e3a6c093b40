import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from './lang.ts';

const failed: Text = ['数据加载失败', 'The data could not be loaded'];
const again: Text = ['重试', 'Retry'];

/** Stands where a part of a page would: what could not be read must not look as if there were nothing. */
export const ReadFailed = ({ retry }: { readonly retry: () => unknown }) => (
  <p className="read-failed muted" role="alert">
    {t(failed)}{' '}
    <button type="button" className="act" onClick={() => void retry()}>
      {t(again)}
    </button>
  </p>
);
