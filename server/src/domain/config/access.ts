import type { Grant } from '@farlink/contract/kit/field.ts';
import { type GatewayPage, gatewayPermission, isSection } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { SessionInfo } from '../../db/column-types.ts';
import { fail } from '../../kit/fail.ts';

const lower = (a: Grant, b: Grant): Grant => (a < b ? a : b);

/** Grant of a session for a gateway page. A shortcut needs its own grant and that of its target. */
export const grantOfPage = (me: SessionInfo, page: GatewayPage): Grant => {
  const grants = me.rights.gateway_permissions;
  const value = grants === null ? '11' : grants[gatewayPermission(page)];
  const grant: Grant = value === '11' || value === '10' ? value : '00';
  const target = page.quick === undefined ? undefined : gatewayPages.get(page.quick);
  return target && grant !== '00' ? lower(grant, grantOfPage(me, target)) : grant;
};

/** Returns a page that the session may read or change; throws otherwise. */
export const requirePage = (me: SessionInfo, key: string, how: 'read' | 'write'): GatewayPage => {
  const page = gatewayPages.get(key);
  if (!page) throw fail('not_found');
  const grant = grantOfPage(me, page);
  if (grant === '00' || (how === 'write' && grant !== '11')) throw fail('denied');
  return page;
};

/** Same for a page that is a configuration section. */
export const requireSection = (me: SessionInfo, key: string, how: 'read' | 'write'): GatewayPage => {
  const page = requirePage(me, key, how);
  if (!isSection(page)) throw fail('not_found');
  return page;
};

const grantOfKey = (me: SessionInfo, key: string): Grant => {
  const page = gatewayPages.get(key);
  return page ? grantOfPage(me, page) : '00';
};
export const maySeePage = (me: SessionInfo, key: string) => grantOfKey(me, key) !== '00';
export const mayChangePage = (me: SessionInfo, key: string) => grantOfKey(me, key) === '11';

interface ApplyResult {
  readonly pages: readonly string[];
  readonly err: string | null;
}
/** An apply result as shown to a session: pages without a grant are removed, and so is an error that names them. */
export const seenApply = <T extends ApplyResult>(me: SessionInfo, apply: T): T => {
  const unseen = apply.pages.filter((key) => !maySeePage(me, key));
  const isOfUnseen = unseen.some((key) => apply.err?.includes(key));
  return { ...apply, pages: apply.pages.filter((key) => !unseen.includes(key)), err: isOfUnseen ? null : apply.err };
};
