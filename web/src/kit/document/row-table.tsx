import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { keyOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { ReactNode } from 'react';
import { tips } from '../../ui/browser/tip.ts';
import { ColumnHead } from '../../ui/native/column-head.tsx';
import { SelectBox } from '../../ui/native/select-box.tsx';
import '../../ui/styles/table.css';
import { t } from '../chrome/lang.ts';
import { isRight } from '../list/columns.ts';
import type { TableView } from '../list/use-table-view.ts';
import { type RowActions, RowLine } from './row-line.tsx';
import { useWindow } from './use-window.ts';
import type { Refs } from './value-text.ts';

const texts = {
  actions: ['操作', 'Actions'],
  chooseAll: ['全选', 'Select all'],
} as const satisfies Record<string, Text>;

const checkboxWidth = 40;

interface RowTableProps {
  readonly page: GatewayPage;
  readonly rows: readonly JsonObject[];
  /** Rows by key, without the current changes. */
  readonly base: ReadonlyMap<string, JsonObject> | undefined;
  readonly view: TableView;
  readonly refs: Refs;
  readonly actions: RowActions;
  readonly isReadOnly: boolean;
  readonly chosen: ReadonlySet<JsonObject>;
  readonly onChoose: (rows: readonly JsonObject[], on: boolean) => void;
  /** Error of a row, which is then marked. */
  readonly wrong: (row: JsonObject) => string | undefined;
  /** Reported values of a row. */
  readonly reported: ((row: JsonObject) => Values | undefined) | undefined;
  /** Origin of a row. */
  readonly mark: ((row: JsonObject) => ReactNode) | undefined;
}

const stateOf = (row: JsonObject, key: string, base: RowTableProps['base']) => {
  const before = base?.get(key);
  if (!base || before === row) return undefined;
  return before === undefined ? 'added' : canonical(before) === canonical(row) ? undefined : 'changed';
};

const TableHead = ({ rows, view, isReadOnly, chosen, onChoose }: RowTableProps) => {
  const share = chosen.size === 0 ? 'none' : rows.every((row) => chosen.has(row)) ? 'all' : 'some';
  return (
    <thead>
      <tr>
        {!isReadOnly && (
          <th scope="col" className="select">
            <SelectBox label={t(texts.chooseAll)} share={share} onSet={(on) => onChoose(rows, on)} />
          </th>
        )}
        {view.columns.map((c) => (
          <ColumnHead
            key={c.name}
            label={t(c.field.label)}
            tips={undefined}
            isRight={isRight(c.field)}
            sorted={undefined}
            onSort={undefined}
            width={c.width}
            onResize={(width) => view.resize(c.name, width)}
          />
        ))}
        <th scope="col" className="pinned">
          {t(texts.actions)}
        </th>
      </tr>
    </thead>
  );
};

/** Keeps the height of the rows that are not rendered. */
const Spacer = ({ span, height }: { readonly span: number; readonly height: number }) =>
  height > 0 && (
    <tr aria-hidden className="spacer">
      <td colSpan={span} style={{ height }} />
    </tr>
  );

/** Rows of a list page. Only rows near the visible area are rendered. */
export const RowTable = (props: RowTableProps) => {
  const { page, rows, base, view, refs, actions, isReadOnly, chosen, onChoose, wrong, reported, mark } = props;
  const { columns, compact } = view;
  const { first, last, above, below, onScroll } = useWindow(rows.length, compact ? 36 : 42);
  const pinned = isReadOnly ? 80 : actions.move ? 164 : 116;
  const total = columns.reduce((sum, c) => sum + c.width, pinned + (isReadOnly ? 0 : checkboxWidth));
  const span = columns.length + (isReadOnly ? 1 : 2);
  const names = columns.map(({ name }) => name);
  return (
    <div className="table-frame row-table" onScroll={onScroll} {...tips}>
      <table className={compact ? 'data-table compact' : 'data-table'} style={{ minWidth: total }} aria-rowcount={rows.length + 1}>
        <colgroup>
          {!isReadOnly && <col style={{ width: checkboxWidth }} />}
          {columns.map((c) => (
            <col key={c.name} style={{ width: c.width }} />
          ))}
          <col style={{ width: pinned }} />
        </colgroup>
        <TableHead {...props} />
        <tbody>
          <Spacer span={span} height={above} />
          {rows.slice(first, last).map((row, i) => {
            const key = keyOf(page, row);
            return (
              <RowLine
                // biome-ignore lint/suspicious/noArrayIndexKey: keys can be duplicate until corrected
                key={`${key} ${first + i}`}
                page={page}
                names={names}
                row={row}
                rowKey={key}
                refs={refs}
                actions={actions}
                isReadOnly={isReadOnly}
                state={stateOf(row, key, base)}
                fault={wrong(row)}
                reported={reported?.(row)}
                mark={mark?.(row)}
                isChosen={chosen.has(row)}
                onChoose={(on) => onChoose([row], on)}
              />
            );
          })}
          <Spacer span={span} height={below} />
        </tbody>
      </table>
    </div>
  );
};
