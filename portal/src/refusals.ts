import type { Text } from '@farlink/contract/kit/text.ts';
import type { LoginRefusal } from '@farlink/gateway/protocol/account.ts';

/** What a subscriber reads about a refused login. A wrong account and a wrong password read the same, so accounts cannot be guessed. */
export const refusalTexts = {
  unknown: ['账号或密码错误', 'Wrong account or password'],
  wrong_password: ['账号或密码错误', 'Wrong account or password'],
  disabled: ['账号已停用，请联系服务商', 'This account is disabled. Please contact your provider.'],
  frozen: ['账号已冻结，请联系服务商', 'This account is frozen. Please contact your provider.'],
  expired: ['账号已过期，请联系服务商', 'This account has expired. Please contact your provider.'],
  unbound: ['该账号未绑定任何设备，请联系服务商', 'This account is not assigned to any gateway. Please contact your provider.'],
  no_package: ['没有可用套餐，请先购买', 'No package is active. Please buy one first.'],
  shutdown: ['套餐已用完，请购买新套餐', 'Your package is used up. Please buy another one.'],
  reserved_shutdown: ['账号停机保号中，请联系服务商', 'Service is paused for this account. Please contact your provider.'],
  too_many: ['登录终端数已达上限，请先让其他终端下线', 'Too many devices are online. Please log out another one first.'],
  wrong_ip: ['该账号不能在此地址登录', 'This account cannot log in from this address.'],
  wrong_mac: ['该账号已绑定其他终端', 'This account is bound to another device.'],
  wrong_vlan: ['该账号不能在此网络登录', 'This account cannot log in on this network.'],
} as const satisfies Record<LoginRefusal | 'unbound', Text>;
