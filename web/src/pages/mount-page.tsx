import type { ComponentType } from 'react';
import type { ListPage } from '../kit/list/use-list.ts';

export type LoadPage = () => Promise<{ readonly default: ComponentType }>;

/** A component that shows any list page, and the declaration of one page; both load in parallel. */
export const mount =
  <P extends ListPage>(loadComponent: () => Promise<ComponentType<{ readonly page: P }>>) =>
  (loadDeclaration: () => Promise<P>): LoadPage =>
  async () => {
    const [Generic, page] = await Promise.all([loadComponent(), loadDeclaration()]);
    return { default: () => <Generic page={page} /> };
  };
