import { errors } from '@farlink/contract/errors.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';

const left: Text = ['{0}，还可尝试{1}次', '{0}, {1} attempts left'];
const oneLeft: Text = ['{0}，还可尝试1次', '{0}, 1 attempt left'];
const lockedNow: Text = ['{0}，账号已锁定{1}分钟', '{0}, the account is locked for {1} minutes'];

/**
 * spec §8: a wrong password shows the remaining attempts, a locked account the remaining time; undefined: the server message is sufficient.
 */
export const lockText = (code: number, message: string, data: unknown): Text | undefined => {
  if (!isRecord(data)) return undefined;
  const { lock_count, err_count, lock_time } = data;
  if (typeof lock_count !== 'number' || typeof lock_time !== 'number') return undefined;
  if (code === errors.locked.code) return fill(errors.locked.text, lock_count, lock_time);
  if (code !== errors.wrong_password.code || typeof err_count !== 'number') return undefined;
  const attempts = lock_count - (err_count + 1);
  if (attempts <= 0) return fill(lockedNow, message, lock_time);
  return fill(attempts === 1 ? oneLeft : left, message, attempts);
};
