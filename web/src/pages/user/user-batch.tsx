import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { openingCalls, openings } from '@farlink/contract/user/opening.ts';
import { userBatch } from '@farlink/contract/user/user-batch.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { startValues } from '../../kit/form/form-values.ts';
import { RecordPage } from '../../kit/form/record-page.tsx';
import type { SectionNames } from '../../kit/form/sections.ts';
import type { FormState } from '../../kit/form/use-form.ts';
import { mayDiscard } from '../../kit/form/use-leave-guard.ts';
import PlainList from '../../kit/list/plain-list.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';
import { CallError } from '../../kit/net/call.ts';
import { callRows } from '../../kit/net/call-rows.ts';
import { download } from '../../kit/net/download.ts';
import { isRow } from '../../kit/net/wire.ts';
import { Button } from '../../ui/native/button.tsx';
import { Panel } from '../../ui/native/panel.tsx';
import { TabRow } from '../../ui/native/tab-row.tsx';
import { countOf, RangeNote, RealNameNote } from './batch-preview.tsx';
import { OpeningView } from './opening-view.tsx';
import { SaleNote } from './sale-note.tsx';
import { useOpenConfig } from './use-user-account.ts';
import './opening.css';

const mine: Text = ['我的批量开户', 'My openings'];
const { rule, import: fromFile } = userBatch.forms;
const { submit, import: importing, demo } = userBatch.actions;
const ways = { rule: submit.label, import: importing.label, mine } as const satisfies Record<string, Text>;
const isWay = (value: string | null): value is keyof typeof ways => value !== null && value in ways;

const ruleSections: readonly SectionNames[] = [
  { title: ['账号', 'Accounts'], fields: ['account_type', 'account_prefix', 'start_no', 'count', 'password', 'allow_logins', 'expire_at'] },
  { title: ['绑定', 'Binding'], fields: ['bind_type', 'device_id', 'device_group_id'] },
  { title: ['套餐与收款', 'Package and payment'], fields: ['package_id', 'pay_method', 'discount'] },
];
const importSections: readonly SectionNames[] = [
  { title: ['文件', 'File'], fields: ['file', 'atomic'] },
  { title: ['绑定', 'Binding'], fields: ['bind_type', 'device_id', 'device_group_id'] },
  { title: ['套餐与收款', 'Package and payment'], fields: ['package_id', 'pay_method'] },
];

const ruleNote = (name: string, form: FormState) => {
  const { values } = form;
  if (name === 'account_type') return <RealNameNote values={values} unchanged={form.unchanged} />;
  if (name === 'start_no') return <RangeNote values={values} />;
  return name === 'package_id' ? <SaleNote form={form} count={countOf(values.count)} /> : undefined;
};

/** The form, and the values already sent; other changes would be lost by switching the tab. */
interface Draft {
  form?: FormState;
  sent?: Values;
}
const isUnsaved = ({ form, sent }: Draft) => form !== undefined && !form.unchanged && form.values !== sent;

const Watch = ({ form, draft }: { readonly form: FormState; readonly draft: RefObject<Draft> }) => {
  useEffect(() => {
    draft.current.form = form;
  });
  return null;
};

/** Applies the opening configuration of the chosen type. */
const UsualValues = ({ form }: { readonly form: FormState }) => {
  useOpenConfig(form);
  return null;
};

interface WayProps {
  readonly way: 'rule' | 'import';
  readonly draft: RefObject<Draft>;
}

const OpeningForm = ({ way, draft }: WayProps) => {
  const client = useQueryClient();
  const [opened, setOpened] = useState<number>();
  const [form, action] = way === 'rule' ? [rule, submit] : [fromFile, importing];
  const send = async (values: Values, key: string) => {
    setOpened(undefined);
    const reply = await callRows(action.call, [], { ...values, ...('params' in action ? action.params : {}) }, { overlay: false, key });
    draft.current.sent = draft.current.form?.values ?? {};
    void client.invalidateQueries();
    if (isRow(reply)) setOpened(reply.id);
  };
  return (
    <RecordPage
      form={form}
      start={startValues(form.fields)}
      sections={way === 'rule' ? ruleSections : importSections}
      submitLabel={action.label}
      onSubmit={send}
      back="/user/list"
      head={(state) => (
        <>
          <Watch form={state} draft={draft} />
          {way === 'rule' && <UsualValues form={state} />}
        </>
      )}
      {...(way === 'rule' && { note: ruleNote })}
      result={opened !== undefined && <OpeningView key={opened} id={opened} />}
    />
  );
};

const openingsKey = 'openings';
const isRunning = (row: AnyRow) => row.state === 'waiting' || row.state === 'running';

/** Openings of this operator. */
const MyOpenings = () => {
  usePollWhileRunning(openingsKey, isRunning);
  const [shown, setShown] = useState<number>();
  const detail = { on: 'row', label: ['结果', 'Result'] } as const;
  return (
    <section className="card openings-list" aria-label={t(mine)}>
      <PlainList
        page={{ key: openingsKey, title: mine, list: openingCalls.list, resource: openings }}
        params={{}}
        offers={() => [{ key: 'detail', action: detail }]}
        act={(_, row) => setShown(row.id)}
      />
      {shown !== undefined && (
        <Panel title={t(detail.label)} width={720} onClose={() => setShown(undefined)}>
          <OpeningView key={shown} id={shown} />
        </Panel>
      )}
    </section>
  );
};

/** Opens many accounts: by prefix and number, or from a file. */
const UserBatch = () => {
  const id = useId();
  const [query, setQuery] = useSearchParams();
  const tab = query.get('tab');
  const way = isWay(tab) ? tab : 'rule';
  const draft = useRef<Draft>({});
  const openTab = async (next: string) => {
    if (next === way || (isUnsaved(draft.current) && !(await mayDiscard()))) return;
    draft.current = {};
    setQuery({ tab: next }, { replace: true, preventScrollReset: true });
  };
  const fetchTemplate = () =>
    download(demo.call, {}).catch((error: unknown) => {
      if (!(error instanceof CallError)) throw error;
    });
  return (
    <div>
      <header className="row card opening-head">
        <TabRow
          tabs={Object.entries(ways).map(([name, label]) => ({ name, label: t(label) }))}
          current={way}
          onSelect={(name) => void openTab(name)}
          controls={id}
        />
        <Button onClick={() => void fetchTemplate()}>{t(demo.label)}</Button>
      </header>
      <div id={id} role="tabpanel" aria-label={t(ways[way])} key={way}>
        {way === 'mine' ? <MyOpenings /> : <OpeningForm way={way} draft={draft} />}
      </div>
    </div>
  );
};
export default UserBatch;
