import type { Grant } from '@farlink/contract/kit/field.ts';
import type { Me } from '@farlink/contract/kit/resource.ts';
import { pages } from '@farlink/contract/pages.ts';
import { pageExists } from '@farlink/contract/rights.ts';
import type { Rights, SessionInfo } from '../kit/ctx.ts';
import type { Db } from '../kit/deps.ts';

type Grants = Readonly<Record<string, Grant>>;
type Ids = readonly number[] | null;

interface RoleRow {
  readonly permissions: Grants;
  readonly gateway_permissions: Grants;
  readonly view_hide_pkg: boolean;
  readonly vno_ids: Ids;
  readonly device_ids: Ids;
}

const pageKeys = new Set(pages.map((p) => p.permission));
const lower = (a: Grant, b: Grant | undefined): Grant => (b === undefined || b < a ? (b ?? '00') : a);
const meet = (all: readonly Grants[]): Grants => {
  const [first = {}, ...rest] = all;
  return Object.fromEntries(Object.entries(first).map(([key, grant]) => [key, rest.reduce((g, other) => lower(g, other[key]), grant)]));
};
const narrow = (all: readonly Ids[]): Ids =>
  all.reduce<Ids>((kept, ids) => (ids === null ? kept : kept === null ? ids : kept.filter((id) => ids.includes(id))), null);

/** What remains of a role under the roles of its VNO and of every VNO above: nobody holds more than the branch was given. */
const rightsOf = (
  roles: readonly RoleRow[],
  own: { view_hide_pkg: boolean },
  me: Pick<Me, 'agent_level' | 'agent_mode' | 'agent_child_enable'>,
): Rights => {
  const grants = meet(roles.map((r) => r.permissions));
  const [role, ...above] = roles;
  return {
    permissions: pages.filter((p) => pageExists(p, me) && (grants[p.permission] ?? '00') !== '00').map((p) => p.permission),
    operate_permissions: Object.fromEntries(Object.entries(grants).filter(([key]) => !pageKeys.has(key))),
    gateway_permissions: meet(roles.map((r) => r.gateway_permissions)),
    view_hide_pkg: (own.view_hide_pkg || role?.view_hide_pkg === true) && above.every((r) => r.view_hide_pkg),
    vno_ids: narrow(roles.map((r) => r.vno_ids)),
    device_ids: narrow(roles.map((r) => r.device_ids)),
  };
};

const everything: Rights = {
  permissions: null,
  operate_permissions: {},
  gateway_permissions: null,
  view_hide_pkg: true,
  vno_ids: null,
  device_ids: null,
};

/** Everything a session needs to know of its account, frozen into its row. */
export const sessionInfoOf = async (db: Db, customerId: number, acted_by: string | null): Promise<SessionInfo> => {
  const c = await db
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
    ])
    .where('c.id', '=', customerId)
    .executeTakeFirstOrThrow();
  const is_admin = c.agent_level === 0 && c.is_owner;
  const place = { agent_level: c.agent_level, agent_mode: c.agent_mode, agent_child_enable: c.agent_child_enable };
  const rights = is_admin ? everything : rightsOf(await rolesAbove(db, c.role_id, c.path), c, place);
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
    ...place,
    is_admin,
    permissions: rights.permissions,
    operate_permissions: rights.operate_permissions,
    view_hide_pkg: rights.view_hide_pkg,
    rights,
    acted_by,
  };
};

/** The account's own role first, then those of its VNO and of every VNO above it. */
const rolesAbove = async (db: Db, roleId: number | null, path: string): Promise<RoleRow[]> => {
  const agents = path.split('/').filter(Boolean).map(Number);
  const columns = ['permissions', 'gateway_permissions', 'view_hide_pkg', 'vno_ids', 'device_ids'] as const;
  const own = await db.selectFrom('role').select(columns).where('id', '=', roleId).executeTakeFirst();
  const above = await db
    .selectFrom('agent')
    .innerJoin('role', 'role.id', 'agent.role_id')
    .select(columns.map((c) => `role.${c}` as const))
    .where('agent.id', 'in', agents)
    .execute();
  const none: RoleRow = { permissions: {}, gateway_permissions: {}, view_hide_pkg: false, vno_ids: null, device_ids: null };
  return [own ?? none, ...above];
};

/** What of the asked-for grants goes beyond what the session itself holds. */
export const exceeds = (me: SessionInfo, asked: Grants): boolean => {
  if (me.permissions === null) return false;
  const held: Readonly<Record<string, string>> = { ...me.operate_permissions, ...Object.fromEntries(me.permissions.map((p) => [p, '11'])) };
  return Object.entries(asked).some(([key, grant]) => grant > (held[key] ?? '00'));
};
