import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { userDetail } from '@farlink/contract/user/user-detail.ts';
import { userCreate } from '@farlink/contract/user/user-form.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { BillLine } from '../../kit/actions/receipt-view.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { useBack } from '../../kit/chrome/route.ts';
import { startValues } from '../../kit/form/form-values.ts';
import { RecordPage } from '../../kit/form/record-page.tsx';
import type { FormState } from '../../kit/form/use-form.ts';
import { callRows } from '../../kit/net/call-rows.ts';
import { useMe } from '../../kit/net/session.ts';
import { isRow } from '../../kit/net/wire.ts';
import { userSections } from './form-sections.ts';
import { AccountNote } from './opening-preview.tsx';
import { SaleNote } from './sale-note.tsx';
import { useOpenConfig } from './use-user-account.ts';

const ReceiptDialog = lazy(() => import('../../kit/actions/receipt-dialog.tsx'));

const opened: Text = ['开户成功', 'Account opened'];
const { create } = userCreate.forms;
const { submit } = userCreate.actions;
const list = '/user/list';

const OpenConfig = ({ form }: { readonly form: FormState }) => {
  useOpenConfig(form);
  return null;
};

const note = (name: string, form: FormState) => {
  const { values } = form;
  if (name === 'account') return <AccountNote values={values} />;
  if (name === 'package_id') return <SaleNote form={form} count={1} fills />;
  return undefined;
};

/** Opens one account at the counter, then shows its page. */
const UserCreate = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const me = useMe();
  const goBack = useBack(list);
  const [receipt, setReceipt] = useState<{ readonly bill: BillLine; readonly proceed: () => unknown }>();
  const [query] = useSearchParams();
  const config_id = Number(query.get('config_id')) || undefined;
  const start = { ...startValues(create.fields), config_id };
  const open = async (values: Values, key: string) => {
    const reply = await callRows(submit.call, [], { ...values, ...submit.params }, { overlay: false, key });
    await client.invalidateQueries();
    notify.success(t(opened));
    const proceed = () => (isRow(reply) && mayOpen(userDetail, me) ? navigate(`/user/detail/${reply.id}`, { replace: true }) : goBack());
    if (!isRow(reply) || typeof reply.bill_no !== 'string') return proceed();
    setReceipt({ bill: { bill_no: reply.bill_no, name: String(reply.account), received: '0.00' }, proceed });
  };
  const page = (
    <RecordPage
      form={create}
      start={start}
      sections={userSections}
      submitLabel={submit.label}
      onSubmit={open}
      back={list}
      head={(form) => <OpenConfig form={form} />}
      note={note}
    />
  );
  return (
    <>
      {page}
      <Suspense>{receipt && <ReceiptDialog bills={[receipt.bill]} onClose={() => void receipt.proceed()} />}</Suspense>
    </>
  );
};
export default UserCreate;
