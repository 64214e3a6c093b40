import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { DangerList, dangerListVersion, domainHash, domainsOf, downDanger } from './danger-list.ts';
import { parseJson } from './shape.ts';

const pack = (...domains: readonly string[]) => Buffer.from(domains.map(domainHash).join(''), 'hex').toString('base64');

describe('the list of dangerous websites', () => {
  it('blocks a listed host and its subdomains', () => {
    const list = new DangerList();
    expect(list.blockedBy('example.com')).toBeUndefined();
    expect(list.take({ from: 0, to: 2, a: pack('example.com', '8.8.8.8') })).toMatchObject({ rev: 2, n: 2 });
    expect(['example.com', 'a.b.example.com', '8.8.8.8'].map((host) => list.blockedBy(host) !== undefined)).toEqual([true, true, true]);
    expect(['com', 'myexample.com', 'example.com.cn', '18.8.8.8'].map((host) => list.blockedBy(host))).toEqual(Array(4).fill(undefined));
    expect(list.blockedBy('a.b.example.com')).toBe(domainHash('example.com'));
  });

  it('has the same digest in any order, and a zero digest when it is empty', () => {
    const one = new DangerList();
    const other = new DangerList();
    one.take({ from: 0, to: 2, a: pack('a.example', 'b.example') });
    other.take({ from: 0, to: 1, a: pack('b.example') });
    other.take({ from: 1, to: 2, a: pack('a.example', 'b.example'), x: pack('c.example') });
    expect(other.version).toEqual(one.version);
    expect(one.take({ from: 2, to: 4, x: pack('a.example', 'b.example') })).toEqual({ rev: 4, n: 0, h: '00000000000000' });
  });

  it('ignores a page that does not continue its revision, and starts over with a page from 0', () => {
    const list = new DangerList();
    const version = list.take({ from: 0, to: 5, a: pack('a.example') });
    expect(list.take({ from: 3, to: 9, a: pack('b.example') })).toEqual(version);
    expect(list.take({ from: 0, to: 9, a: pack('b.example') })).toMatchObject({ rev: 9, n: 1 });
    expect(list.blockedBy('a.example')).toBeUndefined();
    list.forget();
    expect(list.version).toEqual({ rev: 0, n: 0, h: '00000000000000' });
  });

  it('looks up each domain above a host, without the top-level domain', () => {
    expect(domainsOf('a.b.example.com')).toEqual(['a.b.example.com', 'b.example.com', 'example.com']);
    expect(domainsOf('8.8.8.8')).toEqual(['8.8.8.8']);
    expect(domainsOf('com')).toEqual([]);
  });

  it.each([
    [downDanger, { from: -1, to: 1 }],
    [downDanger, { from: 0, to: 1, a: '<script>' }],
    [downDanger, { from: 0, to: 1, h: 'short' }],
    [dangerListVersion, { rev: 1, n: 1, h: 'ABCDEF01234567' }],
    [dangerListVersion, { rev: 1, n: -1, h: '00000000000000' }],
  ])('refuses a malformed message %#', (shape, body) => {
    expect(parseJson<unknown>(shape, JSON.stringify(body))).toHaveProperty('reason');
  });
});
