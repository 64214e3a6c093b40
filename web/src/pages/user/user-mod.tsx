import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { closesPolicy } from '@farlink/contract/user/user-actions.ts';
import { userMod } from '@farlink/contract/user/user-form.ts';
import { useQueryClient } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { useBack, useRouteId } from '../../kit/chrome/route.ts';
import { startValues } from '../../kit/form/form-values.ts';
import { RecordPage } from '../../kit/form/record-page.tsx';
import { RecordState } from '../../kit/form/record-state.tsx';
import { useInitial } from '../../kit/form/use-initial.ts';
import { useRecord } from '../../kit/form/use-record.ts';
import { callRows } from '../../kit/net/call-rows.ts';
import { userSections } from './form-sections.ts';

const saved: Text = ['保存成功', 'Saved'];
const save: Text = ['保存', 'Save'];
const masked: Text = ['未修改则保持原值', 'Keeps the current value if unchanged'];
const { edit } = userMod.forms;
const list = '/user/list';

const startOf = (user: AnyRow): Values => {
  const custom_policy = user.custom_policy === 1;
  // An account without an ID number can be saved without one.
  const realname = user.realname === true && user.id_number !== null;
  // A package that has ended can be selected again.
  const hasEnded = user.package_status === 'expired' || user.package_status === 'exhausted';
  const record = { ...user, custom_policy, id_type: user.id_type ?? 'id_card', package_id: hasEnded ? null : user.package_id };
  return { ...startValues(edit.fields, record), has_photo: user.photo !== null, realname };
};

const UserForm = ({ user }: { readonly user: AnyRow }) => {
  const client = useQueryClient();
  const back = useBack(list);
  const ask = (values: Values) => (user.custom_policy === 1 && values.custom_policy !== true ? closesPolicy : undefined);
  const submit = async (values: Values, key: string) => {
    const { id, version } = user;
    await callRows(userCalls.update, [], { ...values, id, version }, { overlay: false, key });
    await client.invalidateQueries();
    notify.success(t(saved));
    back();
  };
  const note = (name: string, { values }: { readonly values: Values }) =>
    (name === 'phone' || name === 'id_number') && String(values[name] ?? '').includes('****') ? (
      <span className="hint">{t(masked)}</span>
    ) : undefined;
  return (
    <RecordPage
      form={{ ...edit, confirm: ask }}
      start={startOf(user)}
      scope={{ id: user.id }}
      sections={userSections}
      isEdit
      submitLabel={save}
      onSubmit={submit}
      back={list}
      note={note}
    />
  );
};

const UserMod = () => {
  const loaded = useRecord(userCalls.read, useRouteId());
  const { first } = useInitial(loaded.isFetchedAfterMount ? loaded.record : undefined);
  return first ? <UserForm user={first} /> : <RecordState loaded={loaded} back={list} />;
};
export default UserMod;
