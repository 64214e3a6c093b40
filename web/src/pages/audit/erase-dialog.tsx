import { auditRevealCalls, eraseForm } from '@farlink/contract/audit/audit-reveal.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { confirm, notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { RecordForm } from '../../kit/form/record-form.tsx';
import { call } from '../../kit/net/call.ts';

const texts = {
  done: ['已清除，删除密钥 {0} 个', 'Erased. {0} keys deleted.'],
} as const satisfies Record<string, Text>;

/** Erases the sealed values of the user of a row. */
const EraseDialog = ({ row, onClose }: { readonly row: AnyRow; readonly onClose: () => void }) => {
  const client = useQueryClient();
  return (
    <Dialog open title={`${t(eraseForm.title)} · ${String(row.account)}`} onClose={onClose}>
      <RecordForm
        form={eraseForm}
        start={{}}
        danger
        onSubmit={async ({ reason }, key) => {
          if (!(await confirm(eraseForm.confirm(), { danger: true }))) return;
          const input = { subscriber_id: Number(row.user_id), reason: String(reason ?? '') };
          const { keys } = await call(auditRevealCalls.forget, input, { overlay: false, key });
          notify.success(t(texts.done, keys));
          onClose();
          await client.invalidateQueries({ queryKey: ['list'] });
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
};
export default EraseDialog;
