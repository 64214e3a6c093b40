import type { Head } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Location, matchPath, useLocation, useNavigate, useNavigation } from 'react-router';
import { useBrand } from '../../kit/chrome/brand.ts';
import { t } from '../../kit/chrome/lang.ts';
import { useLocalPreference } from '../../kit/chrome/local-preference.ts';
import { isReset } from '../../kit/chrome/route.ts';
import { useLeaveWatch } from '../../kit/form/use-leave-guard.ts';
import { useNarrow } from '../../ui/browser/use-media.ts';
import { titled } from '../brand.tsx';
import { menuPageOf, type OpenGroup } from '../permitted.ts';
import { ActingBanner } from './acting-banner.tsx';
import { Header } from './header.tsx';
import { MenuDrawer } from './menu-drawer.tsx';
import { PageOutlet } from './page-outlet.tsx';
import { SideMenu } from './side-menu.tsx';
import './shell.css';
import './side-menu.css';
import './header.css';
import './command-palette.css';
import './shell-narrow.css';

/** The page that matches the current URL. */
const useCurrentPage = (pages: readonly Head[]): Head | undefined => {
  const { pathname } = useLocation();
  return pages.find((p) => matchPath(p.route, pathname));
};

const skip: Text = ['跳到主要内容', 'Skip to content'];

interface ShellProps {
  readonly groups: readonly OpenGroup[];
  /** All permitted pages, including those outside the menu. */
  readonly pages: readonly Head[];
}

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

export const Shell = ({ groups, pages }: ShellProps) => {
  const main = useRef<HTMLElement>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search, state }: Location<unknown> = useLocation();
  const loading = useNavigation().state === 'loading';
  const brand = useBrand();
  useLeaveWatch();
  const page = useCurrentPage(pages);
  const parent = menuPageOf(groups, page);
  const [collapsed = false, setCollapsed] = useLocalPreference('farlink-side', isFlag);
  const isNarrow = useNarrow();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [resets, setResets] = useState<Readonly<Record<string, number>>>({});
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({});

  // The reset count is part of the navigation state, so a reset view never sees the old filters.
  if (page && isReset(state) && resets[page.key] !== state.reset) setResets({ ...resets, [page.key]: state.reset });

  // A kept-alive page reopens with its last filters.
  const address = `${pathname}${search}`;
  if (page?.keepAlive && addresses[page.key] !== address) setAddresses({ ...addresses, [page.key]: address });

  useEffect(() => {
    document.title = titled(brand.name, page && t(page.title));
  }, [page, brand.name]);

  // spec §2: the scroll position resets on navigation. The first page is skipped, because a reset would cause a second layout.
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname) main.current?.scrollTo(0, 0);
    shown.current = pathname;
  }, [pathname]);

  const addressOf = (next: Head) => addresses[next.key] ?? next.route;

  const open = (next: Head) => {
    if (next.key !== page?.key) return void navigate(addressOf(next));
    // spec §2: a click on the current menu item reloads its view.
    void queries.invalidateQueries({ refetchType: 'none' });
    void navigate(next.route, { replace: true, state: { reset: (resets[next.key] ?? 0) + 1 } });
  };

  return (
    <div className="shell" data-collapsed={collapsed || undefined}>
      <a className="skip" href="#main">
        {t(skip)}
      </a>
      {!isNarrow && <SideMenu groups={groups} page={parent} collapsed={collapsed} onOpen={open} />}
      {isNarrow && isMenuOpen && <MenuDrawer groups={groups} page={parent} onOpen={open} onClose={() => setMenuOpen(false)} />}
      <div className="column shell-body">
        <ActingBanner />
        <Header
          groups={groups}
          page={page}
          parent={parent}
          addressOf={addressOf}
          collapsed={collapsed}
          onCollapse={() => setCollapsed(!collapsed)}
          onMenu={() => setMenuOpen(true)}
          onOpen={open}
        />
        {loading && <div className="shell-loading" />}
        <main id="main" ref={main} tabIndex={-1}>
          <PageOutlet page={page} resets={resets} />
        </main>
      </div>
    </div>
  );
};
