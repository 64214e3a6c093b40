import { page } from '../kit/page.ts';
import { headOf } from '../menu.ts';
import { demoCall, importCall, importForm } from './import-user.ts';
import { moneyActions, moneyForms } from './money.ts';
import { userCalls } from './user.ts';
import { userActions, userForms } from './user-actions.ts';
import { user } from './user-resource.ts';

const {
  edit,
  forbid,
  enable,
  disable,
  freeze,
  extend,
  shutdown,
  reopen,
  passwd,
  device,
  policy,
  renewal,
  kick,
  delete: remove,
} = userActions;

export const userList = page({
  ...headOf('userList'),
  resource: user,
  list: userCalls.list,
  reveal: userCalls.reveal,
  forms: { ...userForms, ...moneyForms, import: importForm },
  actions: {
    create: { on: 'toolbar', label: ['开户', 'New account'], to: '/user/create' },
    batch: { on: 'toolbar', label: ['批量开户', 'Batch opening'], to: '/user/batch' },
    detail: { on: 'row', label: ['详情', 'Details'], to: '/user/detail/:id' },
    edit,
    online: { on: 'row', label: ['在线记录', 'Online records'], call: userCalls.online, params: { user_id: ':id' } },
    forbid,
    enable,
    disable,
    freeze,
    passwd,
    ...moneyActions,
    extend,
    shutdown,
    reopen,
    device,
    policy,
    renewal,
    kick,
    delete: remove,
    import: { on: 'toolbar', label: ['导入', 'Import'], call: importCall, form: 'import' },
    demo: { on: 'toolbar', label: ['下载模板', 'Download template'], call: demoCall, download: true },
    exportPart: { on: 'batch', label: ['导出所选', 'Export selected'], call: userCalls.exportSelected, download: true },
    exportAll: { on: 'toolbar', label: ['导出全部', 'Export all'], call: userCalls.exportAll },
    exportAllJobs: { on: 'toolbar', label: ['导出记录', 'Export jobs'], call: userCalls.exports },
  },
});
