import type { Text } from './kit/text.ts';

/** Every refusal that a person may meet: code, HTTP status, words. No other place knows a code. */
interface ErrorEntry {
  readonly code: number;
  readonly status: number;
  readonly text: Text;
}

export const errors = {
  bad_input: { code: 10001, status: 400, text: ['输入有误，请检查', 'Please check the input'] },
  too_large: { code: 10002, status: 413, text: ['请求内容过大', 'The request is too large'] },
  wrong_media: { code: 10003, status: 415, text: ['文件格式错误', 'File format error'] },
  too_many: { code: 10004, status: 429, text: ['操作过于频繁，请稍后再试', 'Too many requests, please try again later'] },
  not_found: { code: 10005, status: 404, text: ['数据不存在', 'Not found'] },
  denied: {
    code: 10006,
    status: 403,
    text: ['您没有访问权限，请联系管理员', 'You do not have permission to access, please contact the administrator'],
  },
  internal: { code: 10007, status: 500, text: ['系统错误，编号 {0}', 'Internal error, reference {0}'] },
  wrong_password: { code: 10008, status: 401, text: ['账号或密码错误', 'Wrong account or password'] },
  unavailable: { code: 10009, status: 503, text: ['服务暂不可用，请稍后再试', 'The service is not available, please try again later'] },
  stale: {
    code: 10010,
    status: 409,
    text: ['数据已被他人修改，请刷新后重试', 'Someone else changed this meanwhile, please refresh and try again'],
  },
  unchanged: { code: 10011, status: 422, text: ['您未做任何修改', "You haven't made any changes"] },
  identity_mismatch: { code: 10012, status: 403, text: ['身份不一致，请重新登录', 'Identity mismatch, please login again'] },
  duplicate: { code: 10013, status: 409, text: ['{0}已存在', '{0} already exists'] },
  session_gone: { code: 10021, status: 401, text: ['请重新登录', 'please login again'] },
  wrong_captcha: { code: 10030, status: 422, text: ['验证码错误或已过期', 'The captcha is wrong or has expired'] },
  account_disabled: { code: 10031, status: 403, text: ['账号已被禁用', 'The account is disabled'] },
  authorization_expired: { code: 10032, status: 403, text: ['工号授权已到期', 'The authorization of this job number has expired'] },
  locked: {
    code: 10036,
    status: 423,
    text: ['密码输入错误超过{0}次，请等待{1}分钟后解锁', 'Password input error exceeds {0} times, wait {1} minutes to unlock'],
  },
  wrong_sms: { code: 10040, status: 422, text: ['短信验证码错误或已过期', 'The SMS code is wrong or has expired'] },
  sms_too_often: {
    code: 10041,
    status: 429,
    text: ['短信发送过于频繁，请稍后再试', 'SMS codes are requested too often, please try again later'],
  },
  phone_unknown: { code: 10042, status: 422, text: ['该手机号未绑定唯一账号', 'This phone does not belong to exactly one account'] },
  remote_expired: { code: 10043, status: 401, text: ['远程登录链接无效或已过期', 'The remote login link is invalid or has expired'] },
  registration_closed: { code: 10044, status: 403, text: ['未开放自助注册', 'Self-registration is not open'] },
  password_must_change: { code: 10112, status: 403, text: ['请先重置密码', 'The password must be reset first'] },

  vno_too_deep: { code: 20001, status: 422, text: ['VNO层级最多{0}级', 'VNOs may be at most {0} levels deep'] },
  vno_children_forbidden: { code: 20002, status: 422, text: ['上级VNO不允许发展下级', 'The parent VNO may not have children'] },
  vno_own_child: {
    code: 20003,
    status: 422,
    text: ['上级VNO不能是自身或其下级', 'The parent may not be the VNO itself or one of its children'],
  },
  vno_in_use: {
    code: 20004,
    status: 409,
    text: ['该VNO下仍有{0}，无法删除', 'This VNO cannot be deleted while it has {0}'],
  },
  vno_self: { code: 20005, status: 422, text: ['不能对当前VNO执行此操作', 'Not possible for the VNO you are working as'] },
  prefix_in_use: { code: 20006, status: 409, text: ['该前缀已被使用，无法删除', 'The prefix is in use and cannot be deleted'] },
  role_in_use: { code: 20101, status: 409, text: ['角色正在使用，无法删除', 'The role is in use and cannot be deleted'] },
  role_exceeds: { code: 20102, status: 403, text: ['不能授予超出自身权限的权限', 'You cannot grant more than you hold'] },
  customer_self: { code: 20103, status: 422, text: ['不能对当前登录账号执行此操作', 'Not possible for the account you are using'] },
  owner_account: { code: 20104, status: 422, text: ['VNO主账号不可删除或禁用', "A VNO's main account cannot be deleted or disabled"] },
  wrong_state: { code: 20105, status: 409, text: ['当前状态不允许此操作', 'The current state does not allow this'] },
  package_in_use: { code: 20401, status: 409, text: ['套餐正在使用，无法删除', 'The package is in use and cannot be deleted'] },
  template_in_use: { code: 20402, status: 409, text: ['模板正在使用，无法删除', 'The template is in use and cannot be deleted'] },
  code_unknown: { code: 20201, status: 422, text: ['授权码不存在', 'Unknown authorization code'] },
  code_used: { code: 20202, status: 409, text: ['授权码已被使用', 'The authorization code has been used'] },
  code_expired: { code: 20203, status: 409, text: ['授权码已过期', 'The authorization code has expired'] },
  authorization_exhausted: {
    code: 20204,
    status: 409,
    text: ['子工号授权数量不足，请先激活授权码', 'No authorization left for another sub job number; activate a code first'],
  },
  collection_limit: {
    code: 20501,
    status: 409,
    text: ['收款金额超出您的收款上限', 'The amount exceeds your collection limit'],
  },
  discount_too_high: { code: 20502, status: 422, text: ['优惠金额不能超过应收金额', 'The discount may not exceed the amount due'] },
  bill_revoked: { code: 20503, status: 409, text: ['该账单已冲正', 'This bill has been reversed'] },
  balance_short: { code: 20504, status: 409, text: ['账户余额不足', 'The balance is not sufficient'] },
  device_full: {
    code: 20601,
    status: 409,
    text: ['单个设备最多支持20000个上网账号', 'A single device supports at most 20000 internet accounts'],
  },
  export_empty: { code: 20301, status: 422, text: ['没有可导出的数据', 'No data to export'] },
  export_failed: { code: 20302, status: 500, text: ['导出失败', 'Export failed'] },
  export_not_ready: { code: 20303, status: 409, text: ['文件尚未生成', 'The file is not ready'] },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof errors;
