import { authCalls, authForms } from '@farlink/contract/auth/auth.ts';
import { passwordHint } from '@farlink/contract/kit/password-rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { t } from '../../kit/chrome/lang.ts';
import { Dialog } from '../../kit/form/dialog.tsx';
import { startValues } from '../../kit/form/form-values.ts';
import { usePasswordRule } from '../../kit/form/password-rule.ts';
import { RecordForm } from '../../kit/form/record-form.tsx';
import { call } from '../../kit/net/call.ts';
import { logout } from '../end-session.ts';

const changed: Text = ['密码修改成功，请重新登录', 'Password changed, please log in again'];

const form = authForms.changePassword;

const save = async ({ password, newpassword, repassword }: Values) => {
  await call(authCalls.change, {
    operate: 'change_pwd',
    password: String(password),
    newpassword: String(newpassword),
    repassword: String(repassword),
  });
  // spec §4: after a successful password change, the user is logged out.
  await logout({ logoutMessage: t(changed) });
};

const ChangePassword = ({ onClose }: { onClose: () => void }) => {
  const hint = passwordHint(usePasswordRule());
  return (
    <Dialog open title={t(form.title)} onClose={onClose}>
      <p className="muted dialog-hint">{t(hint)}</p>
      <RecordForm form={form} start={startValues(form.fields)} onSubmit={save} onCancel={onClose} />
    </Dialog>
  );
};

export default ChangePassword;
