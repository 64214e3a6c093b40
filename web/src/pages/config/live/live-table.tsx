import type { Field } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import type { Refs } from '../../../kit/document/value-text.ts';
import { tips } from '../../../ui/browser/tip.ts';
import { textWidth } from '../../../ui/format.ts';
import { ColumnHead } from '../../../ui/native/column-head.tsx';
import '../../../ui/styles/table.css';
import { isRightColumn, LiveValue } from './live-value.tsx';

const kindWidth: Readonly<Partial<Record<Field['kind'], number>>> = {
  time: 164,
  choice: 92,
  int: 72,
  duration: 88,
  bool: 72,
  ref: 156,
  long: 340,
};
const minColumn = 64;
const maxColumn = 260;
const frame = 34;
/** Column widths by rule. */
const shaped: Readonly<Record<string, number>> = { ipv4: 128, mac: 150, cidr: 150, domain: 200, url: 260 };

const widthOf = (field: Field): number => {
  const own = field.rules.flatMap(({ name }) => shaped[name] ?? [])[0] ?? kindWidth[field.kind] ?? 132;
  return Math.min(Math.max(minColumn, own, Math.ceil(textWidth(t(field.label))) + frame), Math.max(maxColumn, own));
};

interface Order {
  readonly name: string;
  readonly isDown: boolean;
}

const compare = (a: unknown, b: unknown) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a ?? '').localeCompare(String(b ?? ''), undefined, { numeric: true });

const ordered = (rows: readonly Values[], order: Order | undefined) => {
  if (!order) return rows;
  const sorted = rows.toSorted((a, b) => compare(a[order.name], b[order.name]));
  return order.isDown ? sorted.toReversed() : sorted;
};

const nextOrder = (name: string, order: Order | undefined): Order | undefined => {
  if (order?.name !== name) return { name, isDown: false };
  return order.isDown ? undefined : { name, isDown: true };
};

interface LiveTableProps {
  readonly fields: GatewayFields;
  readonly rows: readonly Values[];
  readonly refs: Refs;
  readonly label: string;
  readonly isSortable?: boolean;
}

/** Rows of a gateway, sorted locally, because all of them are loaded. */
export const LiveTable = ({ fields, rows, refs, label, isSortable = true }: LiveTableProps) => {
  const [order, setOrder] = useState<Order>();
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  const columns = Object.entries(fields).map(([name, field]) => ({ name, field, width: widths[name] ?? widthOf(field) }));
  const total = columns.reduce((sum, { width }) => sum + width, 0);
  return (
    <div className="table-frame live-frame" {...tips}>
      <table className="data-table compact" style={{ minWidth: total }} aria-label={label}>
        <colgroup>
          {columns.map(({ name, width }) => (
            <col key={name} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ name, field, width }) => (
              <ColumnHead
                key={name}
                label={t(field.label)}
                tips={undefined}
                isRight={isRightColumn(field)}
                sorted={order?.name === name ? (order.isDown ? 'descending' : 'ascending') : undefined}
                onSort={isSortable ? () => setOrder(nextOrder(name, order)) : undefined}
                width={width}
                onResize={(next) => setWidths({ ...widths, [name]: next })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered(rows, order).map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: gateway rows have no id
            <tr key={i}>
              {columns.map(({ name, field }) => (
                <td key={name} className={isRightColumn(field) ? 'num' : undefined}>
                  <LiveValue name={name} field={field} value={row[name]} refs={refs} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
