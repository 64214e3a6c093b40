import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/field.ts';
import type { Action, AnyRow, Form, Page } from '@farlink/contract/kit/resource.ts';
import { call } from './call.ts';
import { Dialog } from './dialog.tsx';
import { startValues } from './form-values.ts';
import { t } from './lang.ts';
import { RecordForm } from './record-form.tsx';
import { inputFor } from './wire.ts';

interface RecordDialogProps {
  readonly action: Action;
  readonly call: Endpoint;
  readonly form: Form;
  /** The record it is about: its row, or the fresher answer of the detail call. */
  readonly row: AnyRow | undefined;
  readonly page: Page;
  readonly onClose: () => void;
  readonly onDone: (answer: unknown) => void;
}

const RecordDialog = ({ page, action, call: e, form, row, onClose, onDone }: RecordDialogProps) => {
  const submit = async (values: Values) => {
    const known = { id: row?.id, version: row?.version, ...action.params, ...values };
    onDone(await call(e, inputFor(e, known), { overlay: false }));
  };
  return (
    <Dialog open title={t(form.title)} width={form.width} onClose={onClose}>
      <RecordForm
        form={form}
        start={startValues(form.fields, row)}
        beside={{ ...row, old_name: row?.name }}
        scope={page.listParams ?? {}}
        isEdit={e.kind === 'update'}
        danger={action.danger === true}
        onSubmit={submit}
        onCancel={onClose}
      />
    </Dialog>
  );
};
export default RecordDialog;
