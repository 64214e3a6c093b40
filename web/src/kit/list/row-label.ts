import type { AnyRow, Resource } from '@farlink/contract/kit/resource.ts';
import { dateText, timeText, valueAt } from '../../ui/format.ts';
import { t } from '../chrome/lang.ts';

/** The texts of a row that name it, without empty ones. Records without a resource have one of these columns. */
const namesOf = (r: Resource | undefined, row: AnyRow): readonly string[] =>
  (r?.title ?? ['account', 'order_no', 'name']).flatMap((column) => {
    const value = valueAt(row, column);
    if (value === undefined || value === null || value === '') return [];
    const field = r?.fields[column];
    if (field?.kind === 'time') return timeText(value);
    if (field?.kind === 'date') return dateText(value);
    const option = field?.options?.find(({ id }) => String(id) === String(value));
    return option ? t(option.label) : String(value);
  });

/** Short name of a row. */
export const rowName = (r: Resource | undefined, row: AnyRow): string => namesOf(r, row)[0] ?? String(row.id);

/** What a row is, and whose or where: the account and its ship, the package and its VNO. */
export const rowLabel = (r: Resource | undefined, row: AnyRow): string => namesOf(r, row).join(' · ') || String(row.id);
