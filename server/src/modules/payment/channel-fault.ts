import { payForms } from '@farlink/contract/advanced/pay-config.ts';
import { requiredText } from '@farlink/contract/kit/check.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { alipayProvider } from '../../domain/payment/alipay/alipay-provider.ts';
import { rootCertSn } from '../../domain/payment/alipay/cert-sn.ts';
import { PaymentError } from '../../domain/payment/payment-error.ts';
import { alipayConfig, wechatConfig } from '../../domain/payment/provider-of.ts';
import { checkPair, readCertificate, readPrivateKey } from '../../domain/payment/rsa.ts';
import type { ChannelRow, Secrets } from '../../domain/payment/secrets.ts';
import { wechatProvider } from '../../domain/payment/wechat/wechat-provider.ts';
import { failAt } from '../../kit/fail.ts';

const both: Text = ['私钥和证书需同时上传', 'Upload the private key and the certificate together'];

/** Reports a key or certificate that cannot be read at its form field. */
const test = (field: string, work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof PaymentError) throw failAt(field, error.text);
    throw error;
  }
};

interface Pair {
  readonly cert: 'app_cert' | 'cert';
  readonly keyName: Text;
  readonly certName: Text;
}

/** `sent` contains the fields of this request; the mismatch is reported at the new one of the two. */
const refusePair = (secrets: Secrets, sent: ReadonlySet<string>, { cert, keyName, certName }: Pair) => {
  const key = () => readPrivateKey(secrets.private_key?.text ?? '', keyName);
  const certificate = () => readCertificate(secrets[cert]?.text ?? '', certName);
  test('private_key', key);
  test(cert, certificate);
  test(sent.has('private_key') && !sent.has(cert) ? 'private_key' : cert, () => checkPair(key(), certificate()));
};

const appPair: Pair = {
  cert: 'app_cert',
  keyName: ['应用私钥', 'The application key'],
  certName: ['应用公钥证书', 'The application certificate'],
};
const merchantPair: Pair = {
  cert: 'cert',
  keyName: ['商户API私钥', 'The merchant API key'],
  certName: ['商户API证书', 'The merchant API certificate'],
};

const refuseAlipay = (row: ChannelRow, secrets: Secrets, sent: ReadonlySet<string>) => {
  refusePair(secrets, sent, appPair);
  test('alipay_cert', () => readCertificate(secrets.alipay_cert?.text ?? '', ['支付宝公钥证书', 'The Alipay certificate']));
  test('root_cert', () => rootCertSn(secrets.root_cert?.text ?? ''));
  test('merchant_id', () => alipayProvider(alipayConfig(row, secrets)));
};

const refuseWechat = (row: ChannelRow, secrets: Secrets, sent: ReadonlySet<string>) => {
  const { private_key, cert, public_key, public_key_id, api_key } = secrets;
  test('api_key', () => wechatProvider(wechatConfig(row, { ...(api_key && { api_key }) })));
  if (private_key && !cert) throw failAt('cert', both);
  if (cert && !private_key) throw failAt('private_key', both);
  if (private_key) refusePair(secrets, sent, merchantPair);
  if (public_key_id && !public_key) throw failAt('public_key', requiredText(payForms.wechat.fields.public_key));
  if (public_key && !public_key_id) throw failAt('public_key_id', requiredText(payForms.wechat.fields.public_key_id));
  test('public_key', () => wechatProvider(wechatConfig(row, secrets)));
};

export const refuseFaults = (row: ChannelRow, secrets: Secrets, sent: ReadonlySet<string>) =>
  row.channel === 'alipay' ? refuseAlipay(row, secrets, sent) : refuseWechat(row, secrets, sent);
