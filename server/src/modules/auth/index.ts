import { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { passwordRuleOf } from '../../kit/session/password-rule.ts';
import { captcha } from './captcha.ts';
import { resetForgotten, sendSms } from './forgotten.ts';
import { login } from './login.ts';
import { changeProfile, logout, readProfile } from './profile.ts';
import { register } from './register.ts';
import { remoteLogin } from './remote-login.ts';

export const authBindings = [
  ...bindAll(calls, {
    captcha,
    login,
    sms: sendSms,
    forget: resetForgotten,
    register,
    remote: remoteLogin,
    logout,
    profile: readProfile,
    change: changeProfile,
    passwordRule: (ctx) => passwordRuleOf(ctx.db),
  }),
];
