import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { infoCalls, infoForm, infoSetup } from '@farlink/contract/market/info-setup.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { usePageActions } from '../../kit/actions/use-page-actions.tsx';
import { setBrand } from '../../kit/chrome/brand.ts';
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
import { FieldText } from '../../kit/list/field-text.tsx';
import { callRows } from '../../kit/net/call-rows.ts';
import { useMe } from '../../kit/net/session.ts';
import { tips } from '../../ui/browser/tip.ts';
import { Button } from '../../ui/native/button.tsx';
import '../../ui/styles/form.css';
import { LogoCard } from './logo-card.tsx';
import './info-setup.css';

const texts = {
  saved: ['保存成功', 'Saved'],
  account: ['账号信息', 'Account'],
  agentHint: [
    '显示在控制台、登录页、邮件、收据和打印的充值卡上。',
    'Shown in the console, on the login page, in mails, on receipts and printed cards.',
  ],
  deviceHint: ['显示在本VNO网关自身的页面上。', "Shown on the gateways' own pages."],
} as const satisfies Record<string, Text>;

const { save, reload } = infoSetup.actions;
const { fields } = infoSetup.resource;
const facts = ['username', 'code', 'third_id', 'agent_mode', 'account_prefix'] as const;

interface InfoFormProps {
  readonly record: AnyRow;
  readonly onSaved: () => void;
  readonly onReload: () => void;
}

const InfoForm = ({ record, onSaved, onReload }: InfoFormProps) => {
  const me = useMe();
  const id = useId();
  const client = useQueryClient();
  const state = useForm(infoForm.fields, startValues(infoForm.fields, record), {});
  const sent = useRef<Values>(null);
  const submitForm = async (values: Values) => {
    sent.current = state.values;
    await callRows(infoCalls.save, [], { ...values, version: record.version }, { overlay: false }).catch((error: unknown) => {
      sent.current = null;
      throw error;
    });
    await client.invalidateQueries();
    onSaved();
    notify.success(t(texts.saved));
  };
  const { busy, submit } = useSubmit({ id, fields: infoForm.fields, state, isEdit: true, onSubmit: submitForm });
  useLeaveGuard(() => !state.unchanged && sent.current !== state.values);
  return (
    <form
      className="record-page card"
      noValidate
      aria-label={t(infoForm.title)}
      onSubmit={(e) => {
        e.preventDefault();
        void submit();
      }}
    >
      <div className="field-columns">
        {Object.entries(infoForm.fields).map(([name, field]) => (
          <FieldRow key={name} id={`${id}-${name}`} name={name} field={field} form={state} scope={{}} self={undefined} />
        ))}
      </div>
      <div className="dialog-foot page-foot">
        <span className="spring" />
        <Button onClick={onReload}>{t(reload.label)}</Button>
        <Button kind="primary" type="submit" loading={busy} disabled={!mayCall(save.call, me)}>
          {t(save.label)}
        </Button>
      </div>
    </form>
  );
};

const str = (value: unknown) => (typeof value === 'string' ? value : null);

const Info = ({ record }: { readonly record: AnyRow }) => {
  const page = usePageActions(infoSetup, {});
  const logo = str(record.agent_logo) ?? str(record.inherited_agent_logo);
  const name = String(record.name);
  // The shell shows the stored values at once, in this tab.
  useEffect(() => setBrand({ name, logo }), [name, logo]);
  return (
    <aside className="info-side">
      <LogoCard
        title={t(fields.agent_logo.label)}
        hint={t(texts.agentHint)}
        name={name}
        own={str(record.agent_logo)}
        inherited={str(record.inherited_agent_logo)}
        actions={['agentLogo', 'removeAgentLogo']}
        act={page.act}
      />
      <LogoCard
        title={t(fields.device_logo.label)}
        hint={t(texts.deviceHint)}
        name={name}
        own={str(record.device_logo)}
        inherited={str(record.inherited_device_logo)}
        actions={['deviceLogo', 'removeDeviceLogo']}
        act={page.act}
      />
      <section className="card info-facts" aria-label={t(texts.account)}>
        <h2>{t(texts.account)}</h2>
        <dl>
          {facts.map((key) => (
            <div key={key}>
              <dt>{t(fields[key].label)}</dt>
              <dd>
                <FieldText field={fields[key]} value={record[key]} scope={{}} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {page.open}
    </aside>
  );
};

/** Information and logos of the session's VNO. */
const InfoSetupPage = () => {
  const me = useMe();
  const loaded = useRecord(infoCalls.read, me.agent_id);
  const { first, renew } = useInitial(loaded.isFetchedAfterMount ? loaded.record : undefined);
  const [reads, setReads] = useState(0);
  const client = useQueryClient();
  const readAgain = async () => {
    await client.invalidateQueries();
    renew();
    setReads(reads + 1);
  };
  if (!first) return <RecordState loaded={loaded} back="/" />;
  return (
    <div className="columns wide form-and-side" {...tips}>
      <InfoForm key={`${first.version} ${reads}`} record={first} onSaved={renew} onReload={() => void readAgain()} />
      <Info record={loaded.record ?? first} />
    </div>
  );
};
export default InfoSetupPage;
