import type { DifferenceView } from '@farlink/contract/config/config.ts';
import { isEmpty } from '@farlink/contract/kit/check.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { t } from '../chrome/lang.ts';
import { type Refs, valueText } from './value-text.ts';

export interface DifferenceLine extends Omit<DifferenceView, 'field'> {
  readonly key: string;
  /** `lan1 · MTU`: the row, if any, and the field. */
  readonly label: string;
  /** Undefined: the whole row. */
  readonly field: Field | undefined;
}

/** Labels each difference with the names of the page. */
export const differenceLines = (page: GatewayPage, differences: readonly DifferenceView[]): DifferenceLine[] =>
  differences.map((one) => {
    const field = one.field === null ? undefined : page.fields[one.field];
    const name = one.field === null ? undefined : field ? t(field.label) : one.field;
    const label = [one.row, name].filter((text) => text !== null && text !== undefined).join(' · ');
    return { ...one, field, label: label === '' ? t(page.title) : label, key: `${one.what} ${one.row ?? ''} ${one.field ?? ''}` };
  });

const maxValues = 6;

/** A row in one line: its values except the key. */
export const rowSummary = (page: GatewayPage, row: Values, refs: Refs): string =>
  Object.entries(page.fields)
    .filter(([name, field]) => name !== page.keyField && !field.reported && !isEmpty(row[name]) && field.when?.(row) !== false)
    .slice(0, maxValues)
    .map(([name, field]) => `${t(field.label)} ${valueText(field, row[name], refs)}`)
    .join(' · ');
