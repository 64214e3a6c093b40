import { calls, shape } from '../kit/endpoint.ts';
import { option } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { customerActions, customerFields, customerForms, customerPatch, idOutput, removeAccount } from '../permission/customer.ts';

const fields = customerFields('agent/role/option');

export const vnoStaff = resource({
  fields,
  title: ['username', 'name', 'agent_name'],
  columns: [
    'username',
    'name',
    'role_name',
    'phone',
    'email',
    'income_limit',
    'income_used',
    'view_hide_pkg',
    'status',
    'agent_name',
    'last_login_at',
    'last_login_ip',
    'remark',
    'create_at',
  ],
  filters: ['username', 'name', 'vno_id', 'role_id', 'status', 'phone', 'create_at'],
  orderby: 'create_at desc',
});

/** The accounts of a VNO are managed by the VNOs above it. */
const belowOwn = option(fields.vno_id.label, 'agent/option', { required: true, lookupParams: { subject: 'staff' } });
const base = customerForms(['VNO账号', 'VNO account'], fields);
const forms = { ...base, create: { ...base.create, fields: { vno_id: belowOwn, ...base.create.fields } } };

export interface AccountNode {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
  readonly customer_count: number;
  readonly children: readonly AccountNode[];
}

export const vnoAccountCalls = calls('vno', ['vno_account'], {
  list: { kind: 'list', path: 'agent/customer', summary: ['查询VNO账号', 'List VNO accounts'], resource: vnoStaff },
  create: {
    kind: 'create',
    path: 'agent/customer',
    summary: ['新增VNO账号', 'Create a VNO account'],
    input: forms.create.fields,
    output: idOutput,
  },
  update: {
    kind: 'update',
    path: 'agent/customer/{id}',
    summary: ['修改VNO账号', 'Change a VNO account'],
    input: customerPatch(fields),
    partial: true,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'agent/customer/{id}', summary: ['删除VNO账号', 'Delete a VNO account'] },
  topology: {
    kind: 'tree',
    path: 'agent/customer/topology',
    summary: ['VNO账号拓扑', 'VNO tree with the number of accounts'],
    shape: shape<{ list: readonly AccountNode[] }>(),
  },
});

export const vnoAccount = page({
  ...headOf('vnoAccount'),
  resource: vnoStaff,
  list: vnoAccountCalls.list,
  forms,
  actions: {
    ...customerActions(['新增账号', 'New account'], vnoAccountCalls),
    tree: { on: 'toolbar', label: ['刷新拓扑', 'Refresh topology'], call: vnoAccountCalls.topology },
    delete: removeAccount(vnoAccountCalls.remove),
  },
});
