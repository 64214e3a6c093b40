import { createHash, X509Certificate } from 'node:crypto';
import { badConfig } from '../payment-error.ts';

/** Alipay's name for a certificate: MD5 of the issuer, most specific part first, and the decimal serial number. */
export const certSn = (cert: X509Certificate): string => {
  const issuer = cert.issuer.split('\n').reverse().join(',');
  return createHash('md5')
    .update(`${issuer}${BigInt(`0x${cert.serialNumber}`)}`)
    .digest('hex');
};

const rsaSignatures = '1.2.840.113549.1.1.';

/** Over the certificates with an RSA signature: the bundle holds SM2 and ECC roots too, which RSA2 leaves out. */
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
