import { createHash, X509Certificate } from 'node:crypto';
import { badConfig } from '../payment-error.ts';

/** Certificate identifier of Alipay: MD5 of the issuer (most specific part first) and the decimal serial number. */
export const certSn = (cert: X509Certificate): string => {
  const issuer = cert.issuer.split('\n').reverse().join(',');
  return createHash('md5')
    .update(`${issuer}${BigInt(`0x${cert.serialNumber}`)}`)
    .digest('hex');
};

const rsaSignatures = '1.2.840.113549.1.1.';

/** Uses only certificates with an RSA signature; RSA2 ignores the SM2 and ECC roots of the bundle. */
export const rootCertSn = (bundle: string): string => {
  const pems = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const certs = pems.flatMap((pem) => {
    try {
      return new X509Certificate(pem);
    } catch {
      return [];
    }
  });
  const sns = certs.filter((cert) => cert.signatureAlgorithmOid?.startsWith(rsaSignatures)).map(certSn);
  if (sns.length === 0) throw badConfig(['支付宝根证书无效', 'The Alipay root certificate is not valid']);
  return sns.join('_');
};
