import type { AnyRow, Resource } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { ObjectList } from '../../ui/native/object-list.tsx';
import { t } from '../chrome/lang.ts';
import { rowLabel } from '../list/row-label.ts';
import type { SkippedRow } from './suitable-rows.ts';

const texts = {
  one: ['对象：{0}', 'For {0}'],
  many: ['对象（{0}）', 'For {0} items'],
  skipped: ['跳过（{0}）', 'Skipped ({0})'],
} as const satisfies Record<string, Text>;

export interface ActionObjectsProps {
  readonly resource: Resource | undefined;
  readonly rows: readonly AnyRow[];
  readonly skipped?: readonly SkippedRow[] | undefined;
}

/** Lists the objects of a dialog: one record, or all rows of a batch with the skipped ones. */
export const ActionObjects = ({ resource, rows, skipped = [] }: ActionObjectsProps) => {
  const names = rows.map((row) => rowLabel(resource, row));
  return (
    <ObjectList
      title={names.length === 1 ? t(texts.one, names[0] ?? '') : t(texts.many, names.length)}
      names={names}
      skippedTitle={t(texts.skipped, skipped.length)}
      skipped={skipped.map(({ row, why }) => ({ id: row.id, name: rowLabel(resource, row), why: t(why) }))}
    />
  );
};
