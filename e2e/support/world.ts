import { randomBytes } from 'node:crypto';
import { authorizationCalls } from '@farlink/contract/advanced/authorization.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { pages } from '@farlink/contract/pages.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { as, type Caller, logIn, password } from './api.ts';

/** Test data is created through the API with unique names, so that tests do not affect each other. */
export const unique = (start: string) => `${start}${randomBytes(3).toString('hex')}`;

/** Permissions that a VNO can have; platform-only ones cannot be granted. */
export const allPages = pages.filter((p) => p.platform !== 'admin').map((p) => p.permission);

export const grantsOf = (permissions: readonly string[] = allPages, grant: Grant = '11'): Record<string, Grant> => {
  const calls = endpoints.filter((e) => Array.isArray(e.access) && e.access.some((key) => permissions.includes(key)));
  return Object.fromEntries([...permissions, ...calls.map(operateKey)].map((key) => [key, grant]));
};

const vnoRoleOf = new Map<number, Promise<number>>();

/** The role for VNOs below this operator: all permissions. */
const roleBelow = (by: Caller): Promise<number> => {
  const made = vnoRoleOf.get(by.session.agent_id) ?? makeVnoRole(by);
  vnoRoleOf.set(by.session.agent_id, made);
  return made;
};

export const makeVnoRole = async (by: Caller, name = unique('V')) =>
  (await by.call(vnoRoles.calls.create, { name, scope: 'unlimited', permissions: grantsOf() })).id;

export interface Vno {
  readonly id: number;
  readonly name: string;
  readonly username: string;
}

export const makeVno = async (by: Caller, more: Values = {}): Promise<Vno> => {
  const username = unique('vno_');
  const name = `港湾 ${username}`;
  const input = {
    username,
    password,
    repassword: password,
    name,
    parent_id: by.session.agent_id,
    role_id: await roleBelow(by),
    contacts: '测试人',
    phone: '13900000001',
    agent_mode: 3,
    agent_child_enable: true,
    enrol_auto: true,
    ...more,
  };
  const { id } = await by.call(vnoCalls.create, input);
  return { id, name, username };
};

export type Operator = Caller & Vno;

/** Creates a VNO below the platform, and logs in with its main account. */
export const newVno = async (more: Values = {}): Promise<Operator> => {
  const vno = await makeVno(await as('admin'), more);
  return { ...vno, ...(await logIn(vno.username)) };
};

let shared: Promise<Operator> | undefined;
/** A VNO shared by all tests of a worker; each test finds its rows by a unique name. */
export const sharedVno = () => {
  shared ??= newVno();
  return shared;
};

export const makePrefixes = async (by: Operator, names: readonly string[]) => {
  for (const prefix of names) await by.call(prefixCalls.create, { vno_id: by.id, prefix });
};

export const makeRole = async (by: Caller, permissions: Record<string, Grant>, more: Values = {}) => {
  const name = unique('角色');
  return { name, id: (await by.call(staffRoles.calls.create, { kind: 'sub', name, scope: 'unlimited', permissions, ...more })).id };
};

export const makeStaff = async (by: Caller, permissions: Record<string, Grant> = grantsOf(), more: Values = {}) => {
  const role = await makeRole(by, permissions, more.kind === 'job' ? { kind: 'job' } : {});
  const username = unique('staff_');
  const input = {
    kind: 'sub',
    username,
    name: '员工甲',
    password,
    repassword: password,
    phone: '13900000002',
    role_id: role.id,
    ...more,
  };
  const { id } = await by.call(staffCalls.create, input);
  return { id, username, role };
};

/** Issues a new authorization code of the platform for this VNO. */
export const issueCode = async (vno: Vno, total = 1) => {
  const admin = await as('admin');
  const expire_at = Math.floor(Date.now() / 1000) + 30 * 86_400;
  return (await admin.call(vnoCalls.authorize, { id: vno.id, total, expire_at })).auth_code;
};

export const activate = (by: Caller, auth_code: string) => by.call(authorizationCalls.activate, { auth_code });
