import { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { bind } from '../../kit/http/serve.ts';
import { passwordRuleOf } from '../../kit/session/password-rule.ts';
import { captcha } from './captcha.ts';
import { resetForgotten, sendSms } from './forgotten.ts';
import { login } from './login.ts';
import { changeProfile, logout, readProfile } from './profile.ts';
import { register } from './register.ts';
import { remoteLogin } from './remote-login.ts';

export const authBindings = [
  bind(calls.captcha, captcha),
  bind(calls.passwordRule, (ctx) => passwordRuleOf(ctx.db)),
  bind(calls.login, login),
  bind(calls.sms, sendSms),
  bind(calls.forget, resetForgotten),
  bind(calls.register, register),
  bind(calls.remote, remoteLogin),
  bind(calls.logout, logout),
  bind(calls.profile, readProfile),
  bind(calls.change, changeProfile),
];
