import type { Text } from './kit/text.ts';

/** Every error that the API returns: code, HTTP status, text. Codes are defined only here. */
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
  unavailable: { code: 10009, status: 503, text: ['服务暂不可用，请稍后再试', 'The service is unavailable, please try again later'] },
  busy: { code: 10017, status: 503, text: ['系统繁忙，请稍后再试', 'The server is busy, please try again shortly'] },
  stale: {
    code: 10010,
    status: 409,
    text: ['数据已被他人修改，请刷新后重试', 'Someone else changed this data. Refresh and try again.'],
  },
  unchanged: { code: 10011, status: 422, text: ['您未做任何修改', "You haven't made any changes"] },
  identity_mismatch: { code: 10012, status: 403, text: ['身份不一致，请重新登录', 'Identity mismatch, please login again'] },
  duplicate: { code: 10013, status: 409, text: ['{0}已存在', '{0} already exists'] },
  still_used: { code: 10014, status: 409, text: ['仍被其他数据引用，无法删除', 'Cannot delete: other data still refers to it'] },
  key_reused: {
    code: 10015,
    status: 409,
    text: [
      '该表单已提交成功，修改后的内容未执行。请关闭表单并核对结果',
      'This form was already submitted. Later changes were not applied. Close it and check the result.',
    ],
  },
  bad_key: { code: 10016, status: 400, text: ['Idempotency-Key 格式不正确', 'Invalid Idempotency-Key'] },
  session_ended: { code: 10021, status: 401, text: ['请重新登录', 'please login again'] },
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
    text: ['短信发送过于频繁，请稍后再试', 'Too many SMS requests, please try again later'],
  },
  phone_unknown: { code: 10042, status: 422, text: ['该手机号未绑定账号', 'No account is bound to this phone'] },
  remote_expired: { code: 10043, status: 401, text: ['远程登录链接无效或已过期', 'The remote login link is invalid or has expired'] },
  registration_no_place: {
    code: 10045,
    status: 403,
    text: [
      '请连接要使用的网络（如船上的Wi-Fi），再打开此页面注册',
      'Connect to the network that you want to use (such as the Wi-Fi of the ship), then open this page to register.',
    ],
  },
  registration_closed: { code: 10044, status: 403, text: ['未开放自助注册', 'Self-registration is not open'] },
  password_must_change: { code: 10112, status: 403, text: ['请先重置密码', 'Reset your password first'] },

  vno_too_deep: { code: 20001, status: 422, text: ['VNO层级最多{0}级', 'VNOs can be at most {0} levels deep'] },
  vno_children_forbidden: { code: 20002, status: 422, text: ['上级VNO不允许发展下级', 'The parent VNO cannot have child VNOs'] },
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
  vno_self: { code: 20005, status: 422, text: ['不能对当前VNO执行此操作', 'Not possible for the current VNO'] },
  prefix_in_use: { code: 20006, status: 409, text: ['该前缀已被使用，无法删除', 'The prefix is in use and cannot be deleted'] },
  role_in_use: { code: 20101, status: 409, text: ['角色正在使用，无法删除', 'The role is in use and cannot be deleted'] },
  role_exceeds: { code: 20102, status: 403, text: ['不能授予超出自身权限的权限', 'You cannot grant permissions that you do not have'] },
  customer_self: { code: 20103, status: 422, text: ['不能对当前登录账号执行此操作', 'Not possible for your own account'] },
  owner_account: { code: 20104, status: 422, text: ['VNO主账号不可删除或禁用', "A VNO's main account cannot be deleted or disabled"] },
  wrong_state: { code: 20105, status: 409, text: ['当前状态不允许此操作', 'The current state does not allow this'] },
  package_in_use: { code: 20401, status: 409, text: ['套餐正在使用，无法删除', 'The package is in use and cannot be deleted'] },
  package_shared: {
    code: 20403,
    status: 403,
    text: ['套餐还用于您管理范围以外的设备，不能修改', 'Devices outside your scope also use this package. You cannot change it.'],
  },
  template_in_use: { code: 20402, status: 409, text: ['模板正在使用，无法删除', 'The template is in use and cannot be deleted'] },
  code_unknown: { code: 20201, status: 422, text: ['授权码不存在', 'Unknown authorization code'] },
  code_used: { code: 20202, status: 409, text: ['授权码已被使用', 'The authorization code has been used'] },
  code_expired: { code: 20203, status: 409, text: ['授权码已过期', 'The authorization code has expired'] },
  authorization_exhausted: {
    code: 20204,
    status: 409,
    text: ['子工号授权数量不足，请先激活授权码', 'Not enough authorizations for sub job numbers. Activate a code first.'],
  },
  settlement_running: {
    code: 20591,
    status: 409,
    text: ['月份尚未结束，不能结算', 'The month is not over yet, so it cannot be settled'],
  },
  holds_cash: {
    code: 20592,
    status: 409,
    text: ['该账号持有现金{0}元，登记交款后才能删除', 'This account holds {0} yuan in cash. Record the hand-over before you delete it.'],
  },
  collection_limit: {
    code: 20501,
    status: 409,
    text: ['收款金额超出您的收款上限', 'The amount exceeds your collection limit'],
  },
  discount_too_high: { code: 20502, status: 422, text: ['优惠金额不能超过应收金额', 'The discount cannot exceed the amount due'] },
  bill_revoked: { code: 20503, status: 409, text: ['该账单已冲正', 'This bill has been reversed'] },
  balance_short: { code: 20504, status: 409, text: ['账户余额不足', 'Insufficient balance'] },
  account_blocked: {
    code: 20509,
    status: 409,
    text: [
      '该账号当前不能使用，不能购买或兑换，请联系服务商',
      'This account cannot be used now, so nothing can be bought or redeemed. Please contact your provider.',
    ],
  },
  account_unbound: {
    code: 20528,
    status: 409,
    text: [
      '该账号未绑定设备、设备组或整个VNO，无法上网，请先绑定再售卖',
      'This account is not bound to a device, a group or the whole VNO, so it cannot go online. Bind it first.',
    ],
  },
  balance_withdrawing: {
    code: 20506,
    status: 409,
    text: ['该账号有正在退款的充值订单，请稍后再试', 'A payment order of this account is being refunded. Try again later.'],
  },
  balance_reserved: {
    code: 20508,
    status: 409,
    text: ['该账号有使用余额的待支付订单，请稍后再试', 'An unpaid order of this account uses part of the balance. Try again later.'],
  },
  balance_empty: { code: 20505, status: 409, text: ['账户余额为零', 'The balance is zero'] },
  recharge_job: { code: 20510, status: 422, text: ['工作账号不能充值', 'Job accounts cannot be recharged'] },
  recharge_periodic: {
    code: 20511,
    status: 422,
    text: ['周期套餐不能充值，请使用变更套餐', 'Periodic packages cannot be recharged. Change the package instead.'],
  },
  recharge_expired: {
    code: 20512,
    status: 422,
    text: ['套餐已过期，不能充值，请变更套餐', 'The package has expired and cannot be recharged. Change the package instead.'],
  },
  recharge_inactive: { code: 20513, status: 422, text: ['套餐未激活，不能充值', 'The package is not active and cannot be recharged'] },
  recharge_duration: {
    code: 20514,
    status: 422,
    text: ['该时长套餐的有效期不足以再续订{0}份', 'The validity of this duration package is too short. Periods requested: {0}'],
  },
  recharge_no_package: { code: 20515, status: 422, text: ['该账号没有可续订的套餐', 'The account has no package to renew'] },
  recharge_one_card: {
    code: 20516,
    status: 422,
    text: ['使用充值卡时只能选择一个账号', 'A recharge card is for one account. Select only one.'],
  },
  extra_needs_package: {
    code: 20517,
    status: 422,
    text: ['套餐状态为正常或已用尽时才能订购加油包', 'An extra package requires a package that is normal or exhausted'],
  },
  change_job: {
    code: 20520,
    status: 422,
    text: ['所选账号包含工作账号，不能变更套餐', 'The selection includes a job account. Its package cannot be changed.'],
  },
  change_mixed_sources: {
    code: 20521,
    status: 422,
    text: [
      '所选账号来源不一致，不能一起变更套餐',
      'The selected accounts have different sources. Their packages cannot be changed together.',
    ],
  },
  change_disabled: {
    code: 20522,
    status: 422,
    text: ['所选账号包含禁用账号，不能变更套餐', 'The selection includes a disabled account. Its package cannot be changed.'],
  },
  change_no_end: {
    code: 20523,
    status: 422,
    text: [
      '当前套餐尚未开始使用，或既无到期时间也不按周期重置，请选择立即生效',
      'The current package has not started, or has neither an end date nor a cycle. Select "Immediately".',
    ],
  },
  job_not_sold: {
    code: 20535,
    status: 422,
    text: [
      '工作账号的套餐由服务商设置，不能购买套餐或加油包',
      'The package of a job account is set by the provider. It cannot buy packages or extra packages.',
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
    text: ['该套餐不适用于账号所属的VNO、设备或设备组', 'This package is not available to the VNO, device or group of the account'],
  },
  change_too_late: {
    code: 20527,
    status: 422,
    text: ['新套餐在生效前已到期，请选择其他套餐', 'The new package expires before it takes effect. Select another one.'],
  },
  bill_too_large: { code: 20526, status: 422, text: ['单笔金额不能超过{0}元', 'A single amount cannot exceed {0} yuan'] },
  device_full: {
    code: 20601,
    status: 409,
    text: ['单个设备最多支持20000个上网账号', 'A single device supports at most 20000 internet accounts'],
  },
  device_offline: { code: 20602, status: 409, text: ['设备当前不在线', 'The device is not online'] },
  remote_l_band: {
    code: 20670,
    status: 409,
    text: ['当前处于L波段链路，无法远程访问设备', 'Currently on the L-band link, unable to remotely reach the device'],
  },
  remote_unauthorized: {
    code: 20671,
    status: 409,
    text: ['设备授权已暂停或过期，无法远程访问', 'Remote access is not possible: the device authorization is suspended or expired'],
  },
  remote_off: {
    code: 20672,
    status: 503,
    text: ['本服务器未开启远程访问', 'Remote access is not enabled on this server'],
  },
  remote_busy: {
    code: 20673,
    status: 409,
    text: ['远程会话数已达上限，请先关闭其他会话', 'Too many remote sessions. End another one first.'],
  },
  remote_ended: { code: 20674, status: 409, text: ['该远程会话已结束', 'This remote session has ended'] },
  remote_unrecorded: { code: 20675, status: 404, text: ['该会话没有录像', 'This session has no recording'] },
  remote_ticket: {
    code: 20676,
    status: 403,
    text: ['访问凭证无效、已使用或已过期', 'The ticket is invalid, already used or expired'],
  },
  firmware_missing: {
    code: 20901,
    status: 422,
    text: ['版本 {0} 不存在，或不适用于该设备', 'Version {0} does not exist or does not fit this device'],
  },
  version_not_newer: {
    code: 20902,
    status: 422,
    text: ['目标版本 {0} 不高于当前版本 {1}', 'Target version {0} is not newer than the current version {1}'],
  },
  version_not_older: {
    code: 20903,
    status: 422,
    text: ['回退版本 {0} 须低于当前版本 {1}', 'Rollback version {0} must be older than the current version {1}'],
  },
  version_unknown: {
    code: 20904,
    status: 409,
    text: ['设备未上报当前版本，无法比较', 'The device has not reported its version, so versions cannot be compared'],
  },
  device_upgrading: {
    code: 20905,
    status: 409,
    text: ['设备已有未完成的升级或回退任务', 'The device already has an unfinished upgrade or rollback'],
  },
  upgrade_unauthorized: {
    code: 20906,
    status: 409,
    text: ['设备授权已暂停或过期，无法升级', 'Upgrade is not possible: the device authorization is suspended or expired'],
  },
  firmware_in_use: {
    code: 20907,
    status: 409,
    text: ['有设备正在升级到该版本，无法删除', 'Cannot delete: devices are being upgraded to this version'],
  },
  firmware_model_used: {
    code: 20908,
    status: 409,
    text: ['有型号为 {0} 的设备正在升级到该版本', 'Devices of model {0} are being upgraded to this version'],
  },
  device_online: {
    code: 20603,
    status: 409,
    text: ['设备当前在线，须离线后才能操作', 'The device is online. It must be offline for this action.'],
  },
  device_suspended: {
    code: 20604,
    status: 409,
    text: ['授权暂停的设备不能修改授权', 'Authorization cannot be modified for devices whose authorization is suspended'],
  },
  device_not_suspended: {
    code: 20661,
    status: 409,
    text: ['设备授权未暂停', 'The authorization of the device is not suspended'],
  },
  device_suspended_kept: {
    code: 20605,
    status: 403,
    text: ['授权暂停的设备只能由总平台删除', 'Only the platform can delete devices whose authorization is suspended'],
  },
  device_unauthorized: {
    code: 20606,
    status: 409,
    text: ['设备授权已暂停或过期，无法下发', 'Nothing can be sent: the device authorization is suspended or expired'],
  },
  device_has_cards: {
    code: 20607,
    status: 409,
    text: [
      '仍有{0}张未使用的充值卡绑定该设备，请先修改或作废',
      '{0} unused recharge cards are bound to this device. Change or void them first.',
    ],
  },
  device_transfer_open: {
    code: 20608,
    status: 409,
    text: [
      '设备正在转移，请等待完成或清除转移状态',
      'The device is being transferred. Wait until it completes or clear the transfer status.',
    ],
  },
  gateway_too_old: {
    code: 20645,
    status: 409,
    text: ['网关不支持{0}，请升级网关', 'The gateway does not support {0}. Upgrade it.'],
  },
  transfer_to_itself: { code: 20646, status: 409, text: ['转入VNO不能是当前VNO', 'The target may not be the current VNO'] },
  transfer_none: { code: 20647, status: 409, text: ['设备没有转移状态', 'The device has no transfer status'] },
  accounts_not_stored: { code: 20648, status: 409, text: ['该网关不保存账号：{0}', 'The gateway holds no accounts: {0}'] },
  replace_failed: { code: 20620, status: 409, text: ['替换失败：{0}', 'Replacement failed: {0}'] },
  billing_mismatch: {
    code: 20621,
    status: 409,
    text: ['设备的计费模式与门户的计费类型不匹配', 'The billing mode of the device does not match the billing type of the portal'],
  },
  group_other_vno: {
    code: 20622,
    status: 422,
    text: ['设备组与设备须属于同一VNO', 'The group and the device must belong to the same VNO'],
  },
  group_in_use: {
    code: 20623,
    status: 409,
    text: ['设备组仍有{0}，无法删除', 'The group cannot be deleted while it has {0}'],
  },
  not_waiting: { code: 20625, status: 409, text: ['该设备不在等待审批', 'The device is not waiting for approval'] },
  binding_normal: { code: 20624, status: 409, text: ['设备绑定正常，无需重置', 'The device binding is normal. No reset is needed.'] },
  config_conflict: {
    code: 20680,
    status: 409,
    text: ['“{0}”已被{1}修改，请核对差异后再下发', '"{0}" was changed by {1}. Review the differences before applying.'],
  },
  config_on_its_way: {
    code: 20681,
    status: 409,
    text: ['网关可能已收到该配置，不能撤回', 'The gateway may have received it already, so it cannot be withdrawn'],
  },
  config_unread: {
    code: 20690,
    status: 409,
    text: ['网关上的当前配置尚未读取，请先读取', 'The configuration of the gateway is not read yet. Read it first.'],
  },
  config_not_drifted: {
    code: 20682,
    status: 409,
    text: ['网关上没有待处理的本地修改', 'There are no changes made at the gateway to resolve'],
  },
  run_l_band: {
    code: 20683,
    status: 409,
    text: [
      '当前处于L波段链路，该操作流量较大；请切换链路，或勾选允许走L波段',
      'The device is on the L-band link and this action uses much data. Switch the link or allow L-band.',
    ],
  },
  run_busy: {
    code: 20684,
    status: 409,
    text: ['该设备有多个操作正在执行，请等待其结束', 'Several actions are running on this device. Wait until they end.'],
  },
  run_ended: { code: 20685, status: 409, text: ['该操作已结束', 'This run has ended'] },
  config_template_in_use: {
    code: 20699,
    status: 409,
    text: ['模板已启用并覆盖{0}台设备，请先停用', 'The template is enabled and covers {0} devices. Disable it first.'],
  },
  config_template_under_way: {
    code: 20691,
    status: 409,
    text: ['该模板有未完成的下发任务，请先停止或等待完成', 'This template has an unfinished campaign. Stop it or wait until it ends.'],
  },
  config_campaign_no_device: { code: 20692, status: 409, text: ['范围内没有可下发的设备', 'No devices in this scope'] },
  config_campaign_ended: { code: 20693, status: 409, text: ['任务已结束', 'The campaign has ended'] },
  config_campaign_nothing_failed: { code: 20694, status: 409, text: ['没有可重试的设备', 'No devices to retry'] },
  config_campaign_preparing: { code: 20695, status: 409, text: ['任务仍在准备中', 'The campaign is still being prepared'] },
  config_file_password: {
    code: 20696,
    status: 422,
    text: ['文件密码不正确，或文件已损坏', 'The password is wrong or the file is damaged'],
  },
  code_exhausted: { code: 20205, status: 409, text: ['授权码数量已用完', 'The authorization code has no units left'] },
  docker_unavailable: {
    code: 20630,
    status: 409,
    text: ['设备不支持、未开启或未使用Docker', 'Docker is not supported, not enabled or not used on this device'],
  },
  list_taken: {
    code: 20651,
    status: 409,
    text: ['密码清单只能下载一次，可在列表中逐个查看', 'The password list can be downloaded only once. View single passwords in the list.'],
  },
  platform_setting: {
    code: 20652,
    status: 403,
    text: ['该设置由总平台统一管理，VNO不可修改', 'This setting is managed by the platform. VNOs cannot change it.'],
  },
  card_wrong: { code: 20701, status: 422, text: ['卡号或卡密错误', 'Wrong card number or password'] },
  card_used: { code: 20702, status: 409, text: ['该充值卡已被使用', 'This card has been used'] },
  card_expired: { code: 20703, status: 409, text: ['该充值卡已过期', 'This card has expired'] },
  card_void: { code: 20704, status: 409, text: ['该充值卡已作废', 'This card has been voided'] },
  card_not_here: { code: 20705, status: 409, text: ['该充值卡不适用于此用户', 'This card is not valid for this user'] },
  card_package_missing: {
    code: 20706,
    status: 409,
    text: ['卡内套餐已失效，无法充值', 'The package of this card is no longer available'],
  },
  card_not_changeable: {
    code: 20707,
    status: 409,
    text: ['仅未使用且未过期的卡片可修改或作废', 'Only unused cards that have not expired can be changed or voided'],
  },
  card_batch_used: { code: 20708, status: 409, text: ['该批次已有卡片被使用，无法删除', 'A batch with used cards cannot be deleted'] },
  card_batch_revealed: {
    code: 20710,
    status: 409,
    text: [
      '该批次的卡密已被导出或查看，卡片可能已售出，不能删除；请改为作废，卡片记录会保留',
      'Passwords of this batch were exported or viewed, so cards may have been sold. It cannot be deleted. Void it instead; its rows are kept.',
    ],
  },
  card_batch_making: {
    code: 20709,
    status: 409,
    text: ['该批次正在制卡，请稍后再试', 'The cards of this batch are being made. Try again later.'],
  },
  user_offline: { code: 20610, status: 409, text: ['该用户当前不在线', 'This user is not online'] },
  user_in_use: {
    code: 20611,
    status: 409,
    text: ['仅已过期或禁用的账号可以删除', 'Only an expired or disabled account can be deleted'],
  },
  user_has_balance: {
    code: 20612,
    status: 409,
    text: ['账户余额为{0}元，退还后才能删除', 'The account has a balance of {0} yuan. Refund it before deleting.'],
  },
  user_has_packages: {
    code: 20653,
    status: 409,
    text: [
      '该账号有已付款而未用完的套餐，价值{0}元；删除后不再退还，请在删除前确认放弃该金额',
      'The account has paid packages worth {0} yuan that are not used up. Confirm before deleting that this amount is given up.',
    ],
  },
  user_has_order: {
    code: 20613,
    status: 409,
    text: ['该账号有待支付的订单，暂不能删除', 'The account has an unpaid order and cannot be deleted yet'],
  },
  pay_channel_off: { code: 20801, status: 422, text: ['该支付渠道未启用', 'This payment channel is not enabled'] },
  pay_refused: { code: 20802, status: 409, text: ['{0}', '{0}'] },
  pay_unclear: {
    code: 20803,
    status: 503,
    text: [
      '支付平台暂未给出结果，系统将自动核实该订单',
      'No result from the payment provider yet. The order will be checked automatically.',
    ],
  },
  pay_cert_renewed: {
    code: 20804,
    status: 409,
    text: [
      '支付宝公钥证书已更新，请在支付配置中上传新证书',
      'Alipay has updated its certificate. Upload the new one in the payment configuration.',
    ],
  },
  pay_already: { code: 20805, status: 409, text: ['该订单已经支付', 'The order has already been paid'] },
  pay_used: { code: 20806, status: 409, text: ['所购套餐已经使用，不能退款', 'The package has been used and cannot be refunded'] },
  pay_withdrawing: { code: 20807, status: 409, text: ['该订单正在退款', 'This order is being refunded'] },
  file_in_use: { code: 21001, status: 409, text: ['有未结束的下发任务正在使用该文件', 'An unfinished task uses this file'] },
  file_not_zip: { code: 21002, status: 422, text: ['解压操作仅支持ZIP文件', 'Decompress supports ZIP files only'] },
  file_elsewhere: {
    code: 21003,
    status: 422,
    text: ['该文件属于其他VNO，不能下发到所选设备', 'The file belongs to another VNO and cannot be sent to these devices'],
  },
  task_ended: { code: 21004, status: 409, text: ['任务已结束', 'The task has ended'] },
  task_paused: { code: 21005, status: 409, text: ['任务已暂停', 'The task is paused'] },
  task_not_paused: { code: 21006, status: 409, text: ['任务未暂停', 'The task is not paused'] },
  task_shared: {
    code: 21007,
    status: 403,
    text: ['任务包含您管理范围外的设备', 'The task includes devices outside your management scope'],
  },
  task_nothing: { code: 21008, status: 409, text: ['没有设备持有该文件', 'No device has the file'] },
  upload_offset: {
    code: 21011,
    status: 409,
    text: ['分片不连续，请从已接收处继续', 'The chunk is out of order. Continue from the received position.'],
  },
  upload_short: { code: 21012, status: 409, text: ['文件尚未传完', 'The upload is not complete yet'] },
  upload_corrupt: {
    code: 21013,
    status: 422,
    text: ['文件校验失败，请重新上传', 'The file check failed. Upload the file again.'],
  },
  portal_default: { code: 21301, status: 409, text: ['默认模板不允许删除', 'The default portal cannot be deleted'] },
  portal_in_use: {
    code: 21302,
    status: 409,
    text: ['门户正被设备使用，无法删除：{0}', 'The portal cannot be deleted while devices use it: {0}'],
  },
  portal_template_built_in: { code: 21303, status: 409, text: ['内置模板不允许删除', 'Built-in templates cannot be deleted'] },
  portal_template_in_use: {
    code: 21304,
    status: 409,
    text: ['模板正被门户使用，无法删除：{0}', 'The template cannot be deleted while portals use it: {0}'],
  },
  nas_of_gateway: {
    code: 21402,
    status: 422,
    text: ['网关的NAS由系统维护', 'The NAS of a gateway is maintained by the system'],
  },
  release_shared: {
    code: 21403,
    status: 403,
    text: ['规则还适用于您管理范围以外的设备，不能修改', 'The rule also applies to devices outside your scope. You cannot change it.'],
  },
  notice_disabled: { code: 21405, status: 409, text: ['已停用的公告不能发布', 'A disabled notice cannot be sent'] },
  notice_expired: { code: 21406, status: 409, text: ['公告已过期，请先修改过期时间', 'The notice has expired. Change its expiry first.'] },
  feedback_handled: {
    code: 21501,
    status: 409,
    text: ['该反馈已处理，不能再修改', 'This feedback has been handled and cannot be changed'],
  },
  too_many_feedback: {
    code: 21502,
    status: 429,
    text: ['今天提交的反馈过多，请明天再试', 'Too much feedback today, please try again tomorrow'],
  },
  portal_too_large: {
    code: 21601,
    status: 422,
    text: ['门户大小 {0}，超过 {1}，请换用较小的图片：{2}', 'The portal has {0}, the limit is {1}. Use smaller images: {2}'],
  },
  portal_image_missing: {
    code: 21602,
    status: 409,
    text: ['门户的图片已丢失，请重新上传：{0}', 'An image of the portal is missing. Upload it again: {0}'],
  },
  portal_elsewhere: {
    code: 21603,
    status: 422,
    text: ['门户须属于设备的VNO或其上级', 'The portal must belong to the VNO of the device or a VNO above it'],
  },
  portal_task_ended: { code: 21604, status: 409, text: ['该下发已结束', 'This send has ended'] },
  dpi_running: {
    code: 21701,
    status: 409,
    text: ['设备已有该类数据的持续上报任务', 'The device already has a continuous report of this data'],
  },
  dpi_ended: {
    code: 21702,
    status: 409,
    text: ['仅已下发、执行中或预估完成的任务可以停止', 'Only issued, executing or estimated tasks can be stopped'],
  },
  dpi_not_estimated: {
    code: 21703,
    status: 409,
    text: ['仅预估完成的任务可以确认上报', 'Only a task with a complete estimate can be reported'],
  },
  audit_not_stopped: {
    code: 21811,
    status: 409,
    text: ['审计封存未停止，无需记录分叉', 'Audit sealing is not stopped. There is no fork to record.'],
  },
  audit_verifying: { code: 21812, status: 409, text: ['已有核验正在运行', 'A verification is already running'] },
  audit_reason_needed: {
    code: 21801,
    status: 403,
    text: ['请先填写查看原因', 'Give a reason before you look at this data'],
  },
  audit_held: {
    code: 21802,
    status: 409,
    text: ['数据处于保全中，不能清除：{0}', 'The data is under a legal hold and cannot be erased: {0}'],
  },
  audit_hold_released: { code: 21803, status: 409, text: ['该保全已解除', 'The hold has already been released'] },
  mail_failed: { code: 21401, status: 409, text: ['邮件发送失败：{0}', 'Mail could not be sent: {0}'] },
  flow_sort_limit: {
    code: 20304,
    status: 422,
    text: ['数据超过{0}条，请缩小时间范围或增加筛选条件后再按此列排序', 'More than {0} rows. Narrow the filters to sort by this column'],
  },
  export_empty: { code: 20301, status: 422, text: ['没有可导出的数据', 'No data to export'] },
  export_failed: { code: 20302, status: 500, text: ['导出失败', 'Export failed'] },
  exports_waiting: {
    code: 20305,
    status: 429,
    text: [
      '该账号已有{0}个导出任务在排队，请等待其完成或取消部分任务后再试',
      'This account already has {0} exports waiting. Wait until they finish, or cancel some.',
    ],
  },
  jobs_waiting: {
    code: 20306,
    status: 429,
    text: [
      '该账号已有{0}个同类任务在排队，请等待其完成后再试',
      'This account already has {0} tasks of this kind waiting. Wait until they finish.',
    ],
  },
  export_not_ready: { code: 20303, status: 409, text: ['文件尚未生成', 'The file is not ready'] },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorName = keyof typeof errors;
