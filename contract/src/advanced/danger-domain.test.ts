import { describe, expect, it } from 'vitest';
import { defaultPasswordRule } from '../kit/password-rule.ts';
import { dangerDomainRule, readDangerDomain } from './danger-domain.ts';

const domainOf = (typed: string) => {
  const read = readDangerDomain(typed);
  return 'domain' in read ? read.domain : undefined;
};
const refusalOf = (typed: string) => {
  const read = readDangerDomain(typed);
  return 'refusal' in read ? read.refusal[1] : undefined;
};

describe('a dangerous domain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['  Bad-Site.EXAMPLE.com.  ', 'bad-site.example.com'],
    ['HTTPS://Bad.Example.com:8443/login?x=1#top', 'bad.example.com'],
    ['http://user:secret@bad.example.com/path', 'bad.example.com'],
    ['bad.example.com/path/https://other.example.org', 'bad.example.com'],
    ['*.example.com', 'example.com'],
    ['.example.com', 'example.com'],
    ['https://*.example.com/', 'example.com'],
    ['赌博.example.com', 'xn--9kr716k.example.com'],
    ['xn--9kr716k.example.com', 'xn--9kr716k.example.com'],
    ['ＥＸＡＭＰＬＥ．ｃｏｍ', 'example.com'],
    ['赌场。中国', 'xn--mes317j.xn--fiqs8s'],
    ['straße.de', 'xn--strae-oqa.de'],
    ['ex%61mple.com', 'example.com'],
    ['my_site.tumblr.com', 'my_site.tumblr.com'],
    ['8.8.8.8', '8.8.8.8'],
    ['http://0x08080808/', '8.8.8.8'],
    ['duckdns.org', 'duckdns.org'],
  ])('reads %s as %s', (typed, domain) => expect(domainOf(typed)).toBe(domain));

  it.each([
    ['', 'Not a valid domain name'],
    ['com', 'Not a valid domain name'],
    ['bad example.com', 'Not a valid domain name'],
    ['bad\texample.com', 'Not a valid domain name'],
    ['bad..example.com', 'Not a valid domain name'],
    ['-bad.example.com', 'Not a valid domain name'],
    ['example.com:99999', 'Not a valid domain name'],
    ['a<b.example.com', 'Not a valid domain name'],
    [`${'a'.repeat(64)}.com`, 'Not a valid domain name'],
    ['javascript://bad.example.com', 'Only http:// and https:// are allowed'],
    ['ftp://bad.example.com', 'Only http:// and https:// are allowed'],
    ['[2001:db8::1]', 'IPv6 addresses are not supported. Enter a domain name.'],
    ['localhost', 'Not a local name or private address'],
    ['router.lan', 'Not a local name or private address'],
    ['192.168.1.1', 'Not a local name or private address'],
    ['127.1', 'Not a local name or private address'],
    ['100.64.3.2', 'Not a local name or private address'],
    ['com.cn', '"com.cn" is a public suffix. It would block all sites below it.'],
    ['https://CO.UK/', '"co.uk" is a public suffix. It would block all sites below it.'],
  ])('refuses %j', (typed, refusal) => expect(refusalOf(typed)).toBe(refusal));

  it('may have at most 255 characters', () => {
    const env = { passwordRule: defaultPasswordRule };
    expect(dangerDomainRule.name).toBe('domain');
    expect(dangerDomainRule.test(`https://example.com/${'a'.repeat(236)}`, {}, env)).toBe(false);
    expect(dangerDomainRule.test(`https://example.com/${'a'.repeat(235)}`, {}, env)).toBe(true);
  });
});
