import { describe, expect, it } from 'vitest';
import { readConfig } from '../../env/config.ts';
import { readDomain } from './domain-name.ts';

const config = readConfig({
  SECRET_KEY: '0'.repeat(64),
  PUBLIC_URL: 'https://Console.Farlink.cn:8443/',
  REMOTE_WEB_URL: 'https://*.remote.farlink.cn',
});
const read = (typed: string) => readDomain(typed, config);

describe('a domain', () => {
  it.each([
    ['Portal.Example.COM', 'portal.example.com'],
    ['https://portal.example.com/', 'portal.example.com'],
    [' portal.example.com. ', 'portal.example.com'],
    ['门户.中国', 'xn--zoup46i.xn--fiqs8s'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['example.com.cn', 'example.com.cn'],
  ])('%s is %s', (typed, domain) => {
    expect(read(typed)).toEqual({ domain });
  });

  it.each([
    ['127.0.0.1', 'address'],
    ['127.1', 'address'],
    ['0x7f.1', 'address'],
    ['[::1]', 'address'],
    ['::1', 'address'],
    ['example.com:8443', 'port'],
    ['example.com/path', 'port'],
    ['user@example.com', 'port'],
    ['com', 'valid'],
    ['localhost', 'valid'],
    ['gateway.local', 'valid'],
    ['a..b', 'valid'],
    ['-a.example.com', 'valid'],
    ['a_b.example.com', 'valid'],
    ['example.123', 'valid'],
    [`${'a'.repeat(64)}.com`, 'valid'],
    [`${'abcdefgh.'.repeat(27)}com`, 'valid'],
    ['*.example.com', 'valid'],
    ['', 'valid'],
    ['com.cn', 'suffix'],
    ['CO.UK', 'suffix'],
    ['console.farlink.cn', 'platform'],
    ['x.remote.farlink.cn', 'platform'],
  ])('%s is refused', (typed, why) => {
    const found = read(typed);
    expect('refusal' in found ? found.refusal[1].toLowerCase() : found).toContain(why);
  });
});
