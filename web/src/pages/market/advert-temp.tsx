import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { advertTemp } from '@farlink/contract/market/advert-pages.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { call } from '../../kit/net/call.ts';

const PreviewDialog = lazy(() => import('./preview-dialog.tsx'));
const PortalTasks = lazy(() => import('./portal-tasks.tsx'));
const TemplateLibrary = lazy(() => import('./template-library.tsx'));

interface Previewed {
  readonly name: string;
  readonly path: string;
}

/** Portals of a VNO, with the template library, a preview and send records. */
const AdvertTemp = () => {
  const [previewed, setPreviewed] = useState<Previewed>();
  const [areTasksOpen, setTasksOpen] = useState(false);
  const [isLibraryOpen, setLibraryOpen] = useState(false);
  const openPreview = async ({ id }: AnyRow) => {
    const { name, preview, rev } = await call(portalCalls.read, { id });
    setPreviewed({ name, path: `${preview}rev-${rev}/` });
  };
  const run: Run = { preview: openPreview, template: () => setLibraryOpen(true), tasks: () => setTasksOpen(true) };
  return (
    <>
      <ResourcePage page={advertTemp} run={run} />
      <Suspense>
        {isLibraryOpen && (
          <TemplateLibrary
            onClose={() => setLibraryOpen(false)}
            onPreview={({ name, preview_path }) => setPreviewed({ name: String(name), path: `${String(preview_path)}template/` })}
          />
        )}
        {areTasksOpen && <PortalTasks onClose={() => setTasksOpen(false)} />}
        {previewed && <PreviewDialog {...previewed} onClose={() => setPreviewed(undefined)} />}
      </Suspense>
    </>
  );
};
export default AdvertTemp;
