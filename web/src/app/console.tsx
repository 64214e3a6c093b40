import type { Profile } from '@farlink/contract/auth/auth.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import { groups } from '@farlink/contract/menu.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { createBrowserRouter, type DataRouter, matchRoutes, type RouteObject, RouterProvider } from 'react-router';
import { setAnnouncementCount } from '../kit/announcement/use-announcements.ts';
import { markActivity } from '../kit/live/activity.ts';
import { MeContext, meOf, type Session, writeSession } from '../kit/net/session.ts';
import { pageComponents } from '../pages/index.ts';
import { takeReturnPath } from './end-session.ts';
import { IdentityContext } from './identity.ts';
import { watchInactivity } from './inactivity.ts';
import { homeRoute, permittedGroups } from './permitted.ts';
import { RequestOverlay } from './request-overlay.tsx';
import { routesOf } from './routes.tsx';

interface ConsoleProps {
  readonly session: Session;
  readonly profile: Profile;
  readonly me: Me;
  readonly router: DataRouter;
  readonly queries: QueryClient;
}

const Console = ({ session, profile: first, me, router, queries }: ConsoleProps) => {
  const [profile, setProfile] = useState(first);
  return (
    <QueryClientProvider client={queries}>
      <MeContext value={me}>
        <IdentityContext value={{ session, profile, setProfile }}>
          <RouterProvider router={router} />
          <RequestOverlay />
        </IdentityContext>
      </MeContext>
    </QueryClientProvider>
  );
};

/** Prefetches the chunk of the first page while the login message is shown. */
export const prefetchFirst = (session: Session, profile: Profile) => {
  const open = permittedGroups(groups, meOf(session, profile));
  const page = open.flatMap((g) => g.pages).find((p) => p.route === homeRoute(open));
  const load = page && pageComponents[page.key];
  return load?.();
};

/** The page requested before the login, if the operator can open it. */
const returnPathIn = (routes: RouteObject[]): string | null => {
  const returnPath = takeReturnPath();
  const leaf = returnPath === null ? undefined : matchRoutes(routes, returnPath.split('?')[0] ?? '')?.at(-1);
  return leaf?.route.lazy ? returnPath : null;
};

/** Creates the console of one operator once, when session and profile are loaded. */
export const consoleOf = (session: Session, profile: Profile): ReactNode => {
  const me = meOf(session, profile);
  const routes = routesOf(permittedGroups(groups, me));
  // spec §2: with the login status set the requested path is kept; otherwise the status is set and the path is /index.
  if (!session.login_status) {
    writeSession({ ...session, login_status: true });
    history.replaceState(null, '', returnPathIn(routes) ?? '/index');
  }
  const router = createBrowserRouter(routes);
  watchInactivity();
  let lastLocation = router.state.location;
  router.subscribe(({ location }) => {
    if (location === lastLocation) return;
    lastLocation = location;
    markActivity();
  });
  // Offline reads fail at once instead of waiting behind old data, and are repeated after reconnect.
  const reading = { retry: false, refetchOnWindowFocus: false, networkMode: 'always', refetchOnReconnect: true } as const;
  const queries = new QueryClient({ defaultOptions: { queries: reading } });
  setAnnouncementCount(queries, profile.notices);
  return <Console session={session} profile={profile} me={me} router={router} queries={queries} />;
};
