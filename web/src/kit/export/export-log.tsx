import { ResourcePage } from '../list/resource-page.tsx';
import type { ListPage } from '../list/use-list.ts';
import { isExporting, usePollWhileRunning } from '../live/use-poll-while-running.ts';

/** A list of exports; polled while one is running. */
export const ExportLog = ({ page }: { readonly page: ListPage }) => {
  usePollWhileRunning(page.key, isExporting);
  return <ResourcePage page={page} />;
};
