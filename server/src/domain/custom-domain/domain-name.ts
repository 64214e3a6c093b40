import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { hostingSuffixes, registrySuffixes } from '@farlink/contract/kit/domain-suffixes.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Config } from '../../env/config.ts';

/** A name of one label is refused anyway. */
const publicSuffixes: ReadonlySet<string> = new Set([...registrySuffixes, ...hostingSuffixes]);

/** Names that public DNS does not resolve. */
const reserved = /(^|\.)(localhost|local|internal|invalid|onion|arpa|home|lan)$/;

/** The TXT record of the proof needs this prefix, and a name has at most 253 characters. */
const longest = 253 - '_farlink.'.length;

const texts = {
  bare: ['只填写域名，不含端口和路径', 'Enter the domain only, without port or path'],
  address: ['请填写域名，不能是IP地址', 'Enter a domain name, not an IP address'],
  invalid: ['域名格式不正确', 'Not a valid domain name'],
  suffix: ['这是公共后缀，请填写您自己的域名', 'This is a public suffix. Enter a domain of your own.'],
  own: ['该域名由平台使用', 'The platform uses this domain'],
} as const satisfies Record<string, Text>;

const isLabel = (label: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);

/** Host of the platform, which no VNO may use. */
const isOfPlatform = (domain: string, { publicUrl, remote }: Pick<Config, 'publicUrl' | 'remote'>) => {
  const own = publicUrl && new URL(publicUrl).hostname;
  const remoteName = remote.webUrl && new URL(remote.webUrl.replace('*.', '')).hostname;
  return domain === own || (remoteName !== undefined && (domain === remoteName || domain.endsWith(`.${remoteName}`)));
};

/** A domain as operators type it, in lower case and ASCII form, or why it cannot be used. */
export const readDomain = (typed: string, config: Pick<Config, 'publicUrl' | 'remote'>): { domain: string } | { refusal: Text } => {
  const bare = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  if (isIP(bare.replace(/^\[|\]$/g, ''))) return { refusal: texts.address };
  if (/[:/?#@\\]/.test(bare)) return { refusal: texts.bare };
  const domain = domainToASCII(bare).replace(/\.$/, '');
  // Numbers such as 127.1 become an address here.
  if (isIP(domain)) return { refusal: texts.address };
  const labels = domain.split('.');
  if (labels.length < 2 || domain.length > longest || !labels.every(isLabel) || /^\d+$/.test(labels.at(-1) ?? ''))
    return { refusal: texts.invalid };
  if (publicSuffixes.has(domain)) return { refusal: texts.suffix };
  if (reserved.test(domain)) return { refusal: texts.invalid };
  return isOfPlatform(domain, config) ? { refusal: texts.own } : { domain };
};
