import { bool, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { headOf } from '../menu.ts';
import { addCalls, counterInput } from './add.ts';
import { editInput, userCalls } from './user.ts';
import { accountFields, knownIdentityFields, loginFields } from './user-fields.ts';

const editFields = {
  account: variant(accountFields.account, { readonly: true }),
  account_type: variant(accountFields.account_type, { readonly: true }),
  ...editInput,
  ...loginFields,
  id_number: knownIdentityFields.id_number,
  package_id: variant(editInput.package_id, { when: (v) => v.account_type === 'job' }),
  photo_remove: bool(editInput.photo_remove.label, { when: (v) => v.has_photo === true }),
};

export const userMod = page({
  ...headOf('userMod'),
  list: userCalls.read,
  forms: { edit: form(['编辑用户', 'Edit user'], editFields) },
  actions: {
    save: { on: 'toolbar', label: ['保存', 'Save'], call: userCalls.update, form: 'edit' },
    cancel: { on: 'toolbar', label: ['取消', 'Cancel'], to: '/user/list' },
  },
});

export const userCreate = page({
  ...headOf('userCreate'),
  forms: { create: form(['用户开户', 'Open account'], counterInput) },
  actions: {
    submit: {
      on: 'toolbar',
      label: ['提交开户', 'Open account'],
      call: addCalls.add,
      form: 'create',
      params: { account_source: 'counter' },
    },
    check: { on: 'toolbar', label: ['查询已有用户', 'Existing users'], call: userCalls.option },
    cancel: { on: 'toolbar', label: ['取消', 'Cancel'], to: '/user/list' },
  },
});
