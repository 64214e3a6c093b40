import { expect, test } from 'vitest';
import { isPrivate } from './private-address.ts';

test('a private address is recognised in every spelling', () => {
  const home = [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
  ];
  const six = [
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    'fe80::1',
    'fd00::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    'ff02::1',
  ];
  for (const address of [...home, ...six, '224.0.0.1', '255.255.255.255']) expect(isPrivate(address), address).toBe(true);
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])
    expect(isPrivate(address), address).toBe(false);
});
