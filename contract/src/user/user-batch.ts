import { choice, text } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { addCalls, batchInput } from './add.ts';
import { opResult } from './choices.ts';
import { demoCall, importCall, importForm } from './import-user.ts';

/** Result of each account. */
export const batchOutcome = resource({
  fields: {
    account: text(['上网账号', 'Online account'], { mono: true }),
    result: choice(['结果', 'Result'], opResult),
    message: text(['失败原因', 'Reason'], { tooltip: true }),
  },
  title: ['account'],
  columns: ['account', 'result', 'message'],
  filters: [],
  orderby: 'account asc',
});

export const userBatch = page({
  ...headOf('userBatch'),
  resource: batchOutcome,
  forms: { rule: form(['按规则批量开户', 'Batch opening by rule'], batchInput), import: importForm },
  actions: {
    submit: { on: 'toolbar', label: ['按规则开户', 'Open by rule'], call: addCalls.add, form: 'rule', params: { account_source: 'batch' } },
    import: { on: 'toolbar', label: ['文件导入', 'Import file'], call: importCall, form: 'import' },
    demo: { on: 'toolbar', label: ['下载模板', 'Download template'], call: demoCall, download: true },
  },
});
