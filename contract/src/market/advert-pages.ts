import { form, page } from '../kit/page.ts';
import { removeAction } from '../kit/page-actions.ts';
import type { AnyRow } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import {
  portalCalls,
  portalCreateFields,
  portalEditFields,
  portalResource,
  resourceUploadFields,
  templateResource,
  templateUploadFields,
} from './portal.ts';
import { portalSendActions, portalSendForm } from './portal-send.ts';

const isOther = (row: AnyRow) => row.is_default !== true;

export const advertTemp = page({
  ...headOf('advertTemp'),
  resource: portalResource,
  list: portalCalls.list,
  forms: {
    create: form(['新增门户', 'New portal'], portalCreateFields),
    template: form(['上传门户模板', 'Upload portal template'], templateUploadFields),
    send: portalSendForm,
  },
  actions: {
    create: {
      on: 'toolbar',
      label: ['新增门户', 'New portal'],
      call: portalCalls.create,
      form: 'create',
    },
    template: { on: 'toolbar', label: ['模板库', 'Template library'], call: portalCalls.templates },
    uploadTemplate: { on: 'toolbar', label: ['上传模板包', 'Upload template'], call: portalCalls.uploadTemplate, form: 'template' },
    tasks: portalSendActions.tasks,
    edit: { on: 'row', label: ['编辑', 'Edit'], to: '/market/advert-edit/:id' },
    preview: { on: 'row', label: ['预览', 'Preview'], call: portalCalls.read },
    send: portalSendActions.send,
    setDefault: {
      on: 'row',
      label: ['设为默认', 'Make default'],
      call: portalCalls.setDefault,
      when: isOther,
      why: ['已是默认门户', 'This is the default portal'],
      confirm: ['未指定门户的设备将显示该门户。确定设为默认吗？', 'Devices without a portal will show this one. Make it the default?'],
    },
    delete: removeAction(portalCalls.remove, ['门户', 'portal'], {
      when: isOther,
      why: ['默认模板不允许删除', 'The default portal cannot be deleted'],
    }),
  },
});

export const advertEdit = page({
  ...headOf('advertEdit'),
  list: portalCalls.read,
  forms: {
    edit: form(['编辑门户', 'Edit portal'], portalEditFields),
    resource: form(['上传素材', 'Upload resource'], resourceUploadFields),
    send: portalSendForm,
  },
  actions: {
    save: { on: 'toolbar', label: ['保存', 'Save'], call: portalCalls.update, form: 'edit' },
    resource: {
      on: 'toolbar',
      label: ['上传素材', 'Upload resource'],
      call: portalCalls.upload,
      form: 'resource',
      params: { portal_id: ':id' },
    },
    preview: { on: 'toolbar', label: ['预览', 'Preview'], call: portalCalls.read },
    send: { ...portalSendActions.send, on: 'toolbar' },
    back: { on: 'toolbar', label: ['返回', 'Back'], to: '/market/advert-temp' },
  },
});

/** The library in the drawer of the page. */
export const templateLibrary = {
  key: 'portalTemplate',
  title: ['模板库', 'Template library'],
  list: portalCalls.templates,
  resource: templateResource,
  forms: { template: advertTemp.forms.template },
  actions: {
    uploadTemplate: advertTemp.actions.uploadTemplate,
    preview: { on: 'row', label: ['预览', 'Preview'] },
    delete: removeAction(portalCalls.removeTemplate, ['模板', 'template'], {
      when: isOther,
      why: ['内置模板不允许删除', 'Built-in templates cannot be deleted'],
    }),
  },
} as const;
