import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { usePhone } from '../../ui/browser/use-media.ts';
import { numberText, timeText } from '../../ui/format.ts';
import { t } from '../chrome/lang.ts';
import { Pages } from './pages.tsx';
import type { List } from './use-list.ts';

const total: Text = ['共 {0} 条', '{0} in total'];
const more: Text = ['共 {0}+ 条', '{0}+ in total'];
const exact: Text = ['精确计数', 'Count exactly'];
const sums: Text = ['计算合计', 'Calculate totals'];
const asOf: Text = ['数据截至 {0}', 'As of {0}'];

/** spec §9: total, prev, pager (five), next, sizes, jumper. */
export const Pager = ({ list }: { readonly list: List }) => {
  const { state, capped, countExactly, requestSums, setPage, setLimit } = list;
  const isPhone = usePhone();
  // Before the first answer and after a failure the count is unknown, not zero.
  const isKnown = !list.failed && (!list.loading || list.total > 0);
  return (
    <div className="pager">
      <span className="muted">
        {isKnown && t(capped ? more : total, numberText(list.total))}{' '}
        {capped && isKnown && (
          <button type="button" className="act" onClick={() => void countExactly().catch(() => undefined)}>
            {t(exact)}
          </button>
        )}
        {requestSums && isKnown && (
          <button type="button" className="act" onClick={requestSums}>
            {t(sums)}
          </button>
        )}
        {typeof list.asOf === 'number' && <span className="as-of">{t(asOf, timeText(list.asOf))}</span>}
      </span>
      <Pages
        current={state.page}
        size={state.limit}
        total={list.total}
        onPage={setPage}
        sizes={limits.pageSizes}
        onSize={setLimit}
        isShort={isPhone}
        hasJumper={!isPhone}
      />
    </div>
  );
};
