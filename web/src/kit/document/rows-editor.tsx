import { keptSecret } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { keyOf, mapSecrets, rowsOf, startOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { lazy, type ReactNode, Suspense, useDeferredValue, useState } from 'react';
import { Button } from '../../ui/antd/button.ts';
import { numberText } from '../../ui/format.ts';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { LineInput } from '../../ui/native/line-input.tsx';
import { t } from '../chrome/lang.ts';
import { confirm } from '../chrome/notify.tsx';
import { useTableView } from '../list/use-table-view.ts';
import { ViewSettings } from '../list/view-settings.tsx';
import '../../ui/styles/page.css';
import './document.css';
import type { DocumentControls } from './document-context.ts';
import { orderField, rowColumns, rowText } from './row-columns.ts';
import { inOrder, moved } from './row-order.ts';
import { isPasteable } from './row-paste.ts';
import { RowTable } from './row-table.tsx';
import type { PathErrors } from './validate-document.ts';
import type { Refs } from './value-text.ts';

const RowDrawer = lazy(() => import('./row-drawer.tsx'));
const PasteDrawer = lazy(() => import('./paste-drawer.tsx'));

const texts = {
  add: ['新增', 'Add'],
  paste: ['批量粘贴', 'Paste rows'],
  remove: ['删除所选', 'Delete selected'],
  removeAsk: ['确定删除所选 {0} 行吗？下发后生效。', 'Delete the {0} selected rows? This takes effect when applied.'],
  filter: ['筛选', 'Filter'],
  count: ['共 {0} 行', 'Rows: {0}'],
  found: ['{0} / {1} 行', 'Rows: {0} of {1}'],
  full: ['最多{0}行', 'At most {0} rows'],
  none: ['还没有配置', 'Nothing here yet'],
  noneFound: ['没有匹配的行', 'No row matches'],
  noneHint: ['点击“新增”开始配置', 'Click "Add" to begin'],
} as const satisfies Record<string, Text>;

export interface RowsEditorProps extends Pick<DocumentControls, 'hrefOf' | 'upload'> {
  readonly page: GatewayPage;
  readonly rows: readonly JsonObject[];
  readonly onChange: (rows: readonly JsonObject[]) => void;
  /** The rows without the current changes. */
  readonly base?: readonly JsonObject[] | undefined;
  /** The inherited rows, without values of the device itself. */
  readonly inherited?: readonly JsonObject[] | undefined;
  readonly refs: Refs;
  readonly isReadOnly?: boolean;
  /** Whether this path of the document has a stored secret; rows are identified by key. */
  readonly isKept?: DocumentControls['isKept'];
  /** Errors by path: `rows[2].start`. */
  readonly errors?: PathErrors;
  /** Reported values by row key. */
  readonly reported?: ReadonlyMap<string, Values> | undefined;
  /** The row or field that is open at the start: `rows[2]`, or a field of it. */
  readonly openAt?: string | null | undefined;
  /** Set while a row form has input that is not stored elsewhere. */
  readonly onHold?: ((on: boolean) => void) | undefined;
  readonly markRow?: ((key: string) => ReactNode) | undefined;
  readonly markField?: ((key: string, name: string) => ReactNode) | undefined;
}

const never = () => false;
const nothing: PathErrors = {};

/** The errors of one row, by their path in it. */
const errorsOf = (errors: PathErrors, at: number): PathErrors => {
  const start = `rows[${at}].`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) => (path.startsWith(start) ? [[path.slice(start.length), text]] : [])),
  );
};

interface Opened {
  readonly row?: JsonObject;
  /** The field to focus. */
  readonly field?: string | undefined;
  readonly start?: Values;
  /** Changes for each new row, to reset the form. */
  readonly turn: number;
}

