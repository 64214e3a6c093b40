import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { numberText } from '../ui/format.ts';
import { Pagination } from '../ui/pagination.ts';
import { t } from './lang.ts';
import type { List } from './use-list.ts';

const total: Text = ['共 {0} 条', '{0} in total'];
const more: Text = ['共 {0}+ 条', '{0}+ in total'];
const exact: Text = ['精确计数', 'Count exactly'];

/** spec §9: total, prev, pager (five), next, sizes, jumper. */
export const Pager = ({ list }: { readonly list: List }) => (
  <div className="pager">
    <span className="muted">
      {t(list.capped ? more : total, numberText(list.total))}{' '}
      {list.capped && (
        <button type="button" className="act" onClick={() => void list.countExactly().catch(() => undefined)}>
          {t(exact)}
        </button>
      )}
    </span>
    <Pagination
      size="small"
      current={list.state.page}
      pageSize={list.state.limit}
      total={list.total}
      showLessItems
      showSizeChanger
      showQuickJumper
      pageSizeOptions={[...limits.pageSizes]}
      onChange={(page, size) => (size === list.state.limit ? list.setPage(page) : list.setLimit(size))}
    />
  </div>
);
