import type { Head } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { heads } from '@farlink/contract/menu.ts';
import { matchPath, useLocation, useNavigate, useParams } from 'react-router';
import { valueAt } from '../../ui/format.ts';

/** `/user/detail/:id?tab=bills`: each `:name` is taken from the row. */
export const fillRoute = (to: string, row: AnyRow): string =>
  to.replace(/:([a-z_]\w*)/gi, (_, name: string) => encodeURIComponent(String(valueAt(row, name) ?? '')));

const nameInRoute = /:([a-z_]\w*)/gi;

/** The same, or undefined if a value is missing. */
export const routeOf = (to: string, known: Values): string | undefined => {
  const names = [...to.matchAll(nameInRoute)].map(([, name = '']) => name);
  const isKnown = names.every((name) => ![undefined, null, ''].some((nothing) => valueAt(known, name) === nothing));
  return isKnown ? to.replace(nameInRoute, (_, name: string) => encodeURIComponent(String(valueAt(known, name)))) : undefined;
};

/** The page of a route pattern. */
export const pageAt = (to: string): Head | undefined => heads.find((p) => matchPath(p.route, to.split('?')[0] ?? ''));

/** The `:id` of the route; the router has validated it. */
export const useRouteId = (): number => Number(useParams().id);

/** Navigation state of a click on the current menu item: its view is reset. */
export const isReset = (state: unknown): state is { reset: number } => isRecord(state) && typeof state.reset === 'number';

/** Navigates back; after an external link it navigates to `otherwise`. */
export const useBack = (otherwise: string) => {
  const navigate = useNavigate();
  const isFirst = useLocation().key === 'default';
  return () => void (isFirst ? navigate(otherwise) : navigate(-1));
};
