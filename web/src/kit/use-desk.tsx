import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import type { Action, AnyRow, Page } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { Panel } from '../ui/panel.tsx';
import { CallError, call } from './call.ts';
import { treeOf } from './grant-state.ts';
import { t } from './lang.ts';
import { confirm, notify } from './notify.tsx';
import { RecordView } from './record-view.tsx';
import { inputFor, isObject, isRow } from './wire.ts';

// What an operator opens is fetched when it is first opened; the list comes first.
const RecordDialog = lazy(() => import('./record-dialog.tsx'));
const ExportDrawer = lazy(() => import('./export-drawer.tsx'));
const GrantTree = lazy(() => import('./grant-tree.tsx'));

const done: Text = ['{0}成功', '{0}: done'];

/** A page's own deed in place of the usual one; what the action's `confirm` asks has been answered by then. */
export type Run = Readonly<Record<string, (row: AnyRow, desk: Desk) => unknown>>;

export interface Desk {
  readonly act: (key: string, row?: AnyRow) => void;
  /** Opens the action's form; `then` sees the answer after the usual notice and refresh. */
  readonly openForm: (key: string, row?: AnyRow, then?: (answer: unknown) => void) => Promise<void>;
  /** Whatever is open: a dialog or a panel. */
  readonly open: ReactNode;
}

const nobody: AnyRow = { id: 0 };

/** What an action does when nothing else is said: ask, open its form or its detail, or call and refresh. */
export const useDesk = (page: Page, filters: Values, run: Run = {}): Desk => {
  const [open, setOpen] = useState<ReactNode>(null);
  const navigate = useNavigate();
  const client = useQueryClient();
  const close = () => setOpen(null);

  const finish = (action: Action) => {
    notify.success(t(done, action.label));
    void client.invalidateQueries();
  };

  const detailCall = Object.values(page.actions).find((action) => action.call?.kind === 'detail')?.call;
  /** The row as it is now, with the fields that the list does not carry. */
  const fresh = async (row: AnyRow): Promise<AnyRow> => {
    const answer: unknown = detailCall ? await call(detailCall, { id: row.id }) : undefined;
    return isRow(answer) ? answer : row;
  };

  const openForm = async (key: string, row?: AnyRow, then?: (answer: unknown) => void) => {
    const action = page.actions[key];
    const form = page.forms[action?.form ?? ''];
    if (!action?.call || !form) return;
    const record = row && (action.call.kind === 'update' || action.call.kind === 'create') ? await fresh(row) : row;
    const onDone = (answer: unknown) => {
      close();
      finish(action);
      then?.(answer);
    };
    setOpen(<RecordDialog page={page} action={action} call={action.call} form={form} row={record} onClose={close} onDone={onDone} />);
  };

  const openDetail = async (action: Action, e: Endpoint, row: AnyRow) => {
    const record: unknown = await call(e, { id: row.id });
    const columns = Object.entries(page.resource?.fields ?? {}).filter(([name]) => page.resource?.columns.includes(name));
    const fields = { ...Object.fromEntries(columns), ...e.output };
    setOpen(
      <Panel title={`${t(page.title)} · ${t(action.label)}`} onClose={close}>
        <RecordView fields={fields} record={isObject(record) ? record : row} scope={page.listParams ?? {}} />
      </Panel>,
    );
  };

  const openTree = async (action: Action, e: Endpoint) => {
    const tree = treeOf(await call(e, {}, { overlay: true }));
    setOpen(
      <Panel title={t(action.label)} width={640} onClose={close}>
        <GrantTree tree={tree} grants={{}} />
      </Panel>,
    );
  };

  const perform = async (key: string, action: Action, row: AnyRow | undefined) => {
    const own = run[key];
    if (action.confirm && !(await confirm(action.confirm, { danger: action.danger === true }))) return;
    if (own) return own(row ?? nobody, desk);
    if (action.to !== undefined) return navigate(action.to);
    if (action.form !== undefined) return openForm(key, row);
    if (!action.call) return;
    switch (action.call.kind) {
      case 'export':
        return setOpen(<ExportDrawer title={t(page.title)} call={action.call} filters={filters} onClose={close} />);
      // A list behind a button of the toolbar is that of the exports which were started here.
      case 'list':
        return setOpen(<ExportDrawer title={t(action.label)} onClose={close} />);
      case 'detail':
        return row && openDetail(action, action.call, row);
      case 'tree':
        return openTree(action, action.call);
      default:
        await call(action.call, inputFor(action.call, { id: row?.id, version: row?.version, ...action.params }));
        finish(action);
    }
  };

  const act = (key: string, row?: AnyRow) => {
    const action = page.actions[key];
    if (!action) return;
    // A refusal has been shown by `call`; the list is read again, because what it showed was out of date.
    perform(key, action, row).catch((error: unknown) => {
      if (!(error instanceof CallError)) throw error;
      void client.invalidateQueries({ queryKey: ['list', page.key] });
    });
  };

  const desk: Desk = { act, openForm, open: <Suspense>{open}</Suspense> };
  return desk;
};
