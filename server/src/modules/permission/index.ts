import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { bind, bindAll } from '../../kit/http/serve.ts';
import { listRoles, readPermissions, readRole, roleOptions } from './read-role.ts';
import { type RoleSet, staffRoleSet, vnoRoleSet } from './role-query.ts';
import { createStaff, listStaff, loginAsStaff, removeStaff, updateStaff } from './sub-account.ts';
import { createRole, removeRole, updateRole } from './write-role.ts';

const roleBindings = (set: RoleSet) => [
  bind(set.calls.list, listRoles(set)),
  bind(set.calls.create, createRole(set)),
  bind(set.calls.read, readRole(set)),
  bind(set.calls.update, updateRole(set)),
  bind(set.calls.remove, removeRole(set)),
  bind(set.calls.permissions, readPermissions(set)),
  bind(set.calls.option, roleOptions(set)),
];

export const permissionBindings = [
  ...bindAll(staffCalls, { list: listStaff, create: createStaff, update: updateStaff, remove: removeStaff, login: loginAsStaff }),
  ...roleBindings(staffRoleSet),
  ...roleBindings(vnoRoleSet),
];
