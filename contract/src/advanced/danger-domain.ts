import { registrySuffixes } from '../kit/domain-suffixes.ts';
import type { Rule } from '../kit/rule.ts';
import { fill, type Text } from '../kit/text.ts';
import { rules } from '../rules.ts';

const texts = {
  invalid: ['域名格式不正确', 'Not a valid domain name'],
  scheme: ['只能以http://或https://开头', 'Only http:// and https:// are allowed'],
  ipv6: ['不支持IPv6地址，请填写域名', 'IPv6 addresses are not supported. Enter a domain name.'],
  local: ['不能是内网地址或本地名称', 'Not a local name or private address'],
  suffix: ['“{0}”是公共后缀，会屏蔽其下所有网站', '"{0}" is a public suffix. It would block all sites below it.'],
} as const satisfies Record<string, Text>;

/** Names and addresses of the local network, such as the login page of a gateway. */
const localName = /(^|\.)(localhost|local|internal|invalid|arpa|home|lan)$/;
const localAddress = /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[3-5]\d)\./;
const ipv4 = /^(\d{1,3}\.){3}\d{1,3}$/;
const isLabel = (label: string) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label);

const maxDomainLength = 253;

export type DangerDomain = { readonly domain: string } | { readonly refusal: Text };

/** The host of a typed address as browsers read it: lower case, ASCII, without port, path, user and trailing dot. */
const parseHost = (typed: string): DangerDomain => {
  const trimmed = typed.trim();
  const [, scheme, rest = trimmed] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(trimmed) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return { refusal: texts.scheme };
  // An entry includes its subdomains, so a wildcard adds nothing. Browsers drop tabs and line breaks inside an address.
  const address = `http://${rest.replace(/^(\*?\.)+/, '')}`;
  if (/[\s\p{Cc}]/u.test(address) || !URL.canParse(address)) return { refusal: texts.invalid };
  const { hostname } = new URL(address);
  return hostname.startsWith('[') ? { refusal: texts.ipv6 } : { domain: hostname.replace(/\.$/, '') };
};

/** Reads a domain or web address as operators type it, or returns the reason of the refusal. */
export const readDangerDomain = (typed: string): DangerDomain => {
  const parsed = parseHost(typed);
  if ('refusal' in parsed) return parsed;
  const { domain } = parsed;
  if (ipv4.test(domain)) return localAddress.test(`${domain}.`) ? { refusal: texts.local } : parsed;
  const labels = domain.split('.');
  if (localName.test(domain)) return { refusal: texts.local };
  if (labels.length < 2 || domain.length > maxDomainLength || !labels.every(isLabel)) return { refusal: texts.invalid };
  return registrySuffixes.has(domain) ? { refusal: fill(texts.suffix, domain) } : parsed;
};

/** The rule of the specification, with international names, and the reason of a refusal. */
export const dangerDomainRule: Rule = {
  ...rules.domain,
  text: (_, value) => {
    const read = readDangerDomain(String(value ?? ''));
    return 'refusal' in read ? read.refusal : rules.domain.text;
  },
  test: (value) => {
    const typed = String(value);
    return typed.length >= rules.domain.min && typed.length <= rules.domain.max && 'domain' in readDangerDomain(typed);
  },
};
