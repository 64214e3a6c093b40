import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { keyOf } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { lazy, type ReactNode, Suspense, useDeferredValue, useState } from 'react';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { t } from '../chrome/lang.ts';
import { confirm } from '../chrome/notify.tsx';
import { useTableView } from '../list/use-table-view.ts';
import '../../ui/styles/page.css';
import './document.css';
import type { DocumentControls } from './document-context.ts';
import { lowestOrder, orderField, rowColumns, rowText } from './row-columns.ts';
import { errorsOf, faultyRows } from './row-errors.ts';
import { inOrder, moved } from './row-order.ts';
import { isPasteable, pasteOrder } from './row-paste.ts';
import { RowTable } from './row-table.tsx';
import { RowsToolbar } from './rows-toolbar.tsx';
import { type OpenedRow, useOpenedRow } from './use-opened-row.ts';
import type { PathErrors } from './validate-document.ts';
import type { Refs } from './value-text.ts';

const RowDrawer = lazy(() => import('./row-drawer.tsx'));
const PasteDrawer = lazy(() => import('./paste-drawer.tsx'));

const texts = {
  removeQuestion: ['确定删除所选 {0} 行吗？下发后生效。', 'Delete the {0} selected rows? This takes effect when applied.'],
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
  readonly onUnstored?: ((on: boolean) => void) | undefined;
  readonly markRow?: ((key: string) => ReactNode) | undefined;
  readonly markField?: ((key: string, name: string) => ReactNode) | undefined;
}

const never = () => false;
const nothing: PathErrors = {};

/** Rows by key, without the current changes. */
const rowsByKey = (page: GatewayPage, rows: readonly JsonObject[] | undefined) =>
  rows && new Map(rows.map((row) => [keyOf(page, row), row]));

interface OpenRowProps extends RowsEditorProps {
  readonly opened: OpenedRow;
  readonly baseRows: ReadonlyMap<string, JsonObject> | undefined;
  readonly onNext: () => void;
  readonly onClose: () => void;
}

/** The form of the opened row. */
const OpenRow = (props: OpenRowProps) => {
  const { page, rows, onChange, opened, baseRows, onNext, onClose } = props;
  const { inherited, isKept = never, errors = nothing, markField } = props;
  const { row } = opened;
  // After a reload the row is another object with the same key.
  const same = row ? rows.indexOf(row) : -1;
  const at = row && same === -1 ? rows.findIndex((one) => keyOf(page, one) === keyOf(page, row)) : same;
  const done = (next: JsonObject, addsAnother: boolean) => {
    onChange(at === -1 ? [...rows, next] : rows.with(at, next));
    if (addsAnother) onNext();
    else onClose();
  };
  return (
    <RowDrawer
      key={opened.formKey}
      page={page}
      start={opened.start}
      row={row}
      base={row && (baseRows?.get(keyOf(page, row)) ?? {})}
      inheritedOf={inherited && ((key) => inherited.find((one) => keyOf(page, one) === key))}
      refs={props.refs}
      isReadOnly={props.isReadOnly ?? false}
      isTaken={(key) => rows.some((one, i) => i !== at && keyOf(page, one) === key)}
      isKept={(key, path) => isKept(`rows[${key}].${path}`)}
      focus={opened.field || undefined}
      served={at === -1 ? nothing : errorsOf(errors, at)}
      reported={row && props.reported?.get(keyOf(page, row))}
      others={(name) => rows.flatMap((one, i) => (i === at || one[name] === undefined ? [] : [one[name]]))}
      mark={markField && ((name, values) => markField(String(values[page.keyField ?? ''] ?? ''), name))}
      hrefOf={props.hrefOf}
      upload={props.upload}
      onUnstored={props.onUnstored}
      onDone={done}
      onClose={onClose}
    />
  );
};

/** The rows in their order, filtered by the input. */
const useRowSearch = ({ page, rows, refs }: RowsEditorProps) => {
  const [filter, setFilter] = useState('');
  const searchText = useDeferredValue(filter.trim().toLowerCase());
  const order = orderField(page);
  const sorted = order === undefined ? rows : inOrder(rows, order);
  const found = searchText === '' ? sorted : sorted.filter((row) => rowText(page, row, refs).includes(searchText));
  return { filter, setFilter, isFiltered: searchText !== '', order, found };
};

/** The rows that are selected for deletion. */
const useChosenRows = (rows: readonly JsonObject[]) => {
  const [chosen, setChosen] = useState<ReadonlySet<JsonObject>>(new Set());
  const choose = (some: readonly JsonObject[], on: boolean) => {
    const changed = new Set(some);
    setChosen(new Set(on ? [...chosen, ...some] : [...chosen].filter((row) => !changed.has(row))));
  };
  return { chosen, selected: rows.filter((row) => chosen.has(row)), choose, clear: () => setChosen(new Set()) };
};

/** Editor for the rows of a list page: search, edit, reorder, paste and delete. */
export const RowsEditor = (props: RowsEditorProps) => {
  const { page, rows, onChange, refs, isReadOnly = false, errors = nothing, reported, markRow } = props;
  const { filter, setFilter, isFiltered, order, found } = useRowSearch(props);
  const { chosen, selected, choose, clear } = useChosenRows(rows);
  const form = useOpenedRow(page, rows, props.openAt);
  const [isPasting, setPasting] = useState(false);
  const columns = rowColumns(page);
  const view = useTableView(`gw-${page.key}`, columns);
  const baseRows = rowsByKey(page, props.base);
  const faulty = faultyRows(errors, rows);
  const remove = async (removed: readonly JsonObject[]) => {
    const question = t(texts.removeQuestion, removed.length);
    if (removed.length > 1 && !(await confirm([question, question], { danger: true, of: t(page.title) }))) return;
    const all = new Set(removed);
    onChange(rows.filter((row) => !all.has(row)));
    clear();
  };
  const paste = (next: readonly JsonObject[]) => {
    onChange(next);
    setPasting(false);
  };
  const canPaste = Object.values(page.fields).every((field) => !field.required || isPasteable(field));
  const shown = view.columns.map((c) => c.name);
  return (
    <div className="rows-editor">
      <RowsToolbar
        page={page}
        total={rows.length}
        found={isFiltered ? found.length : undefined}
        selected={selected.length}
        isReadOnly={isReadOnly}
        onAdd={form.add}
        onPaste={canPaste ? () => setPasting(true) : undefined}
        onRemove={() => void remove(selected)}
        filter={filter}
        onFilter={setFilter}
        columns={columns}
        view={view}
      />
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
            open: form.open,
            copy: form.copy,
            remove: (some) => void remove(some),
            move:
              order === undefined || isFiltered ? undefined : (row, by) => onChange(moved(rows, order, row, by, lowestOrder(page, order))),
          }}
        />
      )}
      <Suspense>
        {form.opened && <OpenRow {...props} opened={form.opened} baseRows={baseRows} onNext={form.addNext} onClose={form.close} />}
        {isPasting && (
          <PasteDrawer
            page={page}
            rows={rows}
            order={pasteOrder(page.fields, shown)}
            refs={refs}
            onDone={paste}
            onClose={() => setPasting(false)}
          />
        )}
      </Suspense>
    </div>
  );
};
