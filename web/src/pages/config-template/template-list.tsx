import { configTemplate } from '@farlink/contract/config/config-template.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const VariablePanel = lazy(() => import('./variable-panel.tsx'));
const PreviewPanel = lazy(() => import('./preview-panel.tsx'));
const ApplyDialog = lazy(() => import('./apply-dialog.tsx'));

/** Templates with their variables, preview and campaigns. */
const TemplateList = () => {
  const [open, setOpen] = useState<ReactNode>(null);
  const close = () => setOpen(null);
  const run: Run = {
    variables: () => setOpen(<VariablePanel onClose={close} />),
    preview: (row: AnyRow) => setOpen(<PreviewPanel id={row.id} name={String(row.name)} onClose={close} />),
    apply: (row: AnyRow) => setOpen(<ApplyDialog template={row} onClose={close} />),
  };
  return (
    <>
      <ResourcePage page={configTemplate} run={run} />
      <Suspense>{open}</Suspense>
    </>
  );
};
export default TemplateList;
