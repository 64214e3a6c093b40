import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { numberText } from '../../ui/format.ts';
import { Button } from '../../ui/native/button.tsx';
import { LineInput } from '../../ui/native/line-input.tsx';
import { t } from '../chrome/lang.ts';
import type { Column } from '../list/columns.ts';
import type { TableView } from '../list/use-table-view.ts';
import { ViewSettings } from '../list/view-settings.tsx';

const texts = {
  add: ['新增', 'Add'],
  paste: ['批量粘贴', 'Paste rows'],
  remove: ['删除所选', 'Delete selected'],
  filter: ['筛选', 'Filter'],
  count: ['共 {0} 行', 'Rows: {0}'],
  found: ['{0} / {1} 行', 'Rows: {0} of {1}'],
  full: ['最多{0}行', 'At most {0} rows'],
} as const satisfies Record<string, Text>;

interface RowsToolbarProps {
  readonly page: GatewayPage;
  readonly total: number;
  /** Number of rows that match the filter; undefined: no filter. */
  readonly found: number | undefined;
  readonly selected: number;
  readonly isReadOnly: boolean;
  readonly onAdd: () => void;
  /** Undefined: rows cannot be entered as text. */
  readonly onPaste: (() => void) | undefined;
  readonly onRemove: () => void;
  readonly filter: string;
  readonly onFilter: (text: string) => void;
  readonly columns: Column[];
  readonly view: TableView;
}

/** Buttons, count, filter and column settings above the rows. */
export const RowsToolbar = (props: RowsToolbarProps) => {
  const { page, total, found, selected, isReadOnly, onAdd, onPaste, onRemove, filter, onFilter, columns, view } = props;
  const { maxRows } = page;
  const isFull = maxRows !== undefined && total >= maxRows;
  return (
    <div className="toolbar">
      {!isReadOnly && (
        <>
          <Button kind="primary" disabled={isFull} title={isFull ? t(texts.full, maxRows) : undefined} onClick={onAdd}>
            {t(texts.add)}
          </Button>
          {onPaste && (
            <Button disabled={isFull} onClick={onPaste}>
              {t(texts.paste)}
            </Button>
          )}
          {selected > 0 && (
            <Button danger onClick={onRemove}>
              {t(texts.remove)} ({selected})
            </Button>
          )}
        </>
      )}
      <span className="spring" />
      <span className="muted" role="status">
        {found === undefined ? t(texts.count, numberText(total)) : t(texts.found, numberText(found), numberText(total))}
        {maxRows !== undefined && total > maxRows * 0.8 && ` · ${t(texts.full, numberText(maxRows))}`}
      </span>
      <span className="rows-filter">
        <LineInput
          id={`filter-${page.key}`}
          type="search"
          value={filter}
          onChange={onFilter}
          placeholder={t(texts.filter)}
          label={t(texts.filter)}
        />
      </span>
      <ViewSettings all={columns} view={view} />
    </div>
  );
};
