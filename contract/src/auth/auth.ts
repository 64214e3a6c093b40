import type { AnnouncementCount } from '../advanced/announcement.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, file, password, pick, text } from '../kit/field.ts';
import { form } from '../kit/page.ts';
import type { PasswordRule } from '../kit/password-rule.ts';
import { limits } from '../limits.ts';
import { phoneInput } from '../phone.ts';
import { rules, uploads } from '../rules.ts';
import { identityFields } from '../user/user-fields.ts';

/** spec §3: the login response. */
export interface Session {
  readonly uid: number;
  readonly token: string;
  readonly is_admin: boolean;
  readonly agent_level: number;
  readonly agent_id: number;
  readonly permissions: readonly string[] | null;
  readonly view_hide_pkg: boolean;
  readonly agent_logo: string | null;
  readonly agent_name: string;
  /** Encoded, see kit/obfuscate.ts. */
  readonly nickname: string;
  readonly role_name: string;
  readonly agent_mode: number;
  readonly agent_child_enable: boolean;
  /** Replaces a remembered password: a revocable token, issued on request. */
  readonly remember_token?: string;
}

export interface Profile {
  readonly uid: number;
  readonly username: string;
  readonly name: string;
  readonly phone: string;
  /** The phone number was verified with a code. */
  readonly phone_verified: boolean;
  readonly role_name: string;
  readonly permissions: readonly string[] | null;
  readonly operate_permissions: Readonly<Record<string, string>>;
  readonly view_hide_pkg: boolean;
  readonly acted_by: string | null;
  /** Current name of the VNO and URL path of its logo; those of the session are from its login. */
  readonly agent_name: string;
  readonly agent_logo: string | null;
  /** What every page needs, so that the first one waits for fewer calls. */
  readonly password_rule: PasswordRule;
  readonly notices: AnnouncementCount;
}

export interface LockInfo {
  readonly lock_count: number;
  readonly err_count: number;
  readonly lock_time: number;
}

const account = text(['账号', 'Account'], { required: true, rules: [rules.login_account] });
const phone = text(['手机号', 'Phone'], { required: true, rules: [rules.phone_login], ...phoneInput });
const resetAccount = text(['登录账号', 'Login account'], {
  rules: [rules.login_account],
  tips: ['多个账号使用该手机号时填写', 'Only if several accounts have this phone'],
});
const smscode = text(['短信验证码', 'SMS code'], { required: true, rules: [rules.sms_code] });
const again = (other: string) =>
  password(['确认密码', 'Confirm password'], { required: true, rules: [rules.confirm_equal(other)], max: limits.accountMax });
const currentPassword = password(['当前密码', 'Current password'], { required: true, max: limits.accountMax });
const registrationGateway = text(['设备SN', 'Device SN'], { rules: [rules.sn], hidden: true });
const smsType = [
  { id: 'forgetpwd', label: ['忘记密码', 'Forgot password'] },
  { id: 'register', label: ['用户注册', 'Registration'] },
  { id: 'change_phone', label: ['修改手机号', 'Change phone'] },
] as const;
const operations = [
  { id: 'change_pwd', label: ['修改密码', 'Change password'] },
  { id: 'change_phone', label: ['修改手机号', 'Change phone'] },
] as const;

export const authForms = {
  login: form(['登录', 'Login'], {
    account,
    password: password(['密码', 'Password'], { required: true, rules: [rules.login_password] }),
    lcode: text(['验证码', 'Captcha'], { required: true, rules: [rules.captcha] }),
    remember: bool(['记住密码', 'Remember password'], { default: false }),
    agree: bool(['我已阅读并同意', 'I have read and agree to'], { default: true }),
  }),
  reset: form(['重置密码', 'Reset password'], {
    newpass: password(['新密码', 'New password'], { required: true, rules: [rules.password_rule] }),
    confirmpass: again('newpass'),
    phone,
    username: resetAccount,
    rcode: smscode,
  }),
  changePassword: form(['修改密码', 'Change password'], {
    password: password(['原密码', 'Old password'], { required: true, max: limits.accountMax }),
    newpassword: password(['新密码', 'New password'], { required: true, rules: [rules.password_rule, rules.new_differs('password')] }),
    repassword: again('newpassword'),
  }),
  changePhone: form(['修改手机号', 'Change phone'], {
    old_phone: text(['原手机号', 'Current phone'], { readonly: true, max: limits.phoneMax }),
    password: currentPassword,
    phone: text(['新手机号', 'New phone'], { required: true, rules: [rules.phone_changed('old_phone'), rules.phone_login], ...phoneInput }),
    smscode,
  }),
  verifyPhone: form(['验证手机号', 'Verify phone'], {
    phone: text(['当前手机号', 'Current phone'], { readonly: true, max: limits.phoneMax }),
    password: currentPassword,
    smscode,
  }),
};

