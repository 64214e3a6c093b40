import { commonStatus } from '../choices.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, file, link, pick, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { type AnyRow, resource } from '../kit/resource.ts';
import type { Rule } from '../kit/rule.ts';
import type { Values } from '../kit/values.ts';
import { headOf } from '../menu.ts';
import { rules, uploads } from '../rules.ts';

export const domainType = [
  { id: 'console', label: ['管理后台', 'Console'], color: 'blue' },
  { id: 'portal', label: ['认证门户', 'Portal'], color: 'cyan' },
] as const;

/** Whether the ownership of the domain is proven. A domain is used only while it is. */
export const proofState = [
  { id: 'none', label: ['未设置', 'Not set'], color: 'default' },
  { id: 'pending', label: ['待验证', 'Waiting for proof'], color: 'orange' },
  { id: 'proven', label: ['已验证', 'Verified'], color: 'green' },
  { id: 'failing', label: ['验证失效', 'Proof missing'], color: 'red' },
] as const;

export const certSource = [
  { id: 'upload', label: ['上传', 'Upload'], color: 'default' },
  { id: 'acme', label: ['自动签发（ACME）', 'Automatic (ACME)'], color: 'blue' },
] as const;

/** A certificate is reported when a third and when a sixth of its lifetime is left. */
export const certState = [
  { id: 'none', label: ['无证书', 'None'], color: 'default' },
  { id: 'pending', label: ['签发中', 'Being issued'], color: 'blue' },
  { id: 'valid', label: ['有效', 'Valid'], color: 'green' },
  { id: 'expiring', label: ['即将到期', 'Expires soon'], color: 'orange' },
  { id: 'urgent', label: ['急需更换', 'Replace now'], color: 'red' },
  { id: 'expired', label: ['已过期', 'Expired'], color: 'red' },
] as const;

const label = /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/** As the rule of the specification, and international names. The server refuses port, path, addresses and public suffixes. */
const domainRule: Rule = {
  ...rules.domain,
  test: (value) => {
    const [, name = ''] = /^(?:https?:\/\/)?([^/:]+)/i.exec(String(value)) ?? [];
    const labels = name.replace(/\.$/, '').split('.');
    return rules.domain.test(value) || (labels.length > 1 && labels.every((part) => label.test(part)));
  },
};

const isSecure = (v: Values) => v.https === true || v.https === 'true';
const isUpload = (v: Values) => isSecure(v) && v.cert_source !== 'acme';
const lacksCertificate = (v: Values) => isUpload(v) && v.has_cert === false;

const fields = {
  domain_type: choice(['用途', 'Use'], domainType, { readonly: true, width: 110 }),
  domain: link(['域名', 'Domain'], { required: true, rules: [domainRule], max: 255, sort: true, tooltip: true, width: 220 }),
  https: bool(['启用HTTPS', 'HTTPS'], { default: false, width: 110 }),
  cert_name: text(['证书文件', 'Certificate'], { tooltip: true, width: 160 }),
  cert_expire_at: time(['证书到期时间', 'Certificate expires'], { sort: true }),
  status: choice(['状态', 'Status'], commonStatus, { default: 1 }),
  update_at: time(['更新时间', 'Updated at'], { sort: true }),
  proof_state: choice(['所有权', 'Ownership'], proofState, { width: 130 }),
  cert_state: choice(['证书状态', 'Certificate state'], certState, { width: 130 }),
  cert_source: choice(['证书来源', 'Certificate source'], certSource, {
    default: 'upload',
    hiddenByDefault: true,
    when: (v) => isSecure(v) && v.acme === true,
    tips: ['自动签发需要域名已通过验证且80端口可访问', 'Automatic certificates need a verified domain that is reachable on port 80'],
  }),
  txt_name: text(['TXT记录名', 'TXT record name'], { mono: true, hiddenByDefault: true, tooltip: true, width: 220 }),
  txt_value: text(['TXT记录值', 'TXT record value'], { mono: true, hiddenByDefault: true, tooltip: true, width: 260 }),
  checked_at: time(['检查时间', 'Checked at'], { hiddenByDefault: true }),
  last_error: text(['最近错误', 'Last error'], { tooltip: true, hiddenByDefault: true, width: 220 }),
  cert_file: file(['证书文件', 'Certificate file'], {
    upload: uploads.crt_file,
    when: isUpload,
    requiredWhen: lacksCertificate,
    tips: ['PEM格式，先证书后中间证书', 'PEM, the certificate first, then the intermediate certificates'],
  }),
  key_file: file(['密钥文件', 'Key file'], { upload: uploads.key_file, when: isUpload, requiredWhen: lacksCertificate }),
};

export const domainResource = resource({
  fields,
  title: ['domain', 'domain_type'],
  columns: [
    'domain_type',
    'domain',
    'https',
    'cert_name',
    'cert_expire_at',
    'status',
    'update_at',
    'proof_state',
    'cert_state',
    'last_error',
    'cert_source',
    'txt_name',
    'txt_value',
    'checked_at',
  ],
  filters: ['domain', 'domain_type', 'status'],
  orderby: 'domain_type asc',
});

const settings = {
  ...pick(fields, 'domain_type'),
  domain: text(['域名', 'Domain'], {
    required: true,
    rules: [domainRule],
    max: 255,
    tips: ['例如 portal.example.com', 'Such as portal.example.com'],
  }),
  ...pick(fields, 'https', 'cert_source', 'cert_file', 'key_file', 'status'),
};

export const domainForm = form(['域名设置', 'Domain setup'], settings, 560);

/** The rows know what is stored, so the form decides which files are required. */
const input = {
  ...pick(settings, 'domain', 'https', 'status'),
  cert_source: choice(['证书来源', 'Certificate source'], certSource),
  cert_file: file(['证书文件', 'Certificate file'], { upload: uploads.crt_file }),
  key_file: file(['密钥文件', 'Key file'], { upload: uploads.key_file }),
};

/** What a check of the TXT record found. */
export interface ProofCheck {
  readonly is_proven: boolean;
  readonly message: string;
}

export const domainCalls = calls('market', ['domain_setup'], {
  list: { kind: 'list', path: 'domain', summary: ['查询域名', 'List the domains of the operator'], resource: domainResource },
  update: { kind: 'update', path: 'domain/{id}', summary: ['设置域名', 'Set a domain and its certificate'], input, versioned: true },
  check: {
    kind: 'command',
    path: 'domain/{id}/check',
    summary: ['检查域名所有权', 'Check the ownership of a domain'],
    shape: shape<ProofCheck>(),
  },
});

const isSet = (row: AnyRow) => row.domain !== null;

export const domainSetup = page({
  ...headOf('domainSetup'),
  resource: domainResource,
  list: domainCalls.list,
  forms: { edit: domainForm },
  actions: {
    edit: { on: 'row', label: ['设置', 'Set'], call: domainCalls.update, form: 'edit' },
    check: {
      on: 'row',
      label: ['验证', 'Verify'],
      call: domainCalls.check,
      when: isSet,
      why: ['请先设置域名', 'Set the domain first'],
    },
  },
});
