import { mailServer, mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { useId, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { FieldRow } from '../../kit/form/field-row.tsx';
import { type FormState, useForm } from '../../kit/form/use-form.ts';
import { CallError } from '../../kit/net/call.ts';
import { callRows } from '../../kit/net/call-rows.ts';
import { Button } from '../../ui/native/button.tsx';
import { Callout } from '../../ui/native/callout.tsx';

const texts = {
  hint: ['按左侧当前填写的内容发送，无需先保存。', 'Uses the current form values. You do not need to save first.'],
  done: ['已发送，服务器应答：{0}', 'Sent. Server reply: {0}'],
  form: ['请先完善左侧表单', 'Complete the form first'],
} as const satisfies Record<string, Text>;

const { test } = mailServer.actions;
const { fields } = mailServer.forms.test;

interface Outcome {
  readonly tone: 'success' | 'error' | 'warning';
  readonly text: string;
}

/** Sends a test mail with the form values and shows the response of the mail server. */
export const MailTest = ({ server, mayTest }: { readonly server: FormState; readonly mayTest: boolean }) => {
  const id = useId();
  const state = useForm(fields, {}, {});
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  const attempt = async (values: Values): Promise<Outcome> => {
    try {
      const reply = await callRows(mailServerCalls.test, [], values, { overlay: false, silent: true });
      return { tone: 'success', text: t(texts.done, isRecord(reply) ? String(reply.answer) : '') };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      server.refuse(error.fields);
      state.refuse(error.fields);
      return Object.keys(error.fields).length > 0 ? { tone: 'warning', text: t(texts.form) } : { tone: 'error', text: error.message };
    }
  };
  const send = async () => {
    const to = state.validate();
    const form = server.validate();
    if ('errors' in to) return;
    if ('errors' in form) return setOutcome({ tone: 'warning', text: t(texts.form) });
    setBusy(true);
    setOutcome(undefined);
    try {
      setOutcome(await attempt({ ...form.values, ...to.values }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      aria-label={t(test.label)}
      onSubmit={(e) => {
        e.preventDefault();
        if (!busy) void send();
      }}
    >
      <p className="muted">{t(texts.hint)}</p>
      {Object.entries(fields).map(([name, field]) => (
        <FieldRow key={name} id={`${id}-${name}`} name={name} field={field} form={state} scope={{}} self={undefined} />
      ))}
      <Button type="submit" loading={busy} disabled={!mayTest}>
        {t(test.label)}
      </Button>
      {outcome && <Callout tone={outcome.tone}>{outcome.text}</Callout>}
    </form>
  );
};
