import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useState } from 'react';
import { t } from '../chrome/lang.ts';
import { notify } from '../chrome/notify.tsx';
import { refreshed, type Selection, shareOf, withoutIds, withRows } from './selection.ts';

const full: Text = ['一次最多选择 {0} 条数据', 'At most {0} rows can be selected'];

export interface Choosing {
  readonly rows: readonly AnyRow[];
  readonly has: (row: AnyRow) => boolean;
  /** Selection state of the visible page. */
  readonly share: 'none' | 'some' | 'all';
  readonly set: (rows: readonly AnyRow[], on: boolean) => void;
  readonly drop: (ids: readonly number[]) => void;
  readonly clear: () => void;
}

/** Rows selected across the pages of a list. */
export const useSelection = (shown: readonly AnyRow[]): Choosing => {
  const [selection, setSelection] = useState<Selection>(new Map());
  const [lastShown, setLastShown] = useState(shown);
  if (lastShown !== shown) {
    setLastShown(shown);
    setSelection(refreshed(selection, shown));
  }
  const drop = (ids: readonly number[]) => setSelection((old) => withoutIds(old, ids));
  return {
    rows: [...selection.values()],
    has: (row) => selection.has(row.id),
    share: shareOf(selection, shown),
    set: (rows, on) => {
      if (!on) return drop(rows.map((row) => row.id));
      const next = withRows(selection, rows);
      setSelection(next.selection);
      if (next.isFull) notify.warning(t(full, limits.selectionMax));
    },
    drop,
    clear: () => setSelection(new Map()),
  };
};