export const authCalls = calls('auth', 'public', {
  captcha: {
    kind: 'auth',
    method: 'GET',
    path: 'captcha',
    summary: ['图形验证码', 'Captcha image for the login form'],
    // spec §1: a new time loads a new image.
    input: { t: text(['时间', 'Time'], { max: 32 }) },
    shape: shape<unknown>(),
  },
  passwordRule: {
    kind: 'option',
    path: 'password_rule/option',
    summary: ['密码规则', 'Password rule settings'],
    shape: shape<PasswordRule>(),
  },
  login: {
    kind: 'auth',
    path: 'login',
    summary: ['登录', 'Log in'],
    input: {
      username: account,
      /** base64 (spec §3); empty if the remember token is used. */
      password: password(['密码', 'Password'], { max: 256 }),
      remember_token: password(['记住的令牌', 'Remember token'], { max: 128 }),
      remember: bool(['记住密码', 'Remember password']),
      verifycode: text(['验证码', 'Captcha'], { required: true, rules: [rules.captcha] }),
    },
    shape: shape<Session>(),
  },
  sms: {
    kind: 'auth',
    path: 'send/sms',
    summary: ['发送短信验证码', 'Send an SMS code'],
    input: {
      type: choice(['用途', 'Type'], smsType, { required: true, hidden: true }),
      phone,
      /** For a registration: the gateway of the portal. */
      sn: registrationGateway,
    },
    shape: shape<string | null>(),
  },
  forget: {
    kind: 'auth',
    path: 'forgetpwd',
    summary: ['短信重置密码', 'Reset a forgotten password with the SMS code'],
    input: {
      phone,
      /** Required if several accounts have this phone and none has verified it. */
      username: resetAccount,
      smscode,
      password: password(['新密码', 'New password'], { required: true, rules: [rules.password_rule] }),
      repassword: again('password'),
    },
  },
  register: {
    kind: 'auth',
    path: 'register',
    summary: ['用户自助注册', 'Self-registration of a subscriber from a portal'],
    input: {
      account: text(['上网账号', 'Online account'], { required: true, rules: [rules.account_part] }),
      password: password(['上网密码', 'Internet password'], { required: true, rules: [rules.internet_password] }),
      repassword: again('password'),
      name: text(['姓名', 'Full name'], { required: true, rules: [rules.person_name] }),
      ...pick(identityFields, 'id_type'),
      id_number: text(identityFields.id_number.label, { rules: identityFields.id_number.rules, max: 20 }),
      phone,
      // The settings of the VNO decide whether these two are required.
      smscode: text(smscode.label, { rules: smscode.rules }),
      photo: file(['证件照', 'Photo of the ID'], { upload: uploads.photo }),
      sn: registrationGateway,
    },
    /** The account with the prefix of its VNO; the subscriber logs in with it. */
    output: { account: text(['上网账号', 'Online account'], { required: true }) },
  },
  remote: {
    kind: 'auth',
    path: 'remote/token',
    summary: ['远程登录', 'Exchange remoteData for a session'],
    input: { remoteData: text(['远程数据', 'Remote data'], { required: true, max: 4096 }) },
    shape: shape<Session>(),
  },
  logout: { kind: 'auth', path: 'logout', access: 'session', summary: ['退出登录', 'Log out'] },
  profile: {
    kind: 'auth',
    method: 'GET',
    path: 'customer/profile',
    access: 'session',
    summary: ['个人信息与权限', 'Own profile, page permissions and operate permissions'],
    shape: shape<Profile>(),
  },
  change: {
    kind: 'auth',
    path: 'customer/profile',
    access: 'session',
    summary: ['修改密码或手机号', 'Change own password or phone'],
    input: {
      operate: choice(['操作', 'Operation'], operations, { required: true, hidden: true }),
      // A change of either requires the current password.
      password: password(['原密码', 'Old password'], { required: true, max: limits.accountMax }),
      newpassword: password(['新密码', 'New password'], {
        required: true,
        rules: [rules.password_rule, rules.new_differs('password')],
        when: (v) => v.operate === 'change_pwd',
      }),
      repassword: password(['确认密码', 'Confirm password'], {
        required: true,
        rules: [rules.confirm_equal('newpassword')],
        max: limits.accountMax,
        when: (v) => v.operate === 'change_pwd',
      }),
      phone: text(['新手机号', 'New phone'], {
        required: true,
        rules: [rules.phone_login],
        ...phoneInput,
        when: (v) => v.operate === 'change_phone',
      }),
      smscode: text(smscode.label, { required: true, rules: smscode.rules, when: (v) => v.operate === 'change_phone' }),
    },
  },
});
