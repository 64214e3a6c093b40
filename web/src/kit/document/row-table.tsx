import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { keyOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayField } from '@farlink/gateway/kit/field.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { ReactNode } from 'react';
import { tips } from '../../ui/browser/tip.ts';
import { ActButton } from '../../ui/native/act-button.tsx';
import { ColumnHead } from '../../ui/native/column-head.tsx';
import { MenuButton } from '../../ui/native/menu-button.tsx';
import { SelectBox } from '../../ui/native/select-box.tsx';
import { Tag } from '../../ui/native/tag.tsx';
import '../../ui/styles/table.css';
import { t } from '../chrome/lang.ts';
import { isRight } from '../list/columns.ts';
import type { TableView } from '../list/use-table-view.ts';
import { useWindow } from './use-window.ts';
import { type Refs, valueText } from './value-text.ts';

const texts = {
  actions: ['操作', 'Actions'],
  chooseAll: ['全选', 'Select all'],
  choose: ['选择 {0}', 'Select {0}'],
  edit: ['编辑', 'Edit'],
  view: ['查看', 'View'],
  more: ['更多', 'More'],
  copy: ['复制', 'Duplicate'],
  remove: ['删除', 'Delete'],
  up: ['上移', 'Move up'],
  down: ['下移', 'Move down'],
  added: ['新增，尚未下发', 'Added, not applied yet'],
  changed: ['已修改，尚未下发', 'Changed, not applied yet'],
} as const satisfies Record<string, Text>;

const choiceWidth = 40;

export interface RowActions {
  readonly open: (row: JsonObject) => void;
  readonly copy: (row: JsonObject) => void;
  readonly remove: (rows: readonly JsonObject[]) => void;
  /** Set if the page has an order. */
  readonly move: ((row: JsonObject, by: -1 | 1) => void) | undefined;
}

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

const cellOf = (field: GatewayField, value: unknown, refs: Refs): ReactNode => {
  const text = valueText(field, value, refs);
  if (field.kind === 'bool' && typeof value === 'boolean') return <Tag color={value ? 'green' : undefined}>{text}</Tag>;
  return (
    <span className={field.mono ? 'clip mono' : 'clip'} data-tip="">
      {text}
    </span>
  );
};

/** Rows of a list page. Only rows near the visible area are rendered. */
export const RowTable = (props: RowTableProps) => {
  const { page, rows, base, view, refs, actions, isReadOnly, chosen, onChoose, wrong, reported, mark } = props;
  const { columns, compact, resize } = view;
  const { first, last, above, below, onScroll } = useWindow(rows.length, compact ? 36 : 42);
  const pinned = isReadOnly ? 80 : actions.move ? 164 : 116;
  const total = columns.reduce((sum, c) => sum + c.width, pinned + (isReadOnly ? 0 : choiceWidth));
  const span = columns.length + (isReadOnly ? 1 : 2);
  const share = chosen.size === 0 ? 'none' : rows.every((row) => chosen.has(row)) ? 'all' : 'some';
  const rowState = (row: JsonObject) => {
    const before = base?.get(keyOf(page, row));
    if (!base || before === row) return undefined;
    return before === undefined ? 'added' : canonical(before) === canonical(row) ? undefined : 'changed';
  };
  return (
    <div className="table-frame row-table" onScroll={onScroll} {...tips}>
      <table className={compact ? 'data-table compact' : 'data-table'} style={{ minWidth: total }} aria-rowcount={rows.length + 1}>
        <colgroup>
          {!isReadOnly && <col style={{ width: choiceWidth }} />}
          {columns.map((c) => (
            <col key={c.name} style={{ width: c.width }} />
          ))}
          <col style={{ width: pinned }} />
        </colgroup>
        <thead>
          <tr>
            {!isReadOnly && (
              <th scope="col" className="select">
                <SelectBox label={t(texts.chooseAll)} share={share} onSet={(on) => onChoose(rows, on)} />
              </th>
            )}
            {columns.map((c) => (
              <ColumnHead
                key={c.name}
                label={t(c.field.label)}
                tips={undefined}
                isRight={isRight(c.field)}
                sorted={undefined}
                onSort={undefined}
                width={c.width}
                onResize={(width) => resize(c.name, width)}
              />
            ))}
            <th scope="col" className="pinned">
              {t(texts.actions)}
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr aria-hidden className="room">
              <td colSpan={span} style={{ height: above }} />
            </tr>
          )}
          {rows.slice(first, last).map((row, i) => {
            const key = keyOf(page, row);
            const state = rowState(row);
            const fault = wrong(row);
            const reportedRow = reported?.(row);
            return (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: keys can be duplicate until corrected
                key={`${key} ${first + i}`}
                data-chosen={chosen.has(row) || undefined}
                data-what={state}
                data-wrong={fault !== undefined || undefined}
              >
                {!isReadOnly && (
                  <td className="select">
                    <SelectBox label={t(texts.choose, key)} share={chosen.has(row) ? 'all' : 'none'} onSet={(on) => onChoose([row], on)} />
                  </td>
                )}
                {columns.map(({ name }) => {
                  const field = page.fields[name];
                  if (!field) return <td key={name} />;
                  if (name === page.keyField)
                    return (
                      <td key={name} data-tip={fault ?? (state && t(texts[state]))}>
                        <span className="row-key">
                          <button type="button" className="act clip" data-tip="" onClick={() => actions.open(row)}>
                            {valueText(field, row[name], refs)}
                          </button>
                          {mark?.(row)}
                        </span>
                      </td>
                    );
                  return (
                    <td key={name} className={isRight(field) ? 'num' : undefined}>
                      {cellOf(field, field.reported ? reportedRow?.[name] : row[name], refs)}
                    </td>
                  );
                })}
                <td className="pinned">
                  <span className="row-actions">
                    <ActButton label={t(isReadOnly ? texts.view : texts.edit)} of={key} onClick={() => actions.open(row)} />
                    {!isReadOnly && actions.move && (
                      <>
                        <button
                          type="button"
                          className="act"
                          aria-label={`${t(texts.up)} ${key}`}
                          title={t(texts.up)}
                          onClick={() => actions.move?.(row, -1)}
                        >
                          ↑
                        </button>
                        <button
                          type="button"
                          className="act"
                          aria-label={`${t(texts.down)} ${key}`}
                          title={t(texts.down)}
                          onClick={() => actions.move?.(row, 1)}
                        >
                          ↓
                        </button>
                      </>
                    )}
                    {!isReadOnly && (
                      <MenuButton
                        className="act"
                        label={`${t(texts.more)} ${key}`}
                        items={[
                          { key: 'copy', label: t(texts.copy), onPick: () => actions.copy(row) },
                          { key: 'remove', label: t(texts.remove), danger: true, onPick: () => actions.remove([row]) },
                        ]}
                      >
                        {t(texts.more)}
                      </MenuButton>
                    )}
                  </span>
                </td>
              </tr>
            );
          })}
          {below > 0 && (
            <tr aria-hidden className="room">
              <td colSpan={span} style={{ height: below }} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
};
