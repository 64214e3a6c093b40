import { authCalls } from '@farlink/contract/auth/auth.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useState } from 'react';
import { t } from '../kit/chrome/lang.ts';
import { notify } from '../kit/chrome/notify.tsx';
import { call } from '../kit/net/call.ts';
import { useCountdown } from './use-countdown.ts';

const send: Text = ['发送验证码', 'Send code'];
const sending: Text = ['发送中…', 'Sending…'];
const again: Text = ['{0}秒后重发', 'Resend in {0} s'];
const sent: Text = ['验证码已发送', 'Code sent'];

export interface SmsCodeProps {
  /** The phone number; undefined: invalid, and the caller has shown the error. */
  readonly phone: () => string | undefined;
  readonly onCode: (code: string) => void;
}

/** spec §4: idle, loading, countdown, idle; a failure returns to idle. */
export const useSmsCode = (type: 'forgetpwd' | 'change_phone', { phone, onCode }: SmsCodeProps) => {
  const [loading, setLoading] = useState(false);
  const { left, start } = useCountdown();

  const press = async () => {
    const to = phone();
    if (to === undefined) return;
    setLoading(true);
    try {
      const code = await call(authCalls.sms, { type, phone: to });
      start(limits.smsCountdownS);
      notify.success(t(sent));
      if (typeof code === 'string') onCode(code);
    } catch {
      // The error is already shown; the button is idle again.
    } finally {
      setLoading(false);
    }
  };

  return { label: loading ? t(sending) : left > 0 ? t(again, left) : t(send), disabled: loading || left > 0, press };
};
