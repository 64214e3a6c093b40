import type { Head } from '@farlink/contract/kit/page.ts';
import { matchPath, useLocation } from 'react-router';

/** The page that matches the current URL. */
export const useCurrentPage = (pages: readonly Head[]): Head | undefined => {
  const { pathname } = useLocation();
  return pages.find((p) => matchPath(p.route, pathname));
};
