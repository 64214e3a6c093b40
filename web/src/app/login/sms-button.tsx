import { type SmsCodeProps, useSmsCode } from '../use-sms-code.ts';

export const SmsButton = (props: SmsCodeProps) => {
  const { label, disabled, press } = useSmsCode('forgetpwd', props);
  return (
    <button type="button" className="login-sms" disabled={disabled} onClick={() => void press()}>
      {label}
    </button>
  );
};
