import { commonStatus } from '../choices.ts';
import { payChannel } from '../finance/choices.ts';
import { calls } from '../kit/endpoint.ts';
import { choice, file, longText, password, tags, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import type { Values } from '../kit/values.ts';
import { headOf } from '../menu.ts';
import { rules, uploads } from '../rules.ts';

/** Stored secrets are never returned, so an empty field keeps them. `stored` lists the fields that have a stored value. */
const missing = (name: string) => (v: Values) => Array.isArray(v.stored) && !v.stored.includes(name);
const keepCurrent: Text = ['留空表示不修改', 'Leave empty to keep the current value'];

const shown = {
  channel: choice(['支付渠道', 'Channel'], payChannel),
  merchant_id: text(['商户号', 'Merchant ID'], { mono: true, width: 180 }),
  app_id: text(['AppID', 'AppID'], { mono: true, width: 190 }),
  api_key: text(['API密钥', 'API key'], { mask: true, hiddenByDefault: true }),
  app_secret: text(['AppSecret', 'AppSecret'], { mask: true, hiddenByDefault: true }),
  cert_names: tags(['证书', 'Certificates'], { noTruncate: true, width: 280 }),
  status: choice(['状态', 'Status'], commonStatus),
  update_at: time(['更新时间', 'Updated at'], { sort: true }),
};

export const payChannelResource = resource({
  fields: shown,
  title: ['channel'],
  columns: ['channel', 'merchant_id', 'app_id', 'api_key', 'app_secret', 'cert_names', 'status', 'update_at'],
  filters: ['channel', 'status'],
  orderby: 'update_at desc',
});

const merchant_id = text(['商户号', 'Merchant ID'], { required: true, rules: [rules.digits_128], max: 128 });
const status = choice(['状态', 'Status'], commonStatus, { default: 1 });
const secret = (label: Text, name: string) =>
  password(label, { rules: [rules.alnum_128, rules.no_cn_space], max: 128, tips: keepCurrent, requiredWhen: missing(name) });
const certificate = (label: Text, name: string, tips: Text = keepCurrent) =>
  file(label, { upload: uploads.crt_file, tips, requiredWhen: missing(name) });

/** WeChat Pay needs the API key and certificate of the merchant in every request; only callbacks can be read without them. */
const wechat = {
  merchant_id,
  api_key: secret(['API密钥', 'API key'], 'api_key'),
  app_id: text(['AppID', 'AppID'], { required: true, rules: [rules.word_128], max: 128 }),
  app_secret: secret(['AppSecret', 'AppSecret'], 'app_secret'),
  private_key: file(['商户API私钥', 'Merchant API key'], {
    upload: uploads.key_file,
    tips: ['下单和退款需要，留空表示不修改', 'Required for orders and refunds. Leave empty to keep the current value.'],
  }),
  cert: file(['商户API证书', 'Merchant API certificate'], { upload: uploads.crt_file, tips: keepCurrent }),
  public_key_id: text(['微信支付公钥ID', 'WeChat Pay public key ID'], {
    rules: [rules.word_128],
    max: 128,
    tips: ['仅使用微信支付公钥的商户填写', 'Only for merchants that use the WeChat Pay public key'],
  }),
  public_key: longText(['微信支付公钥', 'WeChat Pay public key'], {
    max: 1024,
    tips: ['PEM文本，留空表示不修改', 'PEM text. Leave empty to keep the current value.'],
  }),
  status,
};

const alipay = {
  merchant_id,
  app_id: text(['AppID', 'AppID'], { required: true, rules: [rules.digits_128], max: 128 }),
  private_key: file(['应用私钥', 'Application key'], { upload: uploads.key_file, tips: keepCurrent, requiredWhen: missing('private_key') }),
  app_cert: certificate(['应用公钥证书', 'Application certificate'], 'app_cert'),
  alipay_cert: certificate(['支付宝公钥证书', 'Alipay certificate'], 'alipay_cert', [
    '支付宝会定期更换此证书，收款提示证书已更新时请在此上传新证书；留空表示不修改',
    'Alipay replaces this certificate regularly. Upload the new one here when a payment reports the change. Leave empty to keep the current value.',
  ]),
  root_cert: certificate(['支付宝根证书', 'Alipay root certificate'], 'root_cert'),
  status,
};

export const payForms = {
  wechat: form(['微信支付设置', 'WeChat Pay'], wechat, 560),
  alipay: form(['支付宝设置', 'Alipay'], alipay, 560),
};

export const payConfigCalls = calls('advanced', ['pay_config'], {
  list: { kind: 'list', path: 'payment', summary: ['查询支付渠道', 'List the payment channels'], resource: payChannelResource },
  save: {
    kind: 'update',
    path: 'payment/{id}',
    summary: ['保存支付渠道', 'Save a payment channel'],
    // The form of each channel defines its fields and which are required.
    input: {
      ...wechat,
      app_cert: file(alipay.app_cert.label, { upload: uploads.crt_file }),
      alipay_cert: file(alipay.alipay_cert.label, { upload: uploads.crt_file }),
      root_cert: file(alipay.root_cert.label, { upload: uploads.crt_file }),
    },
    versioned: true,
  },
});

export const payConfig = page({
  ...headOf('payConfig'),
  resource: payChannelResource,
  list: payConfigCalls.list,
  forms: payForms,
  actions: {
    wechat: {
      on: 'row',
      label: ['微信支付设置', 'Set WeChat Pay'],
      call: payConfigCalls.save,
      form: 'wechat',
      when: (row) => row.channel === 'wechat',
      hiddenWhenRefused: true,
      why: ['仅适用于微信支付', 'For WeChat Pay only'],
    },
    alipay: {
      on: 'row',
      label: ['支付宝设置', 'Set Alipay'],
      call: payConfigCalls.save,
      form: 'alipay',
      when: (row) => row.channel === 'alipay',
      hiddenWhenRefused: true,
      why: ['仅适用于支付宝', 'For Alipay only'],
    },
  },
});
