import { authCalls, authForms, type Session } from '@farlink/contract/auth/auth.ts';
import { errors as refusals } from '@farlink/contract/errors.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { CallError, call } from '../../kit/net/call.ts';
import { toastText } from '../../kit/net/wire.ts';
import { Captcha } from './captcha.tsx';
import { LoginField } from './login-field.tsx';
import { lockText } from './login-refusal.ts';
import { forget, type Remembered, readRemembered, remember as store } from './remembered.ts';
import { useFields } from './use-fields.ts';
import { toReset } from './use-hash.ts';

const login: Text = ['登录', 'Log in'];
const forgot: Text = ['忘记密码？', 'Forgot password?'];
const service: Text = ['《服务协议》', 'Service Agreement'];
const and: Text = ['和', ' and '];
const policy: Text = ['《隐私政策》', 'Privacy Policy'];
const mustReset: Text = ['请先重置密码', 'Reset your password first'];

const { fields: all } = authForms.login;
const fields = pick(all, 'account', 'password', 'lcode');

/** Wire names that differ from the field names. */
const names: Readonly<Record<string, string>> = { username: 'account', verifycode: 'lcode', remember_token: 'password' };

const fieldsOf = (refused: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(refused).map(([name, text]) => [names[name] ?? name, text]));

interface LoginFormProps {
  readonly busy: boolean;
  readonly onSession: (session: Session) => void;
}

/** Links to the agreement and the privacy policy, with the consent. */
const Agreement = ({ agree, onChange }: { readonly agree: boolean; readonly onChange: (on: boolean) => void }) => (
  <div className="login-agree">
    <label className="login-check">
      <input type="checkbox" checked={agree} onChange={(e) => onChange(e.target.checked)} />
      {t(all.agree.label)}
    </label>{' '}
    <span>
      <a href="#agreement">{t(service)}</a>
      {t(and)}
      <a href="#privacy">{t(policy)}</a>
    </span>
  </div>
);

/** Shows why the login was refused. */
const notifyRefusal = (error: CallError) => {
  if (error.code === refusals.password_must_change.code) {
    notify.warning(error.message || t(mustReset));
    toReset();
    return;
  }
  const lock = lockText(error.code, error.message, error.data);
  notify.error(lock ? t(lock) : toastText(error.message, error.data));
};

/** The remembered login of this browser, and whether the next one is remembered. */
const useRemembered = () => {
  const [remembered, setRemembered] = useState<Remembered | null>(readRemembered);
  const [remember, setRemember] = useState(remembered !== null);
  return {
    remembered,
    remember,
    setRemember,
    /** The token is valid for one account only, so other input replaces it. */
    drop: () => setRemembered(null),
    /** Deletes a refused token. */
    forgetRemembered: () => {
      if (remembered) forget(remembered.uid);
      setRemembered(null);
    },
    storeRemembered: (session: Session, account: string) => {
      if (!remember) forget(session.uid);
      else if (session.remember_token) store(session.uid, account, session.remember_token);
    },
  };
};

export const LoginForm = ({ busy, onSession }: LoginFormProps) => {
  const { remembered, remember, setRemember, drop, forgetRemembered, storeRemembered } = useRemembered();
  const { values, errors, set, leave, validate, refuse } = useFields(fields, {
    account: remembered?.account ?? '',
    password: '',
    lcode: '',
  });
  const [agree, setAgree] = useState(all.agree.default === true);
  const [sending, setSending] = useState(false);
  const [drawn, setDrawn] = useState(() => Date.now());
  const account = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);

  // Focuses the first empty field: the captcha for a remembered login.
  useEffect(() => (readRemembered() ? code : account).current?.focus(), []);

  const redraw = () => setDrawn(Date.now());

  const refused = (error: CallError) => {
    redraw();
    setTimeout(() => {
      set('lcode', '');
      refuse((old) => ({ ...old, ...fieldsOf(error.fields) }));
      code.current?.focus();
    }, limits.captchaClearMs);
    if (error.code === refusals.wrong_password.code) forgetRemembered();
    notifyRefusal(error);
  };

  const send = async () => {
    setSending(true);
    try {
      const secret = remembered ? { remember_token: remembered.token } : { password: toBase64(values.password) };
      const session = await call(
        authCalls.login,
        { username: values.account.trim(), verifycode: values.lcode.trim(), remember, ...secret },
        { silent: true },
      );
      storeRemembered(session, values.account.trim());
      onSession(session);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      refused(error);
    } finally {
      setSending(false);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!agree || sending || busy) return;
    if (validate(remembered ? ['password'] : [])) void send();
  };

  const bind = (name: keyof typeof fields) => ({
    field: fields[name],
    name,
    value: values[name],
    error: errors[name],
    onLeave: () => leave(name),
  });

  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <LoginField
        {...bind('account')}
        ref={account}
        autoComplete="username"
        onChange={(value) => {
          drop();
          set('account', value);
        }}
      />
      <LoginField
        {...bind('password')}
        autoComplete="current-password"
        masked={remembered !== null}
        onChange={(value) => {
          drop();
          set('password', value);
        }}
      />
      <LoginField
        {...bind('lcode')}
        ref={code}
        autoComplete="off"
        onChange={(value) => set('lcode', value)}
        after={<Captcha drawn={drawn} onRefresh={redraw} />}
      />
      <div className="login-between">
        <label className="login-check">
          <input type="checkbox" checked={remember} onChange={(e) => setRemember(e.target.checked)} />
          {t(all.remember.label)}
        </label>
        <a href="#reset">{t(forgot)}</a>
      </div>
      <button type="submit" className="solid login-submit" disabled={!agree || sending || busy}>
        {t(login)}
      </button>
      <Agreement agree={agree} onChange={setAgree} />
    </form>
  );
};
