import type { Action, Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { NoteLines } from '../../ui/native/note-lines.tsx';
import { confirm } from '../chrome/notify.tsx';
import { fillRoute } from '../chrome/route.ts';
import { previewOf } from '../form/preview.ts';
import { CallError, call } from '../net/call.ts';
import { callRows } from '../net/call-rows.ts';
import { download } from '../net/download.ts';
import { useMe } from '../net/session.ts';
import { inputFor, isRow } from '../net/wire.ts';
import { ActionObjects } from './action-objects.tsx';
import { isBatch } from './action-state.ts';
import { knownOf } from './batch.ts';
import { type SkippedRow, suitableRows } from './suitable-rows.ts';
import { useActionDialogs } from './use-action-dialogs.tsx';
import { type OnCompleted, useActionResult } from './use-action-result.tsx';

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

/** Calls the detail action of the page: the current row, with fields that the list does not have. */
const readRow = async (page: Page, row: AnyRow): Promise<AnyRow> => {
  const detail = Object.values(page.actions).find((action) => action.call?.kind === 'detail')?.call;
  const reply: unknown = detail ? await call(detail, { id: row.id }) : undefined;
  return isRow(reply) ? reply : row;
};

/** Default behaviour of an action: confirm, open its form or detail, download its file, or call and refresh. */
export const usePageActions = (page: Page, filters: Values, run: Run = {}, onCompleted?: OnCompleted): PageActions => {
  const navigate = useNavigate();
  const me = useMe();
  const client = useQueryClient();
  const dialogs = useActionDialogs(page);
  const finish = useActionResult(page, dialogs.setOpen, onCompleted);

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
    const isOneRow = row && others.length === 0 && (e.kind === 'update' || e.kind === 'create');
    const records = isOneRow ? [await readRow(page, row)] : rows;
    const onDone = (reply: unknown, reported: Action) => {
      dialogs.close();
      finish(reported, e, records, reply);
      then?.(reply);
    };
    await dialogs.openRecord({ page, action, form, rows: records, skipped, call: e, onDone });
  };

  const callAction = async (key: string, action: Action, rows: readonly AnyRow[], previewed?: Values) => {
    const [row] = rows;
    const e = action.call;
    if (!e) return;
    if (action.download) return download(e, inputFor(e, { ...filters, ...knownOf(action, rows) }));
    switch (e.kind) {
      case 'export':
        return dialogs.openExport(e, isBatch(action) ? { filters: inputFor(e, knownOf(action, rows)), count: rows.length } : { filters });
      case 'list':
        return dialogs.openList(key, action, e, row);
      case 'detail':
        return row && dialogs.openDetail(action, e, row);
      case 'tree':
        return dialogs.openTree(action, e);
      default:
        return finish(action, e, rows, await callRows(e, rows, { ...knownOf(action, rows), ...previewed }));
    }
  };

  const perform = async (key: string, action: Action, chosen: readonly AnyRow[]) => {
    const own = run[key];
    const { fit: rows, skipped } = isBatch(action) ? suitableRows(action, chosen, me) : { fit: chosen, skipped: [] };
    // The selection can have changed since the action was offered.
    if (chosen.length > 0 && rows.length === 0) return;
    const [row] = rows;
    const preview = action.preview && previewOf(await call(action.preview, { ids: rows.map(({ id }) => id) }));
    const about = row && (
      <>
        <ActionObjects resource={page.resource} rows={rows} skipped={skipped} />
        {preview && <NoteLines notes={preview.notes} className="question-notes" />}
      </>
    );
    if (action.confirm && !(await confirm(action.confirm, { danger: action.danger === true, about }))) return;
    if (own) return own(row ?? emptyRow, actions, rows);
    if (action.to !== undefined) return navigate(fillRoute(action.to, row ?? emptyRow));
    if (action.form !== undefined) return openForm(key, rows, undefined, skipped);
    return callAction(key, action, rows, preview?.values);
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

  const actions: PageActions = { act, openForm, open: dialogs.open };
  return actions;
};
