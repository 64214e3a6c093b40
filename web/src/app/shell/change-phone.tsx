import { authCalls, authForms } from '@farlink/contract/auth/auth.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { call } from '../../kit/call.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/lang.ts';
import { notify } from '../../kit/notify.tsx';
import { RecordForm } from '../../kit/record-form.tsx';
import { useIdentity } from '../identity.ts';

const changed: Text = ['手机号修改成功', 'The phone has been changed'];

const form = authForms.changePhone;

const ChangePhone = ({ onClose }: { onClose: () => void }) => {
  const { profile, setProfile } = useIdentity();
  const save = async (values: Values) => {
    const phone = String(values.phone);
    await call(authCalls.change, { operate: 'change_phone', phone });
    setProfile({ ...profile, phone });
    notify.success(t(changed));
    onClose();
  };
  return (
    <Dialog open title={t(form.title)} onClose={onClose}>
      <RecordForm form={form} start={{ old_phone: profile.phone }} onSubmit={save} onCancel={onClose} />
    </Dialog>
  );
};

export default ChangePhone;
