import { authCalls } from '@farlink/contract/auth/auth.ts';
import { errors } from '@farlink/contract/errors.ts';
import { type Field, type Fields, text, variant } from '@farlink/contract/kit/field.ts';
import type { Form } from '@farlink/contract/kit/page.ts';
import { type PasswordRule, passwordHint } from '@farlink/contract/kit/password-rule.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { settingCalls, userSet } from '@farlink/contract/user/setting.ts';
import { isPlatformSetting, settingFields } from '@farlink/contract/user/setting-fields.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PageActions, Run } from '../../kit/actions/use-page-actions.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { RecordForm } from '../../kit/form/record-form.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';
import { Button } from '../../ui/native/button.tsx';

const texts = {
  close: ['关闭', 'Close'],
  changed: ['修改成功', 'Changed'],
  none: ['未设置', 'Not set'],
  ruleOf: ['登录密码须满足以下规则：', 'A login password must be:'],
} as const satisfies Record<string, Text>;

const fieldOf: Fields = { ...settingFields.register, ...settingFields.passwordRule, ...settingFields.login };

/** These forms change groups of settings, so they load values instead of a row. */
const openGroup = async (actions: PageActions, key: string) => {
  const values = await call(settingCalls.values, {});
  await actions.openForm(key, { id: 0, ...values });
};

/** A VNO can read the platform settings but not change them. */
const readOnly = (form: Form): Form => ({
  ...form,
  fields: Object.fromEntries(
    Object.entries(form.fields).map(([name, field]): [string, Field] => [
      name,
      isPlatformSetting(name) ? variant(field, { readonly: true }) : field,
    ]),
  ),
});
const pageOfVno = { ...userSet, forms: { ...userSet.forms, login: readOnly(userSet.forms.login) } };

/** A setting as the text that the server parses. */
const written = (value: unknown): string => (value === undefined || value === null || value === '' ? t(texts.none) : String(value));

interface Item {
  readonly row: AnyRow;
  readonly value: unknown;
}

/** One setting, with the control of its kind. */
const ItemDialog = ({ row, value, onClose }: Item & { readonly onClose: () => void }) => {
  const client = useQueryClient();
  const field = fieldOf[String(row.setting_key)] ?? text(userSet.forms.item.fields.value.label);
  const plain = { ...field, label: userSet.forms.item.fields.value.label, when: undefined, requiredWhen: undefined };
  const form: Form = { ...userSet.forms.item, fields: { name: userSet.forms.item.fields.name, value: plain } };
  const save = async (values: Values) => {
    await call(
      settingCalls.updateOne,
      { id: row.id, version: row.version ?? 0, name: null, value: written(values.value) },
      { overlay: false },
    );
    onClose();
    notify.success(t(texts.changed));
    await client.invalidateQueries();
  };
  return (
    <Dialog open title={t(form.title)} onClose={onClose}>
      <RecordForm form={form} start={{ name: row.name, value }} isEdit onSubmit={save} onCancel={onClose} />
    </Dialog>
  );
};

const RuleDialog = ({ rule, onClose }: { readonly rule: PasswordRule; readonly onClose: () => void }) => (
  <Dialog open title={t(userSet.actions.ruleText.label)} onClose={onClose} footer={<Button onClick={onClose}>{t(texts.close)}</Button>}>
    <p className="muted">{t(texts.ruleOf)}</p>
    <p>{t(passwordHint(rule))}</p>
  </Dialog>
);

/** Settings of a VNO, single or by group; platform settings are visible to all and changed by the platform. */
const UserSet = () => {
  const me = useMe();
  const isPlatform = me.agent_level === 0;
  const [item, setItem] = useState<Item>();
  const [rule, setRule] = useState<PasswordRule>();
  const showRule = async () => setRule(await call(authCalls.passwordRule, {}));
  const run: Run = {
    register: (_, actions) => openGroup(actions, 'register'),
    login: (_, actions) => openGroup(actions, 'login'),
    passwordRule: async (_, actions) => {
      if (isPlatform) return openGroup(actions, 'passwordRule');
      notify.warning(t(errors.platform_setting.text));
      await showRule();
    },
    ruleText: showRule,
    edit: async (row) => {
      const values: Values = { ...(await call(settingCalls.values, {})) };
      setItem({ row, value: values[String(row.setting_key)] ?? undefined });
    },
  };
  return (
    <>
      <ResourcePage page={isPlatform ? userSet : pageOfVno} run={run} isUnpaged />
      {item && <ItemDialog {...item} onClose={() => setItem(undefined)} />}
      {rule && <RuleDialog rule={rule} onClose={() => setRule(undefined)} />}
    </>
  );
};
export default UserSet;
