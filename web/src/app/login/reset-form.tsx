import { authCalls, authForms } from '@farlink/contract/auth/auth.ts';
import { passwordHint } from '@farlink/contract/kit/password-rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type FormEvent, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { usePasswordRule } from '../../kit/form/password-rule.ts';
import { CallError, call } from '../../kit/net/call.ts';
import { type SmsCodeProps, useSmsCode } from '../use-sms-code.ts';
import { LoginField } from './login-field.tsx';
import { forget, readRemembered } from './remembered.ts';
import { useFields } from './use-fields.ts';
import { toLogin } from './use-hash.ts';

const SmsButton = (props: SmsCodeProps) => {
  const { label, disabled, press } = useSmsCode('forgetpwd', props);
  return (
    <button type="button" className="login-sms" disabled={disabled} onClick={() => void press()}>
      {label}
    </button>
  );
};

const reset: Text = ['重置密码', 'Reset password'];
const back: Text = ['返回登录', 'Back to login'];
const done: Text = ['密码重置成功，请登录', 'Password reset, please log in'];

const { fields } = authForms.reset;

const names: Readonly<Record<string, string>> = { password: 'newpass', repassword: 'confirmpass', smscode: 'rcode' };

const fieldsOf = (refused: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(refused).map(([name, text]) => [names[name] ?? name, text]));

export const ResetForm = () => {
  const rule = usePasswordRule();
  const { values, errors, set, leave, validate, refuse } = useFields(fields, {
    newpass: '',
    confirmpass: '',
    phone: '',
    username: '',
    rcode: '',
  });
  const [sending, setSending] = useState(false);
  const [asksAccount, setAsksAccount] = useState(false);

  const send = async () => {
    setSending(true);
    try {
      await call(authCalls.forget, {
        phone: values.phone.trim(),
        ...(asksAccount && { username: values.username.trim() }),
        smscode: values.rcode.trim(),
        password: values.newpass,
        repassword: values.confirmpass,
      });
      const remembered = readRemembered();
      if (remembered) forget(remembered.uid);
      notify.success(t(done));
      toLogin();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if ('username' in error.fields) setAsksAccount(true);
      refuse((old) => ({ ...old, ...fieldsOf(error.fields) }));
    } finally {
      setSending(false);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!sending && validate()) void send();
  };

  const phone = () => (validate(['newpass', 'confirmpass', 'rcode']) ? values.phone.trim() : undefined);

  const bind = (name: keyof typeof fields) => ({
    field: fields[name],
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => set(name, value),
    onLeave: () => leave(name),
  });

  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <LoginField {...bind('newpass')} autoComplete="new-password" hint={t(passwordHint(rule))} />
      <LoginField {...bind('confirmpass')} autoComplete="new-password" />
      <LoginField {...bind('phone')} autoComplete="tel" inputMode="tel" />
      {asksAccount && <LoginField {...bind('username')} autoComplete="username" />}
      <LoginField
        {...bind('rcode')}
        autoComplete="one-time-code"
        after={<SmsButton phone={phone} onCode={(code) => set('rcode', code)} />}
      />
      <button type="submit" className="solid login-submit" disabled={sending}>
        {t(reset)}
      </button>
      <div className="login-back">
        <a
          href="/login"
          onClick={(event) => {
            event.preventDefault();
            toLogin();
          }}
        >
          {t(back)}
        </a>
      </div>
    </form>
  );
};
