import { type Endpoint, isReadKey, isWrite, operateKey } from './kit/endpoint.ts';
import type { Grant } from './kit/field.ts';
import type { Head, Me } from './kit/page.ts';
import { heads } from './menu.ts';

/** Permission rules, shared by the server (refuses) and the console (hides). */

/** spec §6: platform, agent mode and agent_child_enable decide whether a page exists for an operator. */
export const pageExists = (page: Head, me: Pick<Me, 'agent_level' | 'agent_mode' | 'agent_child_enable'>): boolean =>
  (page.platform === undefined || page.platform === (me.agent_level === 0 ? 'admin' : 'vno')) &&
  !page.hiddenModes?.includes(me.agent_mode) &&
  (page.requires === undefined || me.agent_child_enable);

export const mayOpen = (page: Head, me: Me): boolean =>
  pageExists(page, me) &&
  (me.permissions === null || [page.permission, ...(page.grantedBy ?? [])].some((key) => me.permissions?.includes(key)));

const isGrant = (value: unknown): value is Grant => value === '00' || value === '10' || value === '11';

/** Grant of a call in the operate map. Without an entry, a read call follows the page and a write call is refused. */
export const grantOf = (call: Endpoint, me: Me): Grant => {
  if (call.hiddenModes?.includes(me.agent_mode)) return '00';
  if (me.permissions === null) return '11';
  const value = me.operate_permissions[operateKey(call)];
  if (isGrant(value)) return value;
  return isWrite(call) ? '00' : '10';
};

/** Grant of a form page: the highest grant of its write calls. */
export const entryGrant = (page: Head, me: Me): Grant => {
  if (page.needs === undefined || me.permissions === null) return '11';
  const grants = page.needs.map((key) => me.operate_permissions[key]);
  return grants.includes('11') ? '11' : grants.includes('10') ? '10' : '00';
};

/** A read call has only two grants, invisible and show; operable becomes show. */
export const cappedGrant = (key: string, grant: Grant): Grant => (grant === '11' && isReadKey(key) ? '10' : grant);

const pageOf = new Map<string, Head>(heads.map((h) => [h.permission, h]));

export const mayCall = (call: Endpoint, me: Me): boolean => {
  if (call.access === 'public' || call.access === 'session') return true;
  const open = call.access.some((key) => {
    const page = pageOf.get(key);
    return page !== undefined && mayOpen(page, me);
  });
  if (!open) return false;
  const grant = grantOf(call, me);
  return isWrite(call) ? grant === '11' : grant !== '00';
};
