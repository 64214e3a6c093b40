import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Action, Form, Me, Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { ActionObjects } from '../actions/action-objects.tsx';
import { isBatch } from '../actions/action-state.ts';
import { knownOf } from '../actions/batch.ts';
import type { SkippedRow } from '../actions/suitable-rows.ts';
import { t } from '../chrome/lang.ts';
import { confirm } from '../chrome/notify.tsx';
import type { CallOptions } from '../net/call.ts';
import { callRows } from '../net/call-rows.ts';
import { useMe } from '../net/session.ts';
import { isRow } from '../net/wire.ts';
import { Dialog } from './dialog.tsx';
import { actionValues, startValues } from './form-values.ts';
import { RecordForm } from './record-form.tsx';
import { UploadNote } from './upload-note.tsx';
import type { Submit } from './use-submit.ts';
import { useUpload } from './use-upload.ts';

interface RecordDialogProps {
  readonly action: Action;
  readonly call: Endpoint;
  readonly form: Form;
  /** The records of the dialog, from the list or the detail call; none for a new one. */
  readonly rows: readonly AnyRow[];
  /** Selected rows that are not suitable. */
  readonly skipped?: readonly SkippedRow[];
  readonly page: Page;
  readonly onClose: () => void;
  /** Receives the response and the action to report: this one, or the one that followed. */
  readonly onDone: (reply: unknown, action: Action) => void;
}

/** The action after this form, if the operator may call it. */
const followUpOf = (page: Page, { follow }: Form, me: Me) => {
  const action = page.actions[follow?.action ?? ''];
  return follow && action?.call && mayCall(action.call, me) ? { ...follow, action, call: action.call } : undefined;
};

const RecordDialog = ({ page, action, call: e, form, rows, skipped, onClose, onDone }: RecordDialogProps) => {
  const row = rows.length === 1 ? rows[0] : undefined;
  const ids = rows.map(({ id }) => id);
  const isAction = isBatch(action) || e.kind === 'command';
  const { progress, send } = useUpload();
  const follow = followUpOf(page, form, useMe());
  const submit: Submit = async (values, key, isSaveOnly) => {
    const question = form.confirm?.(values);
    const about = rows.length > 0 && <ActionObjects resource={page.resource} rows={rows} skipped={skipped} />;
    if (question && !(await confirm(question, { danger: true, about }))) return;
    const known = { ...knownOf(action, rows), ...values };
    const call = (options?: CallOptions) => callRows(e, rows, known, { overlay: false, key, ...options });
    if (Object.values(values).some((value) => value instanceof File)) return send(call, (reply) => onDone(reply, action));
    const reply = await call();
    if (!follow) return onDone(reply, action);
    if (isSaveOnly || !isRow(reply)) return onDone(reply, { ...action, done: follow.saved });
    await callRows(follow.call, [reply], { id: reply.id }, { overlay: false });
    onDone(reply, follow.action);
  };
  return (
    <Dialog open title={t(form.title)} width={form.width} onClose={onClose}>
      {isAction && page.resource && rows.length > 0 && <ActionObjects resource={page.resource} rows={rows} skipped={skipped} />}
      <RecordForm
        form={form}
        start={isAction ? actionValues(form.fields, row) : startValues(form.fields, row)}
        otherValues={{ ...row, old_name: row?.name }}
        scope={{ ...page.listParams, ...(isAction && { ids }) }}
        ids={ids}
        isEdit={e.kind === 'update' && rows.length < 2}
        danger={action.danger === true}
        follow={follow}
        fileNote={progress && <UploadNote {...progress} />}
        onSubmit={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
};
export default RecordDialog;
