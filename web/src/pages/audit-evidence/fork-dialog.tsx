import { auditEvidenceCalls, forkForm } from '@farlink/contract/audit/audit-evidence.ts';
import { useQueryClient } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { confirm, notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { RecordForm } from '../../kit/form/record-form.tsx';
import { call } from '../../kit/net/call.ts';
import { texts } from './texts.ts';

/** Records why the log continues although it contradicts its outside copy. */
const ForkDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient();
  return (
    <Dialog open title={t(forkForm.title)} onClose={onClose}>
      <RecordForm
        form={forkForm}
        start={{}}
        danger
        onSubmit={async ({ reason }, key) => {
          if (!(await confirm(forkForm.confirm(), { danger: true }))) return;
          await call(auditEvidenceCalls.fork, { reason: String(reason ?? '') }, { overlay: false, key });
          notify.success(t(texts.forked));
          onClose();
          await client.invalidateQueries({ queryKey: ['audit-evidence'] });
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
};
export default ForkDialog;
