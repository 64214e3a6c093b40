import { endpoints } from '@farlink/contract/endpoints.ts';
import { type Endpoint, isWrite, operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import type { Head, Me } from '@farlink/contract/kit/page.ts';
import { headOf, heads } from '@farlink/contract/menu.ts';
import { pages } from '@farlink/contract/pages.ts';
import { cappedGrant, grantOf, mayCall, mayOpen, pageExists } from '@farlink/contract/rights.ts';
import type { Rights, SessionInfo } from '../db/column-types.ts';
import type { Db } from '../kit/deps.ts';
import { wholeVnoKeys } from './whole-vno-calls.ts';

type Grants = Readonly<Record<string, Grant>>;
type Ids = readonly number[] | null;

export interface RoleRow {
  readonly permissions: Grants;
  readonly gateway_permissions: Grants;
  readonly view_hide_pkg: boolean;
  readonly vno_ids: Ids;
  readonly device_ids: Ids;
}

const pageKeys = new Set(pages.map((p) => p.permission));
const lower = (a: Grant, b: Grant | undefined): Grant => (b === undefined || b < a ? (b ?? '00') : a);
/** A read call without a grant follows its page, so explicit denials of the other roles are kept. */
const meet = (all: readonly Grants[]): Grants => {
  const [first = {}, ...rest] = all;
  const denied = rest.flatMap((other) => Object.entries(other).filter(([, grant]) => grant === '00'));
  const lowered = Object.entries(first).map(([key, grant]) => [key, rest.reduce((g, other) => lower(g, other[key]), grant)] as const);
  return Object.fromEntries([...denied, ...lowered]);
};
const narrow = (all: readonly Ids[]): Ids =>
  all.reduce<Ids>((common, ids) => {
    if (ids === null || common === null) return ids ?? common;
    const allowed = new Set(ids);
    return common.filter((id) => allowed.has(id));
  }, null);

/** A role limited to devices can see, but not change what all devices share. */
const showWholeVno = (grants: Grants): Grants =>
  Object.fromEntries(Object.entries(grants).map(([key, grant]) => [key, wholeVnoKeys.has(key) ? lower(grant, '10') : grant]));

/** Effective rights of a role, limited by the roles of its VNO and all VNOs above. */
const rightsOf = (
  roles: readonly RoleRow[],
  own: { view_hide_pkg: boolean },
  me: Pick<Me, 'agent_level' | 'agent_mode' | 'agent_child_enable'>,
): Rights => {
  const device_ids = narrow(roles.map((r) => r.device_ids));
  const met = meet(roles.map((r) => r.permissions));
  const grants = device_ids === null ? met : showWholeVno(met);
  const [role, ...above] = roles;
  return {
    permissions: pages.filter((p) => pageExists(p, me) && (grants[p.permission] ?? '00') !== '00').map((p) => p.permission),
    operate_permissions: Object.fromEntries(Object.entries(grants).filter(([key]) => !pageKeys.has(key))),
    gateway_permissions: meet(roles.map((r) => r.gateway_permissions)),
    view_hide_pkg: (own.view_hide_pkg || role?.view_hide_pkg === true) && above.every((r) => r.view_hide_pkg),
    vno_ids: narrow(roles.map((r) => r.vno_ids)),
    device_ids,
  };
};

/** Pages with nothing but the own VNO. */
const ownVnoPages: ReadonlySet<string> = new Set([headOf('infoSetup').permission]);

/** A role limited to VNOs below does not offer the pages of the own VNO. */
const offered = ({ permissions, ...rights }: Rights, agentId: number): Rights => ({
  ...rights,
  permissions: rights.vno_ids?.includes(agentId) === false ? (permissions?.filter((key) => !ownVnoPages.has(key)) ?? null) : permissions,
});

const everything: Rights = {
  permissions: null,
  operate_permissions: {},
  gateway_permissions: null,
  view_hide_pkg: true,
  vno_ids: null,
  device_ids: null,
};

const accountQuery = (db: Db) =>
  db
    .selectFrom('customer as c')
    .innerJoin('agent as a', 'a.id', 'c.agent_id')
    .leftJoin('role as r', (j) => j.on((eb) => eb('r.id', '=', eb.fn.coalesce('c.role_id', 'a.role_id'))))
    .select([
      'c.id as uid',
      'c.agent_id',
      'c.username',
      'c.name',
      'c.kind',
      'c.job_kind',
      'c.view_hide_pkg',
      'c.is_owner',
      'a.path',
      'a.agent_level',
      'a.agent_mode',
      'a.agent_child_enable',
      'a.name as agent_name',
      'r.name as role_name',
      'r.id as role_id',
    ]);

/** Roles that limit a session on behalf of another account: those of the operator who acts. The platform administrator has no limit. */
const rolesOfActor = async (db: Db, username: string): Promise<RoleRow[]> => {
  const actor = await accountQuery(db)
    .where((eb) => eb(eb.fn('lower', ['c.username']), '=', username.toLowerCase()))
    .executeTakeFirstOrThrow();
  if (actor.agent_level === 0 && actor.is_owner) return [];
  const [own, ...above] = await rolesAbove(db, actor.role_id, actor.path);
  return [{ ...own, view_hide_pkg: actor.view_hide_pkg || own.view_hide_pkg }, ...above];
};

/** Session data of an account, stored in the session row at login. */
export const sessionInfoOf = async (db: Db, customerId: number, acted_by: string | null): Promise<SessionInfo> => {
  const c = await accountQuery(db).where('c.id', '=', customerId).executeTakeFirstOrThrow();
  const is_admin = c.agent_level === 0 && c.is_owner;
  const agent = { agent_level: c.agent_level, agent_mode: c.agent_mode, agent_child_enable: c.agent_child_enable };
  const limits = acted_by === null ? [] : await rolesOfActor(db, acted_by);
  const rights = is_admin ? everything : offered(rightsOf([...(await rolesAbove(db, c.role_id, c.path)), ...limits], c, agent), c.agent_id);
  return {
    uid: c.uid,
    username: c.username,
    name: c.name,
    role_name: is_admin ? '' : (c.role_name ?? ''),
    customer_kind: c.kind,
    job_kind: c.job_kind,
    agent_id: c.agent_id,
    agent_name: c.agent_name,
    agent_path: c.path,
    ...agent,
    is_admin,
    permissions: rights.permissions,
    operate_permissions: rights.operate_permissions,
    view_hide_pkg: rights.view_hide_pkg,
    rights,
    acted_by,
  };
};

const columns = ['permissions', 'gateway_permissions', 'view_hide_pkg', 'vno_ids', 'device_ids'] as const;

/** Roles of a VNO and of all VNOs above it. */
const rolesOfBranch = (db: Db, path: string): Promise<RoleRow[]> =>
  db
    .selectFrom('agent')
    .innerJoin('role', 'role.id', 'agent.role_id')
    .select(columns.map((c) => `role.${c}` as const))
    .where('agent.id', 'in', path.split('/').filter(Boolean).map(Number))
    .execute();

/** The account's own role first, then the roles of its VNO and of all VNOs above it. */
const rolesAbove = async (db: Db, roleId: number | null, path: string): Promise<[RoleRow, ...RoleRow[]]> => {
  const own = await db.selectFrom('role').select(columns).where('id', '=', roleId).executeTakeFirst();
  const none: RoleRow = { permissions: {}, gateway_permissions: {}, view_hide_pkg: false, vno_ids: null, device_ids: null };
  return [own ?? none, ...(await rolesOfBranch(db, path))];
};

const openedBy = new Map(heads.map((h: Head): [string, string[]] => [h.permission, [h.permission, ...(h.grantedBy ?? [])]]));
const headOfPage = new Map(heads.map((h: Head) => [h.permission, h]));
const callOfKey = new Map(endpoints.map((e: Endpoint) => [operateKey(e), e]));
const reads = endpoints.flatMap((e) =>
  isWrite(e) || !Array.isArray(e.access) ? [] : [{ key: operateKey(e), pages: e.access.flatMap((p: string) => openedBy.get(p) ?? []) }],
);

const isOpen = (grant: string | undefined) => (grant ?? '00') !== '00';

/** Read calls without a grant follow their page. Returns those that would become open although the session itself is denied them. */
const silentReads = (me: SessionInfo, requested: Grants): string[] =>
  reads
    .filter(
      ({ key, pages: of }) => me.operate_permissions[key] === '00' && requested[key] === undefined && of.some((p) => isOpen(requested[p])),
    )
    .map(({ key }) => key);

const within = (requested: Ids, limit: Ids) => {
  if (limit === null) return true;
  const allowed = new Set(limit);
  return requested?.every((id) => allowed.has(id)) === true;
};

/** Grants to store: reads are capped at read-only, and denied if the session itself is denied them. */
export const grantsToStore = (me: SessionInfo, requested: Grants): Grants => ({
  ...Object.fromEntries(Object.entries(requested).map(([key, grant]) => [key, cappedGrant(key, grant)])),
  ...Object.fromEntries(silentReads(me, requested).map((key) => [key, '00'] as const)),
});

/** Highest grant that the session may give for a key. */
const ownGrant = (me: SessionInfo, key: string): Grant => {
  const page = headOfPage.get(key);
  if (page) return mayOpen(page, me) ? '11' : '00';
  const call = callOfKey.get(key);
  return call ? grantOf(call, me) : '00';
};

/** Grants above the stored ones. A stored grant that its VNO has lost may stay, because it has no effect. */
const raised = (requested: Grants, stored: Grants = {}): [string, Grant][] =>
  Object.entries(requested).filter(([key, grant]) => grant > (stored[key] ?? '00'));

type RoleGrants = Pick<RoleRow, 'permissions' | 'gateway_permissions'>;

/** True if a role gets grants that the session does not have, regardless of their effect. */
export const grantsMore = (me: SessionInfo, requested: RoleGrants, stored?: RoleGrants): boolean =>
  me.permissions !== null &&
  (raised(requested.permissions, stored?.permissions).some(([key, grant]) => grant > ownGrant(me, key)) ||
    raised(requested.gateway_permissions, stored?.gateway_permissions).some(
      ([key, grant]) => grant > (me.rights.gateway_permissions?.[key] ?? '00'),
    ));

/** True if effective rights exceed those of the session. */
export const outranks = (me: SessionInfo, their: Rights): boolean => {
  if (me.permissions === null) return false;
  if (their.permissions === null) return true;
  const them: Me = { ...me, permissions: their.permissions, operate_permissions: their.operate_permissions };
  const { gateway_permissions, view_hide_pkg, vno_ids, device_ids } = me.rights;
  return (
    heads.some((page) => mayOpen(page, them) && !mayOpen(page, me)) ||
    endpoints.some((call) => mayCall(call, them) && !mayCall(call, me)) ||
    Object.entries(their.gateway_permissions ?? {}).some(([key, grant]) => grant > (gateway_permissions?.[key] ?? '00')) ||
    (their.view_hide_pkg && !view_hide_pkg) ||
    !within(their.vno_ids, vno_ids) ||
    !within(their.device_ids, device_ids)
  );
};

/** Effective rights of a role in the session's own VNO. */
export const rightsHere = async (db: Db, me: SessionInfo, role: RoleRow): Promise<Rights> =>
  rightsOf([role, ...(await rolesOfBranch(db, me.agent_path))], role, me);

type RoleKind = 'agent' | 'sub' | 'job';

/**
 * True if the effective rights of a role exceed those of the session: pages, calls, gateway menus, hidden packages and rows. A VNO role is
 * not limited by the session's row scope, because it sees the branch of its VNO.
 */
export const exceeds = async (db: Db, me: SessionInfo, kind: RoleKind, role: RoleRow): Promise<boolean> =>
  (await excessFor(db, me, kind))(role);

/** Same for many roles of a kind. */
export const excessFor = async (db: Db, me: SessionInfo, kind: RoleKind): Promise<(role: RoleRow) => boolean> => {
  if (me.permissions === null) return () => false;
  const above = await rolesOfBranch(db, me.agent_path);
  const { vno_ids, device_ids } = me.rights;
  return (role) => {
    const rights = rightsOf([role, ...above], role, me);
    return outranks(me, kind === 'agent' ? { ...rights, vno_ids, device_ids } : rights);
  };
};