/** Editor for the rows of a list page: search, edit, reorder, paste and delete. */
export const RowsEditor = (props: RowsEditorProps) => {
  const {
    page,
    rows,
    onChange,
    base,
    inherited,
    refs,
    isReadOnly = false,
    isKept = never,
    errors = nothing,
    reported,
    openAt,
    onHold,
    markRow,
    markField,
    hrefOf,
    upload,
  } = props;
  const [filter, setFilter] = useState('');
  const searchText = useDeferredValue(filter.trim().toLowerCase());
  const [chosen, setChosen] = useState<ReadonlySet<JsonObject>>(new Set());
  const [opened, setOpened] = useState<Opened | undefined>(() => {
    const [, index = '', field] = /^rows\[(\d+)\]\.?(.*)$/.exec(openAt ?? '') ?? [];
    const row = rows[Number(index || -1)];
    return row && { row, field, turn: 0 };
  });
  const [isPasting, setPasting] = useState(false);
  const columns = rowColumns(page);
  const view = useTableView(`gw-${page.key}`, columns);
  const order = orderField(page);
  const sorted = order === undefined ? rows : inOrder(rows, order);
  const found = searchText === '' ? sorted : sorted.filter((row) => rowText(page, row, refs).includes(searchText));
  const selected = rows.filter((row) => chosen.has(row));
  const isFull = page.maxRows !== undefined && rows.length >= page.maxRows;
  const baseRows = base && new Map(base.map((row) => [keyOf(page, row), row]));
  const faulty = new Map(
    Object.entries(errors).flatMap(([path, text]) => {
      const row = rows[Number(/^rows\[(\d+)\]/.exec(path)?.[1] ?? -1)];
      return row ? [[row, text]] : [];
    }),
  );
  const remove = async (gone: readonly JsonObject[]) => {
    if (
      gone.length > 1 &&
      !(await confirm([t(texts.removeAsk, gone.length), t(texts.removeAsk, gone.length)], { danger: true, of: t(page.title) }))
    )
      return;
    const all = new Set(gone);
    onChange(rows.filter((row) => !all.has(row)));
    setChosen(new Set());
  };
  const choose = (some: readonly JsonObject[], on: boolean) => {
    const meant = new Set(some);
    setChosen(new Set(on ? [...chosen, ...some] : [...chosen].filter((row) => !meant.has(row))));
  };
  const copy = (row: JsonObject) => {
    // A secret belongs to its row, so a copy does not get it.
    const [bare = row] = rowsOf(mapSecrets(page, { rows: [row] }, (value) => (value === keptSecret ? undefined : value)));
    setOpened({ start: { ...bare, [page.keyField ?? '']: undefined }, turn: (opened?.turn ?? 0) + 1 });
  };
  // After a reload the row is another object with the same key.
  const edited = opened?.row;
  const same = edited ? rows.indexOf(edited) : -1;
  const at = edited && same === -1 ? rows.findIndex((row) => keyOf(page, row) === keyOf(page, edited)) : same;
  const done = (next: JsonObject, goesOn: boolean) => {
    onChange(at === -1 ? [...rows, next] : rows.with(at, next));
    setOpened(goesOn ? { start: startOf(page.fields), turn: (opened?.turn ?? 0) + 1 } : undefined);
  };
  const shownNames = view.columns.map((c) => c.name);
  const needed = Object.entries(page.fields).flatMap(([name, field]) =>
    field.required && !field.when && !shownNames.includes(name) ? [name] : [],
  );
  const pasteOrder = [...shownNames, ...needed];
  const canPaste = Object.values(page.fields).every((field) => !field.required || isPasteable(field));
  const lowest = order === undefined ? 0 : Math.min(...(page.fields[order]?.rules ?? []).map((rule) => rule.min ?? 0), 1);
  return (
    <div className="rows-editor">
      <div className="toolbar">
        {!isReadOnly && (
          <>
            <Button
              type="primary"
              disabled={isFull}
              title={isFull ? t(texts.full, page.maxRows ?? 0) : undefined}
              onClick={() => setOpened({ turn: (opened?.turn ?? 0) + 1 })}
            >
              {t(texts.add)}
            </Button>
            {canPaste && (
              <Button disabled={isFull} onClick={() => setPasting(true)}>
                {t(texts.paste)}
              </Button>
            )}
            {selected.length > 0 && (
              <Button danger onClick={() => void remove(selected)}>
                {t(texts.remove)} ({selected.length})
              </Button>
            )}
          </>
        )}
        <span className="spring" />
        <span className="muted" role="status">
          {searchText === '' ? t(texts.count, numberText(rows.length)) : t(texts.found, numberText(found.length), numberText(rows.length))}
          {page.maxRows !== undefined && rows.length > page.maxRows * 0.8 && ` · ${t(texts.full, numberText(page.maxRows))}`}
        </span>
        <span className="rows-filter">
          <LineInput
            id={`filter-${page.key}`}
            type="search"
            value={filter}
            onChange={setFilter}
            placeholder={t(texts.filter)}
            label={t(texts.filter)}
          />
        </span>
        <ViewSettings all={columns} view={view} />
      </div>
      {found.length === 0 ? (
        <EmptyState
          title={t(rows.length === 0 ? texts.none : texts.noneFound)}
          {...(rows.length === 0 && !isReadOnly && { hint: t(texts.noneHint) })}
        />
      ) : (
        <RowTable
          page={page}
          rows={found}
          base={baseRows}
          view={view}
          refs={refs}
          isReadOnly={isReadOnly}
          chosen={chosen}
          onChoose={choose}
          wrong={(row) => faulty.get(row)}
          reported={reported && ((row) => reported.get(keyOf(page, row)))}
          mark={markRow && ((row) => markRow(keyOf(page, row)))}
          actions={{
            open: (row) => setOpened({ row, turn: (opened?.turn ?? 0) + 1 }),
            copy,
            remove: (some) => void remove(some),
            move: order === undefined || searchText !== '' ? undefined : (row, by) => onChange(moved(rows, order, row, by, lowest)),
          }}
        />
      )}
      <Suspense>
        {opened && (
          <RowDrawer
            key={opened.turn}
            page={page}
            start={opened.start}
            row={opened.row}
            base={opened.row && (baseRows?.get(keyOf(page, opened.row)) ?? {})}
            inheritedOf={inherited && ((key) => inherited.find((row) => keyOf(page, row) === key))}
            refs={refs}
            isReadOnly={isReadOnly}
            isTaken={(key) => rows.some((row, i) => i !== at && keyOf(page, row) === key)}
            isKept={(key, path) => isKept(`rows[${key}].${path}`)}
            focus={opened.field || undefined}
            served={at === -1 ? nothing : errorsOf(errors, at)}
            reported={opened.row && reported?.get(keyOf(page, opened.row))}
            others={(name) => rows.flatMap((row, i) => (i === at || row[name] === undefined ? [] : [row[name]]))}
            mark={markField && ((name, values) => markField(String(values[page.keyField ?? ''] ?? ''), name))}
            hrefOf={hrefOf}
            upload={upload}
            onHold={onHold}
            onDone={done}
            onClose={() => setOpened(undefined)}
          />
        )}
        {isPasting && (
          <PasteDrawer
            page={page}
            rows={rows}
            order={pasteOrder}
            refs={refs}
            onDone={(next) => {
              onChange(next);
              setPasting(false);
            }}
            onClose={() => setPasting(false)}
          />
        )}
      </Suspense>
    </div>
  );
};
