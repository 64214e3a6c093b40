import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { bind } from '../../kit/http/serve.ts';
import { staffRoleVerbs, vnoRoleVerbs } from './role.ts';
import { createStaff, listStaff, loginAsStaff, removeStaff, updateStaff } from './sub-account.ts';

const roleBindings = (calls: typeof staffRoles.calls | typeof vnoRoles.calls, verbs: typeof staffRoleVerbs) => [
  bind(calls.list, verbs.list),
  bind(calls.create, verbs.create),
  bind(calls.read, verbs.read),
  bind(calls.update, verbs.update),
  bind(calls.remove, verbs.remove),
  bind(calls.permissions, verbs.permissions),
  bind(calls.option, verbs.option),
];

export const permissionBindings = [
  bind(staffCalls.list, listStaff),
  bind(staffCalls.create, createStaff),
  bind(staffCalls.update, updateStaff),
  bind(staffCalls.remove, removeStaff),
  bind(staffCalls.login, loginAsStaff),
  ...roleBindings(staffRoles.calls, staffRoleVerbs),
  ...roleBindings(vnoRoles.calls, vnoRoleVerbs),
];
