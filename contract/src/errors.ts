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
  still_used: { code: 10014, status: 409, text: ['仍被其他数据引用，无法删除', 'Other data still refers to it, so it cannot be deleted'] },
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
  recharge_job: { code: 20510, status: 422, text: ['工作账号不能充值', 'Job accounts cannot be recharged'] },
  recharge_periodic: {
    code: 20511,
    status: 422,
    text: ['周期套餐不能充值，请使用变更套餐', 'A periodic package cannot be recharged; change the package instead'],
  },
  recharge_expired: {
    code: 20512,
    status: 422,
    text: ['套餐已过期，不能充值，请变更套餐', 'The package has expired and cannot be recharged; change the package instead'],
  },
  recharge_inactive: { code: 20513, status: 422, text: ['套餐未激活，不能充值', 'The package is not active and cannot be recharged'] },
  recharge_duration: {
    code: 20514,
    status: 422,
    text: ['该时长套餐的有效期不足以再续订{0}份', 'This duration package is not valid long enough for {0} more period(s)'],
  },
  recharge_no_package: { code: 20515, status: 422, text: ['该账号没有可续订的套餐', 'The account has no package to renew'] },
  recharge_one_card: {
    code: 20516,
    status: 422,
    text: ['使用充值卡时只能选择一个账号', 'A recharge card is for one account; select only one'],
  },
  extra_needs_package: {
    code: 20517,
    status: 422,
    text: ['套餐状态为正常或已用尽时才能订购加油包', 'An extra package needs a package that is normal or exhausted'],
  },
  change_job: {
    code: 20520,
    status: 422,
    text: ['所选账号包含工作账号，不能变更套餐', 'The selection includes a job account; its package cannot be changed'],
  },
  change_mixed_sources: {
    code: 20521,
    status: 422,
    text: [
      '所选账号来源不一致，不能一起变更套餐',
      'The selected accounts come from different sources; their packages cannot be changed together',
    ],
  },
  change_disabled: {
    code: 20522,
    status: 422,
    text: ['所选账号包含禁用账号，不能变更套餐', 'The selection includes a disabled account; its package cannot be changed'],
  },
  change_no_end: {
    code: 20523,
    status: 422,
    text: [
      '当前套餐尚未开始使用或没有到期时间，请选择立即生效',
      'The current package has not begun or has no end; choose to change it immediately',
    ],
  },
  temp_card_periodic: {
    code: 20524,
    status: 422,
    text: ['临时卡账号不支持周期套餐', 'Temporary card accounts do not support periodic packages'],
  },
  package_other_device: {
    code: 20525,
    status: 422,
    text: ['该套餐不适用于账号所属的VNO、设备或设备组', 'This package is not offered to the VNO, device or group of the account'],
  },
  change_too_late: {
    code: 20527,
    status: 422,
    text: ['新套餐在生效前已到期，请选择其他套餐', 'The new package ends before it would take effect; choose another'],
  },
  bill_too_large: { code: 20526, status: 422, text: ['单笔金额不能超过{0}元', 'One bill may come to at most {0} yuan'] },
  device_full: {
    code: 20601,
    status: 409,
    text: ['单个设备最多支持20000个上网账号', 'A single device supports at most 20000 internet accounts'],
  },
  list_taken: {
    code: 20651,
    status: 409,
    text: ['密码清单只能下载一次，可在列表中逐个查看', 'The list of passwords can be fetched once; see single ones in the table'],
  },
  platform_setting: {
    code: 20652,
    status: 403,
    text: ['该设置由总平台统一管理，VNO不可修改', 'This setting is kept by the platform and cannot be changed by a VNO'],
  },
  card_wrong: { code: 20701, status: 422, text: ['卡号或卡密错误', 'Wrong card number or password'] },
  card_used: { code: 20702, status: 409, text: ['该充值卡已被使用', 'This card has been used'] },
  card_expired: { code: 20703, status: 409, text: ['该充值卡已过期', 'This card has expired'] },
  card_void: { code: 20704, status: 409, text: ['该充值卡已作废', 'This card has been voided'] },
  card_not_here: { code: 20705, status: 409, text: ['该充值卡不适用于此用户', 'This card is not valid for this user'] },
  card_package_gone: {
    code: 20706,
    status: 409,
    text: ['卡内套餐已失效，无法充值', 'The package of this card is no longer available'],
  },
  card_settled: {
    code: 20707,
    status: 409,
    text: ['仅未使用且未过期的卡片可修改或作废', 'Only unused cards that have not expired can be changed or voided'],
  },
  card_batch_used: { code: 20708, status: 409, text: ['该批次已有卡片被使用，无法删除', 'A batch with used cards cannot be deleted'] },
  card_batch_making: { code: 20709, status: 409, text: ['该批次正在制卡，请稍后再试', 'The cards of this batch are still being made'] },
  user_offline: { code: 20610, status: 409, text: ['该用户当前不在线', 'This user is not online'] },
  user_in_use: {
    code: 20611,
    status: 409,
    text: ['仅已过期或禁用的账号可以删除', 'Only an expired or disabled account can be deleted'],
  },
  user_has_balance: {
    code: 20612,
    status: 409,
    text: ['账户余额为{0}元，退还后才能删除', 'The account has a balance of {0} yuan; it can be deleted once that is given back'],
  },
  user_has_order: {
    code: 20613,
    status: 409,
    text: ['该账号有待支付的订单，暂不能删除', 'The account has an order waiting for payment and cannot be deleted yet'],
  },
  pay_channel_off: { code: 20801, status: 422, text: ['该支付渠道未启用', 'This payment channel is not enabled'] },
  pay_refused: { code: 20802, status: 409, text: ['{0}', '{0}'] },
  pay_unclear: {
    code: 20803,
    status: 503,
    text: [
      '支付平台暂未给出结果，系统将自动核实该订单',
      'The payment provider gave no clear answer yet; the order will be checked automatically',
    ],
  },
  pay_cert_renewed: {
    code: 20804,
    status: 409,
    text: [
      '支付宝公钥证书已更新，请在支付配置中上传新证书',
      'Alipay has renewed its certificate: upload the new one in the payment configuration',
    ],
  },
  pay_already: { code: 20805, status: 409, text: ['该订单已经支付', 'The order has been paid meanwhile'] },
  pay_used: { code: 20806, status: 409, text: ['所购套餐已经使用，不能退款', 'What was bought has been used and cannot be refunded'] },
  pay_withdrawing: { code: 20807, status: 409, text: ['该订单正在退款', 'This order is being refunded already'] },
  export_empty: { code: 20301, status: 422, text: ['没有可导出的数据', 'No data to export'] },
  export_failed: { code: 20302, status: 500, text: ['导出失败', 'Export failed'] },
  export_not_ready: { code: 20303, status: 409, text: ['文件尚未生成', 'The file is not ready'] },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof errors;
