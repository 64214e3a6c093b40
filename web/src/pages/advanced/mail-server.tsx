import { mailForm, mailServer, mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { FieldRow } from '../../kit/form/field-row.tsx';
import { startValues } from '../../kit/form/form-values.ts';
import { RecordState } from '../../kit/form/record-state.tsx';
import { useForm } from '../../kit/form/use-form.ts';
import { useInitial } from '../../kit/form/use-initial.ts';
import { useLeaveGuard } from '../../kit/form/use-leave-guard.ts';
import { useRecord } from '../../kit/form/use-record.ts';
import { useSubmit } from '../../kit/form/use-submit.ts';
import { callRows } from '../../kit/net/call-rows.ts';
import { useMe } from '../../kit/net/session.ts';
import { tips } from '../../ui/browser/tip.ts';
import { nothing, timeText } from '../../ui/format.ts';
import { Button } from '../../ui/native/button.tsx';
import '../../ui/styles/form.css';
import './advanced.css';
import { MailTest } from './mail-test.tsx';

const texts = {
  saved: ['保存成功', 'Saved'],
  kept: ['已保存密码，留空表示不修改', 'A password is stored; leave empty to keep it'],
  state: ['发送情况', 'Delivery'],
  sent: ['最近发送成功', 'Last sent'],
  failed: ['最近发送失败', 'Last failure'],
} as const satisfies Record<string, Text>;

const { save, test } = mailServer.actions;

/** Form values from the stored record; `stored` is for the password rule. */
const startOf = (record: AnyRow): Values => {
  if (record.has_password !== true) return { ...startValues(mailForm.fields), stored: null };
  const { user, host, port, secure } = record;
  return { ...startValues(mailForm.fields, record), stored: { user, host, port, secure } };
};

const Fares = ({ record }: { readonly record: AnyRow }) => (
  <>
    <h2>{t(texts.state)}</h2>
    <dl>
      <dt>{t(texts.sent)}</dt>
      <dd>{record.sent_at === null ? nothing : timeText(record.sent_at)}</dd>
      <dt>{t(texts.failed)}</dt>
      <dd>{record.fault_at === null ? nothing : `${timeText(record.fault_at)} ${record.fault ?? ''}`}</dd>
    </dl>
  </>
);

const ServerForm = ({ record, onSaved }: { readonly record: AnyRow; readonly onSaved: () => void }) => {
  const me = useMe();
  const id = useId();
  const client = useQueryClient();
  const state = useForm(mailForm.fields, startOf(record), {});
  const sent = useRef<Values>(null);
  const submitForm = async (values: Values) => {
    sent.current = state.values;
    await callRows(mailServerCalls.save, [], { ...values, version: record.version }, { overlay: false }).catch((error: unknown) => {
      sent.current = null;
      throw error;
    });
    await client.invalidateQueries();
    onSaved();
    notify.success(t(texts.saved));
  };
  const { busy, submit } = useSubmit({
    id,
    fields: mailForm.fields,
    state,
    isEdit: record.has_password === true,
    onSubmit: submitForm,
  });
  useLeaveGuard(() => !state.unchanged && sent.current !== state.values);
  const mayKeep = record.has_password === true && mailForm.fields.password.requiredWhen?.(state.values) === false;
  return (
    <div className="columns wide form-and-side" {...tips}>
      <form
        className="record-page card"
        noValidate
        aria-label={t(mailForm.title)}
        onSubmit={(e) => {
          e.preventDefault();
          void submit();
        }}
      >
        <div className="field-columns">
          {Object.entries(mailForm.fields).map(([name, field]) => (
            <FieldRow
              key={name}
              id={`${id}-${name}`}
              name={name}
              field={field}
              form={state}
              scope={{}}
              self={undefined}
              note={name === 'password' && mayKeep ? <span className="hint">{t(texts.kept)}</span> : undefined}
            />
          ))}
        </div>
        <div className="dialog-foot page-foot">
          <span className="spring" />
          <Button kind="primary" type="submit" loading={busy} disabled={!mayCall(save.call, me)}>
            {t(save.label)}
          </Button>
        </div>
      </form>
      <aside className="card mail-side" aria-label={t(test.label)}>
        <h2>{t(test.label)}</h2>
        <MailTest server={state} mayTest={mayCall(test.call, me)} />
        {record.has_password === true && <Fares record={record} />}
      </aside>
    </div>
  );
};

/** The mail server of the session's VNO. */
const MailServerPage = () => {
  const me = useMe();
  const loaded = useRecord(mailServerCalls.read, me.agent_id);
  const { first, renew } = useInitial(loaded.isFetchedAfterMount ? loaded.record : undefined);
  return first ? <ServerForm key={first.version} record={first} onSaved={renew} /> : <RecordState loaded={loaded} back="/" />;
};
export default MailServerPage;
