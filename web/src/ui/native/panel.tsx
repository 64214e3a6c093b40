import { type ComponentProps, lazy, Suspense } from 'react';

export const loadPanel = () => import('../antd/side-panel.tsx');
const SidePanel = lazy(loadPanel);

/** The side panel, loaded on first use. */
export const Panel = (props: ComponentProps<typeof SidePanel>) => (
  <Suspense>
    <SidePanel {...props} />
  </Suspense>
);
