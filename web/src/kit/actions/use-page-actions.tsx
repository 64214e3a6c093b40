import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Action, Me, Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { loadPanel, Panel } from '../../ui/native/panel.tsx';
import { t } from '../chrome/lang.ts';
import { confirm, notify } from '../chrome/notify.tsx';
import { fillRoute, pageAt, routeOf } from '../chrome/route.ts';
import { treeOf } from '../grants/grant-state.ts';
import { rowLabel } from '../list/row-label.ts';
import { CallError, call } from '../net/call.ts';
import { callRows } from '../net/call-rows.ts';
import { download } from '../net/download.ts';
import { preloadChunk } from '../net/preload-chunk.ts';
import { useMe } from '../net/session.ts';
import { inputFor, isObject, isRow } from '../net/wire.ts';
import { ActionObjects } from './action-objects.tsx';
import { isBatch } from './action-state.ts';
import { batchOf, billsOf, knownOf, paramsFor, settledIds } from './batch.ts';
import { type SkippedRow, suitableRows } from './suitable-rows.ts';

// Dialogs are loaded on first use, after the list.
const dialogs = {
  form: () => import('../form/record-dialog.tsx'),
  view: async () => ({ default: (await import('../form/record-view.tsx')).RecordView }),
  exports: () => import('../export/export-drawer.tsx'),
  tree: () => import('../grants/grant-tree.tsx'),
  list: () => import('../list/plain-list.tsx'),
};
const RecordDialog = lazy(dialogs.form);
const RecordView = lazy(dialogs.view);
const ExportDrawer = lazy(dialogs.exports);
const GrantTree = lazy(dialogs.tree);
const PlainList = lazy(dialogs.list);
const BatchDialog = lazy(() => import('./batch-dialog.tsx'));
const ReceiptDialog = lazy(() => import('./receipt-dialog.tsx'));

const done: Text = ['{0}成功', '{0}: done'];
const doneAll: Text = ['{0}成功，共 {1} 条', '{0}: {1} done'];
const progress: Text = ['查看进度', 'View progress'];

/** A custom handler in place of the default; `confirm` of the action has already been shown. `rows` are all its rows. */
export type Run = Readonly<Record<string, (row: AnyRow, actions: PageActions, rows: readonly AnyRow[]) => unknown>>;

export interface PageActions {
  /** Runs the action for one row, the selected rows, or none. */
  readonly act: (key: string, ...rows: readonly AnyRow[]) => void;
  /** Opens the form of the action; `then` receives the response after notification and refresh. */
  readonly openForm: (key: string, rows?: AnyRow | readonly AnyRow[], then?: (reply: unknown) => void) => Promise<void>;
  /** The open dialog or panel. */
  readonly open: ReactNode;
}

const emptyRow: AnyRow = { id: 0 };

/** Route of the progress page, if the operator can open it. */
const followOf = ({ follow }: Action, reply: unknown, me: Me): string | undefined => {
  if (follow === undefined || !isObject(reply)) return undefined;
  const target = pageAt(follow);
  return target && mayOpen(target, me) ? routeOf(follow, reply) : undefined;
};

