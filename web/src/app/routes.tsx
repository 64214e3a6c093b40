import type { Head } from '@farlink/contract/kit/page.ts';
import { type LoaderFunction, type RouteObject, redirect } from 'react-router';
import { pageComponents } from '../pages/index.ts';
import { endSession } from './end-session.ts';
import { loadChunk } from './load-chunk.ts';
import { NotFound } from './not-found.tsx';
import { PageError } from './page-error.tsx';
import { firstChild, firstRoute, homeRoute, menuGroups, type OpenGroup } from './permitted.ts';
import { Shell } from './shell/shell.tsx';
import { Splash } from './splash.tsx';
import { Timeout } from './timeout.tsx';

/** An id in the URL must be a whole number; otherwise the page does not exist. */
const idOnly =
  (missing: string): LoaderFunction =>
  ({ params }) =>
    params.id === undefined || /^[1-9]\d{0,14}$/.test(params.id) ? null : redirect(missing);

const pageRoute = (page: Head, missing: string): RouteObject => ({
  path: page.route,
  ...(page.route.includes(':id') ? { loader: idOnly(missing) } : {}),
  lazy: async () => {
    const load = pageComponents[page.key];
    if (!load) throw new Error(`no component for ${page.key}`);
    return { Component: (await loadChunk(load)).default };
  },
});

/** A redirect route; `element: null` avoids a warning of the router. */
const redirectRoute = (path: string, loader: LoaderFunction): RouteObject => ({ path, loader, element: null });

/** spec §2: opening the login page ends the session, also by the back button. */
const loginLoader: LoaderFunction = () => {
  endSession();
  return null;
};

/** The routes of one operator; pages without permission have no route. */
export const routesOf = (open: readonly OpenGroup[]): RouteObject[] => {
  const first = firstRoute(open);
  const home = homeRoute(open);
  const missing = first === null ? '/notFound' : '/notFound?type=404';
  const groupRoutes = open.flatMap((g): RouteObject[] => [
    redirectRoute(g.path, () => redirect(firstChild(g) ?? missing)),
    ...g.pages.map((page) => pageRoute(page, missing)),
  ]);
  const notFound: RouteObject = {
    path: '/notFound',
    loader: ({ request }) => (first !== null && new URL(request.url).searchParams.get('type') !== '404' ? redirect(first) : null),
    element: <NotFound denied={first === null} />,
  };
  // The error boundary is above the pages, because a page that failed to load cannot show its own.
  const inShell: RouteObject = { errorElement: <PageError />, children: first === null ? groupRoutes : [...groupRoutes, notFound] };
  return [
    {
      HydrateFallback: Splash,
      ErrorBoundary: PageError,
      children: [
        { element: <Shell groups={menuGroups(open)} pages={open.flatMap((g) => g.pages)} />, children: [inShell] },
        ...(first === null ? [notFound] : []),
        redirectRoute('/', loginLoader),
        redirectRoute('/login', loginLoader),
        redirectRoute('/index', () => redirect(home ?? '/notFound')),
        { path: '/timeout', Component: Timeout },
        redirectRoute('*', () => redirect(missing)),
      ],
    },
  ];
};
