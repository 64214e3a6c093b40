import { describe, expect, it } from 'vitest';
import { cookieForBrowser, cookieScope, cookiesForDevice } from './cookies.ts';
import { localPath } from './headers.ts';
import { loggedPath } from './proxy-request.ts';

describe('redirects of a device', () => {
  it.each([
    ['/login', '/login'],
    ['login?x=1#y', '/cgi/login?x=1#y'],
    ['http://192.168.1.1/a', '/a'],
    ['https://evil.example//other.example/a', '/other.example/a'],
    ['//evil.example/a', '/a'],
    ['/\\evil.example', '/'],
    ['javascript:alert(1)', undefined],
    ['http://[', undefined],
  ])('%s becomes the local path %s', (location, path) => {
    expect(localPath(location, '/cgi/index')).toBe(path);
  });
});

describe('cookies', () => {
  const own = cookieScope('abc', false, false);
  const shared = cookieScope('abc', true, false);

  it('of a device stay on its origin', () => {
    expect(cookieForBrowser('sid=1; Domain=example.com; Path=/; Secure; SameSite=None', own)).toBe('sid=1; Path=/');
    expect(cookieForBrowser('sid=1; Secure; SameSite=None', cookieScope('abc', false, true))).toBe('sid=1; Secure; SameSite=None');
    expect(cookieForBrowser('farlink-remote-abc=stolen', own)).toBeUndefined();
  });

  it('of the console and of other sessions are never sent to a device', () => {
    expect(cookiesForDevice('sid=1; farlink-remote-abc=secret; farlink-remote-xyz=other', own)).toBe('sid=1');
    expect(cookiesForDevice('captcha=1; abc_sid=1; xyz_sid=2; farlink-remote-abc=secret', shared)).toBe('sid=1');
    expect(cookiesForDevice('captcha=1', shared)).toBeUndefined();
  });
});

it('logged paths have no parameters and at most 300 characters', () => {
  expect(loggedPath('/cgi-bin/luci/;stok=12ab/admin?password=x#y')).toBe('/cgi-bin/luci//admin');
  expect(loggedPath(`/${'a'.repeat(1000)}`)).toHaveLength(300);
});
