import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Text } from '@farlink/contract/kit/text.ts';

/** A certificate that can be served, with its chain. */
export interface ServedCertificate {
  /** The certificate first, then its issuers without the root (PEM). */
  readonly cert: string;
  /** Private key (PKCS #8, PEM). */
  readonly key: string;
  readonly sha256: string;
  readonly beginAt: number;
  readonly expireAt: number;
  readonly issuer: string;
}

export interface CertificateFault {
  readonly field: 'cert_file' | 'key_file';
  readonly text: Text;
}

const texts = {
  notCert: ['文件不是有效的证书', 'The file is not a valid certificate'],
  tooMany: ['证书文件最多包含10个证书', 'The file can contain at most 10 certificates'],
  notKey: ['文件不是有效的私钥，或私钥有密码', 'The file is not a valid private key, or the key has a password'],
  mismatch: ['密钥与证书不匹配', 'The key does not match the certificate'],
  weak: ['密钥强度不足，至少需要RSA 2048位或ECDSA P-256', 'The key is too weak. Use at least RSA 2048 or ECDSA P-256.'],
  name: ['证书不包含该域名', 'The certificate does not cover this domain'],
  expired: ['证书已过期', 'The certificate has expired'],
  early: ['证书尚未生效', 'The certificate is not valid yet'],
  chain: [
    '证书链不完整，请将中间证书追加到证书文件中',
    'The certificate chain is incomplete. Append the intermediate certificates to the file.',
  ],
  chainExpired: ['证书链中的中间证书已过期', 'An intermediate certificate of the chain has expired'],
} as const satisfies Record<string, Text>;

const maxCertificates = 10;
const block = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

const certificatesIn = (file: Buffer): X509Certificate[] | undefined => {
  try {
    const blocks = file.toString('latin1').match(block);
    if (blocks && blocks.length > maxCertificates) return [];
    return (blocks ?? [file]).map((text) => new X509Certificate(text));
  } catch {
    return undefined;
  }
};

const keyIn = (file: Buffer): KeyObject | undefined => {
  try {
    if (file.includes('-----BEGIN')) return createPrivateKey(file);
    return createPrivateKey({ key: file, format: 'der', type: 'pkcs8' });
  } catch {
    return undefined;
  }
};

/** Curves that browsers accept. */
const curves = ['prime256v1', 'secp384r1', 'secp521r1'];

const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) =>
  asymmetricKeyType === 'rsa'
    ? (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
    : asymmetricKeyType === 'ec' && curves.includes(asymmetricKeyDetails?.namedCurve ?? '');

const beginOf = (c: X509Certificate) => Math.floor(Date.parse(c.validFrom) / 1000);
const endOf = (c: X509Certificate) => Math.floor(Date.parse(c.validTo) / 1000);

const issued = (by: X509Certificate, cert: X509Certificate) => {
  try {
    return by.ca && cert.checkIssued(by) && cert.verify(by.publicKey);
  } catch {
    return false;
  }
};

/** A self-signed certificate need not be an authority, so `checkIssued` would refuse it. */
const isSelfSigned = (cert: X509Certificate) => {
  try {
    return cert.subject === cert.issuer && cert.verify(cert.publicKey);
  } catch {
    return false;
  }
};

let roots: Map<string, X509Certificate[]> | undefined;
/** Public roots, by subject. They are read once, because there are some 150. */
const rootsOf = (subject: string): readonly X509Certificate[] => {
  if (!roots) {
    roots = new Map();
    for (const pem of rootCertificates) {
      const root = new X509Certificate(pem);
      roots.set(root.subject, [...(roots.get(root.subject) ?? []), root]);
    }
  }
  return roots.get(subject) ?? [];
};

/** From the certificate up to the last issuer in the file. Undefined: it ends below a root. */
const chainOf = (leaf: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] | undefined => {
  const chain = [leaf];
  for (let last = leaf; ; ) {
    if (isSelfSigned(last)) return chain;
    const next = all.find((c) => !chain.includes(c) && issued(c, last));
    if (!next) return rootsOf(last.issuer).some((root) => issued(root, last)) ? chain : undefined;
    chain.push(next);
    last = next;
  }
};

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

const served = (chain: readonly X509Certificate[], key: KeyObject): ServedCertificate => {
  const [leaf, ...issuers] = chain;
  if (!leaf) throw new Error('a chain begins with its certificate');
  // Clients have the root themselves.
  const cert = [leaf, ...issuers.filter((c) => !isSelfSigned(c))].map((c) => c.toString()).join('');
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const issuer = /^(?:CN|O)=(.+)$/m.exec(leaf.issuer)?.[1] ?? '';
  return { cert, key: pem, sha256: sha256Of(cert + pem), beginAt: beginOf(leaf), expireAt: endOf(leaf), issuer };
};

export const coversDomain = (cert: string, domain: string): boolean => {
  try {
    return new X509Certificate(cert).checkHost(domain, { subject: 'never', partialWildcards: false }) !== undefined;
  } catch {
    return false;
  }
};

export interface CertificateFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly domain: string;
  readonly now: number;
  /** The chain of a configured certificate authority needs no public root. */
  readonly isFromAuthority?: boolean;
}

/** Checks an uploaded certificate and its key. The first fault is reported at the file that has it. */
export const readCertificate = (files: CertificateFiles): ServedCertificate | CertificateFault => {
  const { domain, now } = files;
  const at = (field: CertificateFault['field'], text: Text): CertificateFault => ({ field, text });
  const all = certificatesIn(files.cert);
  if (!all) return at('cert_file', texts.notCert);
  if (all.length === 0) return at('cert_file', texts.tooMany);
  const key = keyIn(files.key);
  if (!key) return at('key_file', texts.notKey);
  const leaf = all.find((c) => c.checkPrivateKey(key));
  if (!leaf) return at('key_file', texts.mismatch);
  if (!isStrong(key)) return at('key_file', texts.weak);
  if (!coversDomain(leaf.toString(), domain)) return at('cert_file', texts.name);
  if (!(endOf(leaf) > now)) return at('cert_file', texts.expired);
  // A new certificate can begin in the future of a clock that is slow.
  if (!files.isFromAuthority && !(beginOf(leaf) <= now)) return at('cert_file', texts.early);
  const chain = files.isFromAuthority ? all : chainOf(leaf, all);
  if (!chain) return at('cert_file', texts.chain);
  if (chain.some((c) => endOf(c) <= now)) return at('cert_file', texts.chainExpired);
  return served(chain, key);
};
