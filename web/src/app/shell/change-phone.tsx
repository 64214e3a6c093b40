import { authCalls, authForms } from '@farlink/contract/auth/auth.ts';
import { check } from '@farlink/contract/kit/check.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { plainPhone } from '@farlink/contract/phone.ts';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { usePasswordRule } from '../../kit/form/password-rule.ts';
import { RecordForm } from '../../kit/form/record-form.tsx';
import type { FormState } from '../../kit/form/use-form.ts';
import { call } from '../../kit/net/call.ts';
import { Button } from '../../ui/native/button.tsx';
import { useIdentity } from '../identity.ts';
import { useSmsCode } from '../use-sms-code.ts';

const texts = {
  change: [
    '验证码将发送至新手机号，验证后用于找回密码',
    'The code is sent to the new phone. After verification, the phone can be used to reset your password.',
  ],
  verify: ['验证后该手机号可用于找回密码', 'After verification, this phone can be used to reset your password'],
  changed: ['手机号修改成功', 'Phone changed'],
  verified: ['手机号已验证', 'Phone verified'],
} as const satisfies Record<string, Text>;

const phoneOf = { phone: authForms.changePhone.fields.phone };

/** Sends a code to the phone of the form, if it is valid. */
const CodeButton = ({ form, isVerify }: { readonly form: FormState; readonly isVerify: boolean }) => {
  const passwordRule = usePasswordRule();
  const phone = () => {
    const wrong = isVerify ? undefined : check(phoneOf, form.values, { passwordRule }).errors.phone;
    if (wrong) form.refuse({ phone: t(wrong) });
    return wrong ? undefined : String(form.values.phone).trim();
  };
  const { label, disabled, press } = useSmsCode('change_phone', { phone, onCode: (smscode) => form.put({ smscode }) });
  return (
    <Button disabled={disabled} onClick={() => void press()}>
      {label}
    </Button>
  );
};

interface ChangePhoneProps {
  /** Verifies the current phone instead of changing it. */
  readonly isVerify: boolean;
  readonly onClose: () => void;
}

const ChangePhone = ({ isVerify, onClose }: ChangePhoneProps) => {
  const { profile, setProfile } = useIdentity();
  const form = isVerify ? authForms.verifyPhone : authForms.changePhone;
  const save = async (values: Values) => {
    const phone = isVerify ? profile.phone : plainPhone(String(values.phone).trim());
    await call(authCalls.change, {
      operate: 'change_phone',
      phone,
      password: String(values.password),
      smscode: String(values.smscode),
    });
    setProfile({ ...profile, phone, phone_verified: true });
    notify.success(t(isVerify ? texts.verified : texts.changed));
    onClose();
  };
  return (
    <Dialog open title={t(form.title)} onClose={onClose}>
      <p className="muted dialog-hint">{t(isVerify ? texts.verify : texts.change)}</p>
      <RecordForm
        form={form}
        start={isVerify ? { phone: profile.phone } : { old_phone: profile.phone }}
        notes={{ smscode: (state) => <CodeButton form={state} isVerify={isVerify} /> }}
        onSubmit={save}
        onCancel={onClose}
      />
    </Dialog>
  );
};

export default ChangePhone;
