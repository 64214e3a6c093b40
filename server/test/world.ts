import type { Grant } from '@farlink/contract/kit/field.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { type Api, allPages, type Caller, grantsOf, password, type Reply } from './api.ts';

/** Creates test data through the same calls that an operator uses. */
const must = <T>(reply: Reply<T>): T => {
  if (reply.code !== 0) throw new Error(`${reply.code} ${reply.msg} ${JSON.stringify(reply.data)}`);
  return reply.data;
};

let phone = 0;
const newPhone = () => `13900${String(++phone).padStart(6, '0')}`;

export const makeVnoRole = async (by: Caller, name = 'VNO', permissions: Record<string, Grant> = grantsOf(allPages)) =>
  must(await by.call(vnoRoles.calls.create, { name, scope: 'unlimited', permissions })).id;

export const makeVno = async (by: Caller, username: string, role_id: number, more: Record<string, unknown> = {}) => {
  const input = {
    username,
    password,
    repassword: password,
    name: `VNO ${username}`,
    parent_id: by.session?.agent_id,
    role_id,
    contacts: '测试人',
    phone: newPhone(),
    agent_mode: 3,
    agent_child_enable: true,
    ...more,
  };
  return must(await by.call(vnoCalls.create, input)).id;
};

export const makeRole = async (by: Caller, name: string, permissions: Record<string, Grant>, more: Record<string, unknown> = {}) =>
  must(await by.call(staffRoles.calls.create, { kind: 'sub', name, scope: 'unlimited', permissions, ...more })).id;

export const staffInput = (username: string, role_id: number, more: Record<string, unknown> = {}) => ({
  kind: 'sub',
  username,
  name: '员工',
  password,
  repassword: password,
  phone: newPhone(),
  role_id,
  ...more,
});

/** Input of a further account of a VNO; it has no kind. */
export const vnoStaffInput = (username: string, role_id: number, vno_id: number) => ({
  ...staffInput(username, role_id),
  kind: undefined,
  vno_id,
});

export const makeStaff = async (by: Caller, username: string, role_id: number, more: Record<string, unknown> = {}) =>
  must(await by.call(staffCalls.create, staffInput(username, role_id, more))).id;

/** The platform, two sibling VNOs, and one below the first: enough for all ownership tests. */
export const makeBranches = async (api: Api) => {
  const admin = await api.login('admin');
  const role = await makeVnoRole(admin);
  const eastId = await makeVno(admin, 'east', role);
  const westId = await makeVno(admin, 'west', role);
  const east = await api.login('east');
  const eastRole = await makeVnoRole(east, 'Child');
  const childId = await makeVno(east, 'child', eastRole);
  return { admin, role, eastId, westId, childId, east, west: await api.login('west'), child: await api.login('child'), eastRole };
};
