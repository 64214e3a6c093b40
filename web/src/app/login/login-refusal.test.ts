import { errors } from '@farlink/contract/errors.ts';
import { expect, test } from 'vitest';
import { lockText } from './login-refusal.ts';

const wrong = errors.wrong_password.code;
const after = (err_count: number) => ({ lock_count: 5, err_count, lock_time: 10 });

test('a wrong password shows how many attempts remain', () => {
  expect(lockText(wrong, 'Wrong', after(0))).toEqual(['Wrong，还可尝试4次', 'Wrong, 4 attempts left']);
  expect(lockText(wrong, 'Wrong', after(3))?.[1]).toBe('Wrong, 1 attempt left');
});

test('the attempt that locks the account shows for how long', () => {
  expect(lockText(wrong, 'Wrong', after(4))?.[1]).toBe('Wrong, the account is locked for 10 minutes');
});

test('a locked account shows after how many failures and for how long', () => {
  const text = lockText(errors.locked.code, '', { lock_count: 5, lock_time: 7 });
  expect(text?.[1]).toBe('Password input error exceeds 5 times, wait 7 minutes to unlock');
});

test('other refusals keep the text of the server', () => {
  expect(lockText(errors.account_disabled.code, 'Disabled', null)).toBeUndefined();
  expect(lockText(wrong, 'Wrong', { detail: 'x' })).toBeUndefined();
});
