import { moneyMethod } from '../finance/choices.ts';
import { endpoint, shape } from '../kit/endpoint.ts';
import { bool, choice, date, type Fields, file, int, option, pick } from '../kit/field.ts';
import { form } from '../kit/page.ts';
import { offerBy } from '../package/offer.ts';
import { uploads } from '../rules.ts';
import { accountType } from './choices.ts';
import { idType } from './id-document.ts';
import type { OpeningResult } from './opening.ts';
import { accountFields, bindingFields, identityFields, loginFields, loginInput, remarkField } from './user-fields.ts';

/** A row of the import file: the fields of the account form that differ by account. */
export const importFields = {
  ...pick(accountFields, 'account', 'password'),
  ...pick(identityFields, 'name', 'phone'),
  account_type: choice(accountFields.account_type.label, accountType),
  id_type: choice(identityFields.id_type.label, idType),
  ...pick(identityFields, 'id_number', 'cert_start_at', 'cert_end_at', 'issuing_authority', 'email'),
  allow_logins: int(loginFields.allow_logins.label, { rules: loginFields.allow_logins.rules }),
  ...pick(loginInput, 'bind_ip', 'bind_mac', 'vlan_id'),
  expire_at: date(loginFields.expire_at.label),
  ...remarkField,
} as const satisfies Fields;

const sheetFile = {
  ...uploads.single_import,
  text: ['仅支持XLSX、CSV格式的导入模板，每次只能导入一个文件，最大20MB', 'XLSX or CSV import template, one file at a time, at most 20 MB'],
} as const;

export const importForm = form(['导入用户', 'Import users'], {
  file: file(['导入文件', 'File'], { required: true, upload: sheetFile }),
  ...bindingFields,
  package_id: option(['套餐', 'Package'], 'package/offer', { required: true, lookupBy: offerBy }),
  pay_method: choice(['收款方式', 'Collection method'], moneyMethod, { default: 'cash' }),
  atomic: bool(['全部成功才导入', 'All or nothing'], {
    default: false,
    tips: ['任意一行有误则全部不导入', 'If one line is wrong, nothing is imported'],
  }),
});

const access = ['user_list', 'user_batch', 'user_account'] as const;

export const importCall = endpoint({
  method: 'POST',
  path: 'user/import',
  kind: 'command',
  module: 'user',
  access,
  hiddenModes: [2],
  summary: ['导入用户', 'Import users from a file'],
  input: importForm.fields,
  shape: shape<OpeningResult>(),
});

export const demoCall = endpoint({
  method: 'GET',
  path: 'user/export/demo',
  kind: 'file',
  module: 'user',
  access,
  hiddenModes: [2],
  summary: ['下载导入模板', 'Download the import template'],
  shape: shape<unknown>(),
});
