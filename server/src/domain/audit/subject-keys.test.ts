import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seal } from '../../kit/session/secret.ts';
import { keyName, monthOf, subjectKeys, subjectOf, unwrapKey } from './subject-keys.ts';

const epoch = (text: string) => Date.parse(text) / 1000;

it('the subject is the subscriber, else the account on its device, else the MAC', () => {
  const row = { device_id: 7, subscriber_id: 9, account: 'Anna', mac: 'aa:bb:cc:00:11:22' };
  expect(subjectOf(row)).toBe('s:9');
  expect(subjectOf({ ...row, subscriber_id: null })).toBe('a:7:anna');
  expect(subjectOf({ ...row, subscriber_id: null, account: null })).toBe('m:aa:bb:cc:00:11:22');
  expect(subjectOf({ ...row, subscriber_id: null, account: '', mac: null })).toBe('m:');
});

it('months begin at midnight of UTC+8', () => {
  expect(monthOf(epoch('2026-01-31T15:59:59Z'))).toBe(202601);
  expect(monthOf(epoch('2026-01-31T16:00:00Z'))).toBe(202602);
  expect(monthOf(epoch('2025-12-31T16:00:00Z'))).toBe(202601);
});

it('unwraps keys of 32 bytes of the same secret key only', () => {
  const secretKey = randomBytes(32);
  const bytes = randomBytes(32);
  expect(unwrapKey(secretKey, seal(secretKey, bytes.toString('base64')))?.export()).toEqual(bytes);
  expect(unwrapKey(secretKey, seal(secretKey, randomBytes(16).toString('base64')))).toBeUndefined();
  expect(unwrapKey(randomBytes(32), seal(secretKey, bytes.toString('base64')))).toBeUndefined();
  expect(unwrapKey(secretKey, '')).toBeUndefined();
});

describe('keys of subjects', () => {
  it('need no statement if none is requested', async () => {
    const refuse = () => Promise.reject(new Error('no statement expected'));
    expect(await subjectKeys(refuse, randomBytes(32), 1, [])).toEqual(new Map());
  });

  it('fail after some tries if they are deleted again and again', async () => {
    const statements: string[] = [];
    const keys = await subjectKeys(
      async (name) => {
        statements.push(name);
        return [];
      },
      randomBytes(32),
      1,
      [{ subject: 's:1', month: 202601 }],
    );
    expect([keys.size, statements.length]).toEqual([0, 5]);
  });

  it('have a name of subject and month', () => {
    expect(keyName({ subject: 's:1', month: 202601 })).toBe('202601 s:1');
  });
});
