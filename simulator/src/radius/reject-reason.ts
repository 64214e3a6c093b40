import type { LoginRefusal } from '@farlink/gateway/protocol/account.ts';

/** Words of a Reply-Message, in both languages of the console. */
const reasons: readonly (readonly [RegExp, LoginRefusal])[] = [
  [/wrong password|密码错误/i, 'wrong_password'],
  [/disabled|禁用/i, 'disabled'],
  [/frozen|冻结/i, 'frozen'],
  [/reserved shutdown|停机保号/i, 'reserved_shutdown'],
  [/no package|没有可用套餐/i, 'no_package'],
  [/used up|用尽/i, 'shutdown'],
  [/expired|过期/i, 'expired'],
  [/too many|超过允许登录数/i, 'too_many'],
  [/\bIP\b|绑定IP/i, 'wrong_ip'],
  [/\bMAC\b|绑定MAC/i, 'wrong_mac'],
  [/\bVLAN\b|绑定VLAN/i, 'wrong_vlan'],
];

/** The reason of an Access-Reject. RADIUS has no codes for it, only a text. */
export const rejectReasonOf = (text: string | undefined): LoginRefusal =>
  reasons.find(([pattern]) => pattern.test(text ?? ''))?.[1] ?? 'unknown';
