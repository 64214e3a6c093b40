import { type ComponentProps, lazy, Suspense } from 'react';

const SidePanel = lazy(() => import('./side-panel.tsx'));

/** The side panel, fetched when the first one opens. */
export const Panel = (props: ComponentProps<typeof SidePanel>) => (
  <Suspense>
    <SidePanel {...props} />
  </Suspense>
);
