import type { Head } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { heads } from '@farlink/contract/menu.ts';
import { matchPath, useLocation, useNavigate, useParams } from 'react-router';
import { valueAt } from '../../ui/format.ts';
import { isObject } from '../net/wire.ts';

/** `/user/detail/:id?tab=bills`: each `:name` is taken from the row. */
export const fillRoute = (to: string, row: AnyRow): string =>
  to.replace(/:([a-z_]\w*)/gi, (_, name: string) => encodeURIComponent(String(valueAt(row, name) ?? '')));

const nameInRoute = /:([a-z_]\w*)/gi;

/** The same, where everything that the route names is known; otherwise it leads nowhere. */
export const routeOf = (to: string, known: Values): string | undefined => {
  const names = [...to.matchAll(nameInRoute)].map(([, name = '']) => name);
  const isKnown = names.every((name) => ![undefined, null, ''].some((nothing) => valueAt(known, name) === nothing));
  return isKnown ? to.replace(nameInRoute, (_, name: string) => encodeURIComponent(String(valueAt(known, name)))) : undefined;
};

/** The page that a route leads to, whatever row it will be filled from. */
export const pageAt = (to: string): Head | undefined => heads.find((p) => matchPath(p.route, to.split('?')[0] ?? ''));

/** The `:id` of a page's route; the router has made sure that it is a whole number. */
export const useRouteId = (): number => Number(useParams().id);

/** Carried by the address when the menu item of the current page is clicked: its view starts afresh. */
export const isTurn = (state: unknown): state is { turn: number } => isObject(state) && typeof state.turn === 'number';

/** Back to where the operator came from; whoever came by a link from outside goes to `otherwise`. */
export const useBack = (otherwise: string) => {
  const navigate = useNavigate();
  const isFirst = useLocation().key === 'default';
  return () => void (isFirst ? navigate(otherwise) : navigate(-1));
};
