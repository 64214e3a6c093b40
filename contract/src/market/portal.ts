import { billingType, deviceType } from '../device/choices.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, bytes, choice, document, file, image, int, link, longText, option, pick, text, time, variant } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import type { Values } from '../kit/values.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules, uploads } from '../rules.ts';

/**
 * Portals of a VNO. A portal is a document of known blocks (package `portal`). It is saved in revisions; each operator has a separate draft
 * for unsaved work.
 */
export const portalAccess = ['advert_temp', 'advert_edit'] as const;

const template_id = option(['使用模板', 'Template'], 'portal/template/option', {
  required: true,
  lookupBy: ['device_type'],
  empty: ['没有适合该设备类型的模板', 'No template for this device type'],
});

const fields = {
  name: link(['门户名称', 'Portal name'], {
    required: true,
    rules: [rules.portal_name, rules.no_edge_space],
    max: 15,
    sort: true,
    tooltip: true,
    width: 150,
    to: '/market/advert-edit/:id',
  }),
  template_name: text(['使用模板', 'Template'], { tooltip: true, width: 120 }),
  device_type: choice(['设备类型', 'Device type'], deviceType, { required: true, width: 110 }),
  billing_type: choice(['计费类型', 'Billing type'], billingType, { required: true, default: 'charged', width: 110 }),
  preview: image(['预览图', 'Preview']),
  is_default: bool(['默认模板', 'Default'], { width: 96 }),
  device_count: int(['使用设备数', 'Devices'], { sort: true, width: 110 }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, to: references.vno }),
  send_at: time(['最近下发时间', 'Last sent'], { sort: true }),
  update_at: time(['更新时间', 'Updated at'], { sort: true, hiddenByDefault: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
  template_id: variant(template_id, { lookupBy: [] }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const portalResource = resource({
  fields,
  title: ['name', 'agent_name'],
  columns: [
    'name',
    'template_name',
    'device_type',
    'billing_type',
    'preview',
    'is_default',
    'device_count',
    'agent_name',
    'send_at',
    'update_at',
    'create_at',
  ],
  filters: ['name', 'template_id', 'device_type', 'billing_type', 'create_at', 'is_default', 'vno_id'],
  orderby: 'create_at desc',
});

const name = text(fields.name.label, { required: true, rules: [rules.portal_name, rules.no_edge_space], max: 15 });

export const portalCreateFields = { name, template_id, device_type: fields.device_type, billing_type: fields.billing_type };

/**
 * The form of the specification. Each field is a property of the document in the language of the request (`portal/src/form-fields.ts`); an
 * uploaded banner is added to the banners.
 */
export const portalEditFields = {
  name,
  template_id,
  device_type: variant(fields.device_type, { readonly: true }),
  billing_type: choice(['计费类型', 'Billing type'], billingType, { required: true }),
  title: text(['页面标题', 'Page title'], { rules: [rules.length(0, 25)], max: 25 }),
  welcome: longText(['欢迎语', 'Welcome text'], { rules: [rules.free_512], max: 512 }),
  banner: file(['轮播图', 'Banners'], { upload: uploads.image_2mb, tips: ['最多5张', 'At most 5'] }),
  background: file(['背景图', 'Background'], { upload: uploads.image_2mb }),
  logo: file(['门户Logo', 'Portal logo'], { upload: uploads.logo, tips: ['建议尺寸190x60', 'Recommended 190x60'] }),
  link: text(['跳转地址', 'Redirect address'], { rules: [rules.domain], max: 255 }),
  agreement: longText(['用户协议', 'User agreement'], { max: 10_000, rules: [rules.length(0, 10_000)] }),
};

export const templateResource = resource({
  fields: {
    name: text(['模板名称', 'Template name'], { required: true, rules: [rules.text_cn_15, rules.no_edge_space], max: 15, width: 150 }),
    device_type: choice(['设备类型', 'Device type'], deviceType, { required: true, width: 110 }),
    preview: image(['预览图', 'Preview']),
    is_default: bool(['默认模板', 'Default'], { width: 96 }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true }),
    create_at: time(['创建时间', 'Created at'], { sort: true }),
  },
  title: ['name', 'agent_name'],
  columns: ['name', 'device_type', 'preview', 'is_default', 'agent_name', 'create_at'],
  filters: ['device_type'],
  orderby: 'create_at asc',
});

export const templateUploadFields = {
  name: templateResource.fields.name,
  file: file(['模板压缩包', 'Template package'], { required: true, upload: uploads.portal_zip }),
  device_type: templateResource.fields.device_type,
};

export const resourceUploadFields = { file: file(['素材图片', 'Image'], { required: true, upload: uploads.image_2mb }) };

/** An image that a document can refer to. */
export interface PortalResource {
  readonly sha256: string;
  readonly ext: 'png' | 'jpg';
  readonly width: number;
  readonly height: number;
  /** Path of the image below /agt/v1/. */
  readonly url: string;
}

export const imageResource = resource({
  fields: {
    name: text(['素材名称', 'Name'], { tooltip: true, sort: true }),
    preview: image(['素材图片', 'Image']),
    sha256: text(['SHA-256', 'SHA-256'], { mono: true, hiddenByDefault: true }),
    ext: text(['格式', 'Format'], { width: 80 }),
    width: int(['宽', 'Width'], { unit: 'px', width: 80 }),
    height: int(['高', 'Height'], { unit: 'px', width: 80 }),
    bytes: bytes(['大小', 'Size'], { sort: true }),
    create_at: time(['上传时间', 'Uploaded at'], { sort: true }),
    portal_id: int(['门户', 'Portal']),
  },
  title: ['name'],
  columns: ['name', 'preview', 'sha256', 'ext', 'width', 'height', 'bytes', 'create_at'],
  filters: ['name'],
  orderby: 'create_at desc',
});

export const revisionResource = resource({
  fields: {
    rev: int(['版本', 'Revision'], { width: 90 }),
    operator: text(['操作人', 'Operator'], { width: 140 }),
    create_at: time(['保存时间', 'Saved at']),
  },
  title: ['rev', 'operator'],
  columns: ['rev', 'operator', 'create_at'],
  filters: [],
  orderby: 'rev desc',
});

type BillingType = (typeof billingType)[number]['id'];
type DeviceType = (typeof deviceType)[number]['id'];

/** Content of the template package of a portal, for an editor that renders the document itself. */
export interface TemplateContent {
  readonly css: string;
  readonly fragments: Readonly<Record<string, string>>;
}

export interface PortalDetail {
  readonly id: number;
  readonly version: number;
  readonly rev: number;
  readonly name: string;
  readonly template_id: number;
  readonly template_name: string;
  readonly template: TemplateContent;
  readonly device_type: DeviceType;
  readonly billing_type: BillingType;
  readonly is_default: boolean;
  readonly device_count: number;
  /** Devices that serve an older revision, at most as many as one send takes. */
  readonly outdated_ids: readonly number[];
  readonly agent_name: string;
  readonly send_at: number | null;
  readonly update_at: number | null;
  readonly create_at: number;
  readonly document: Values;
  /** Unsaved work of this operator. */
  readonly draft: { readonly document: Values; readonly base_version: number; readonly update_at: number } | null;
  /** Other operators with unsaved work. */
  readonly others: readonly string[];
  /** Path of the preview, with a token that is valid for some minutes. `draft/` or `rev-{rev}/` follow, then `{lang}/{state}/`. */
  readonly preview: string;
  /** The fields of the form, in the language of the request. */
  readonly title: string;
  readonly welcome: string;
  readonly banner: readonly PortalResource[];
  readonly background: PortalResource | null;
  readonly logo: PortalResource | null;
  readonly link: string;
  readonly agreement: string;
}

const portal_id = option(['门户', 'Portal'], 'portal/option', { hidden: true });

export const portalCalls = calls('market', portalAccess, {
  list: {
    kind: 'list',
    path: 'portal',
    access: ['device_list', 'device_detail', 'advert_temp'],
    summary: ['查询门户', 'List portals'],
    resource: portalResource,
  },
  create: {
    kind: 'create',
    path: 'portal/add',
    access: ['advert_temp'],
    summary: ['新增门户', 'Create a portal'],
    input: portalCreateFields,
    output: idOutput,
  },
  read: { kind: 'detail', path: 'portal/{id}', summary: ['查看门户', 'Read a portal'], shape: shape<PortalDetail>() },
  update: {
    kind: 'update',
    path: 'portal/{id}',
    summary: ['修改门户', 'Change a portal'],
    input: {
      ...pick(portalEditFields, 'name', 'template_id', 'billing_type', 'title', 'welcome', 'banner', 'background', 'logo', 'link'),
      agreement: portalEditFields.agreement,
      document: document(['内容', 'Document']),
    },
    versioned: true,
    shape: shape<{ readonly version: number; readonly rev: number }>(),
  },
  remove: { kind: 'delete', path: 'portal/{id}', access: ['advert_temp'], summary: ['删除门户', 'Delete a portal'] },
  setDefault: {
    kind: 'command',
    path: 'portal/default/{id}',
    access: ['advert_temp'],
    summary: ['设为默认门户', 'Make a portal the default of its VNO'],
    shape: shape<null>(),
  },
  thumbnail: { kind: 'file', path: 'portal/thumbnail/{id}/{rev}', summary: ['门户预览图', 'Preview image of a portal'] },
  /** Autosave. It writes no operator log; the log has one line when the portal is saved. */
  draft: {
    kind: 'auth',
    method: 'PUT',
    path: 'portal/draft/{id}',
    summary: ['保存门户草稿', 'Save unsaved work of the portal editor'],
    input: {
      document: document(['内容', 'Document'], { required: true }),
      base_version: int(['版本', 'Version'], { required: true }),
    },
    /** `stale`: another operator saved the portal after `base_version`. */
    shape: shape<{ readonly update_at: number; readonly stale: boolean }>(),
  },
  discardDraft: {
    kind: 'auth',
    method: 'DELETE',
    path: 'portal/draft/{id}',
    summary: ['放弃门户草稿', 'Discard unsaved work of the portal editor'],
    shape: shape<null>(),
  },
  history: {
    kind: 'list',
    path: 'portal/history/{id}',
    summary: ['门户历史版本', 'Revisions of a portal'],
    resource: revisionResource,
  },
  revert: {
    kind: 'command',
    path: 'portal/revert/{id}',
    summary: ['恢复门户历史版本', 'Save an earlier revision of a portal again'],
    input: { rev: int(['版本', 'Revision'], { required: true }) },
    shape: shape<{ readonly version: number; readonly rev: number }>(),
  },
  templates: { kind: 'list', path: 'portal/template', summary: ['查询门户模板', 'List portal templates'], resource: templateResource },
  templateOption: {
    kind: 'option',
    path: 'portal/template/option',
    summary: ['门户模板选项', 'Option list of portal templates'],
    input: { device_type: choice(['设备类型', 'Device type'], deviceType) },
    shape: shape<Record<string, string>>(),
  },
  uploadTemplate: {
    kind: 'create',
    path: 'portal/template',
    access: ['advert_temp'],
    summary: ['上传门户模板', 'Upload a portal template'],
    input: templateUploadFields,
    output: idOutput,
  },
  removeTemplate: { kind: 'delete', path: 'portal/template/{id}', access: ['advert_temp'], summary: ['删除门户模板', 'Delete a template'] },
  templateThumbnail: {
    kind: 'file',
    path: 'portal/template/thumbnail/{id}',
    summary: ['门户模板预览图', 'Preview image of a portal template'],
  },
  upload: {
    kind: 'command',
    path: 'portal/resource',
    summary: ['上传门户素材', 'Upload an image of a portal'],
    /** The image belongs to the VNO of the portal; without one, to the VNO of the operator. */
    input: { ...resourceUploadFields, portal_id },
    shape: shape<PortalResource>(),
  },
  resources: {
    kind: 'list',
    path: 'portal/resource/{id}',
    summary: ['门户素材', 'Images of the VNO of a portal'],
    resource: imageResource,
  },
  resourceImage: { kind: 'file', path: 'portal/resource/image/{id}', summary: ['查看门户素材', 'Show an image of a portal'] },
});