/** Default behaviour of an action: confirm, open its form or detail, download its file, or call and refresh. */
export const usePageActions = (
  page: Page,
  filters: Values,
  run: Run = {},
  onSettled?: (ids: readonly number[], e: Endpoint) => void,
): PageActions => {
  const [open, setOpen] = useState<ReactNode>(null);
  const navigate = useNavigate();
  const me = useMe();
  const client = useQueryClient();
  const close = () => setOpen(null);
  // A kept-alive list does not reopen an abandoned form.
  useEffect(() => () => setOpen(null), []);
  /** If the chunk fails to load, the page stays as it is. */
  const show = async (dialog: keyof typeof dialogs, node: ReactNode) => {
    await Promise.all([preloadChunk(dialogs[dialog]), dialog === 'form' ? undefined : preloadChunk(loadPanel)]);
    setOpen(node);
  };

  const finish = (action: Action, e: Endpoint, rows: readonly AnyRow[], reply: unknown) => {
    const result = batchOf(reply);
    void client.invalidateQueries();
    onSettled?.(settledIds(e, rows, reply), e);
    const named = (id: number) => rowLabel(page.resource, rows.find((row) => row.id === id) ?? { id });
    const bills = billsOf(reply, named);
    if (bills.length > 0) setOpen(<ReceiptDialog bills={bills} result={result} nameOf={named} onClose={close} />);
    const href = followOf(action, reply, me);
    const link = href === undefined ? undefined : { label: t(progress), href, onOpen: () => void navigate(href) };
    if (!result || result.fail === 0) {
      if (action.done) return notify.success(t(action.done), link);
      const many = result && rows.length > 1;
      return notify.success(many ? t(doneAll, action.label, result.success) : t(done, action.label), link);
    }
    if (bills.length === 0) setOpen(<BatchDialog action={action.label} result={result} nameOf={named} follow={href} onClose={close} />);
  };

  const detailCall = Object.values(page.actions).find((action) => action.call?.kind === 'detail')?.call;
  /** The current row, with fields that the list does not have. */
  const fresh = async (row: AnyRow): Promise<AnyRow> => {
    const reply: unknown = detailCall ? await call(detailCall, { id: row.id }) : undefined;
    return isRow(reply) ? reply : row;
  };

  const openForm = async (
    key: string,
    about: AnyRow | readonly AnyRow[] = [],
    then?: (reply: unknown) => void,
    skipped: readonly SkippedRow[] = [],
  ) => {
    const action = page.actions[key];
    const form = page.forms[action?.form ?? ''];
    const e = action?.call;
    if (!e || !form) return;
    const rows = isRow(about) ? [about] : about;
    const [row, ...others] = rows;
    const isRecord = row && others.length === 0 && (e.kind === 'update' || e.kind === 'create');
    const records = isRecord ? [await fresh(row)] : rows;
    const onDone = (reply: unknown) => {
      close();
      finish(action, e, records, reply);
      then?.(reply);
    };
    const dialog = { page, action, form, rows: records, skipped };
    await show('form', <RecordDialog {...dialog} call={e} onClose={close} onDone={onDone} />);
  };

  const openDetail = async (action: Action, e: Endpoint, row: AnyRow) => {
    const record: unknown = await call(e, { id: row.id });
    const columns = Object.entries(page.resource?.fields ?? {}).filter(([name]) => page.resource?.columns.includes(name));
    const fields = { ...Object.fromEntries(columns), ...e.output };
    await show(
      'view',
      <Panel title={`${t(page.title)} · ${t(action.label)}`} onClose={close}>
        <RecordView page={page} fields={fields} record={isObject(record) ? record : row} scope={page.listParams ?? {}} />
      </Panel>,
    );
  };

  const openTree = async (action: Action, e: Endpoint) => {
    const tree = treeOf(await call(e, {}, { overlay: true }));
    await show(
      'tree',
      <Panel title={t(action.label)} width={640} onClose={close}>
        <GrantTree tree={tree} grants={{}} />
      </Panel>,
    );
  };

  const openList = (key: string, action: Action, e: Endpoint, row: AnyRow | undefined) => {
    // A list of a toolbar action shows the exports started here.
    if (!row || !e.resource) return show('exports', <ExportDrawer title={t(action.label)} onClose={close} />);
    const shown = { key: `${page.key}-${key}`, title: action.label, list: e, resource: e.resource };
    return show(
      'list',
      <Panel title={`${t(action.label)} · ${rowLabel(page.resource, row)}`} width={860} onClose={close}>
        <PlainList page={shown} params={paramsFor(action, row)} />
      </Panel>,
    );
  };

  const perform = async (key: string, action: Action, chosen: readonly AnyRow[]) => {
    const own = run[key];
    const { fit: rows, skipped } = isBatch(action) ? suitableRows(action, chosen, me) : { fit: chosen, skipped: [] };
    // The selection can have changed since the action was offered.
    if (chosen.length > 0 && rows.length === 0) return;
    const [row] = rows;
    const about = row && <ActionObjects resource={page.resource} rows={rows} skipped={skipped} />;
    if (action.confirm && !(await confirm(action.confirm, { danger: action.danger === true, about }))) return;
    if (own) return own(row ?? emptyRow, actions, rows);
    if (action.to !== undefined) return navigate(fillRoute(action.to, row ?? emptyRow));
    if (action.form !== undefined) return openForm(key, rows, undefined, skipped);
    const e = action.call;
    if (!e) return;
    if (action.download) return download(e, inputFor(e, { ...filters, ...knownOf(action, rows) }));
    switch (e.kind) {
      case 'export': {
        const what = isBatch(action) ? { filters: inputFor(e, knownOf(action, rows)), count: rows.length } : { filters };
        return show('exports', <ExportDrawer title={t(page.title)} call={e} {...what} onClose={close} />);
      }
      case 'list':
        return openList(key, action, e, row);
      case 'detail':
        return row && openDetail(action, e, row);
      case 'tree':
        return openTree(action, e);
      default:
        return finish(action, e, rows, await callRows(e, rows, knownOf(action, rows)));
    }
  };

  const act = (key: string, ...rows: readonly AnyRow[]) => {
    const action = page.actions[key];
    if (!action) return;
    // `call` has shown the error; the page was outdated and is loaded again.
    perform(key, action, rows).catch((error: unknown) => {
      if (!(error instanceof CallError)) throw error;
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'list' || queryKey[0] === 'record' });
    });
  };

  const actions: PageActions = { act, openForm, open: <Suspense>{open}</Suspense> };
  return actions;
};
