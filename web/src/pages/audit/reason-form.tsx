import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { reason } from '@farlink/contract/audit/audit-fields.ts';
import { form } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { useBack } from '../../kit/chrome/route.ts';
import { RecordForm } from '../../kit/form/record-form.tsx';
import { call } from '../../kit/net/call.ts';
import type { AuditListPage } from './audit-list-page.ts';
import './audit.css';

const texts = {
  title: ['查看“{0}”前请说明原因', 'Why do you need to see {0}?'],
  hint: [
    '本页包含用户的上网审计数据。查看的人、筛选条件、行数和原因都会被记录，本次登录内只需填写一次。',
    'This page has audit data of users. Your account, the filters, the number of rows and the reason are recorded. You are asked once per login.',
  ],
} as const satisfies Record<string, Text>;

const reasonForm = form(auditAccessLogCalls.giveReason.summary, { reason });

/** Asks for the reason before the page is opened for the first time. */
export const ReasonForm = ({ page, onDone }: { readonly page: AuditListPage; readonly onDone: () => void }) => {
  const back = useBack('/');
  return (
    <section className="card audit-reason" aria-label={t(reasonForm.title)}>
      <h2>{t(texts.title, t(page.title))}</h2>
      <p className="muted">{t(texts.hint)}</p>
      <RecordForm
        form={reasonForm}
        start={{}}
        onSubmit={async (values, key) => {
          await call(auditAccessLogCalls.giveReason, { page: page.key, reason: String(values.reason ?? '') }, { overlay: false, key });
          onDone();
        }}
        onCancel={back}
      />
    </section>
  );
};
