import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Action, Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { loadPanel, Panel } from '../../ui/native/panel.tsx';
import { t } from '../chrome/lang.ts';
import { treeOf } from '../grants/grant-state.ts';
import { rowLabel } from '../list/row-label.ts';
import { call } from '../net/call.ts';
import { preloadChunk } from '../net/preload-chunk.ts';
import { paramsFor } from './batch.ts';

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

/** The dialog or panel that an action of a page opens. */
export const useActionDialogs = (page: Page) => {
  const [open, setOpen] = useState<ReactNode>(null);
  const close = () => setOpen(null);
  // A kept-alive list does not reopen an abandoned form.
  useEffect(() => () => setOpen(null), []);
  /** If the chunk fails to load, the page stays as it is. */
  const show = async (dialog: keyof typeof dialogs, node: ReactNode) => {
    await Promise.all([preloadChunk(dialogs[dialog]), dialog === 'form' ? undefined : preloadChunk(loadPanel)]);
    setOpen(node);
  };

  const openRecord = (props: Omit<ComponentProps<typeof RecordDialog>, 'onClose'>) =>
    show('form', <RecordDialog {...props} onClose={close} />);

  const openExport = (e: Endpoint, what: { readonly filters: Values; readonly count?: number }) =>
    show('exports', <ExportDrawer title={t(page.title)} call={e} {...what} onClose={close} />);

  const openDetail = async (action: Action, e: Endpoint, row: AnyRow) => {
    const record: unknown = await call(e, { id: row.id });
    const columns = Object.entries(page.resource?.fields ?? {}).filter(([name]) => page.resource?.columns.includes(name));
    const fields = { ...Object.fromEntries(columns), ...e.output };
    await show(
      'view',
      <Panel title={`${t(page.title)} · ${t(action.label)}`} onClose={close}>
        <RecordView page={page} fields={fields} record={isRecord(record) ? record : row} scope={page.listParams ?? {}} />
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

  return { open: <Suspense>{open}</Suspense>, setOpen, close, openRecord, openExport, openDetail, openTree, openList };
};
